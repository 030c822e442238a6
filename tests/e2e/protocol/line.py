"""One transport: a connection that the tests of a module share, and new ones where a test needs its own."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from tests.e2e.peer import Message, Peer


class Line:
    def __init__(self, peer: Peer, fresh: Callable[[AsyncExitStack], Awaitable[Peer]]) -> None:
        self.peer = peer
        self._fresh = fresh

    @asynccontextmanager
    async def fresh(self) -> AsyncIterator[Peer]:
        """Not initialized."""
        async with AsyncExitStack() as stack:
            yield await self._fresh(stack)


def said(text: str) -> Message:
    return {"type": "text", "text": text}
