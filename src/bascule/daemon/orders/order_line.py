"""The line of Orders for each workspace: so many at once, the others in the order in which they came."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


class OrderLine:
    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}  # command ids by workspace, those at work first
        self._moved = asyncio.Condition()

    def ahead(self, workspace: str) -> int:
        return len(self._lines.get(workspace, ()))

    @asynccontextmanager
    async def turn(
        self, workspace: str, command_id: str, at_once: int, on_wait: Callable[[int], None]
    ) -> AsyncIterator[None]:
        """`on_wait` hears how many are ahead, whenever that changes while it has to wait."""
        line = self._lines.setdefault(workspace, [])
        line.append(command_id)
        shown = -1
        try:
            async with self._moved:
                while (place := line.index(command_id)) >= at_once:
                    if place != shown:
                        shown = place
                        on_wait(place)
                    await self._moved.wait()
            yield
        finally:
            line.remove(command_id)
            if not line and self._lines.get(workspace) is line:
                del self._lines[workspace]
            async with self._moved:
                self._moved.notify_all()
