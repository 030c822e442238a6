"""`bascule watch`: the board in a terminal and as JSON lines, with a daemon and without one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw
from rich.console import Console
from tests.core.watch.logs.rollouts import ID, WORDS

from bascule.cli.sessions.watch import GoneSession, WatchedBoard
from bascule.cli.terminal.board_table import describe, describe_age, make_table
from bascule.model.protocol.board import BoardNotify
from bascule.model.watch import WatchedSession


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    home = tmp_path / "home"
    path = home / ".codex" / "sessions" / "2026" / f"rollout-{ID}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"".join(WORDS[word] + b"\n" for word in ("meta", "user", "call")))
    base = {"HOME": str(home), "BASCULE_HOME": str(tmp_path / "data"), "PATH": os.environ["PATH"]}
    return {**base, "LANG": "C.UTF-8"}


def watch(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bascule", "watch", *words]
    return subprocess.run(command, env=env, cwd=env["HOME"], capture_output=True, text=True, timeout=60)


def test_without_a_daemon_it_hosts_one_and_prints_what_is_there(env: dict[str, str]) -> None:
    done = watch(env, "--json", "--once")
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    said = json.loads(line)
    assert (said["key"], said["title"], said["cwd"], said["branch"]) == (
        f"codex:{ID}",
        "Fix the bug",
        "/p",
        "main",
    )
    assert (said["status"], said["source"]) == ("unknown", "rollout")  # a rollout alone has no dot
    plain = watch(env, "--once")
    assert "Fix the bug" in plain.stdout
    assert "last activity" in plain.stdout


def test_each_change_is_printed_and_what_is_shown_again_is_not() -> None:
    board = WatchedBoard()

    def tell(whole: bool, *sessions: WatchedSession) -> list[str]:
        board.take("board.changed", Raw(msgspec.json.encode(BoardNotify(sessions=sessions, whole=whole))))
        printed = [
            f"{one.key} {one.status if isinstance(one, WatchedSession) else 'gone'}" for one in board.changed
        ]
        board.changed.clear()
        return printed

    working, waiting = session("a", status="working"), session("a", status="waiting_user")
    assert tell(True, working) == ["a working"]
    assert tell(False, waiting, working, waiting) == ["a waiting_user", "a working", "a waiting_user"]
    assert tell(True, waiting, session("b")) == ["b unknown"]
    assert sorted(board.sessions) == ["a", "b"]


def test_a_session_that_leaves_the_board_is_one_line_too() -> None:
    board = WatchedBoard()
    a, b, c = session("a"), session("b"), session("c")
    for news in (
        BoardNotify(sessions=(a, b, c), whole=True),
        BoardNotify(sessions=(), gone=("a", "never-there")),
        BoardNotify(sessions=(c,), whole=True),  # as after falling behind
    ):
        board.take("board.changed", Raw(msgspec.json.encode(news)))
    assert [line for line in board.changed if line not in (a, b, c)] == [GoneSession("a"), GoneSession("b")]
    assert msgspec.json.encode(GoneSession("a")) == b'{"key":"a","gone":true}'
    assert list(board.sessions) == ["c"]


def shown(*sessions: WatchedSession, width: int = 160) -> str:
    console = Console(width=width, record=True, file=open(os.devnull, "w"))  # noqa: SIM115, PTH123
    with console.file:
        console.print(make_table(sessions))
    return console.export_text()


def session(key: str, **more: object) -> WatchedSession:
    said = {"status": "unknown", "source": "rollout", **more}
    return WatchedSession(key=key, agent="codex", their_id=key, **said)  # type: ignore[arg-type]


def test_those_that_wait_come_first_and_projects_are_grouped() -> None:
    text = shown(
        session("a", status="working", cwd="/w/one", title="Alpha", doing="make test"),
        session("b", status="waiting_user", cwd="/w/two", title="Beta", doing="an approval", branch="main"),
        session("c", status="completed", cwd="/w/two", title="Gamma"),
    )
    places = [text.index(word) for word in ("two", "Beta", "Gamma", "one", "Alpha")]
    assert places == sorted(places)
    assert "waiting for you" in text
    assert "make test" in text


@pytest.mark.parametrize("width", [80, 120])
def test_a_narrow_terminal_cuts_texts_and_keeps_dot_agent_and_source(width: int) -> None:
    folder = "/home/ann/a/folder/with/a/rather/long/path/that/is/wide"
    long = session(
        "a",
        status="waiting_user",
        source="registry",
        cwd=folder,
        title="A title that is much longer than what fits",
        doing="permission prompt of a tool with a long name",
        branch="a-branch/with-a-name-that-never-ends-and-goes-on-and-on",
    )
    lines = shown(long, session("b", status="completed", cwd=folder), width=width).splitlines()
    assert len(lines) == 3  # the project, and one for each
    assert all(len(line) <= width for line in lines)
    (waiting,) = (line for line in lines if "A title" in line)
    assert waiting.startswith("●")
    assert "codex (a-" in waiting
    assert "waiting for you" in waiting
    assert waiting.rstrip().endswith("registry")


def test_nothing_found_says_what_to_do() -> None:
    assert "Start Codex or Claude" in shown()


def test_a_line_says_since_when_and_by_which_source() -> None:
    one = session(
        "a", status="working", source="socket", since_ms=1_000, doing="make", title="T", branch="main"
    )
    assert describe(one, now_ms=181_000) == ("T", "codex (main)", "working 3 min: make", "socket")
    alone = session("a", source="rollout", activity_at_ms=1_000, title="T")
    assert describe(alone, now_ms=7_201_000) == ("T", "codex", "last activity 2 h", "")


@pytest.mark.parametrize(
    ("ms", "age"), [(-5, "0 s"), (59_000, "59 s"), (60_000, "1 min"), (3_600_000, "1 h"), (90_000_000, "1 d")]
)
def test_ages_are_short(ms: int, age: str) -> None:
    assert describe_age(ms) == age


def test_escape_sequences_of_others_never_reach_the_terminal() -> None:
    assert "\x1b]0;" not in shown(session("a", status="working", title="\x1b]0;owned\x07x", cwd="/p\x1b[2J"))


def test_what_cannot_be_watched_is_said_once_beside_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    board = WatchedBoard()
    fault = "some folders: they are looked at every 1 s instead"
    for _ in range(2):
        board.take(
            "board.changed", Raw(msgspec.json.encode(BoardNotify(sessions=(), whole=True, faults=(fault,))))
        )
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"bascule: Not watched as it should be: {fault}\n")
