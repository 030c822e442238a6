"""Newline-delimited JSON on stdin and stdout, for the process that started us and for nobody else."""

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

from bascule.core.wire import rpc
from bascule.core.wire.lines import Lines, OverlongLine
from bascule.daemon.surfaces.surfaces import SurfaceClosed
from bascule.host.processes.parent import wait_for_parent_to_go
from bascule.host.processes.tasks import Tasks

CHUNK = 64 * 1024
LAST_WORDS_S = 0.5  # at most, for what was asked just before the end: `echo … | bascule runtime`
STDIN, STDOUT, STDERR = 0, 1, 2

T = TypeVar("T")


class Stdio:
    """The two pipes: frames in, frames out. Blocking calls run in threads, which works on every system."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._lines = Lines(max_line=rpc.MAX_FRAME)
        self._writing = asyncio.Lock()
        self._ended = False

    async def read(self) -> list[bytes | OverlongLine] | None:
        """The frames of the next chunk, perhaps none; None when the other side has closed."""
        if self._ended:
            return None
        chunk = await _in_thread("stdin", lambda: _read_chunk(self._incoming))
        self._ended = not chunk
        runs = self._lines.feed(chunk) if chunk else self._lines.end()
        return [frame for run in runs for frame in _cut(run)]

    async def write(self, frames: list[bytes]) -> None:
        """All of it, in order; raises BrokenPipeError when nobody reads any more."""
        data = b"".join(frame + b"\n" for frame in frames)
        async with self._writing:
            await _in_thread("stdout", lambda: _write_all(self._outgoing, data))

    async def drain(self) -> None:
        """Waits for what is being written."""
        async with self._writing:
            pass


@contextmanager
def take_stdio() -> Iterator[Stdio]:
    """From here on the protocol alone has the pipes: a stray print goes to stderr, a child reads nothing."""
    incoming, outgoing = os.dup(STDIN), os.dup(STDOUT)
    before = sys.stdout
    before.flush()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, STDIN)
    os.close(nothing)
    os.dup2(STDERR, STDOUT)
    sys.stdout = sys.stderr
    try:
        yield Stdio(incoming, outgoing)
    finally:
        sys.stdout = before
        os.dup2(outgoing, STDOUT)
        os.dup2(incoming, STDIN)
        # the copies stay open: a thread may still be reading from one, and the process ends now


class StdioSurface(Protocol):
    """A surface here, or one that another process has for us."""

    id: str

    async def feed(self, frame: bytes) -> None: ...

    async def frames(self) -> list[bytes]: ...

    async def settle(self) -> None:
        """Waits until all that was asked is answered, and the answers are taken."""

    def close(self) -> None: ...

    async def finish(self) -> None: ...


async def attend(stdio: Stdio, surface: StdioSurface) -> None:
    """Until stdin ends, nobody reads stdout, the parent is gone, or the surface is dropped."""
    async with Tasks() as tasks:
        reader = tasks.start(f"{surface.id} reader", _read(stdio, surface))
        writer = tasks.start(f"{surface.id} writer", _write(stdio, surface))
        parent = tasks.start(f"{surface.id} parent", wait_for_parent_to_go())
        await asyncio.wait({reader, writer, parent}, return_when=asyncio.FIRST_COMPLETED)
        if reader.done():
            settled = tasks.start(f"{surface.id} last words", _settle(stdio, surface))
            ends = {writer, parent, settled}
            await asyncio.wait(ends, timeout=LAST_WORDS_S, return_when=asyncio.FIRST_COMPLETED)
    surface.close()
    await surface.finish()


async def _read(stdio: Stdio, surface: StdioSurface) -> None:
    while (frames := await stdio.read()) is not None:
        for frame in frames:
            if isinstance(frame, OverlongLine):
                await stdio.write([too_long(frame)])
            else:
                await surface.feed(frame)


async def _settle(stdio: Stdio, surface: StdioSurface) -> None:
    await surface.settle()
    await stdio.drain()


async def _write(stdio: Stdio, surface: StdioSurface) -> None:
    with contextlib.suppress(SurfaceClosed, BrokenPipeError):
        while True:
            await stdio.write(await surface.frames())


def _cut(run: bytes | OverlongLine) -> list[bytes | OverlongLine]:
    return [run] if isinstance(run, OverlongLine) else [line for line in run.split(b"\n") if line.strip()]


def too_long(frame: OverlongLine) -> bytes:
    return rpc.error(
        None,
        rpc.INVALID_REQUEST,
        f"A frame has at most {rpc.MAX_FRAME} bytes; this one had {frame.size}. Send it in parts.",
    )


def _read_chunk(fd: int) -> bytes:
    try:
        return os.read(fd, CHUNK)
    except OSError:
        return b""  # a terminal that hung up, a pipe that broke


def _write_all(fd: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        try:
            left = left[os.write(fd, left) :]
        except OSError as fault:
            raise BrokenPipeError(str(fault)) from None


async def _in_thread(name: str, work: Callable[[], T]) -> T:
    """In a daemon thread of its own: one that hangs in a pipe for ever must not keep the process alive."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(result: T | None, fault: OSError | None) -> None:
        if done.done():
            return
        if fault is not None:
            done.set_exception(fault)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        try:
            result, fault = work(), None
        except OSError as broken:
            result, fault = None, broken
        with contextlib.suppress(RuntimeError):  # the loop may have closed meanwhile
            loop.call_soon_threadsafe(tell, result, fault)

    threading.Thread(target=run, name=name, daemon=True).start()
    return await done
