"""Agent children: each in its own session, marked and registered, and ended with all that it started."""

import asyncio
import contextlib
import logging
import math
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil

from bascule.core.faults import UserError
from bascule.host.processes.liveness import is_alive, is_stopped
from bascule.host.processes.process_register import (
    MARKER,
    ROUND_S,
    ProcessRecord,
    Register,
    RunningProcess,
    find_processes,
    gone_within,
    is_same_start,
    kill_until_gone,
    kill_until_gone_async,
    look,
    send,
    wait_until_gone,
    with_descendants,
)
from bascule.host.processes.program import absolute_only, find_program
from bascule.host.processes.tasks import Tasks

log = logging.getLogger("bascule.process")

OURS = "BASCULE_"  # the marker is put back
GRACE_S = 2.0
MAX_UNREAD = 1024 * 1024  # bytes of stdout that wait here before the child is made to wait
STDOUT_PIPE = 1024 * 1024
MAX_STDERR_LINE = 16 * 1024

if sys.platform == "linux":
    import fcntl

if sys.platform == "win32":
    NEW_GROUP: dict[str, Any] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    NEW_GROUP: dict[str, Any] = {"start_new_session": True}


class ChildNotStarted(UserError):
    """The program could not be run; the text says which and why."""


class _Pipes(asyncio.subprocess.SubprocessStreamProtocol):
    """Says when the child is gone, even while something it started still holds its pipes."""

    def __init__(self) -> None:
        super().__init__(limit=MAX_UNREAD, loop=asyncio.get_running_loop())
        self.exited = asyncio.Event()
        self.released = asyncio.Event()
        self._held = {0, 1, 2}

    def process_exited(self) -> None:
        super().process_exited()
        self.exited.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        super().pipe_connection_lost(fd, exc)
        self._held.discard(fd)
        if not self._held:
            self.released.set()


class Child:
    """A running agent: its pipes, and an end that leaves nothing of it behind."""

    def __init__(
        self,
        program: str,
        marker: str,
        register: Register,
        transport: asyncio.SubprocessTransport,
        pipes: _Pipes,
    ) -> None:
        self.program = program
        self.marker = marker
        self.pid = transport.get_pid()
        self._register = register
        self._transport = transport
        self._pipes = pipes
        self._tasks = Tasks()
        self._leader = _find_process(self.pid)  # signals go by it: asyncio's own may steal the exit code
        self._ending = asyncio.Lock()
        self._ended = False

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        register: Register,
        on_stderr: Callable[[str], None],
    ) -> "Child":
        """Run `argv` in `cwd`, with `env` added to our environment; on disk before it is handed out."""
        marker = register.new_marker()
        whole = {**without_ours(os.environ), **env}
        whole[MARKER] = ",".join(filter(None, [os.environ.get(MARKER), marker]))
        transport, pipes = await _spawn(argv, cwd, whole)
        child = cls(argv[0], marker, register, transport, pipes)
        try:
            child._sign_in()
        except OSError:
            await child.end(grace_s=0)
            raise
        child._pump(on_stderr)
        return child

    def _sign_in(self) -> None:
        if self._leader is not None:
            self._register.add(ProcessRecord(self.pid, self._leader.create_time(), self.program, self.marker))

    def _pump(self, on_stderr: Callable[[str], None]) -> None:
        stderr = self._pipes.stderr
        assert stderr is not None
        self._tasks.start(f"{self.program}[{self.pid}] stderr", _pump_lines(stderr, on_stderr))

    @property
    def exit_code(self) -> int | None:
        """None while it runs; below zero is the signal that ended it."""
        return self._transport.get_returncode()

    async def read(self, most: int) -> bytes:
        """What stdout has, `most` bytes of it; empty when it is closed."""
        assert self._pipes.stdout is not None
        return await self._pipes.stdout.read(most)

    def write(self, data: bytes) -> None:
        """To stdin, in order. One writer calls this, and drains before the next."""
        assert self._pipes.stdin is not None
        if self._pipes.stdin.is_closing():
            raise BrokenPipeError(f"{self.program} (pid {self.pid}) no longer reads")
        self._pipes.stdin.write(data)

    async def drain(self) -> None:
        """Wait until the child has taken most of it; `ConnectionError` when it no longer reads."""
        assert self._pipes.stdin is not None
        await self._pipes.stdin.drain()

    async def wait(self) -> int:
        """Until the process itself is gone; what it started may still run, see `end`."""
        await self._pipes.exited.wait()
        code = self.exit_code
        assert code is not None
        return code

    async def end(self, *, grace_s: float = GRACE_S) -> int:
        """Close stdin, then ask, then kill; afterwards nothing that it started is alive."""
        async with self._ending:
            if not self._ended:
                await self._end(grace_s)
                self._ended = True
        return await self.wait()

    async def _end(self, grace_s: float) -> None:
        known: list[psutil.Process] = []
        try:
            known = await self._look_for_family()  # while the parents still say who is whose
            if self._leader is None or not is_stopped(self._leader):
                await self._ask_to_go(grace_s)
            await self._kill(known)
        except asyncio.CancelledError:
            self._kill_now(known)  # it must not outlive us, so nobody gets a turn before it is gone
            raise
        await self.wait()
        await self._close_pipes()
        try:
            self._register.remove(self.marker)
        except OSError as fault:  # a full disk keeps nobody alive; the next start finds that it is gone
            log.warning("%s[%d] could not be taken off the register: %s", self.program, self.pid, fault)

    async def _ask_to_go(self, grace_s: float) -> None:
        assert self._pipes.stdin is not None
        self._pipes.stdin.close()
        await self._exits_within(grace_s)
        family = await self._look_for_family()
        for process in family:
            send(process.terminate)
        others = [process for process in family if process.pid != self.pid]
        await asyncio.gather(gone_within(others, grace_s), self._exits_within(grace_s))

    async def _kill(self, known: Sequence[psutil.Process]) -> None:
        if self._leader is not None:
            send(self._leader.kill)

        async def find() -> list[psutil.Process]:
            return self._others(known, await self._look_for_family())

        await kill_until_gone_async(find)

    def _kill_now(self, known: Sequence[psutil.Process]) -> None:
        if self._leader is not None:
            send(self._leader.kill)
        kill_until_gone(lambda: self._others(known, self._family(look())))
        if self._leader is not None:
            wait_until_gone([self._leader], ROUND_S)

    async def _exits_within(self, limit_s: float) -> None:
        try:
            await asyncio.wait_for(self._pipes.exited.wait(), limit_s)
        except TimeoutError:
            return

    async def _look_for_family(self) -> list[psutil.Process]:
        return self._family(await self._register.process_scan.look())

    def _family(self, seen: Sequence[RunningProcess]) -> list[psutil.Process]:
        """This process and all that it started, found by parent, by session and by marker."""
        started_s = self._leader.create_time() if self._leader is not None else math.inf
        reused = any(one.pid == self.pid and not is_same_start(one, started_s) for one in seen)
        roots = {
            one.pid
            for one in seen
            if self.marker in one.marks or (not reused and self.pid in (one.pid, one.session))
        }
        return find_processes(seen, with_descendants(seen, roots))

    def _others(
        self, known: Sequence[psutil.Process], family: Sequence[psutil.Process]
    ) -> list[psutil.Process]:
        """Without the process itself: its end is asyncio's to collect."""
        still = filter(is_alive, known)
        return [process for process in {*still, *filter(is_alive, family)} if process.pid != self.pid]

    async def _close_pipes(self) -> None:
        try:
            await asyncio.wait_for(self._pipes.released.wait(), ROUND_S)  # the last of stderr is read
        except TimeoutError:
            self._transport.close()
            await self._pipes.released.wait()
        self._transport.close()
        await self._tasks.close()


def without_ours(environ: Mapping[str, str]) -> dict[str, str]:
    """A child has no business with our variables: they name our data folder, and tests put secrets there.

    Nor with a PATH that leads into whatever folder it is in: that folder would choose its programs."""
    whole = {name: value for name, value in environ.items() if not name.upper().startswith(OURS)}
    return {name: absolute_only(value) if name.upper() == "PATH" else value for name, value in whole.items()}


async def _spawn(
    argv: Sequence[str], cwd: Path, env: Mapping[str, str]
) -> tuple[asyncio.SubprocessTransport, _Pipes]:
    found = _get_program(argv[0], cwd, env)
    try:
        transport, pipes = await asyncio.get_running_loop().subprocess_exec(
            _Pipes, str(found), *argv[1:], cwd=cwd, env=env, **NEW_GROUP
        )
    except OSError as fault:
        raise ChildNotStarted(f"Cannot start {found}: {fault.strerror}.") from None
    _widen(transport)
    return transport, pipes


def _widen(transport: asyncio.SubprocessTransport) -> None:
    """A larger pipe means fewer, larger reads while a child floods us: a fifth more per second."""
    stdout = transport.get_pipe_transport(1)
    if sys.platform == "linux" and stdout is not None:
        with contextlib.suppress(OSError, ValueError):  # above the user's quota, or closed already
            fcntl.fcntl(stdout.get_extra_info("pipe").fileno(), fcntl.F_SETPIPE_SZ, STDOUT_PIPE)


def _get_program(name: str, cwd: Path, env: Mapping[str, str]) -> Path:
    found = find_program(name, env, cwd)
    if found is None:
        raise ChildNotStarted(f"Cannot start {name}: there is no such program.")
    if not cwd.is_dir():
        raise ChildNotStarted(f"Cannot start {name}: the folder {cwd} does not exist.")
    return found


async def _pump_lines(stream: asyncio.StreamReader, on_line: Callable[[str], None]) -> None:
    """Each line as text; of one that does not end, its beginning."""
    partial = b""
    while chunk := await stream.read(MAX_STDERR_LINE):
        *lines, partial = (partial + chunk).split(b"\n")
        for line in lines:
            on_line(_read_line(line))
        partial = partial[: MAX_STDERR_LINE + 1]
    if partial:
        on_line(_read_line(partial))


def _read_line(line: bytes) -> str:
    text = line[:MAX_STDERR_LINE].decode("utf-8", "replace").rstrip("\r")
    return text if len(line) <= MAX_STDERR_LINE else text + "… (cut)"


def _find_process(pid: int) -> psutil.Process | None:
    """None when it is gone already."""
    try:
        return psutil.Process(pid)
    except psutil.NoSuchProcess:
        return None
