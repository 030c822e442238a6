"""The words of a command in every order, and those that do not go together."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.pty_terminal import Terminal

from bascule.cli import main

BOTH = "bascule: --demo works in a project of its own. Leave out --workspace, or --demo.\n"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BASCULE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_an_option_may_come_between_two_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trust", "revoke", "--json", str(tmp_path)]) == 2
    assert "Nothing was decided about" in capsys.readouterr().err
    assert main(["devices", "revoke", "--json", "Phone"]) == 1
    assert "no device and no pass called Phone" in capsys.readouterr().err
    assert main(["settings", "set", "contextMaxFiles", "--workspace", str(tmp_path), "3"]) == 0
    assert capsys.readouterr().out == "bascule.contextMaxFiles = 3\n"


@pytest.mark.parametrize(
    "words", [["ask", "hello"], ["settings"], ["settings", "set", "contextMaxFiles", "3"]]
)
def test_the_demo_takes_no_other_folder(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--demo", "--workspace", str(tmp_path)]) == 2
    assert capsys.readouterr().err == BOTH


def test_what_was_typed_and_not_read_is_not_left_for_the_shell(tmp_path: Path) -> None:
    """The next program in the same terminal sees only what was typed for it."""
    ask = "import sys; from bascule.cli import main; input(); main(['ask', '--session', 'nope', 'hello'])"
    after = "print('typed: ' + repr(input('next? ')))"
    script = f'{sys.executable} -c "{ask}"; {sys.executable} -c "{after}"'
    environ = {"BASCULE_HOME": str(tmp_path / "home")}
    screen = Terminal(["/bin/sh", "-c", script], environ, tmp_path)
    try:
        screen.type("go\nrm -rf something")
        screen.until("names no session")
        screen.until("next? ")
        screen.type("ls")
        screen.until("typed: 'ls'")
        assert screen.end() == 0
    finally:
        screen.close()


def test_a_command_starts_without_looking_for_garbage_again_and_again() -> None:
    """Most of a start is classes, which stay; a usual start would look through them dozens of times."""
    script = (
        "import gc; looks = []; gc.callbacks.append(lambda when, _: looks.append(when)); "
        "from bascule.cli import main; looks.clear(); main(['sessions'])"
    )
    count = "import atexit, sys; atexit.register(lambda: sys.stderr.write(str(looks.count('start')))); "
    done = subprocess.run([sys.executable, "-c", count + script], capture_output=True, text=True)
    assert (done.returncode, int(done.stderr) <= 2) == (0, True), done.stderr
