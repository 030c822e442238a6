"""One agent in one workspace: connected to, fed, restarted with back-off, ended."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from bascule import __version__
from bascule.agents.driver import Agent, Connection, Deliver, Driver, DriverPorts
from bascule.core.faults import AgentFault, AgentGone
from bascule.core.text.redact import PemLines
from bascule.host.clock import new_id, now_ms, spread
from bascule.host.network.agent_socket import AgentSocket
from bascule.host.processes.agent_program import describe_missing, find_agent_program
from bascule.host.processes.child import ChildNotStarted
from bascule.host.processes.child_stdio import ChildStdio
from bascule.host.processes.process_register import Register
from bascule.host.processes.program import SearchPath
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.logfile import clean
from bascule.model.agents import Launch
from bascule.model.settings import Settings

HANDSHAKE_S = 30.0  # a program that does not answer its first message is no agent
STEADY_S = 30.0  # one that lived this long did not fail to start
LONGEST_WAIT_S = 30.0
RESTART_GRACE_S = 1.0  # for one that a person wants restarted: it may well be hung
MAX_RESTARTS = 5  # in a row; after that the next prompt tries again

log = logging.getLogger("bascule.agent")


class RunningAgent:
    """A connection that is open, and the driver that speaks over it."""

    def __init__(self, connection: Connection, driver: Driver, check: str) -> None:
        self.connection = connection
        self.driver = driver
        self.check = check  # what a person looks at where it never answered
        self.since_ms = now_ms()
        self.greeted = False
        self.ended_by_us = ""  # why, when we ended it
        self.cleaned_up = asyncio.Event()


class AgentProcess:
    def __init__(
        self,
        *,
        agent: Agent,
        workspace: Path,
        via: str,
        neutral: Path,
        settings: Callable[[], Settings],
        env: Mapping[str, str],
        search_path: SearchPath,
        register: Register,
        tasks: Tasks,
        stderr: Callable[[str, str], None],
        deliver: Deliver,
        died: Callable[[str], None],
    ) -> None:
        self._agent = agent
        self._workspace = workspace
        self._via = via  # the home of an agent that others started; empty: a child of our own
        self._neutral = neutral  # an empty folder to start in: nothing of the workspace's is looked at there
        self._settings = settings  # as they are when a child is started
        self._env = env
        self._search_path = search_path
        self.path = ""  # what its child was started with
        self._register = register
        self._tasks = tasks
        self._stderr = stderr
        self._deliver = deliver
        self._died = died
        self._starting = asyncio.Lock()
        self._launched: RunningAgent | None = None  # perhaps not greeted yet
        self._live: RunningAgent | None = None
        self._failures = 0
        self._closing = asyncio.Event()
        self._pem = PemLines()
        self._last_words: deque[str] = deque(maxlen=5)  # of stderr: they say why it died

    @property
    def title(self) -> str:
        return self._agent.title

    @property
    def is_running(self) -> bool:
        return self._live is not None

    @property
    def running_driver(self) -> Driver | None:
        return self._live.driver if self._live is not None else None

    async def driver(self) -> Driver:
        async with self._starting:
            if self._live is None:
                self._live = await self._start()
            return self._live.driver

    @property
    def is_waiting(self) -> bool:
        """A start is under way, or a call has no answer yet."""
        return self._starting.locked() or (self._live is not None and self._live.driver.is_waiting)

    async def restart(self, why: str) -> bool:
        """End it, however silent it is, and start another; False where none runs."""
        live = self._launched
        if live is None or not live.connection.is_open:
            return False
        live.ended_by_us = why
        await live.connection.end(RESTART_GRACE_S)
        await live.cleaned_up.wait()
        return True

    def rest(self, why: str) -> Coroutine[Any, Any, None]:
        """End one that nobody uses. It starts again when it is wanted, and nobody is alarmed.

        From the call on nobody gets this one; what is given is its end, to be awaited."""
        live, self._live = self._live, None
        return self._end(live, why)

    async def _end(self, live: RunningAgent | None, why: str) -> None:
        if live is not None:
            live.ended_by_us = why
            await live.connection.end()

    async def close(self) -> None:
        """A start that is under way is not waited for: it ends here too."""
        self._closing.set()
        if self._launched is not None:
            await self._launched.connection.end()
        async with self._starting:
            if self._live is not None:
                await self._live.connection.end()

    # -- starting --

    async def _start(self) -> RunningAgent:
        await self._pause()
        live = self._launched = await self._launch()
        try:
            called = await self._greet(live)
        except (AgentFault, asyncio.CancelledError):
            self._failures += 1
            await live.connection.end(0)
            raise
        log.info("%s answers as %s", live.connection.name, called)
        return live

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), self._wait_s())
        if self._closing.is_set():
            raise AgentGone(f"Bascule is closing, so {self.title} is not started.")

    async def _greet(self, live: RunningAgent) -> str:
        try:
            async with asyncio.timeout(HANDSHAKE_S):
                called = await live.driver.greet(__version__)
        except TimeoutError:
            raise AgentGone(f"{self.title} did not answer within {HANDSHAKE_S:.0f} s. {live.check}") from None
        live.greeted = True
        self._last_words.clear()
        return called

    def _wait_s(self) -> float:
        if self._failures == 0:
            return 0.0
        return spread(min(LONGEST_WAIT_S, 0.25 * 2**self._failures))

    async def _launch(self) -> RunningAgent:
        launch = self._agent.launch(self._settings())
        connection = await self._join() if self._via else await self._connect(launch)
        ports = DriverPorts(
            send=connection.send,
            deliver=self._deliver,
            pause=_pause,
            now_ms=now_ms,
            epoch=new_id("ask"),
            is_shared=bool(self._via),
            neutral=str(self._neutral),
            find_programs=connection.find_programs,
        )
        live = RunningAgent(connection, self._agent.make_driver(ports), launch.check)
        self._tasks.start(f"read from {connection.name}", self._read(live))
        return live

    async def _join(self) -> Connection:
        """Over the socket of an agent that a person's terminals share."""
        connection = await AgentSocket.open(self.title, self._agent.find_socket(self._via), self._tasks)
        self._register.note_other(connection.pid)  # before anything of it is asked about here
        log.info("%s joined for %s", connection.name, self._workspace)
        return connection

    async def _connect(self, launch: Launch) -> Connection:
        """Over the pipes of a child of our own."""
        self.path = self._search_path.text
        program = find_agent_program(launch, self._search_path.environ)
        if program is None:
            raise AgentGone(describe_missing(launch, self._search_path))
        argv = [str(program), *launch.args]
        if not self._workspace.is_dir():
            raise AgentGone(f"The workspace {self._workspace} is not a folder. Name one that exists.")
        for place in (self._neutral.parent, self._neutral):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._last_words.clear()
        try:
            connection = await ChildStdio.start(
                self._agent.name,
                argv,
                cwd=self._neutral,
                env={**self._env, **self._search_path.environ, **launch.env},
                register=self._register,
                on_stderr=self._heard,
                tasks=self._tasks,
            )
        except (ChildNotStarted, OSError) as fault:
            self._failures += 1
            raise AgentGone(self._say_not_started(fault)) from None
        log.info("%s started for %s: %s", connection.name, self._workspace, " ".join(argv))
        return connection

    def _say_not_started(self, fault: ChildNotStarted | OSError) -> str:
        if isinstance(fault, ChildNotStarted):
            return str(fault)
        why = fault.strerror or str(fault)
        return (
            f"{self.title} was not started, because the list of processes in the data folder can't be "
            f"written: {why}. Check that the disk has room, then send the prompt again."
        )

    def _heard(self, line: str) -> None:
        line = self._pem.feed(line)
        if not self._agent.is_noise(cleaned := clean(line)):
            self._last_words.append(cleaned)
        self._stderr(self._agent.name, line)

    # -- reading, and the end --

    async def _read(self, live: RunningAgent) -> None:
        try:
            while chunk := await live.connection.receive():
                live.driver.feed(chunk)
        finally:
            await self._clean_up(live)

    async def _clean_up(self, live: RunningAgent) -> None:
        """However reading ended: the agent is gone with all it started, and everyone is notified."""
        why = self._why(live, await live.connection.end(1.0))
        is_meant = self._closing.is_set() or live.ended_by_us
        level = logging.INFO if is_meant else logging.WARNING
        log.log(level, "%s: %s", live.connection.name, why)
        live.driver.fail(why)
        if self._live is live:
            self._live = None
            await self._after_death(live, why)
        live.cleaned_up.set()

    def _why(self, live: RunningAgent, how: str) -> str:
        if live.ended_by_us:
            return live.ended_by_us
        said = f" It said: {' / '.join(self._last_words)}" if self._last_words else ""
        if live.greeted or self._closing.is_set():
            return f"{self.title} {how}.{said}"
        return f"{self.title} {how} before it answered.{said} {live.check}"

    async def _after_death(self, live: RunningAgent, why: str) -> None:
        is_steady = now_ms() - live.since_ms > STEADY_S * 1000
        self._failures = 0 if live.ended_by_us else 1 if is_steady else self._failures + 1
        if self._closing.is_set():
            return
        self._died(why)
        live.cleaned_up.set()
        if self._failures <= MAX_RESTARTS:
            await self._restart()

    async def _restart(self) -> None:
        """So that it is there when the person speaks again; a failure shows with the next prompt."""
        try:
            await self.driver()
        except AgentFault as fault:
            log.warning("%s was not restarted: %s", self._agent.name, fault)


async def _pause(attempt: int) -> None:
    await asyncio.sleep(spread(min(LONGEST_WAIT_S, 0.2 * 2**attempt)))
