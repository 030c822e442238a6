"""A wire to a daemon in the same process: the frames are the same, there is no socket between."""

from collections import deque
from typing import Protocol


class DaemonSide(Protocol):
    """The daemon's side of a connection."""

    async def feed(self, frame: bytes) -> None: ...

    async def frames(self) -> list[bytes]: ...


class InProcessWire:
    def __init__(self, surface: DaemonSide, closed: type[Exception]) -> None:
        self._surface = surface
        self._closed = closed
        self._waiting: deque[bytes] = deque()

    async def send(self, frame: bytes) -> None:
        await self._surface.feed(frame)

    async def receive(self) -> bytes:
        while not self._waiting:
            try:
                self._waiting.extend(await self._surface.frames())
            except self._closed:
                raise EOFError from None
        return self._waiting.popleft()
