"""`bascule review`: a run's changes read, and hunks of them taken back, at a real terminal."""

import json
import subprocess
from pathlib import Path

import pytest
from tests.cli.command import run_bascule
from tests.cli.pty_terminal import terminal

from bascule.demo.project import FILES

pytestmark = pytest.mark.real

TAKEN = FILES["wordkit.py"].replace('"count", "longest"', '"count", "initials", "longest"')


def run(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run_bascule(*words, home=home, cwd=Path.cwd(), stdin="yes\n")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Of a demo whose agent has made one edit, with a yes at the terminal."""
    home = tmp_path / "home"
    home.mkdir()
    with terminal("ask", "demo:edit", "--demo", home=home, cwd=tmp_path) as screen:
        screen.until("add a reason:")
        screen.type("y")
        assert screen.end() == 0
    return home


def test_a_run_is_shown_and_a_hunk_of_it_taken_back_after_a_yes(home: Path, tmp_path: Path) -> None:
    project = home / "demo" / "project"
    shown = run(home, "review", "--demo")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "update  wordkit.py  +6 -1" in shown.stdout
    assert "add     test_initials.py  +" in shown.stdout
    review = json.loads(run(home, "review", "--demo", "--json").stdout)
    assert [file["path"] for file in review["files"]] == ["test_initials.py", "wordkit.py"]

    refused = run(home, "review", "--demo", "--revert")
    assert (refused.returncode, "no terminal to ask on" in refused.stderr) == (2, True)
    assert (project / "test_initials.py").exists()

    with terminal("review", "--demo", "--revert", home=home, cwd=tmp_path) as screen:
        for asked, key in (
            ("Revert hunk 1 of 1 of test_initials.py?", "y"),
            ("Revert hunk 1 of 2 of wordkit.py?", "n"),
            ("Revert hunk 2 of 2 of wordkit.py?", "y"),
        ):
            screen.until(asked)
            screen.until(",?] ")
            screen.type(key)
        assert "-def initials" in screen.until("[y/n] ")
        screen.type("yes")
        screen.until("Reverted: 2 files")
        assert screen.end() == 0
    assert (project / "wordkit.py").read_text() == TAKEN
    assert not (project / "test_initials.py").exists()
    assert "(already reverted)" in run(home, "review", "--demo").stdout


def test_anything_but_yes_takes_nothing_back(home: Path, tmp_path: Path) -> None:
    project = home / "demo" / "project"
    after = (project / "wordkit.py").read_text()
    with terminal("review", "--demo", "--revert", home=home, cwd=tmp_path) as screen:
        screen.until(",?] ")
        screen.type("a")
        screen.until("[y/n] ")
        screen.type("1")
        screen.until("Please type y or n: ")
        screen.type("n")
        screen.until("Nothing was written: it was not confirmed.")
        assert screen.end() == 1
    with terminal("review", "--demo", "--revert", home=home, cwd=tmp_path) as screen:
        screen.until(",?] ")
        screen.type("d")
        screen.until("Nothing was reverted: no hunk was selected.")
        assert screen.end() == 1
    assert (project / "wordkit.py").read_text() == after
