"""The words of a command in every order, and those that do not go together."""

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.cli.command import run_bascule
from tests.cli.pty_terminal import Terminal

from bascule import cli
from bascule.cli.sessions.session import JSON_FOR_PRINT
from bascule.cli.sessions.sessions import SEARCH_LEAVES_OUT
from bascule.host.files.data_folder import open_folder
from bascule.host.storage.store import Saved, Store
from bascule.model.ids import SessionId
from bascule.model.session import Session

BOTH = "bascule: --demo works in a project of its own. Leave out --workspace, or --demo.\n"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BASCULE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_an_option_may_come_between_two_arguments(tmp_path: Path, home: Path) -> None:
    def run(*words: str) -> tuple[int, str, str]:
        done = run_bascule(*words, home=home, cwd=tmp_path)
        return done.returncode, done.stdout, done.stderr

    code, _, err = run("trust", "revoke", "--json", str(tmp_path))
    assert (code, "Nothing was decided about" in err) == (1, True)
    code, _, err = run("devices", "revoke", "--json", "Phone")
    assert (code, "no device and no pass called Phone" in err) == (1, True)
    code, out, _ = run("settings", "set", "contextMaxFiles", "--workspace", str(tmp_path), "3")
    assert (code, out) == (0, "bascule.contextMaxFiles = 3\n")


@pytest.mark.parametrize(
    ("verb", "missing"),
    [
        ("devices", "{add,list,revoke,link}"),
        ("trust", "{list,add,revoke}"),
        ("bridge", "{join,leave}"),
        ("hooks", "{install,status,uninstall,restore}"),
        ("selftest", "{security}"),
        ("session", "VERB, session"),
    ],
)
def test_a_missing_word_is_named_by_the_words_to_choose_from(
    verb: str, missing: str, tmp_path: Path, home: Path
) -> None:
    done = run_bascule(verb, home=home, cwd=tmp_path)
    assert done.returncode == 2
    assert f"bascule {verb}: error: the following arguments are required: {missing}" in done.stderr


@pytest.mark.parametrize(
    "words", [["ask", "hello"], ["settings"], ["settings", "set", "contextMaxFiles", "3"]]
)
def test_the_demo_takes_no_other_folder(words: list[str], tmp_path: Path, home: Path) -> None:
    done = run_bascule(*words, "--demo", "--workspace", str(tmp_path), home=home, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, BOTH)


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        (["session", "rename", "T0", "new title", "--json"], JSON_FOR_PRINT),
        (["session", "fork", "T0", "--json"], JSON_FOR_PRINT),
        (["sessions", "--deleted", "--search", "words"], SEARCH_LEAVES_OUT),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    words: list[str], refused: str, tmp_path: Path, home: Path
) -> None:
    done = run_bascule(*words, home=home, cwd=tmp_path)
    assert (done.returncode, done.stderr, done.stdout) == (2, f"bascule: {refused}\n", "")


def test_ctrl_c_while_a_command_is_being_loaded_ends_it_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_verb: str) -> ModuleType:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "import_verb", interrupted)
    assert (cli.main(["status"]), capsys.readouterr()) == (130, ("", ""))


def test_ctrl_c_before_anything_is_loaded_ends_it_without_a_traceback() -> None:
    script = (
        "import builtins, sys; real = builtins.__import__\n"
        "def fail(name, *rest):\n"
        "    if name == 'bascule.cli': raise KeyboardInterrupt\n"
        "    return real(name, *rest)\n"
        "builtins.__import__ = fail\n"
        "from bascule.__main__ import main\n"
        "sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("verb", ["logs", "audit"])
@pytest.mark.parametrize("count", ["0", "-4", "x"])
def test_less_than_one_line_is_refused(verb: str, count: str, tmp_path: Path, home: Path) -> None:
    done = run_bascule(verb, "-n", count, home=home, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f": It takes a number from 1 on, and {count!r} is not that.\n"), done.stderr


def test_doctor_takes_only_a_folder(tmp_path: Path, home: Path) -> None:
    done = run_bascule("doctor", "--workspace", "nowhere", home=home, cwd=tmp_path)
    said = "bascule: nowhere is not a folder. Name one with --workspace.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


def test_the_sessions_of_one_folder_are_listed(tmp_path: Path, home: Path) -> None:
    store = Store(open_folder(home).database)
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        head = Session(id=SessionId(f"s_{name}"), agent="codex", workspace=str(tmp_path / name))
        store.save([Saved(head=head)])
    store.close()
    done = run_bascule("sessions", "--json", "--workspace", "here", home=home, cwd=tmp_path)
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["s_here"], done.stderr


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
