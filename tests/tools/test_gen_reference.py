"""The generated pages are fresh, and say what their tables say."""

import subprocess
import sys
from pathlib import Path

import pytest

from bascule.cli import VERBS
from bascule.core.session.fold import MAX_BLOCKS
from bascule.core.session.growing_text import MAX_TEXT
from bascule.model.protocol.table import METHODS
from bascule.model.settings import TABLE

ROOT = Path(__file__).parents[2]
TOOL = [sys.executable, str(ROOT / "tools" / "gen_reference.py")]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    stale = subprocess.run([*TOOL, "--check", "--into", str(folder)], capture_output=True, text=True)
    assert (stale.returncode, "docs/reference/settings.md" in stale.stderr) == (1, True)
    assert subprocess.run([*TOOL, "--into", str(folder)]).returncode == 0
    return folder


def test_the_pages_in_the_project_are_fresh() -> None:
    checked = subprocess.run([*TOOL, "--check"], capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_command_line_hides_what_is_hidden_and_names_verbs_of_verbs(made: Path) -> None:
    text = (made / "docs/reference/cli.md").read_text(encoding="utf-8")
    up = text.partition("## bascule up\n")[2].partition("\n## ")[0]
    assert ("--no-open" in up, "--background" in up) == (True, False)
    assert [word for word in ("SUPPRESS", "None") if word in text] == []
    plan = text.partition("### bascule diff plan\n\nShow what a diff would change; writes nothing.\n")[2]
    assert "| `--json` | as JSON |\n" in plan.partition("\n### ")[0]
    assert "bascule diff apply change.diff " in text
    acts = next(line for line in text.splitlines() if line.startswith("| `ACT` | archive"))
    assert acts.count("archive") == 2  # also in unarchive


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("docs/reference/settings.md", [f"`bascule.{key}`" for key in TABLE]),
        ("docs/reference/cli.md", [f"## bascule {verb}\n" for verb in VERBS]),
        ("docs/reference/protocol.md", [f"### {method} (" for method in METHODS]),
        ("ui/src/fold/tables.gen.ts", [f" = {ceiling};" for ceiling in (MAX_BLOCKS, MAX_TEXT)]),
        ("ui/src/model.gen.ts", [f'  "{method}": {{ params:' for method in METHODS]),
    ],
)
def test_a_page_names_every_row_of_its_table(made: Path, page: str, names: list[str]) -> None:
    text = (made / page).read_text(encoding="utf-8")
    assert [name for name in names if name not in text] == []
