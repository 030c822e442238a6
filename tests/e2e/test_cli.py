"""The command line as a person and as a script use it, with the real offline Codex."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from tests.cli.command import run_bascule
from tests.cli.pty_terminal import terminal

from bascule.core.session.fold import Fold
from bascule.model.blocks import UserBlock
from bascule.model.changes import Change
from bascule.model.session import Session

pytestmark = pytest.mark.real

PLAY = Path(__file__).parents[1] / "plays" / "codex-0.166-turn.wire"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


def bascule(
    *words: str, home: Path, cwd: Path | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    return run_bascule(*words, home=home, cwd=cwd or home, stdin=stdin)


def project(home: Path) -> Path:
    return home / "demo" / "project"


def test_ask_prints_the_answer_and_ends_with_zero(home: Path) -> None:
    done = bascule("ask", "--demo", "demo:text", home=home)
    assert (done.returncode, done.stderr) == (0, "")
    assert "› demo:text\n" in done.stdout
    assert "Session started" in done.stdout


@pytest.mark.skipif(
    sys.platform != "linux", reason="only there Codex looks for a program that may be missing"
)
def test_what_the_agent_says_of_itself_is_printed_after_the_run(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = bascule("ask", "--demo", "demo:text", home=home)
    assert done.returncode == 0
    answer, _, notice = done.stdout.partition("· Configuration\n")
    assert "A raised bridge" in answer
    assert "bubblewrap" in notice


def test_the_prompt_may_come_on_standard_input(home: Path) -> None:
    done = bascule("ask", "--demo", home=home, stdin="demo:command")
    assert done.returncode == 0
    assert "$ python" in done.stdout
    assert "OK" in done.stdout


def test_json_lines_fold_to_the_end_of_the_session(home: Path) -> None:
    done = bascule("ask", "--demo", "--json", "demo:reasoning", home=home)
    assert done.returncode == 0
    first, *rest = [msgspec.json.decode(line) for line in done.stdout.splitlines()]
    fold = Fold(msgspec.convert(first["session"], Session))
    for line in rest:
        fold.apply(msgspec.convert(line["change"], Change))
    session = fold.session()
    assert session.status == "completed"
    assert [block.__struct_config__.tag for block in session.blocks if block.run] == [
        "user",
        "reasoning",
        "assistant",
    ]


def test_without_a_terminal_every_ask_is_declined_and_says_so(home: Path) -> None:
    before = {path.name: path.read_bytes() for path in project(home).glob("*.py")}
    done = bascule("ask", "--demo", "demo:edit", home=home)
    assert "Declined, because there is no terminal to ask on: Write these files?" in done.stdout
    assert {path.name: path.read_bytes() for path in project(home).glob("*.py")} == before


def test_a_failed_run_ends_with_one(home: Path) -> None:
    done = bascule("ask", "--demo", "demo:error", home=home)
    assert done.returncode == 1
    assert "Error The agent met an error" in done.stdout


def test_a_yes_at_the_terminal_writes_the_files_shown(home: Path) -> None:
    with terminal("ask", "--demo", "demo:edit", home=home, cwd=home) as screen:
        shown = screen.until("Your answer")
        assert "Write these files?" in shown
        for wrong in ("9", "1", "yy", "y please"):
            screen.type(wrong)
            screen.until("Please type one of y,s,n,q.")
            screen.until("Your answer")
        screen.type("y")
        assert screen.end() == 0
    names = [path.name for path in project(home).glob("test_*.py") if path.name in shown]
    assert names, shown


def test_a_no_with_a_reason_reaches_the_model(home: Path) -> None:
    with terminal("ask", "--demo", "demo:edit", home=home, cwd=home) as screen:
        screen.until("Your answer")
        screen.type("n use another name please")
        screen.until("use another name please")  # as it was typed
        screen.until("use another name please")  # as a block of the session
        assert screen.end() == 0


def test_questions_are_answered_by_number_and_by_words(home: Path) -> None:
    with terminal("ask", "--demo", "demo:question", home=home, cwd=home) as screen:
        screen.until("Your answer")
        screen.type("y")
        screen.until("A number, or words of your own")
        screen.type("2")
        screen.until("A number, or words of your own")
        screen.type("at dawn")
        assert "at dawn" in screen.until("pace: at dawn")
        assert screen.end() == 0


def test_ctrl_c_stops_the_run(home: Path) -> None:
    with terminal("ask", "--demo", "demo:slow", home=home, cwd=home) as screen:
        screen.until("Ctrl+C stops")
        screen.press_ctrl_c()
        assert screen.end() == 130


def test_talking_line_by_line_with_commands(home: Path) -> None:
    with terminal("ask", "--demo", home=home, cwd=home) as screen:
        screen.until("an empty line leaves")
        for typed, answer in (
            ("/help", "/rename"),
            ("/nope", "/nope is not a command"),
            ("look at @nowhere.py", "there is no such file"),
            ("look at @/etc/passwd", "is an absolute path"),
            ("/diff", "no diff yet"),
            ("/status", "session: s_"),
            ("/rename A name of my own", "› "),
            ("/model", "demo-small"),
            ("/model demo-small", "› "),
            ("demo:text", "demo:text"),
        ):
            screen.type(typed)
            screen.until(answer)
        screen.until("› ")
        screen.type("")
        assert screen.end() == 0
    listed = bascule("sessions", "--demo", home=home).stdout
    assert "A name of my own" in listed


def test_rename_without_a_title_asks_for_one(home: Path) -> None:
    with terminal("ask", "--demo", home=home, cwd=home) as screen:
        screen.until("an empty line leaves")
        screen.type("/rename")
        screen.until("Title: ")
        screen.type("Asked for")
        screen.until("› ")
        screen.type("")
        assert screen.end() == 0
    assert "Asked for" in bascule("sessions", "--demo", home=home).stdout


def test_sessions_lists_and_prints_json(home: Path) -> None:
    lines = bascule("sessions", "--demo", "--json", home=home).stdout.splitlines()
    sessions = [msgspec.json.decode(line, type=Session) for line in lines]
    assert len(sessions) > 3
    assert all(session.blocks == () for session in sessions)
    assert [s.updated_at_ms for s in sessions] == sorted((s.updated_at_ms for s in sessions), reverse=True)


def test_a_session_goes_on_and_is_printed_whole(home: Path) -> None:
    assert bascule("ask", "--demo", "demo:text first", home=home).returncode == 0
    latest = msgspec.json.decode(bascule("sessions", "--demo", "--json", home=home).stdout.splitlines()[0])
    more = bascule("ask", "--demo", "--session", latest["id"], "demo:text second", home=home)
    assert more.returncode == 0
    assert "› demo:text second" in more.stdout
    assert "first" not in more.stdout
    whole = bascule("session", "print", latest["id"][:30], "--demo", "--json", home=home).stdout
    session = msgspec.json.decode(whole, type=Session)
    texts = [block.text for block in session.blocks if isinstance(block, UserBlock)]
    assert texts == ["demo:text first", "demo:text second"]


def test_sessions_are_renamed_hidden_forked_compacted_and_cleared(home: Path) -> None:
    assert bascule("ask", "--demo", "demo:text", home=home).returncode == 0
    latest = msgspec.json.decode(bascule("sessions", "--demo", "--json", home=home).stdout.splitlines()[0])[
        "id"
    ]
    for words, said in (
        (("rename", latest, "Bridges"), "Renamed"),
        (("hide", latest), "Hidden"),
        (("pin", latest), "Pinned"),
        (("show", latest), "Shown"),
        (("compact", latest), "Compacted"),
        (("fork", latest), "Forked as "),
        (("clear", latest), "Cleared"),
    ):
        done = bascule("session", *words, "--demo", home=home)
        assert said in done.stdout, done.stderr
    forked = bascule("session", "fork", latest, "run-that-is-not-there", "--demo", home=home)
    assert (forked.returncode, "has no run" in forked.stderr) == (1, True)


def test_a_second_command_joins_the_first(home: Path) -> None:
    with terminal("ask", "--demo", home=home, cwd=home) as screen:
        screen.until("an empty line leaves")
        joined = bascule("ask", "--demo", "demo:text", home=home)
        assert (joined.returncode, joined.stderr) == (0, "")
        assert "› demo:text" in joined.stdout
        assert bascule("session", "rename", "last", "From outside", "--demo", home=home).returncode == 0
        screen.type("")
        assert screen.end() == 0
    owner = bascule("logs", "--demo", "-n", "200", home=home).stdout
    assert owner.count("owns ") >= 1
    assert "From outside" in bascule("sessions", "--demo", home=home).stdout


def test_replay_prints_the_session_of_a_recorded_wire(home: Path) -> None:
    done = bascule("replay", str(PLAY), "--json", home=home)
    session = msgspec.json.decode(done.stdout, type=Session)
    kinds = [block.__struct_config__.tag for block in session.blocks]
    assert [kind for kind in kinds if kind != "info"][:3] == ["user", "reasoning", "assistant"]
    assert session.status == "completed"
    assert session.usage is not None
    readable = bascule("replay", str(PLAY), home=home)
    assert "status completed, ctx remaining=" in readable.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("replay", "nothing-here.wire"), "cannot be read"),
        (("ask", "--workspace", "not/a/folder", "hello"), "is not a folder"),
        (("ask", "--demo", "--session", "s_none", "hello"), "names no session"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(home: Path, words: tuple[str, ...], complaint: str) -> None:
    done = bascule(*words, home=home)
    assert done.returncode == 1
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_a_mistake_in_the_settings_is_named_with_its_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "settings.toml").write_text('[codex]\ncomand = "codex"\n')
    done = bascule("ask", "hello", home=tmp_path)
    assert done.returncode == 1
    assert "line 2" in done.stderr
    assert "bascule.codex.command" in done.stderr


def test_a_missing_codex_is_one_sentence_with_the_next_step(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "settings.toml").write_text('[codex]\ncommand = "no-such-codex"\n')
    done = bascule("ask", "hello", home=tmp_path, cwd=tmp_path.parent)
    assert done.returncode == 1
    assert "There is no program 'no-such-codex'" in done.stderr
    assert "settings.toml" in done.stderr


def test_doctor_says_what_is_found(home: Path) -> None:
    done = bascule("doctor", "--json", home=home)
    findings = {finding["what"]: finding for finding in map(msgspec.json.decode, done.stdout.splitlines())}
    assert done.returncode == 0
    assert findings["codex"]["detail"].startswith("codex-cli 0.")
    assert findings["data folder"]["detail"] == str(home)
    assert findings["codex sign-in"]["state"] in ("ok", "note")
    assert "bascule ask hello" in findings["not checked"]["detail"]


def test_doctor_says_what_is_missing_and_what_to_do(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "settings.toml").write_text('[codex]\ncommand = "no-such-codex"\n')
    done = bascule("doctor", home=tmp_path)
    assert done.returncode == 1
    assert "There is no program 'no-such-codex'" in done.stdout
    assert "settings.toml" in done.stdout


def test_the_demo_leaves_the_persons_own_codex_alone(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "theirs"))
    assert bascule("ask", "--demo", "demo:text", home=home).returncode == 0
    assert not (tmp_path / ".codex").exists()
    assert not (tmp_path / "theirs").exists()


def test_logs_show_how_the_agent_was_started(home: Path) -> None:
    assert bascule("ask", "--demo", "demo:text", home=home).returncode == 0
    lines = bascule("logs", "--demo", "-n", "50", home=home).stdout
    assert "app-server" in lines
    assert "answers as bascule/0." in lines


def test_settings_show_what_holds_here(home: Path) -> None:
    done = bascule("settings", home=home)
    assert 'bascule.testCommands = ["pytest", ' in done.stdout
    assert 'bascule.codex.sandbox = "read-only"' in done.stdout


def test_the_tour_runs_to_its_end_without_a_terminal(home: Path) -> None:
    done = bascule("demo", home=home)
    assert done.returncode == 0
    assert "That was the tour." in done.stdout
    assert done.stdout.index("searches") < done.stdout.index("That was the tour.")


def test_help_lists_every_verb(home: Path) -> None:
    done = bascule("--help", home=home)
    assert done.returncode == 0
    for verb in ("ask", "demo", "sessions", "session", "replay", "doctor", "logs", "settings"):
        assert f"  {verb} " in done.stdout
