"""The workspace observer: records files when a run starts and around its commands, apart from the agent."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from sqlite3 import Error as StoreError

from msgspec import Struct
from msgspec.structs import replace

from bascule.agents.driver import ThreadChanges
from bascule.core.bounded import forget_oldest
from bascule.daemon.agents.pool import AgentPlace
from bascule.daemon.agents.roster import Roster
from bascule.host.files.run_evidence import Evidence, RunEvidence
from bascule.host.files.workspace_snapshot import ChangedFile, CommandWindow, WorkspaceSnapshot
from bascule.host.processes.tasks import Tasks
from bascule.model.asks import Ask, CommandSubject
from bascule.model.blocks import CommandBlock, FileChangeBlock
from bascule.model.changes import AskClosed, AskOpened, BlockPut, Change, RunPut
from bascule.model.ids import AskId, BlockId, RunId, SessionId
from bascule.model.session import Run

MAX_WORKSPACES = 4  # whose files are remembered; the one not used for longest goes first
NEVER_NS = 1 << 62
MAX_WINDOWS = 200  # commands that are looked for at once; the oldest are dropped

log = logging.getLogger("bascule.observer")


class ReportedEdit(Struct, frozen=True, kw_only=True):
    """An edit that the agent tells of itself."""

    session: SessionId
    run: RunId
    block: BlockId
    path: str
    is_new: bool = False


class ObservedWorkspace:
    """One workspace: what was noted of it, and what is still to be looked at."""

    def __init__(self, workspace: str) -> None:
        self.snapshot = WorkspaceSnapshot(Path(workspace))
        self.windows: dict[BlockId, CommandWindow] = {}
        self.runs: dict[tuple[SessionId, RunId], None] = {}
        self.reported: list[ReportedEdit] = []
        self.is_due = False
        self.idle = asyncio.Event()
        self.idle.set()


class WorkspaceObserver:
    """The agent never waits for it: it is notified of what happened, and looks in a thread of its own."""

    def __init__(
        self, *, root: Path, roster: Roster, tasks: Tasks, now_ns: Callable[[], int] = time.time_ns
    ) -> None:
        self._evidence = Evidence(root)
        self._roster = roster
        self._tasks = tasks
        self._now_ns = now_ns
        self._places: dict[str, ObservedWorkspace] = {}
        self._held: dict[AskId, tuple[str, BlockId]] = {}  # commands that wait for a yes

    def take(self, place: AgentPlace, news: Iterable[ThreadChanges]) -> None:
        """What an agent sent, once everybody else has it."""
        for thread, changes in news:
            session = self._roster.find_by_thread(place.agent, thread)
            if session is not None:
                self.see(session, place.workspace, changes)

    def agent_died(self, where: AgentPlace) -> None:
        """Its commands went with it."""
        place = self._place(where.workspace)
        for block, window in place.windows.items():
            if self._roster.find_agent(window.session) in ("", where.agent):
                place.windows[block] = replace(window, end_ns=window.end_ns or self._now_ns())
        self._look_soon(where.workspace)

    def see(self, session: SessionId, workspace: str, changes: Iterable[Change]) -> None:
        for change in changes:
            if not isinstance(change, BlockPut | RunPut | AskOpened | AskClosed):
                continue  # most are text
            match change:
                case AskOpened(ask=ask):
                    self._hold(session, workspace, ask)
                case AskClosed(ask=name) if name in self._held:
                    self._open_window(name)
                case RunPut(run=run):
                    self._see_run(session, workspace, run)
                case BlockPut(block=CommandBlock() as block) if block.run is not None:
                    self._see_command(session, workspace, block, block.run)
                case BlockPut(block=FileChangeBlock() as block) if block.run is not None:
                    self._see_edits(session, workspace, block, block.run)
                case _:
                    pass

    def _hold(self, session: SessionId, workspace: str, ask: Ask) -> None:
        """A command that waits for a yes has been announced, and has not begun."""
        windows = self._place(workspace).windows
        waiting = [
            block
            for block, window in windows.items()
            if (window.session, window.run) == (session, ask.run) and window.end_ns is None
        ]
        if waiting and isinstance(ask.subject, CommandSubject):
            windows[waiting[-1]] = replace(windows[waiting[-1]], start_ns=NEVER_NS)
            self._held[ask.id] = (workspace, waiting[-1])

    def _open_window(self, ask: AskId) -> None:
        workspace, block = self._held.pop(ask)
        windows = self._place(workspace).windows
        if block in windows:
            windows[block] = replace(windows[block], start_ns=self._now_ns())
            self._look_soon(workspace)  # what a person did meanwhile is noted before the command does more

    def _see_run(self, session: SessionId, workspace: str, run: Run) -> None:
        """With its end its commands have ended too, reported or not."""
        place = self._place(workspace)
        if run.outcome == "running":
            place.runs[(session, run.id)] = None
        else:
            for block, window in place.windows.items():
                if (window.session, window.run) == (session, run.id) and window.end_ns is None:
                    place.windows[block] = replace(window, end_ns=self._now_ns())
        self._look_soon(workspace)

    def _see_command(self, session: SessionId, workspace: str, block: CommandBlock, run: RunId) -> None:
        windows = self._place(workspace).windows
        present = windows.get(block.id)
        if block.status == "inProgress":
            if present is not None:
                return
            start_ns = block.at_ms * 1_000_000 if block.at_ms else self._now_ns()
            windows[block.id] = CommandWindow(session=session, run=run, block=block.id, start_ns=start_ns)
            forget_oldest(windows, MAX_WINDOWS)
        elif present is None:
            return  # it was declined, or ended before it was reported
        else:
            windows[block.id] = replace(present, end_ns=self._now_ns())
        self._look_soon(workspace)

    def _see_edits(self, session: SessionId, workspace: str, block: FileChangeBlock, run: RunId) -> None:
        if block.status != "completed":
            return
        place = self._place(workspace)
        for edit in block.files:
            place.reported.append(
                ReportedEdit(
                    session=session, run=run, block=block.id, path=edit.path, is_new=edit.change == "add"
                )
            )
            if edit.moved_to:
                place.reported.append(
                    ReportedEdit(session=session, run=run, block=block.id, path=edit.moved_to)
                )
        self._look_soon(workspace)

    async def recall(self, session: SessionId, run: RunId, workspace: str) -> RunEvidence:
        """What is known of a run, after one more look."""
        place = self._places.get(workspace)
        if place is not None:
            self._look_soon(workspace)
            await place.idle.wait()
        try:
            return await asyncio.to_thread(self._evidence.read, session, run)
        except StoreError as broken:
            log.warning("what was noted of %s cannot be read: %s", run, broken)
            return RunEvidence()

    def _place(self, workspace: str) -> ObservedWorkspace:
        place = self._places.pop(workspace, None) or ObservedWorkspace(workspace)
        self._places[workspace] = place
        forget_oldest(self._places, MAX_WORKSPACES, lambda one: one.idle.is_set())
        return place

    def _look_soon(self, workspace: str) -> None:
        place = self._place(workspace)
        place.is_due = True
        if place.idle.is_set():
            place.idle.clear()
            self._tasks.start(f"look at {workspace}", self._look(place))

    async def _look(self, place: ObservedWorkspace) -> None:
        """Again until nothing has happened meanwhile: one look serves all that came before it."""
        try:
            while place.is_due:
                place.is_due = False
                windows, news = tuple(place.windows.values()), place.reported
                place.reported = []
                try:
                    await asyncio.to_thread(self._note, place, windows, news, tuple(place.runs))
                except (StoreError, OSError) as fault:
                    log.warning("what commands changed is not noted: %s", fault)
                self._close(place, windows)
        finally:
            place.idle.set()

    def _close(self, place: ObservedWorkspace, looked_for: Iterable[CommandWindow]) -> None:
        """A command that had ended before the look is done with; so is a run of which nothing is open."""
        for window in looked_for:
            if window.end_ns is not None and place.windows.get(window.block) == window:
                del place.windows[window.block]
        open_runs = {(window.session, window.run) for window in place.windows.values()}
        latest = next(reversed(place.runs), None)
        for run in [run for run in place.runs if run not in open_runs and run != latest]:
            del place.runs[run]

    def _note(
        self,
        place: ObservedWorkspace,
        windows: tuple[CommandWindow, ...],
        news: list[ReportedEdit],
        runs: tuple[tuple[SessionId, RunId], ...],
    ) -> None:
        overwritten = [(one, place.snapshot.held(one.path)) for one in news if one.is_new]
        found = place.snapshot.look(windows, {one.path for one in news})
        for one, before in overwritten:
            after = place.snapshot.held(one.path)
            if before.state == "text" and before.hash != after.hash:
                found.append(ChangedFile(window=_moment(one), path=one.path, before=before, after=after))
        for session, run in runs:
            self._evidence.note_run(session, run, is_whole=place.snapshot.is_whole)
        if found:
            self._evidence.keep(found)


def _moment(news: ReportedEdit) -> CommandWindow:
    """A new file that took the place of another: kept under the edit that reported it."""
    return CommandWindow(session=news.session, run=news.run, block=news.block, start_ns=0, end_ns=0)
