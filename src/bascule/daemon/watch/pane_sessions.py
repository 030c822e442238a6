"""Which session runs in which pane: bound by proof, else by the command; ended with the shell's prompt."""

import os
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from msgspec.structs import replace

from bascule.core.bounded import forget_oldest
from bascule.core.watch.binding import Bindings
from bascule.core.watch.board import Board
from bascule.core.watch.launch import CodexStart, is_terminal_ui, parse_launch, parse_running
from bascule.core.watch.merge import make_key
from bascule.host.watch.pane_proof import find_pane_of, find_pane_with_open, list_programs
from bascule.host.watch.process_facts import read_process, read_state
from bascule.model.watch import Signal, WatchedSession

MAX_LOOKED = 5_000  # sessions
RUN_BEGINS = ("prompt", "active")
PaneEnd = Literal["prompt is back", "shell ended"]


class PutAside(NamedTuple):
    pane: str
    key: str


class PaneSessions:
    """`shells` gives the pid of every pane's shell; `feed` and `show` lead back to the board."""

    def __init__(
        self,
        board: Board,
        *,
        shells: Callable[[], Mapping[str, int]],
        feed: Callable[[Signal], None],
        show: Callable[[str, str], None],
    ) -> None:
        self._board = board
        self._shells = shells
        self._feed = feed
        self._show = show
        self._bindings = Bindings()
        self._still: set[str] = set()  # panes whose output stands still
        self._at_prompt: set[str] = set()  # panes in which no command runs
        self._pids: dict[str, int] = {}  # session: the process that its agent names
        self._aside: dict[int, PutAside] = {}  # Codex terminals that their pane's prompt has interrupted
        self._looked: dict[str, int] = {}  # session: when the processes of all panes were looked at for it
        self._happened = 0  # commands and prompts so far

    # -- what happens in a pane --

    def start(self, pane: str, line: str, cwd: str) -> None:
        """A command begins. A line that starts a Codex terminal waits for its session."""
        self._happened += 1
        self._at_prompt.discard(pane)
        launch = parse_launch(line)
        if launch is not None:
            self._start_codex(pane, launch, cwd)

    def _start_codex(self, pane: str, launch: CodexStart, cwd: str) -> None:
        key = make_key("codex", launch.session) if launch.session else ""
        is_known = bool(key) and self._board.find(key) is not None
        bound = self._bindings.start(
            pane, launch._replace(session=key), frozenset({key} if is_known else ()), cwd
        )
        if bound is not None:
            self._bound(pane, bound)

    def leave(self, pane: str, end: PaneEnd) -> None:
        """The prompt is back, or the shell has ended: the session is stopped, and bound no longer."""
        self._happened += 1
        self._at_prompt.add(pane)
        self._still.discard(pane)
        key = self._bindings.leave(pane)
        if key is None:
            return
        line = self._board.find(key)
        if line is None:
            return
        # A shared daemon may work on without its terminal; a program that was put aside lives.
        goes_on = line.source == "socket" and line.status in ("working", "waiting_user")
        if not goes_on and not self._lives(line, pane):
            self._say(line.agent, line.their_id, end, "stopped")
        self._show(key, "")

    def _lives(self, line: WatchedSession, pane: str) -> bool:
        """Its process is still there: that which its agent names, or a Codex terminal that was put aside."""
        pid = self._pids.pop(line.key, 0)
        if pid:
            return read_process(pid).is_there
        if line.agent != "codex":
            return False
        shells = {one: shell for one, shell in self._shells().items() if one == pane}
        terminals = [one.pid for one in list_programs(shells) if is_terminal_ui(one.words)]
        suspended = [pid for pid in terminals if read_state(pid) == "suspended"]
        before = {pid: one for pid, one in self._aside.items() if one.pane != pane or pid in suspended}
        now = {pid: PutAside(pane, line.key) for pid in suspended if pid not in before}
        self._aside = before | now
        return bool(now)

    def note_still(self, pane: str, is_still: bool) -> None:
        """Its output stands still, or moves again: a mark on the dot, and no evidence of anything."""
        if is_still:
            self._still.add(pane)
        else:
            self._still.discard(pane)
        key = self._bindings.find_session(pane)
        if key is not None:
            self._show(key, pane)

    def is_still(self, pane: str) -> bool:
        return pane in self._still

    # -- what sources say --

    def take(self, signal: Signal, *, is_new: bool) -> Signal:
        """Bound where the signal, or a process, proves it; a new Codex session also by the rule."""
        shells = self._shells()
        key = make_key(signal.agent, signal.session)
        pane = self._find_proof(signal, key, shells) if shells and not signal.hidden else None
        if signal.pid and (pane is not None or self._bindings.find_pane(key) is not None):
            self._pids[key] = signal.pid
        if pane is not None and self._bindings.find_pane(key) != pane:
            before = self._bindings.find_session(pane)
            self._bindings.bind(pane, key)
            self._aside = {pid: one for pid, one in self._aside.items() if one.key != key}
            if before is not None:
                self._show(before, "")
            self._bound(pane, key)
        elif pane is None and is_new and signal.agent == "codex" and not signal.hidden and shells:
            by_rule = self._bindings.appear(key, signal.cwd)
            if by_rule is not None:
                self._bound(by_rule, key)
        return replace(signal, pane="") if signal.pane else signal

    def after(self, signal: Signal) -> None:
        """A session that was bound before its first line was there."""
        key = make_key(signal.agent, signal.session)
        pane = self._bindings.find_pane(key)
        line = self._board.find(key)
        if pane is not None and line is not None and line.pane != pane:
            self._show(key, pane)

    def _find_proof(self, signal: Signal, key: str, shells: Mapping[str, int]) -> str | None:
        if signal.status == "stopped":
            return None
        if signal.pane in shells:
            return signal.pane
        if self._bindings.find_pane(key) is not None:
            return None
        if signal.pid:
            return find_pane_of(signal.pid, shells)
        if signal.agent != "codex" or not self._should_look(signal, key):
            return None
        self._looked[key] = self._happened
        forget_oldest(self._looked, MAX_LOOKED)
        running = {pane: shell for pane, shell in shells.items() if pane not in self._at_prompt}
        self._note_starts(running)
        found = find_pane_with_open(signal.session, running, is_terminal_ui)
        return found or self._find_continued(key, running)

    def _find_continued(self, key: str, running: Mapping[str, int]) -> str | None:
        """The pane in which its terminal was put aside, and is not any more."""
        for pid, aside in self._aside.items():
            if aside.key == key and aside.pane in running:
                if read_state(pid) == "running":
                    return aside.pane
                self._looked.pop(key, None)  # it may continue in a moment
        return None

    def _should_look(self, signal: Signal, key: str) -> bool:
        """Once after each command, and whenever a run begins: looking takes a millisecond or more."""
        line = self._board.find(key)
        begins = signal.evidence in RUN_BEGINS and (line is None or line.evidence != signal.evidence)
        return begins or self._looked.get(key) != self._happened

    def _note_starts(self, running: Mapping[str, int]) -> None:
        """Codex terminals that no line showed: behind `make &&`, in a script, by another name, with a prompt.
        Of the others where they really work."""
        unbound = {
            pane: shell for pane, shell in running.items() if self._bindings.find_session(pane) is None
        }
        for program in list_programs(unbound):
            launch = parse_running(program.words) if program.pid not in self._aside else None
            if launch is None or self._bindings.find_session(program.pane) is not None:
                continue
            cwd = program.cwd
            cwd = os.path.realpath(os.path.join(cwd, launch.folder)) if cwd else ""  # noqa: PTH118
            if self._bindings.is_free(program.pane):
                self._start_codex(program.pane, launch, cwd)
            else:
                self._bindings.correct(program.pane, cwd)

    def _bound(self, pane: str, key: str) -> None:
        agent, _, session = key.partition(":")
        if self._board.find(key) is not None:
            self._say(agent, session, "started here", "unknown")
            self._show(key, pane)

    def _say(self, agent: str, session: str, evidence: str, status: Literal["unknown", "stopped"]) -> None:
        self._feed(Signal(source="pane", agent=agent, session=session, evidence=evidence, status=status))
