"""Context: which parts go along, under which names, and how many."""

import pytest

from bascule.core.prompts.context_request import (
    MAX_NAMED,
    MAX_SUMMARY,
    cut_bytes,
    parse_lines,
    plan_parts,
    summarise,
    take_lines,
)
from bascule.core.prompts.mentions import Selection
from bascule.model.asks import Refuse
from bascule.model.context import ContextPart, ContextRequest

ALL = ContextRequest(
    include_active_file=True, include_selection=True, include_workspace_summary=True, files=("b.py", "a.py")
)
PICKED = Selection(path="/w/a.py", start_line=2, start_column=0, end_line=8, end_column=4)


def plan(
    request: ContextRequest,
    active: str = "/w/a.py",
    selection: Selection | None = PICKED,
    max_files: int = 10,
) -> tuple[ContextPart, ...] | Refuse:
    return plan_parts(request, active=active, selection=selection, workspace="/w", max_files=max_files)


def test_each_part_has_its_name_and_a_file_goes_once() -> None:
    parts = plan(ALL)
    assert not isinstance(parts, Refuse)
    assert [(part.kind, part.name) for part in parts] == [
        ("workspace_summary", "workspace"),
        ("active_file", "a.py"),
        ("selection", "a.py#L3-L9"),
        ("file", "b.py"),
    ]


def test_files_over_the_limit_are_left_out_and_say_so() -> None:
    parts = plan(ContextRequest(files=("a", "b", "c")), max_files=2)
    assert not isinstance(parts, Refuse)
    assert [(part.name, part.left_out) for part in parts] == [("a", False), ("b", False), ("c", True)]
    assert parts[2].note == "over the limit of 2 files (bascule.contextMaxFiles)"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (plan(ContextRequest(include_active_file=True), active=""), "No active file is known"),
        (plan(ContextRequest(include_active_file=True), active="/etc/passwd"), "outside the workspace"),
        (plan(ContextRequest(include_active_file=True), active="../x"), "outside the workspace"),
        (plan(ContextRequest(include_selection=True), selection=None), "needs an open editor"),
        (plan(ContextRequest(files=("x",) * (MAX_NAMED + 1))), f"{MAX_NAMED} is the most"),
    ],
)
def test_what_cannot_go_along_is_refused(asked: object, why: str) -> None:
    assert isinstance(asked, Refuse)
    assert why in asked.why


def test_a_summary_holds_paths_and_sizes_up_to_a_ceiling() -> None:
    assert summarise([("a.py", 12), ("b\nc", 3)], truncated=False) == (
        "       12 a.py\n        3 b\\nc",
        "",
    )
    text, note = summarise(((f"f{number}", 1) for number in range(MAX_SUMMARY + 5)), truncated=False)
    assert len(text.splitlines()) == MAX_SUMMARY
    assert note == f"the first {MAX_SUMMARY} files; there are more"
    assert summarise([("a", 1)], truncated=True)[1] == "the first 1 files; there are more"


def test_a_cut_leaves_whole_characters() -> None:
    assert cut_bytes("äöü", 5) == "äö"
    assert cut_bytes("abc", 3) == "abc"


def test_lines_are_taken_by_their_numbers() -> None:
    assert parse_lines("a#L1.py#L3-L9") == ("a#L1.py", 3, 9)
    assert parse_lines("a.py#L3") == ("a.py", 3, 3)
    assert take_lines("one\ntwo\nthree", 2, 3) == "two\nthree"
    assert take_lines("one\x0c\u2028\r\ntwo\nthree\n", 2, 2) == "two\n"
