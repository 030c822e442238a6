"""`bascule ask "/patch …"` and `"/test"` as a person and a script use them, with the real offline Codex."""

import json
import subprocess
from pathlib import Path

import msgspec
import pytest
from tests.cli.command import run_bascule
from tests.cli.pty_terminal import terminal

from bascule.core.session.fold import Fold
from bascule.demo.project import FILES
from bascule.model.blocks import CommandBlock
from bascule.model.changes import Change
from bascule.model.session import Session

pytestmark = pytest.mark.real

PATCH = "/patch one more function"
TEST = "/test python3 -m unittest -q"
TAKEN = FILES["wordkit.py"].replace('"count", "longest"', '"count", "initials", "longest"')


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return home


def bascule(home: Path, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return run_bascule(*words, home=home, cwd=home, stdin=stdin)


def project(home: Path) -> Path:
    return home / "demo" / "project"


def allow(home: Path) -> None:
    (home / "demo" / "settings.toml").write_text("allowRunTerminal = true\n")


def test_hunks_of_a_patch_are_chosen_and_written_after_a_yes(home: Path) -> None:
    with terminal("ask", "--demo", PATCH, home=home, cwd=home) as screen:
        screen.until("It fits the files as they are.")
        assert "def initials" not in screen.until("hunk 1 of 2"), "of the diff, only its first hunk"
        for asked, key in (
            ("of wordkit.py?", "y"),
            ("Apply hunk 2 of 2 of wordkit.py?", "n"),
            ("Apply hunk 1 of 1 of test_initials.py?", "n"),
        ):
            screen.until(asked)
            screen.until(",?] ")
            screen.type(key)
        assert "1 file, +1 −1" in screen.until("[y/n] ")
        screen.type("yes")
        screen.until("Written: 1 file, +1 −1")
        undo = screen.until("undoes it").split("bascule undo ")[1][:8]
        assert screen.end() == 0
    assert (project(home) / "wordkit.py").read_text() == TAKEN
    assert not (project(home) / "test_initials.py").exists()
    assert undo in bascule(home, "undo", "--demo").stdout


@pytest.mark.parametrize(("key", "word"), [("q", ""), ("a", "no")])
def test_anything_but_a_yes_writes_nothing(home: Path, key: str, word: str) -> None:
    with terminal("ask", "--demo", PATCH, home=home, cwd=home) as screen:
        screen.until(",?] ")
        screen.type(key)
        if word:
            screen.until("[y/n] ")
            screen.type(word)
        screen.until("Nothing was written")
        assert screen.end() == 0
    assert (project(home) / "wordkit.py").read_text() == FILES["wordkit.py"]


def test_without_a_terminal_it_is_said_how_to_apply_it(home: Path) -> None:
    done = bascule(home, "ask", "--demo", "/patch demo:wrong one more function")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("A diff of 2 files, +14 -1.") == 1  # of the second answer
    assert "+++ b/test_initials.py" in done.stdout
    hint = "".join(done.stdout.split("Apply it in a terminal: ")[1].splitlines())
    assert hint.startswith("bascule session diff ")
    assert hint.endswith(" --demo | bascule diff apply - --demo")
    assert (project(home) / "wordkit.py").read_text() == FILES["wordkit.py"]

    diff = bascule(home, "session", "diff", "last", "--demo")
    assert diff.returncode == 0, diff.stderr
    planned = bascule(home, "diff", "plan", "-", "--workspace", str(project(home)), stdin=diff.stdout)
    assert planned.returncode == 0, planned.stderr
    assert "test_initials.py" in planned.stdout


def test_a_useless_answer_ends_with_one_and_says_why(home: Path) -> None:
    done = bascule(home, "ask", "--demo", "/patch demo:useless one more function")
    assert done.returncode == 1
    assert "No diff that can be applied" in done.stdout
    assert "bascule session diff" not in done.stdout


def test_a_test_is_run_after_a_yes_at_the_terminal(home: Path) -> None:
    (home / "demo").mkdir(mode=0o700)
    (home / "demo" / "settings.toml").write_text("allowRunTerminal = false\n")
    refused = bascule(home, "ask", "--demo", TEST)
    assert (refused.returncode, "allowRunTerminal is false" in refused.stdout) == (1, True)
    (home / "demo" / "settings.toml").unlink()  # the demo brings its own
    with terminal("ask", "--demo", TEST, home=home, cwd=home) as screen:
        assert "python3 -m unittest -q" in screen.until("Your answer [y,n]:")
        screen.type("y")
        screen.until("Ran 5 tests")
        screen.until("exit code 0")
        assert screen.end() == 0


def test_without_a_terminal_no_test_is_run(home: Path) -> None:
    bascule(home, "ask", "--demo", "demo:text")
    allow(home)
    done = bascule(home, "ask", "--demo", TEST)
    assert done.returncode == 2
    assert "Declined, because there is no terminal to ask on: Run the tests?" in done.stdout
    assert "Nothing was run: it was not confirmed." in done.stdout


def test_the_lines_of_a_test_fold_to_the_end_of_the_session(home: Path) -> None:
    bascule(home, "ask", "--demo", "demo:text")
    allow(home)
    done = bascule(home, "ask", "--demo", "--json", TEST)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    fold = Fold(msgspec.convert(lines[0]["session"], Session))
    for line in lines[1:]:
        fold.apply(msgspec.convert(line["change"], Change))
    blocks = [block for block in fold.session().blocks if isinstance(block, CommandBlock)]
    assert [block.status for block in blocks] == ["declined"]
    assert fold.head().asks == ()
