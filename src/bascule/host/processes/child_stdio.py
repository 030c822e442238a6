"""A connection to an agent over the pipes of a child: bytes in order, under a ceiling, and its end."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from bascule.core.faults import AgentFault
from bascule.host.processes.child import GRACE_S, Child
from bascule.host.processes.process_register import Register
from bascule.host.processes.program import find_programs
from bascule.host.processes.tasks import Tasks

READ_SIZE = 256 * 1024
MAX_UNSENT = 64 * 1024 * 1024  # bytes


class Unsent:
    """What an agent has not read yet, in order and under a ceiling."""

    def __init__(self, subject: str) -> None:
        self._subject = subject
        self._waiting: deque[bytes] = deque()
        self._size = 0
        self._news = asyncio.Event()

    def put(self, data: bytes) -> None:
        if self._size + len(data) > MAX_UNSENT:
            raise AgentFault(
                f"{self._subject} has not read {self._size} bytes that were sent to it. Restart it."
            )
        self._waiting.append(data)
        self._size += len(data)
        self._news.set()

    async def write_by(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        """Until an OSError: it is going, and the reader says why."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._waiting:
                data = self._waiting.popleft()
                self._size -= len(data)
                try:
                    await write(data)
                except OSError:
                    return


class ChildStdio:
    def __init__(self, subject: str, child: Child, tasks: Tasks) -> None:
        self.name = f"{subject}[{child.pid}]"
        self._child = child
        self._unsent = Unsent(subject)
        tasks.start(f"write to {self.name}", self._unsent.write_by(self._write))

    @classmethod
    async def start(
        cls,
        subject: str,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        register: Register,
        on_stderr: Callable[[str], None],
        tasks: Tasks,
    ) -> "ChildStdio":
        """`ChildNotStarted`, or an OSError where the register cannot be written."""
        child = await Child.start(argv, cwd=cwd, env=env, register=register, on_stderr=on_stderr)
        return cls(subject, child, tasks)

    @property
    def is_open(self) -> bool:
        return self._child.exit_code is None

    async def _write(self, data: bytes) -> None:
        self._child.write(data)
        await self._child.drain()

    def find_programs(self) -> tuple[str, ...]:
        return find_programs(self._child.pid)

    def send(self, message: bytes) -> None:
        self._unsent.put(message)

    async def receive(self) -> bytes:
        return await self._child.read(READ_SIZE)

    async def end(self, grace_s: float | None = None) -> str:
        """With all that it started."""
        code = await self._child.end(grace_s=GRACE_S if grace_s is None else grace_s)
        return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
