"""Sessions in panes: bound by hook, by process, by open file or by the command; ended with the prompt."""

import sys
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from tests.core.watch.logs.rollouts import ID, WORDS
from tests.daemon.watch.board_surface import BoardSurface

from bascule.core.watch.board import Board
from bascule.daemon.watch import pane_sessions
from bascule.daemon.watch.pane_sessions import PaneSessions
from bascule.host.watch import hook_file
from bascule.model.session import Status
from bascule.model.watch import Signal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no ptys")

RUNNER = Path(hook_file.__file__).parent / "runner" / "bascule-notify.sh"


class Watched:
    """A board with panes that exist only as numbers."""

    def __init__(self, *panes: str) -> None:
        self.board = Board()
        self.now_ms = 1
        self.sessions = PaneSessions(
            self.board,
            shells=lambda: dict.fromkeys(panes, 2**22 + 1),  # no process has such a number
            feed=self._put,
            show=self._show,
        )

    def _show(self, key: str, pane: str) -> None:
        self.board.bind(key, pane, self.now_ms, is_still=self.sessions.is_still(pane))

    def _put(self, signal: Signal) -> None:
        self.now_ms += 1
        self.board.feed(signal, self.now_ms)

    def hear(self, signal: Signal) -> None:
        is_new = self.board.find(f"{signal.agent}:{signal.session}") is None
        self._put(self.sessions.take(signal, is_new=is_new))
        self.sessions.after(signal)

    def line(self, key: str) -> tuple[str, str]:
        found = self.board.find(key)
        assert found is not None
        return found.status, found.pane


def rollout(session: str, evidence: str, status: Status, cwd: str = "/p") -> Signal:
    return Signal(source="rollout", agent="codex", session=session, evidence=evidence, status=status, cwd=cwd)


def test_output_that_stands_still_is_a_mark_and_no_status() -> None:
    watched = Watched("p1")
    watched.hear(rollout(ID, "final answer", "completed"))
    watched.sessions.start("p1", f"codex resume {ID}", "/p")

    def marked() -> tuple[str, bool]:
        line = watched.board.find(f"codex:{ID}")
        assert line is not None
        return line.status, line.is_still

    watched.sessions.note_still("p1", True)
    assert marked() == ("completed", False)  # what rests stands still anyway
    watched.hear(rollout(ID, "prompt", "working"))
    assert marked() == ("working", True)
    watched.sessions.note_still("p1", False)
    assert marked() == ("working", False)
    watched.sessions.note_still("p2", True)  # a pane without a session
    watched.sessions.note_still("p1", True)
    assert marked() == ("working", True)
    watched.sessions.leave("p1", "prompt is back")
    assert marked() == ("stopped", False)


def test_a_bare_start_waits_for_the_next_new_session_of_its_folder() -> None:
    watched = Watched("a", "b")
    watched.hear(rollout("old", "final answer", "completed"))
    watched.sessions.start("a", "codex", "/p")
    watched.hear(rollout("old", "prompt", "working"))  # not new
    assert watched.line("codex:old") == ("unknown", "")
    watched.hear(rollout("other", "prompt", "working", "/q"))  # of another folder
    assert watched.line("codex:other") == ("unknown", "")
    watched.hear(rollout("new", "prompt", "working"))
    assert watched.line("codex:new") == ("working", "a")
    watched.hear(rollout("new", "final answer", "completed"))
    assert watched.line("codex:new") == ("completed", "a")


class Program(NamedTuple):
    """A process in a pane, as it is found there."""

    words: tuple[str, ...]
    cwd: str
    pane: str = "a"
    pid: int = 2**22 + 2


@pytest.mark.parametrize(
    ("line", "program", "cwd"),
    [
        ("cd sub && codex", Program(("codex",), "/p/sub"), "/p/sub"),
        ("codex -C sub", Program(("codex", "-C", "sub"), "/p"), "/p/sub"),
        ("codex --cd=../q", Program(("codex", "--cd=../q"), "/p"), "/q"),
        ("codex 'fix the bug'", Program(("codex", "fix the bug"), "/p"), "/p"),
        ("run-it", Program(("codex", "-Csub", "-m", "o3", "fix it"), "/p"), "/p/sub"),
    ],
)
def test_the_process_that_runs_says_where_it_works_and_that_a_prompt_is_no_command(
    monkeypatch: pytest.MonkeyPatch, line: str, program: Program, cwd: str
) -> None:
    monkeypatch.setattr(pane_sessions, "list_programs", lambda _: [program])
    watched = Watched("a")
    watched.sessions.start("a", line, "/p")
    watched.hear(socket("elsewhere", "/p/other"))
    assert watched.line("codex:elsewhere") == ("working", "")
    watched.hear(socket("new", cwd))
    assert watched.line("codex:new") == ("working", "a")
    watched.hear(msgspec.structs.replace(socket("new", cwd), evidence="idle", status="completed"))
    watched.sessions.leave("a", "prompt is back")
    assert watched.line("codex:new") == ("stopped", "")


@pytest.mark.parametrize("words", [("codex", "exec", "fix it"), ("codex", "frobnicate"), ("vi", "fix it")])
def test_a_process_that_is_no_codex_terminal_starts_nothing(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr(pane_sessions, "list_programs", lambda _: [Program(words, "/p")])
    watched = Watched("a")
    watched.sessions.start("a", "run-it", "/p")
    watched.hear(socket("new", "/p"))
    assert watched.line("codex:new") == ("working", "")


def socket(session: str, cwd: str) -> Signal:
    return Signal(
        source="socket", agent="codex", session=session, evidence="active", status="working", cwd=cwd
    )


def test_resume_binds_at_once_and_the_prompt_stops_and_releases() -> None:
    watched = Watched("a")
    watched.hear(rollout(ID, "final answer", "completed"))
    watched.sessions.start("a", f"codex resume {ID}", "/p")
    assert watched.line(f"codex:{ID}") == ("completed", "a")
    watched.hear(rollout(ID, "prompt", "working"))
    assert watched.line(f"codex:{ID}") == ("working", "a")
    watched.sessions.leave("a", "prompt is back")
    assert watched.line(f"codex:{ID}") == ("stopped", "")
    watched.sessions.start("a", f"codex resume {ID}", "/p")  # again
    assert watched.line(f"codex:{ID}") == ("unknown", "a"), "what went on before the end is over"
    watched.hear(rollout(ID, "open tool call", "working"))
    assert watched.line(f"codex:{ID}") == ("working", "a")


def test_a_command_that_is_typed_binds_and_proves_no_status() -> None:
    watched = Watched("a")
    watched.hear(Signal(source="rollout", agent="codex", session=ID, evidence="", cwd="/p"))
    watched.sessions.start("a", f"codex resume {ID} 'and go on'", "/p")
    assert watched.line(f"codex:{ID}") == ("unknown", "a")
    watched.hear(rollout(ID, "prompt", "working"))
    assert watched.line(f"codex:{ID}") == ("working", "a")


def test_an_unknown_id_a_fork_and_an_exec() -> None:
    watched = Watched("a")
    watched.sessions.start("a", f"codex fork {ID}", "/p")
    watched.hear(rollout("forked", "prompt", "working"))
    assert watched.line("codex:forked") == ("working", "a")
    watched.sessions.leave("a", "shell ended")
    assert watched.line("codex:forked") == ("stopped", "")
    watched.sessions.start("a", "codex exec hi", "/p")
    watched.hear(rollout("executed", "prompt", "working"))
    assert watched.line("codex:executed") == ("unknown", "")


def test_a_resumed_session_that_is_not_known_yet_is_the_only_one_that_is_waited_for() -> None:
    watched = Watched("a")
    watched.sessions.start("a", f"codex resume {ID}", "/p")
    watched.hear(rollout("somebody else's", "prompt", "working"))
    assert watched.line("codex:somebody else's") == ("unknown", "")
    watched.hear(rollout(ID, "prompt", "working", "/q"))
    assert watched.line(f"codex:{ID}") == ("working", "a")


def test_a_pane_shows_one_session() -> None:
    watched = Watched("a")
    said = Signal(
        source="hook", agent="claude", session="c1", evidence="SessionStart", status="completed", pane="a"
    )
    watched.hear(said)
    assert watched.line("claude:c1") == ("completed", "a")
    watched.hear(msgspec.structs.replace(said, session="c2"))  # as after /clear
    assert watched.line("claude:c1") == ("completed", "")
    assert watched.line("claude:c2") == ("completed", "a")


def test_where_two_panes_could_have_started_it_neither_is_bound() -> None:
    watched = Watched("a", "b")
    watched.sessions.start("a", "codex", "/p")
    watched.sessions.start("b", "codex", "/p")
    watched.hear(rollout("new", "prompt", "working"))
    assert watched.line("codex:new") == ("unknown", "")


def test_a_start_that_failed_binds_nothing_later() -> None:
    watched = Watched("a")
    watched.sessions.start("a", "codex", "/p")
    watched.sessions.leave("a", "prompt is back")
    watched.hear(rollout("new", "prompt", "working"))
    assert watched.line("codex:new") == ("unknown", "")


def test_a_hook_proves_its_pane_and_one_that_does_not_exist_proves_nothing() -> None:
    watched = Watched("a")
    said = Signal(source="hook", agent="claude", session="c", evidence="UserPromptSubmit", status="working")
    watched.hear(msgspec.structs.replace(said, pane="gone"))
    assert watched.line("claude:c") == ("working", "")
    watched.hear(msgspec.structs.replace(said, pane="a"))
    assert watched.line("claude:c") == ("working", "a")
    watched.sessions.leave("a", "prompt is back")  # Claude was killed: no SessionEnd
    assert watched.line("claude:c") == ("stopped", "")


def test_a_thread_that_the_shared_daemon_works_on_goes_on_without_its_terminal() -> None:
    watched = Watched("a")
    active = Signal(
        source="socket", agent="codex", session="s", evidence="active", status="working", cwd="/p"
    )
    watched.sessions.start("a", "codex", "/p")
    watched.hear(active)
    assert watched.line("codex:s") == ("working", "a")
    watched.sessions.leave("a", "prompt is back")
    assert watched.line("codex:s") == ("working", "")
    watched.hear(msgspec.structs.replace(active, evidence="idle", status="completed"))
    assert watched.line("codex:s") == ("completed", "")


def test_what_is_said_after_the_end_brings_a_session_back() -> None:
    watched = Watched("a")
    start = Signal(source="hook", agent="claude", session="c", evidence="SessionStart", status="completed")
    watched.hear(msgspec.structs.replace(start, pane="a"))
    watched.sessions.leave("a", "prompt is back")
    assert watched.line("claude:c") == ("stopped", "")
    watched.hear(msgspec.structs.replace(start, evidence="UserPromptSubmit", status="working"))
    assert watched.line("claude:c") == ("working", "")


# -- with real shells and processes --


async def test_claudes_hook_in_a_pane_binds_and_a_killed_claude_is_stopped(
    page: BoardSurface, tmp_path: Path
) -> None:
    pane = await page.open(tmp_path)
    said = '{"hook_event_name":"UserPromptSubmit","session_id":"c1","cwd":"/p"}'
    claude = tmp_path / "claude"
    claude.write_text(f"#!/bin/sh\necho '{said}' | sh '{RUNNER}'\nsleep 1000\n")
    claude.chmod(0o755)
    await page.type(pane, "./claude\r")
    await page.until_line("claude:c1", "working", pane)
    await page.type(pane, "\x03")
    await page.until_line("claude:c1", "stopped", "")


async def test_the_rollout_that_a_process_in_the_pane_has_open_is_its_session(
    page: BoardSurface, tmp_path: Path
) -> None:
    """Two panes started a Codex in one folder: only the open file can say whose it is."""
    first, second = await page.open(tmp_path), await page.open(tmp_path)
    day = tmp_path / "home" / ".codex" / "sessions" / "2026" / "11" / "17"
    day.mkdir(parents=True)
    records = b"".join(WORDS[word] + b"\n" for word in ("meta", "started", "user"))
    (tmp_path / "records").write_bytes(records)
    codex = tmp_path / "codex"
    codex.write_text(
        f"#!/bin/sh\nread go\nexec 3>>'{day}/rollout-{ID}.jsonl'\ncat '{tmp_path}/records' >&3\nsleep 1000\n"
    )
    codex.chmod(0o755)
    for pane in (first, second):
        await page.type(pane, "./codex\r")
        await page.until(pane, command="./codex")
    await page.type(second, "go\r")
    await page.until_line(f"codex:{ID}", "working", second)
    await page.type(second, "\x03")
    await page.until_line(f"codex:{ID}", "stopped", "")
