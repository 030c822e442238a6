"""Git states: the branch and the changed files of workspaces that somebody looks at, live."""

import asyncio
import time
from collections.abc import Callable, Iterable

from bascule.agents.driver import ThreadChanges
from bascule.core.bounded import forget_oldest
from bascule.host.git.git_status import read_git_marks
from bascule.host.processes.tasks import Tasks
from bascule.model.blocks import CommandBlock, FileChangeBlock
from bascule.model.changes import BlockPut, Change, RunPut
from bascule.model.protocol.sessions import GitStatus, WorkspaceState

POLL_S = 2.0  # a branch that is changed in a terminal shows after this long
FRESH_S = 6.0  # a file that is changed in an editor shows after this long
PATIENCE = 20  # a workspace is looked at for at most a twentieth of the time
MAX_KNOWN = 64  # workspaces; the one looked at longest ago goes first


class SeenWorkspace:
    def __init__(self) -> None:
        self.status: GitStatus | None = None
        self.marks: tuple[int, ...] = ()
        self.next_s = 0.0
        self.is_due = False
        self.is_looked_at = False


class GitStates:
    """One look at a time: a slow disk holds up nobody but the next one."""

    def __init__(
        self,
        *,
        tasks: Tasks,
        wanted: Callable[[], Iterable[str]],
        on_change: Callable[[WorkspaceState], None],
        read: Callable[[str], GitStatus | None],
        read_marks: Callable[[str], tuple[int, ...]] = read_git_marks,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tasks = tasks
        self._wanted = wanted  # workspaces of the sessions that surfaces watch
        self._on_change = on_change
        self._read = read
        self._read_marks = read_marks
        self._clock_s = clock_s
        self._seen: dict[str, SeenWorkspace] = {}
        self._one = asyncio.Lock()

    def states(self) -> tuple[WorkspaceState, ...]:
        return tuple(
            WorkspaceState(workspace=workspace, git=seen.status)
            for workspace, seen in self._seen.items()
            if seen.status is not None
        )

    def take(self, workspace: str, news: Iterable[ThreadChanges]) -> None:
        """What an agent reported: after a command, an edit or a run the files may differ."""
        if any(_may_change_files(change) for _thread, changes in news for change in changes):
            self.look_soon(workspace)

    def look_soon(self, workspace: str) -> None:
        seen = self._seen.pop(workspace, None) or SeenWorkspace()
        self._seen[workspace] = seen
        forget_oldest(self._seen, MAX_KNOWN, lambda one: not one.is_looked_at)
        seen.is_due = True
        if not seen.is_looked_at:
            seen.is_looked_at = True
            self._tasks.start(f"git in {workspace}", self._look(workspace, seen))

    async def poll(self) -> None:
        """Of what is watched: what nobody tells us of, as a person's own commit or edit."""
        for workspace in dict.fromkeys(self._wanted()):
            seen = self._seen.get(workspace)
            if seen is None or self._clock_s() >= seen.next_s:
                self.look_soon(workspace)
            elif seen.status is not None and not seen.is_looked_at:
                marks = await asyncio.to_thread(self._read_marks, workspace)
                if marks != seen.marks:
                    self.look_soon(workspace)

    async def _look(self, workspace: str, seen: SeenWorkspace) -> None:
        """Again while something happened meanwhile: one look serves all that came before it."""
        try:
            async with self._one:
                while seen.is_due:
                    seen.is_due = False
                    await self._look_once(workspace, seen)
        finally:
            seen.is_looked_at = False

    async def _look_once(self, workspace: str, seen: SeenWorkspace) -> None:
        began_s = self._clock_s()
        seen.marks = await asyncio.to_thread(self._read_marks, workspace)
        status = await asyncio.to_thread(self._read, workspace)
        now_s = self._clock_s()
        seen.next_s = now_s + max(FRESH_S, PATIENCE * (now_s - began_s))
        if status != seen.status:
            seen.status = status
            self._on_change(WorkspaceState(workspace=workspace, git=status))


def _may_change_files(change: Change) -> bool:
    match change:
        case RunPut():
            return True
        case BlockPut(block=CommandBlock(status=status) | FileChangeBlock(status=status)):
            return status != "inProgress"
        case _:
            return False
