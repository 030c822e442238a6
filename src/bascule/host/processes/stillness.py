"""All that agents run, held still for a moment: what one of them could write meanwhile stays as it is."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import psutil

from bascule.core.faults import UserError
from bascule.host.processes.process_register import is_alive, is_stopped, read_children, send

ATTEMPTS = 3  # one that waits for a child between vfork and exec cannot be stopped while that child is
ROUNDS = 100  # of one attempt: a process may start others until it has stopped itself
ROUND_S = 0.005
STILL = "TtZX"  # states of a thread: stopped, traced (by one that is stopped too), ended
RESTLESS = (
    "Other agents have processes that could not be held still meanwhile: {names}. "
    "Stop what they run, and try again."
)

log = logging.getLogger("bascule.process")


class Stillness:
    """One hold at a time. Whoever starts a process for an agent waits until it is over."""

    def __init__(self) -> None:
        self._one = asyncio.Lock()
        self._over = asyncio.Event()
        self._over.set()

    async def over(self) -> None:
        await self._over.wait()

    @asynccontextmanager
    async def hold(self, spared: int | None) -> AsyncIterator[None]:
        """All that is below this process, but `spared`. `UserError` where something goes on."""
        async with self._one:
            self._over.clear()
            held: dict[int, psutil.Process] = {}
            try:
                await _stop(held, spared)
                yield
            finally:
                _resume(held)
                self._over.set()


async def _stop(held: dict[int, psutil.Process], spared: int | None) -> None:
    moving: list[psutil.Process] = []
    for _ in range(ATTEMPTS):
        moving = await _stop_all(held, spared)
        if not moving:
            return
        _resume(held)
        await asyncio.sleep(ROUND_S)
    raise UserError(RESTLESS.format(names=", ".join(sorted(map(_name, moving)))))


async def _stop_all(held: dict[int, psutil.Process], spared: int | None) -> list[psutil.Process]:
    """Those that still move at the end. Parents are stopped before what they started, so that none of them
    sees a child stop."""
    before: set[int] | None = None  # all there were, where every one of them was still
    moving: list[psutil.Process] = []
    for _ in range(ROUNDS):
        below = _find_below(spared)
        moving = [process for process in below if not _is_still(process)]
        pids = {process.pid for process in below}
        if not moving and pids == before:
            return []
        before = None if moving else pids
        for process in moving:  # one that was stopped by others is not ours to resume
            held[process.pid] = process
            send(process.suspend)
        await asyncio.sleep(ROUND_S if moving else 0)
    return moving


def _resume(held: dict[int, psutil.Process]) -> None:
    """In the other order."""
    for process in reversed(held.values()):
        send(process.resume)
    held.clear()


def _find_below(spared: int | None) -> list[psutil.Process]:
    """The nearest first."""
    found: list[psutil.Process] = []
    above = read_children()
    while above:
        found += [process for pid in above if pid != spared and (process := _find(pid)) is not None]
        above = [child for pid in above for child in read_children(pid)]
    return found


def _find(pid: int) -> psutil.Process | None:
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        return process if is_alive(process) else None
    return None


def _name(process: psutil.Process) -> str:
    with suppress(psutil.Error):
        return f"{process.name()}[{process.pid}]"
    return str(process.pid)


if sys.platform == "linux":

    def _is_still(process: psutil.Process) -> bool:
        """Each of its threads: the last one may still be writing when the first has stopped."""
        try:
            return all(_read_state(task) in STILL for task in Path(f"/proc/{process.pid}/task").iterdir())
        except OSError:
            return True  # it is gone

    def _read_state(task: Path) -> str:
        try:
            return (task / "stat").read_text("utf-8", "replace").rpartition(") ")[2][:1]
        except OSError:
            return "X"

else:

    def _is_still(process: psutil.Process) -> bool:
        return is_stopped(process) or not is_alive(process)
