"""The conformance page: every row has an id, a state, and something that backs it."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "conformance.md"

ROW_ID = re.compile(r"(00[0-4])-[0-9.]+(?:bis)?-[a-z]+")
TEST = re.compile(r"tests/[\w/]+\.py::\w+")
CELL_EDGE = re.compile(r"(?<!\\)\|")  # \| is a bar inside a cell

STATES = {"done", "bettered", "untried", "not yet"}
PIECES = {
    *("the spine", "the protocol", "the page", "edits and tests", "the terminal UI"),
    *("VS Code", "the live board", "history", "the relay"),
}
MIN_REASON_WORDS = 4
# Clauses of each seed when the page was written. A clause may be split; none may vanish.
CLAUSES = {"000": 247, "001": 63, "002": 175, "003": 187, "004": 162}
# Every message of seed 004 §7 has an equal of ours.
VIEW_MESSAGES = {
    *("ui_ready", "send_message", "set_context", "view_diff", "apply_diff", "run_test"),
    *("copy_to_clipboard", "clear_thread", "request_state", "state", "append_message", "update_message"),
    *("stream_start", "stream_chunk", "stream_end", "toast", "action_result"),
}


class Row(NamedTuple):
    line: int
    id: str
    clause: str
    state: str
    shown_by: str


def parse_rows(page: str) -> list[Row]:
    rows = []
    for line, text in enumerate(page.splitlines(), start=1):
        cells = [cell.strip() for cell in CELL_EDGE.split(text)[1:-1]]
        if cells and re.match(r"\d{3}-", cells[0]):
            rows.append(Row(line, *[*cells, "", "", ""][:4]))
    return rows


@cache
def read_test_names(path: Path) -> frozenset[str]:
    if not path.is_file():
        return frozenset()
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return frozenset(node.name for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def is_test(root: Path, named: str) -> bool:
    path, _, name = named.partition("::")
    return name.startswith("test_") and name in read_test_names(root / path)


def find_fault(root: Path, row: Row) -> str | None:
    tests = TEST.findall(row.shown_by)
    missing = [named for named in tests if not is_test(root, named)]
    if not ROW_ID.fullmatch(row.id):
        return "the id is not SEED-SECTION-LETTER"
    if not row.clause:
        return "the clause is empty"
    if row.state not in STATES:
        return f"{row.state!r} is no state"
    if row.state == "not yet" and row.shown_by not in PIECES:
        return f"{row.shown_by!r} is no piece of work"
    if row.state in ("done", "untried") and not tests:
        return f"{row.state}, but no test is named"
    if row.state == "bettered" and len(TEST.sub("", row.shown_by).split()) < MIN_REASON_WORDS:
        return "bettered, but the reason is missing"
    return f"there is no {missing[0]}" if missing else None


def find_faults(root: Path, page: str) -> list[str]:
    found = [(row, find_fault(root, row)) for row in parse_rows(page)]
    return [f"conformance.md:{row.line}: {row.id}: {fault}" for row, fault in found if fault]


def find_repeats(page: str) -> list[str]:
    return [id_ for id_, times in Counter(row.id for row in parse_rows(page)).items() if times > 1]


# --- the page holds -------------------------------------------------------------------------------


def test_every_row_is_backed() -> None:
    assert find_faults(ROOT, PAGE.read_text(encoding="utf-8")) == []


def test_every_id_is_used_once() -> None:
    assert find_repeats(PAGE.read_text(encoding="utf-8")) == []


def test_no_clause_has_vanished() -> None:
    now = Counter(row.id.split("-")[0] for row in parse_rows(PAGE.read_text(encoding="utf-8")))
    assert {seed: now[seed] for seed, least in CLAUSES.items() if now[seed] < least} == {}


def test_every_row_stands_under_its_section() -> None:
    section, strays = "", []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"### (\d{3}) §(\S+) ", line):
            section = "-".join(heading.groups())
        strays += [row.id for row in parse_rows(line) if row.id.rpartition("-")[0] != section]
    assert strays == []


def test_every_view_message_has_an_equal() -> None:
    page = PAGE.read_text(encoding="utf-8")
    named = re.findall(
        r"^\| `(\w+)` \| .+ \| (?:surface to daemon|daemon to surface|inside the surface) \|$", page, re.M
    )
    assert Counter(named) == Counter(VIEW_MESSAGES)


# --- and the checks can fail ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("| 000-1-a | Clause. | not yet | the page |", None),
        ("| 000-1-a | Either \\| or. | not yet | the page |", None),
        ("| 000-1-a | Clause. | done | `tests/test_real.py::test_sync` |", None),
        (
            "| 000-1-a | Clause. | done | tests/test_real.py::test_sync, tests/test_real.py::test_async |",
            None,
        ),
        ("| 000-1-a | Clause. | bettered | The seed loses text here; we keep it. |", None),
        ("| 000-1-A | Clause. | not yet | the page |", "the id is not SEED-SECTION-LETTER"),
        ("| 007-1-a | Clause. | not yet | the page |", "the id is not SEED-SECTION-LETTER"),
        ("| 000-1-a | | not yet | the page |", "the clause is empty"),
        ("| 000-1-a | Clause. | nearly | the page |", "'nearly' is no state"),
        ("| 000-1-a | Clause. |", "'' is no state"),
        ("| 000-1-a | Clause. | not yet | some day |", "'some day' is no piece of work"),
        ("| 000-1-a | Clause. | done | I tried it |", "done, but no test is named"),
        ("| 000-1-a | Clause. | untried | Its text only. tests/test_real.py::test_sync |", None),
        ("| 000-1-a | Clause. | untried | Its text only. |", "untried, but no test is named"),
        (
            "| 000-1-a | Clause. | done | tests/test_none.py::test_x |",
            "there is no tests/test_none.py::test_x",
        ),
        (
            "| 000-1-a | Clause. | done | tests/test_real.py::test_x |",
            "there is no tests/test_real.py::test_x",
        ),
        (
            "| 000-1-a | Clause. | done | tests/test_real.py::a_step |",
            "there is no tests/test_real.py::a_step",
        ),
        ("| 000-1-a | Clause. | bettered | better |", "bettered, but the reason is missing"),
        (
            "| 000-1-a | Clause. | bettered | It keeps more, see tests/test_real.py::test_x |",
            "there is no tests/test_real.py::test_x",
        ),
    ],
)
def test_a_row_that_nothing_backs_is_named(tmp_path: Path, row: str, fault: str | None) -> None:
    real = tmp_path / "tests" / "test_real.py"
    real.parent.mkdir()
    real.write_text(
        "def test_sync(): ...\nasync def test_async(): ...\ndef a_step(): ...\n", encoding="utf-8"
    )
    page = f"| id | clause | state | shown by |\n{row}\n"
    assert find_faults(tmp_path, page) == ([f"conformance.md:2: {row.split()[1]}: {fault}"] if fault else [])


def test_a_repeated_id_is_named() -> None:
    row = "| 000-1-a | Clause. | not yet | the page |\n"
    assert find_repeats(row + row + row.replace("-a", "-b")) == ["000-1-a"]
