"""A program on a pty of its own: bytes in, bytes out, a size, and an end that hangs it up."""

import asyncio
import contextlib
import errno
import os
import signal
import struct
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import psutil
from msgspec import Struct

from bascule.core.faults import UserError
from bascule.host.processes.process_register import (
    ProcessRecord,
    Register,
    find_processes,
    kill_until_gone_async,
    look,
    send,
)
from bascule.host.processes.tasks import Tasks

READ_SIZE = 64 * 1024
MAX_READS = 16  # in one turn of the loop; Linux gives 4 KB each time
TURN_S = 0.002  # then a flood leaves the turn to others: on a busy machine the kernel keeps each read waiting
MAX_INPUT = 1024 * 1024  # bytes that were typed and not taken by the program yet
LOW_INPUT = 64 * 1024
MAX_REST = 1024 * 1024
GRACE_S = 2.0

# The session's leader opens the terminal, and it becomes its own: nothing of ours runs between fork and exec.
ON_TERMINAL = 'exec <>"$0" >&0 2>&0; exec "$@"'


def _inherit_hang_up() -> None:
    """Under `nohup` we ignore SIGHUP, and what we start would too; a handler of ours is not inherited."""
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        with contextlib.suppress(ValueError):  # only the main thread may
            signal.signal(signal.SIGHUP, lambda _number, _frame: None)


class PtyRefused(UserError):
    """The terminal could not be opened; the text says why."""


class PtySize(Struct, frozen=True):
    cols: int
    rows: int


class PtyProcess:
    """`on_output` gets bytes as they come, `on_end` the exit code, once, after the last of them."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        master: int,
        *,
        record: ProcessRecord | None,
        register: Register,
        on_output: Callable[[bytes], None],
        on_end: Callable[[int], None],
    ) -> None:
        self.pid = process.pid
        self._process = process
        self._master = master
        self._record = record
        self._register = register
        self._on_output = on_output
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._unwritten = bytearray()
        self._room = asyncio.Event()
        self._room.set()
        self._is_paused = False
        self._is_reading = False
        self._is_open = True
        self._over = asyncio.Event()
        self._tasks = Tasks()

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        size: PtySize,
        register: Register,
        on_output: Callable[[bytes], None],
        on_end: Callable[[int], None],
    ) -> "PtyProcess":
        """`env` is its whole environment."""
        master, slave = _open_pty(size)
        _inherit_hang_up()
        try:
            process = await asyncio.create_subprocess_exec(
                "/bin/sh",
                *("-c", ON_TERMINAL, os.ttyname(slave), *argv),
                stdin=slave,
                stdout=slave,
                stderr=slave,
                cwd=cwd,
                env=env,
                start_new_session=True,
            )
        except OSError as fault:
            os.close(master)
            raise PtyRefused(f"Cannot start {argv[0]} in {cwd}: {fault.strerror}.") from None
        finally:
            os.close(slave)
        record = _sign_in(process.pid, argv[0], register)
        pty = cls(process, master, record=record, register=register, on_output=on_output, on_end=on_end)
        pty._begin()
        return pty

    def _begin(self) -> None:
        self._read_on()
        self._tasks.start(f"pty of {self.pid}", self._wait())

    # -- out --

    def pause(self) -> None:
        """Nothing more is read, and the program waits once its terminal is full."""
        self._is_paused = True
        if self._is_reading:
            self._loop.remove_reader(self._master)
            self._is_reading = False

    def resume(self) -> None:
        self._is_paused = False
        self._read_on()

    def _read_on(self) -> None:
        if self._is_open and not self._is_paused and not self._is_reading:
            self._loop.add_reader(self._master, self._read)
            self._is_reading = True

    def _read(self) -> None:
        """What is read in one turn is delivered at once: most of the work is per delivery, not per byte."""
        pieces: list[bytes] = []
        until_s = time.monotonic() + TURN_S
        while len(pieces) < MAX_READS and (not pieces or time.monotonic() < until_s):
            data = self._read_some()
            if data is None:
                break
            if not data:
                self.pause()  # nobody has it open for writing; the process's own end follows
                break
            pieces.append(data)
        if pieces:
            self._on_output(b"".join(pieces))

    def _read_some(self) -> bytes | None:
        """None where nothing is there yet; empty at the end, which Linux calls an error."""
        try:
            return os.read(self._master, READ_SIZE)
        except BlockingIOError:
            return None
        except OSError as fault:
            if fault.errno == errno.EIO:
                return b""
            raise

    # -- in --

    def write(self, data: bytes) -> None:
        """In order. The caller looks at `has_room` first."""
        if not self._is_open:
            return
        self._unwritten += data
        if len(self._unwritten) > LOW_INPUT:
            self._room.clear()
        self._write_some()

    @property
    def has_room(self) -> bool:
        return len(self._unwritten) < MAX_INPUT

    async def drain(self) -> None:
        """Until the program has taken most of what was typed."""
        await self._room.wait()

    def _write_some(self) -> None:
        try:
            taken = os.write(self._master, self._unwritten) if self._unwritten else 0
        except BlockingIOError:
            taken = 0
        except OSError:  # nobody reads there any more; the end follows
            taken = len(self._unwritten)
        del self._unwritten[:taken]
        if self._unwritten:
            self._loop.add_writer(self._master, self._write_some)
        else:
            self._loop.remove_writer(self._master)
        if len(self._unwritten) <= LOW_INPUT:
            self._room.set()

    # -- about it --

    def resize(self, size: PtySize) -> None:
        if self._is_open:
            _set_size(self._master, size)

    @property
    def is_in_front(self) -> bool | None:
        """Whether the program itself has the keys, and not one that it started. None where nobody says."""
        if not self._is_open:
            return None
        try:
            return os.tcgetpgrp(self._master) == self.pid
        except OSError:
            return None

    # -- the end --

    async def _wait(self) -> None:
        code = await self._process.wait()
        self._close(read_rest=True)
        if self._record is not None:
            with contextlib.suppress(OSError):  # a full disk keeps nobody; the next start finds it gone
                self._register.remove(self._record.marker)
        self._over.set()
        self._on_end(code)

    def _close(self, *, read_rest: bool) -> None:
        """Hangs up: what still runs there gets SIGHUP."""
        if not self._is_open:
            return
        if self._is_reading:
            self._loop.remove_reader(self._master)
            self._is_reading = False
        self._loop.remove_writer(self._master)
        if read_rest:
            self._read_rest()
        self._is_open = False
        os.close(self._master)
        self._unwritten.clear()
        self._room.set()

    def _read_rest(self) -> None:
        """What it wrote last; under a ceiling, because what it left running may write on."""
        left = MAX_REST
        while left > 0 and (data := self._read_some()):
            self._on_output(data)
            left -= len(data)

    async def hang_up(self, *, grace_s: float = GRACE_S) -> None:
        """As closing a terminal's window: SIGHUP, then the shell itself is killed. What ignores it stays."""
        self._close(read_rest=False)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGHUP)
            os.killpg(self.pid, signal.SIGCONT)
        try:
            async with asyncio.timeout(grace_s):
                await self._over.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._over.wait()

    async def end(self) -> None:
        """With all that it started and that is still in its session."""
        session = self.pid
        await self.hang_up()

        async def find() -> list[psutil.Process]:
            seen = await asyncio.to_thread(look)
            return find_processes(seen, {one.pid for one in seen if one.session == session})

        for process in await find():
            send(process.terminate)
        await kill_until_gone_async(find)
        await self._tasks.close()


def _sign_in(pid: int, program: str, register: Register) -> ProcessRecord | None:
    """On the register, so that the next daemon ends what a crash leaves of it."""
    try:
        started_s = psutil.Process(pid).create_time()
        record = ProcessRecord(pid, started_s, program, register.new_marker(), is_pane=True)
        register.add(record)
    except (psutil.Error, OSError):
        return None
    return record


if sys.platform == "win32":

    def has_terminals() -> bool:
        return False

    def _open_pty(size: PtySize) -> tuple[int, int]:  # noqa: ARG001
        raise PtyRefused("Terminal panes are not available on Windows yet.")

    def _set_size(master: int, size: PtySize) -> None: ...

else:
    import fcntl
    import pty
    import termios

    IUTF8 = 0x4000  # a backspace removes a whole character

    def has_terminals() -> bool:
        return True

    def _open_pty(size: PtySize) -> tuple[int, int]:
        try:
            master, slave = pty.openpty()
        except OSError as fault:
            why = f"Cannot open a terminal: {fault.strerror}. Close some, then try again."
            raise PtyRefused(why) from None
        _set_size(master, size)
        if sys.platform == "linux":
            modes = termios.tcgetattr(slave)
            modes[0] |= IUTF8
            termios.tcsetattr(slave, termios.TCSANOW, modes)
        os.set_blocking(master, False)
        return master, slave

    def _set_size(master: int, size: PtySize) -> None:
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", size.rows, size.cols, 0, 0))
