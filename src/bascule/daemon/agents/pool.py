"""The agent pool: one agent process per workspace, started on first use and never orphaned."""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath

from bascule.agents.codex.driver import CodexDriver
from bascule.agents.codex.scribe import Entry
from bascule.core.faults import AgentGone, UserError
from bascule.core.session.agent_fold import fold_agent
from bascule.daemon.agents.agent_process import AgentProcess
from bascule.host.processes.process_register import Register
from bascule.host.processes.tasks import Tasks
from bascule.model.changes import AgentChange, SilenceSet
from bascule.model.session import AgentState
from bascule.model.settings import Settings

MAX_ENDING = 64  # children that are ended side by side
MINUTE_MS = 60_000
IDLE = "Codex was not used for a while, so it was ended. The next prompt starts it again."
CHANGED = "Codex was ended because of a change of settings or trust. The next prompt starts it again."

log = logging.getLogger("bascule.agents")


class AgentPool:
    """`on_told` and `on_died` are set by whoever brings what agents tell to the sessions.

    `is_needed` says of a workspace whether work is going on or waits in it."""

    def __init__(
        self,
        *,
        register: Register,
        neutral: Path,
        settings: Callable[[str], Settings],
        env: Mapping[str, str],
        tasks: Tasks,
        stderr: Callable[[str, str], None],
        now_ms: Callable[[], int],
    ) -> None:
        self._register = register
        self._neutral = neutral
        self._settings = settings
        self._env = env
        self._tasks = tasks
        self._stderr = stderr
        self._now_ms = now_ms
        self._processes: dict[str, AgentProcess] = {}
        self._used_at_ms: dict[str, int] = {}
        self._due: set[str] = set()  # to be restarted as soon as nothing is going on
        self.is_needed: Callable[[str], bool] = lambda _workspace: False
        self._states: dict[str, AgentState] = {}
        self.on_told: Callable[[str, list[Entry]], None] = lambda _workspace, _entries: None
        self.on_died: Callable[[str, str], None] = lambda _workspace, _why: None
        self.on_silent: Callable[[str], None] = lambda _workspace: None
        self.on_state: Callable[[AgentState], None] = lambda _state: None

    async def driver(self, workspace: str) -> CodexDriver:
        agent_process = self._processes.get(workspace)
        if agent_process is None:
            agent_process = self._processes[workspace] = self._agent_process(workspace)
        self._used_at_ms[workspace] = self._now_ms()
        return await agent_process.driver()

    # -- ending, for a while or for good --

    async def restart(self, workspace: str, why: str) -> bool:
        """At once, whatever it is doing; False where none runs. Its runs end as failed, with `why`."""
        agent_process = self._processes.get(workspace)
        return agent_process is not None and await agent_process.restart(why)

    def restart_when_idle(self, workspace: str) -> None:
        """With the next prompt after the present work: what is going on goes on."""
        if self.is_running(workspace):
            self._due.add(workspace)
            self._end_due(workspace)

    def _end_due(self, workspace: str) -> None:
        if workspace in self._due and not self._is_busy(workspace):
            self._due.discard(workspace)
            self._tasks.start(f"end codex of {workspace}", self._processes[workspace].rest(CHANGED))

    def _is_busy(self, workspace: str) -> bool:
        return self._processes[workspace].is_waiting or self.is_needed(workspace)

    async def end_idle(self) -> None:
        """Those that nobody used for longer than the setting says."""
        running = [name for name, agent_process in self._processes.items() if agent_process.is_running]
        await asyncio.gather(*(self._processes[name].rest(IDLE) for name in running if self._is_idle(name)))

    def _is_idle(self, workspace: str) -> bool:
        try:
            minutes = self._settings(workspace).agents.idle_minutes
        except UserError:
            return False  # settings that cannot be read end nothing
        unused_ms = self._now_ms() - self._used_at_ms.get(workspace, 0)
        return minutes > 0 and unused_ms >= minutes * MINUTE_MS and not self._is_busy(workspace)

    async def close(self) -> None:
        """All of them side by side: the slowest says how long it takes."""
        places = asyncio.Semaphore(MAX_ENDING)

        async def end(agent_process: AgentProcess) -> None:
            async with places:
                await agent_process.close()

        await asyncio.gather(*map(end, self._processes.values()))

    def _agent_process(self, workspace: str) -> AgentProcess:
        """None for a name that leads nowhere: it would be remembered for ever."""
        if not Path(workspace).is_dir():
            raise AgentGone(f"The workspace {workspace} is not a folder. Name one that is there.")
        return AgentProcess(
            workspace=Path(workspace),
            neutral=self._neutral / neutral_name(workspace),
            settings=lambda: self._settings(workspace).codex,
            env=self._env,
            register=self._register,
            tasks=self._tasks,
            stderr=self._stderr,
            deliver=lambda entries, agent: self._told(workspace, entries, agent),
            died=lambda why: self.on_died(workspace, why),
        )

    def _told(self, workspace: str, entries: list[Entry], agent: list[AgentChange]) -> None:
        for change in agent:
            self._states[workspace] = fold_agent(self.state(workspace), change)
            if isinstance(change, SilenceSet) and change.since_ms is not None:
                log.warning("codex in %s does not answer", workspace)
                self.on_silent(workspace)
        if agent:
            self.on_state(self._states[workspace])
        if entries:
            self._used_at_ms[workspace] = self._now_ms()
        self.on_told(workspace, entries)
        self._end_due(workspace)

    async def let_go(self, workspace: str) -> None:
        """End its child; the next use starts another."""
        agent_process = self._processes.get(workspace)
        if agent_process is not None:
            await agent_process.rest(CHANGED)

    def is_running(self, workspace: str) -> bool:
        agent_process = self._processes.get(workspace)
        return agent_process is not None and agent_process.is_running

    def states(self) -> list[AgentState]:
        return list(self._states.values())

    def state(self, workspace: str) -> AgentState:
        return self._states.get(workspace) or AgentState(workspace=workspace)


def neutral_name(workspace: str) -> str:
    """Of the empty folder that the child of this workspace starts in."""
    digest = hashlib.sha256(workspace.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return f"{PurePath(workspace).name or 'root'}-{digest}"
