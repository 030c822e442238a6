"""Sessions of other programs, looked at live: their files as blocks, for as long as somebody looks."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from bascule.core.faults import UserError
from bascule.core.session.fold import MAX_BLOCKS
from bascule.core.watch.logs.log_lines import make_missing_block, make_tail_block
from bascule.core.watch.logs.rollout_blocks import RolloutBlocks
from bascule.core.watch.logs.tail_lines import TailLine
from bascule.core.watch.logs.transcript_blocks import TranscriptBlocks
from bascule.daemon.sessions.watchers import ResidentSession, Watcher
from bascule.host.processes.tasks import Tasks
from bascule.host.watch.agent_homes import AgentHomes
from bascule.host.watch.dir_watch import DirWatch
from bascule.host.watch.faults import WatchFaults, why_of
from bascule.host.watch.session_log import SessionLog, find_rollout, find_transcript
from bascule.model.agents import AgentCapabilities
from bascule.model.changes import BlockPut, Change, Cleared, ElsewhereSet, StatusSet, TitleSet
from bascule.model.ids import SessionId, ThreadId
from bascule.model.session import Elsewhere, Session
from bascule.model.watch import VIEWED, WatchedSession

MAX_VIEWS = 32
LOOK_S = 1.0  # for a file that does not exist yet
NOTHING = AgentCapabilities(
    steer=False,
    fork=False,
    compact=False,
    resume=False,
    models=False,
    images=False,
    read_only=False,
    mcp=False,
    skills=False,
    sign_out=False,
)
GONE = "That session is no longer on the board. Go back to Home to see those that are."
TOO_MANY = f"{MAX_VIEWS} sessions of other programs are looked at already. Close one first."


class LineReader(Protocol):
    def feed(self, line: TailLine) -> list[Change]: ...


READERS: dict[str, Callable[[], LineReader]] = {"codex": RolloutBlocks, "claude": TranscriptBlocks}


class LiveView:
    """One session, and the task that follows its file."""

    def __init__(self, session: Session, on_left: Callable[[], None]) -> None:
        self.resident = ResidentSession(session, on_left, MAX_BLOCKS)
        self.task: asyncio.Task[None] | None = None

    def apply(self, changes: Iterable[Change]) -> None:
        for change in changes:
            self.resident.fold.apply(change)
            self.resident.seq += 1
            for watcher in self.resident.watchers:
                watcher.put(self.resident.seq, change)
        self.resident.is_loaded = True
        for watcher in self.resident.watchers:
            watcher.wake()


class LiveViews:
    """Nothing is ever resumed, opened or answered here: files are read, and that is all."""

    def __init__(
        self,
        *,
        find_line: Callable[[str], WatchedSession | None],
        find_shared: Callable[[WatchedSession], str],
        homes: AgentHomes,
        faults: WatchFaults,
        tasks: Tasks,
    ) -> None:
        self._find_line = find_line
        self._find_shared = find_shared  # the home whose shared daemon has it loaded; empty: none
        self._homes = homes
        self._faults = faults
        self._tasks = tasks
        self._views: dict[str, LiveView] = {}  # by key

    def watch(self, session: SessionId, news: asyncio.Event) -> Watcher:
        """`UserError` where it is not on the board."""
        key = session.removeprefix(VIEWED)
        line = self._find_line(key)
        if line is None:
            raise UserError(GONE)
        view = self._views.get(key) or self._open(key, line)
        watcher = Watcher(view.resident, news)
        view.resident.watchers.add(watcher)
        return watcher

    @property
    def count(self) -> int:
        return len(self._views)

    def take(self, line: WatchedSession) -> None:
        """It has changed on the board."""
        view = self._views.get(line.key)
        if view is not None:
            view.apply(self._describe(line))

    def _open(self, key: str, line: WatchedSession) -> LiveView:
        if len(self._views) >= MAX_VIEWS:
            raise UserError(TOO_MANY)
        session = Session(
            id=SessionId(VIEWED + key), workspace=line.cwd, agent=line.agent, capabilities=NOTHING
        )
        view = self._views[key] = LiveView(session, lambda: self._left(key))
        for change in self._describe(line):
            view.resident.fold.apply(change)
        view.task = self._tasks.start(f"follow {key}", self._follow(view, line))
        return view

    def _describe(self, line: WatchedSession) -> list[Change]:
        elsewhere = Elsewhere(key=line.key, their_id=line.their_id, home=self._find_shared(line))
        return [
            StatusSet(line.status),
            TitleSet(line.title or line.their_id, "agent"),
            ElsewhereSet(elsewhere),
        ]

    def _left(self, key: str) -> None:
        view = self._views.get(key)
        if view is not None and not view.resident.watchers:
            del self._views[key]
            if view.task is not None:
                view.task.cancel()

    # -- the file --

    def _find(self, line: WatchedSession) -> str | None:
        match line.agent:
            case "codex":
                return find_rollout(self._homes.codex, line.their_id)
            case "claude":
                return find_transcript([one.folder for one in self._homes.claude], line.their_id)
            case _:
                return None

    async def _follow(self, view: LiveView, line: WatchedSession) -> None:
        """Where the file is deleted, what was read stays until there is one again."""
        while True:
            path = await self._find_when_there(view, line)
            watch = DirWatch(self._faults)
            try:
                watch.add(str(Path(path).parent))
                await self._read_on(view, line, SessionLog(path), watch)
            except FileNotFoundError:
                await asyncio.sleep(LOOK_S)
            except OSError as fault:
                self._faults.report(path, why_of(fault))
                view.apply([BlockPut(make_missing_block())])
                return
            finally:
                watch.close()

    async def _read_on(self, view: LiveView, line: WatchedSession, log: SessionLog, watch: DirWatch) -> None:
        reader, is_new = READERS[line.agent](), True
        while True:
            lines = await asyncio.to_thread(log.read)
            changes: list[Change] = []
            if log.restarted:
                reader, is_new = READERS[line.agent](), True
            if is_new and view.resident.is_loaded:  # with what was read before, or that nothing was there
                now = self._find_line(line.key) or line
                changes += [Cleared(ThreadId(line.their_id)), *self._describe(now)]
            if is_new and log.is_tail:
                changes.append(BlockPut(make_tail_block()))
            view.apply([*changes, *(change for one in lines for change in reader.feed(one))])
            is_new = False
            if not log.has_more:
                await _next_change(watch, Path(log.path).name)

    async def _find_when_there(self, view: LiveView, line: WatchedSession) -> str:
        """A session that has just begun may have no file before its first prompt."""
        while (path := await asyncio.to_thread(self._find, line)) is None:
            if not view.resident.is_loaded:
                view.apply([BlockPut(make_missing_block())])
            await asyncio.sleep(LOOK_S)
        return path


async def _next_change(watch: DirWatch, name: str) -> None:
    while True:
        changed = await watch.next()
        if any(one.name in ("", name) for one in changed):
            return
