"""One workspace's agent child: started, read, written to, restarted with back-off, ended."""

import asyncio
import logging
import os
import re
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from bascule import __version__
from bascule.agents.codex.driver import CodexDriver, Deliver
from bascule.agents.codex.silence import SILENT_AFTER_S
from bascule.core.faults import AgentFault, AgentGone
from bascule.core.text.redact import PemLines
from bascule.host.clock import new_id, now_ms, spread
from bascule.host.processes.child import Child, ChildNotStarted
from bascule.host.processes.codex_binary import HOW_TO_GET, find_codex, missing_text
from bascule.host.processes.process_register import Register
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.logfile import clean
from bascule.model.settings import CodexSettings

READ_SIZE = 256 * 1024
MAX_UNSENT = 64 * 1024 * 1024  # bytes that the child has not read yet
OLDEST_CODEX = (0, 163)
HANDSHAKE_S = 30.0  # a program that does not answer its first message is no Codex
STEADY_S = 30.0  # a child that lived this long did not fail to start
LONGEST_WAIT_S = 30.0
RESTART_GRACE_S = 1.0  # for one that a person wants restarted: it may well be hung
MAX_RESTARTS = 5  # in a row; after that the next prompt tries again

LOOK_AT_COMMAND = "Look at bascule.codex.command in settings.toml: is it Codex? `bascule logs` tells more."

# Codex's own log and its backtraces: they go on while it lives, and do not say why it died.
NOISE = re.compile(r"\d{4}-\d\d-\d\dT|WARNING: |Stack backtrace:|\s*\d+: |\s+at |\s*$")

log = logging.getLogger("bascule.codex")


class ChildStdin:
    """The one way to the child's stdin: bytes in order, under a ceiling."""

    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque()
        self._size = 0
        self._news = asyncio.Event()

    def put(self, data: bytes) -> None:
        if self._size + len(data) > MAX_UNSENT:
            raise AgentFault(f"codex has not read {self._size} bytes that were sent to it. Restart it.")
        self._waiting.append(data)
        self._size += len(data)
        self._news.set()

    async def write_to(self, child: Child) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            while self._waiting:
                data = self._waiting.popleft()
                self._size -= len(data)
                try:
                    child.write(data)
                    await child.drain()
                except OSError:
                    return  # it is going; the reader says why


class RunningAgent:
    """A child that runs, and the driver that speaks with it."""

    def __init__(self, child: Child, driver: CodexDriver, unsent: ChildStdin) -> None:
        self.child = child
        self.driver = driver
        self.unsent = unsent
        self.since_ms = now_ms()
        self.greeted = False
        self.ended_by_us = ""  # why, when we ended it
        self.buried = asyncio.Event()


class AgentProcess:
    def __init__(
        self,
        *,
        workspace: Path,
        neutral: Path,
        settings: Callable[[], CodexSettings],
        env: Mapping[str, str],
        register: Register,
        tasks: Tasks,
        stderr: Callable[[str, str], None],
        deliver: Deliver,
        died: Callable[[str], None],
    ) -> None:
        self._workspace = workspace
        self._neutral = neutral  # an empty folder to start in: nothing of the workspace's is looked at there
        self._settings = settings  # as they are when a child is started
        self._env = env
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
    def is_running(self) -> bool:
        return self._live is not None

    async def driver(self) -> CodexDriver:
        async with self._starting:
            if self._live is None:
                self._live = await self._start()
            return self._live.driver

    @property
    def is_waiting(self) -> bool:
        """A start is under way, or a call has no answer yet."""
        return self._starting.locked() or (self._live is not None and self._live.driver.is_waiting)

    async def restart(self, why: str) -> bool:
        """End the child, however silent it is, and start another; False where none runs."""
        live = self._launched
        if live is None or live.child.exit_code is not None:
            return False
        live.ended_by_us = why
        await live.child.end(grace_s=RESTART_GRACE_S)
        await live.buried.wait()
        return True

    async def rest(self, why: str) -> None:
        """End a child that nobody uses. It starts again when it is wanted, and nobody is alarmed."""
        live, self._live = self._live, None
        if live is not None:
            live.ended_by_us = why
            await live.child.end()

    async def close(self) -> None:
        """A start that is under way is not waited for: it ends here too."""
        self._closing.set()
        if self._launched is not None:
            await self._launched.child.end()
        async with self._starting:
            if self._live is not None:
                await self._live.child.end()

    # -- starting --

    async def _start(self) -> RunningAgent:
        await self._pause()
        live = self._launched = await self._launch()
        try:
            user_agent = await self._greet(live)
        except (AgentFault, asyncio.CancelledError):
            self._failures += 1
            await live.child.end(grace_s=0)
            raise
        log.info("%s answers as %s", self._name(live.child), user_agent)
        return live

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), self._wait_s())
        if self._closing.is_set():
            raise AgentGone("Bascule is closing, so Codex is not started.")

    async def _greet(self, live: RunningAgent) -> str:
        try:
            async with asyncio.timeout(HANDSHAKE_S):
                answer = await live.driver.initialize(__version__)
        except TimeoutError:
            raise AgentGone(f"Codex did not answer within {HANDSHAKE_S:.0f} s. {LOOK_AT_COMMAND}") from None
        _check_version(answer.user_agent)
        live.greeted = True
        self._last_words.clear()
        return answer.user_agent

    def _wait_s(self) -> float:
        if self._failures == 0:
            return 0.0
        return spread(min(LONGEST_WAIT_S, 0.25 * 2**self._failures))

    async def _launch(self) -> RunningAgent:
        settings = self._settings()
        program = find_codex(settings.command, os.environ)
        if program is None:
            raise AgentGone(missing_text(settings.command))
        if not self._workspace.is_dir():
            raise AgentGone(f"The workspace {self._workspace} is not a folder. Name one that is there.")
        self._neutral.mkdir(parents=True, exist_ok=True, mode=0o700)
        argv = [str(program), *settings.args]
        self._last_words.clear()
        try:
            child = await Child.start(
                argv, cwd=self._neutral, env=self._env, register=self._register, on_stderr=self._heard
            )
        except (ChildNotStarted, OSError) as fault:  # the latter when the register cannot be written
            self._failures += 1
            raise AgentGone(str(fault)) from None
        log.info("%s started for %s: %s", self._name(child), self._workspace, " ".join(argv))
        unsent = ChildStdin()
        driver = CodexDriver(
            send=unsent.put,
            deliver=self._deliver,
            pause=_pause,
            now_ms=now_ms,
            epoch=new_id("ask"),
            silent_after_s=SILENT_AFTER_S,
        )
        live = RunningAgent(child, driver, unsent)
        self._tasks.start(f"write to {self._name(child)}", unsent.write_to(child))
        self._tasks.start(f"read from {self._name(child)}", self._read(live))
        return live

    def _heard(self, line: str) -> None:
        line = self._pem.feed(line)
        if not NOISE.match(cleaned := clean(line)):
            self._last_words.append(cleaned)
        self._stderr("codex", line)

    def _name(self, child: Child) -> str:
        return f"codex[{child.pid}]"

    # -- reading, and the end --

    async def _read(self, live: RunningAgent) -> None:
        try:
            while chunk := await live.child.read(READ_SIZE):
                live.driver.feed(chunk)
        finally:
            await self._bury(live)

    async def _bury(self, live: RunningAgent) -> None:
        """However reading ended: the child is gone with all it started, and everyone is told."""
        code = await live.child.end(grace_s=1.0)
        why = self._why(live, code)
        is_meant = self._closing.is_set() or live.ended_by_us
        level = logging.INFO if is_meant else logging.WARNING
        log.log(level, "%s: %s", self._name(live.child), why)
        live.driver.fail(why)
        if self._live is live:
            self._live = None
            await self._after_death(live, why)
        live.buried.set()

    def _why(self, live: RunningAgent, code: int) -> str:
        if live.ended_by_us:
            return live.ended_by_us
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        said = f" It said: {' / '.join(self._last_words)}" if self._last_words else ""
        if live.greeted or self._closing.is_set():
            return f"Codex {how}.{said}"
        return f"Codex {how} before it answered.{said} {LOOK_AT_COMMAND}"

    async def _after_death(self, live: RunningAgent, why: str) -> None:
        is_steady = now_ms() - live.since_ms > STEADY_S * 1000
        self._failures = 0 if live.ended_by_us else 1 if is_steady else self._failures + 1
        if self._closing.is_set():
            return
        self._died(why)
        live.buried.set()
        if self._failures <= MAX_RESTARTS:
            await self._restart()

    async def _restart(self) -> None:
        """So that it is there when the person speaks again; a failure shows with the next prompt."""
        try:
            await self.driver()
        except AgentFault as fault:
            log.warning("codex was not restarted: %s", fault)


def _check_version(user_agent: str) -> None:
    match = re.search(r"/(\d+)\.(\d+)\.\d+", user_agent)
    if match is None:
        log.warning("codex does not say its version: %s", user_agent)
        return
    version = (int(match[1]), int(match[2]))
    if version < OLDEST_CODEX:
        oldest = ".".join(map(str, OLDEST_CODEX))
        raise AgentGone(f"Codex {match[0][1:]} is too old: {oldest} or newer is needed. {HOW_TO_GET}")


async def _pause(attempt: int) -> None:
    await asyncio.sleep(spread(min(LONGEST_WAIT_S, 0.2 * 2**attempt)))
