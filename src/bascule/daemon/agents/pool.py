"""The agent pool: one process for each agent and workspace, started on first use and never orphaned."""

import asyncio
import hashlib
import logging
import os
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from bascule.agents.driver import Driver, ThreadChanges
from bascule.core.faults import AgentGone, UserError
from bascule.core.session.agent_fold import fold_agent
from bascule.daemon.agents.agent_process import AgentProcess
from bascule.daemon.agents.available_agents import AvailableAgents
from bascule.host.processes.agent_program import describe_missing, find_agent_program
from bascule.host.processes.process_register import Register
from bascule.host.processes.program import SearchPath
from bascule.host.processes.tasks import Tasks
from bascule.model.changes import AgentChange, SilenceSet
from bascule.model.session import AgentState, Session
from bascule.model.settings import Settings

MAX_ENDING = 64  # children that are ended side by side
MINUTE_MS = 60_000
IDLE = "{title} was not used for a while, so it was ended. The next prompt starts it again."
CHANGED = "{title} was ended because of a change of settings or trust. The next prompt starts it again."

log = logging.getLogger("bascule.agents")


class AgentPlace(NamedTuple):
    """Which agent, and where."""

    agent: str  # by name
    workspace: str
    via: str = ""  # the home whose shared daemon leads to it; empty: a process of our own


def place_of(session: Session) -> AgentPlace:
    there = session.elsewhere
    via = there.home if there is not None and there.joined else ""
    return AgentPlace(session.agent, session.workspace, via)


class AgentPool:
    """`on_events` and `on_died` are set by the assembly, which brings what agents send to their sessions.

    `is_needed` says of an agent in its workspace whether work is going on or waits in it."""

    def __init__(
        self,
        *,
        agents: AvailableAgents,
        register: Register,
        neutral: Path,
        settings: Callable[[str], Settings],
        env: Mapping[str, str],
        search_path: SearchPath,
        tasks: Tasks,
        stderr: Callable[[str, str], None],
        now_ms: Callable[[], int],
    ) -> None:
        self.agents = agents
        self._register = register
        self._neutral = neutral
        self._settings = settings
        self._env = env
        self.search_path = search_path
        self._tasks = tasks
        self._stderr = stderr
        self._now_ms = now_ms
        self._processes: dict[AgentPlace, AgentProcess] = {}
        self._used_at_ms: dict[AgentPlace, int] = {}
        self._states: dict[AgentPlace, AgentState] = {}
        self.is_needed: Callable[[AgentPlace], bool] = lambda _place: False
        self.on_events: Callable[[AgentPlace, list[ThreadChanges]], None] = lambda _place, _events: None
        self.on_died: Callable[[AgentPlace, str], None] = lambda _place, _why: None
        self.on_silent: Callable[[AgentPlace], None] = lambda _place: None
        self.on_state: Callable[[AgentState], None] = lambda _state: None

    async def driver(self, place: AgentPlace) -> Driver:
        await self._narrow(place.workspace)
        agent_process = self._processes.get(place)
        if agent_process is None:
            agent_process = self._processes[place] = self._agent_process(place)
        self._used_at_ms[place] = self._now_ms()
        return await agent_process.driver()

    async def _narrow(self, workspace: str) -> None:
        """An agent may write here from now on: none looks for programs here, also none that runs already.

        One that is at work goes on until it is idle; until then the sandbox protects the folder."""
        self.search_path.exclude([workspace])
        await self._end_outdated()

    async def _end_outdated(self) -> None:
        free = [place for place in self._processes if self._is_outdated(place) and not self._is_busy(place)]
        await asyncio.gather(*[self._rest(place, CHANGED) for place in free])

    def _is_outdated(self, place: AgentPlace) -> bool:
        """It looks for programs where an agent may write by now."""
        is_ours = not place.via and self.is_running(place)
        return is_ours and self._processes[place].path != self.search_path.text

    # -- ending, for a while or for good --

    async def restart(self, place: AgentPlace, why: str) -> bool:
        """At once, whatever it is doing; False where none runs. Its runs end as failed, with `why`."""
        agent_process = self._processes.get(place)
        return agent_process is not None and await agent_process.restart(why)

    async def end_in(self, workspace: str) -> None:
        """End every agent there, at the same moment; the next use starts another."""
        await asyncio.gather(*[self._rest(place, CHANGED) for place in self.running_in(workspace)])

    async def rest(self, place: AgentPlace, why: str) -> None:
        """End one that nobody uses; the next prompt starts another."""
        if place in self._processes:
            await self._rest(place, why)

    def find_driver(self, place: AgentPlace) -> Driver | None:
        """Of the process that runs; another process has another."""
        agent_process = self._processes.get(place)
        return agent_process.running_driver if agent_process is not None else None

    def _rest(self, place: AgentPlace, why: str) -> Coroutine[Any, Any, None]:
        agent_process = self._processes[place]
        return agent_process.rest(why.format(title=agent_process.title))

    async def end_idle(self) -> None:
        """Those that nobody used for longer than the setting says, or that were started with another PATH."""
        await self._end_outdated()
        running = [place for place, agent_process in self._processes.items() if agent_process.is_running]
        await asyncio.gather(*[self._rest(place, IDLE) for place in running if self._is_idle(place)])

    def _is_idle(self, place: AgentPlace) -> bool:
        if place.via:
            return False  # what happens in a joined session is to be seen here too
        try:
            minutes = self._settings(place.workspace).agents.idle_minutes
        except UserError:
            return False  # settings that cannot be read end nothing
        unused_ms = self._now_ms() - self._used_at_ms.get(place, 0)
        return minutes > 0 and unused_ms >= minutes * MINUTE_MS and not self._is_busy(place)

    def _is_busy(self, place: AgentPlace) -> bool:
        return self._processes[place].is_waiting or self.is_needed(place)

    async def close(self) -> None:
        """All of them side by side: the slowest says how long it takes."""
        free = asyncio.Semaphore(MAX_ENDING)

        async def end(agent_process: AgentProcess) -> None:
            async with free:
                await agent_process.close()

        await asyncio.gather(*map(end, self._processes.values()))

    def check(self, place: AgentPlace) -> None:
        """`AgentGone` where it could not be started: no such folder, or no such program outside of it."""
        _check_folder(place.workspace)
        self.search_path.exclude([place.workspace])
        launch = self.agents.get(place.agent).launch(self._settings(place.workspace))
        if find_agent_program(launch, self.search_path.environ) is None:
            raise AgentGone(describe_missing(launch, self.search_path))

    def find_rules_file(self, agent: str) -> str:
        """Where that agent keeps what it was always allowed; empty where it keeps nothing."""
        return self.agents.get(agent).find_rules_file({**os.environ, **self._env})

    def _agent_process(self, place: AgentPlace) -> AgentProcess:
        """None for a name that leads nowhere: it would be remembered for ever."""
        agent, workspace = self.agents.get(place.agent), place.workspace
        _check_folder(workspace)
        return AgentProcess(
            agent=agent,
            workspace=Path(workspace),
            via=place.via,
            neutral=self._neutral / neutral_name(workspace),
            settings=lambda: self._settings(workspace),
            env=self._env,
            search_path=self.search_path,
            register=self._register,
            tasks=self._tasks,
            stderr=self._stderr,
            deliver=lambda events, agent_events: self._take(place, events, agent_events),
            died=lambda why: self.on_died(place, why),
        )

    def _take(self, place: AgentPlace, events: list[ThreadChanges], agent: list[AgentChange]) -> None:
        for change in agent:
            self._states[place] = fold_agent(self.state(place), change)
            if isinstance(change, SilenceSet) and change.since_ms is not None:
                log.warning("%s in %s does not answer", place.agent, place.workspace)
                self.on_silent(place)
        if agent:
            self.on_state(self._states[place])
        if events:
            self._used_at_ms[place] = self._now_ms()
        self.on_events(place, events)

    def is_running(self, place: AgentPlace) -> bool:
        agent_process = self._processes.get(place)
        return agent_process is not None and agent_process.is_running

    def running_in(self, workspace: str) -> list[AgentPlace]:
        """Processes of our own."""
        here = [place for place in self._processes if place.workspace == workspace and not place.via]
        return [place for place in here if self.is_running(place)]

    async def forget(self, place: AgentPlace, why: str) -> None:
        """A connection that no session needs any more."""
        agent_process = self._processes.pop(place, None)
        if agent_process is not None:
            await agent_process.rest(why)

    def states(self) -> list[AgentState]:
        return list(self._states.values())

    def state(self, place: AgentPlace) -> AgentState:
        return self._states.get(place) or AgentState(agent=place.agent, workspace=place.workspace)


def _check_folder(workspace: str) -> None:
    if not Path(workspace).is_dir():
        raise AgentGone(f"The workspace {workspace} is not a folder. Name one that exists.")


def neutral_name(workspace: str) -> str:
    """Of the empty folder that the child of this workspace starts in."""
    digest = hashlib.sha256(workspace.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return f"{PurePath(workspace).name or 'root'}-{digest}"
