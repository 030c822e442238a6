"""Tasks with names, one owner and an end; what goes wrong in one is logged under its name."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")


class Tasks:
    """Start tasks by name; closing cancels those that are left and waits for each."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()
        self._closed = False

    def start(self, name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        if self._closed:
            work.close()
            raise RuntimeError(f"task {name} was started after its owner was closed")
        task = asyncio.get_running_loop().create_task(_fence(name, work), name=name)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        task.add_done_callback(lambda _: work.close())  # one cancelled before its first step never began
        return task

    @property
    def names(self) -> list[str]:
        return sorted(task.get_name() for task in self._running)

    async def close(self) -> None:
        """Safe to call twice, and from one of the tasks (which then outlives the call)."""
        self._closed = True
        others = self._running - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


async def every(period_s: float, do: Callable[[], Awaitable[None] | None]) -> None:
    """Again and again, until it is cancelled."""
    while True:
        await asyncio.sleep(period_s)
        work = do()
        if work is not None:
            await work


async def whole(name: str, work: Coroutine[Any, Any, T], on_cancel: Callable[[], object] = lambda: None) -> T:
    """Its result. Who is cancelled meanwhile ends after it does: what is recorded and then done, say, is
    never recorded only. `on_cancel` asks the work to end soon."""
    task = asyncio.get_running_loop().create_task(work, name=name)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as now:
            cancelled = cancelled or now
            on_cancel()
    if cancelled is None:
        return task.result()
    if not task.cancelled() and (fault := task.exception()) is not None:
        log.warning("%s failed when nobody waited for it: %s", name, fault)
    raise cancelled


async def _fence(name: str, work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception:
        log.exception("task %s failed", name, extra={"subject": name})
