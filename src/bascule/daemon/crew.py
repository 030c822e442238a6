"""The crew: one agent child per workspace, started on first use and never orphaned."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path

from bascule.agents.codex.driver import CodexDriver
from bascule.agents.codex.scribe import Entry
from bascule.core.agent_fold import fold_agent
from bascule.core.faults import AgentGone
from bascule.daemon.station import Station
from bascule.host.register import Register
from bascule.host.tasks import Tasks
from bascule.model.changes import AgentChange
from bascule.model.session import AgentState
from bascule.model.settings import Settings

log = logging.getLogger("bascule.crew")


class Crew:
    """`on_told` and `on_died` are set by whoever brings what agents tell to the sessions."""

    def __init__(
        self,
        *,
        register: Register,
        settings: Callable[[str], Settings],
        env: Mapping[str, str],
        tasks: Tasks,
        stderr: Callable[[str, str], None],
    ) -> None:
        self._register = register
        self._settings = settings
        self._env = env
        self._tasks = tasks
        self._stderr = stderr
        self._stations: dict[str, Station] = {}
        self._states: dict[str, AgentState] = {}
        self.on_told: Callable[[str, list[Entry]], None] = lambda _workspace, _entries: None
        self.on_died: Callable[[str, str], None] = lambda _workspace, _why: None
        self.on_state: Callable[[AgentState], None] = lambda _state: None

    async def driver(self, workspace: str) -> CodexDriver:
        station = self._stations.get(workspace)
        if station is None:
            station = self._stations[workspace] = self._station(workspace)
        return await station.driver()

    def _station(self, workspace: str) -> Station:
        """None for a name that leads nowhere: it would be remembered for ever."""
        if not Path(workspace).is_dir():
            raise AgentGone(f"The workspace {workspace} is not a folder. Name one that is there.")
        return Station(
            workspace=Path(workspace),
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
        if agent:
            self.on_state(self._states[workspace])
        self.on_told(workspace, entries)

    def is_running(self, workspace: str) -> bool:
        station = self._stations.get(workspace)
        return station is not None and station.is_running

    def states(self) -> list[AgentState]:
        return list(self._states.values())

    def state(self, workspace: str) -> AgentState:
        return self._states.get(workspace) or AgentState(workspace=workspace)

    async def close(self) -> None:
        for station in self._stations.values():
            await station.close()
