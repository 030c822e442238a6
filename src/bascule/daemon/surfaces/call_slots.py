"""Places for a surface's open calls: so many at a time, and full ones never stop the reader for long."""

import asyncio

PATIENCE_S = 1.0  # for quick calls to finish; when none does, all of them wait for somebody


class CallSlots:
    """Taken by one reader. A flood of quick calls is slowed down; behind slow ones nothing waits."""

    def __init__(self, most: int, patience_s: float = PATIENCE_S) -> None:
        self._free = most
        self._patience_s = patience_s
        self._given_back = asyncio.Event()
        self._stuck = False  # none was given back while somebody waited for one

    async def take(self) -> bool:
        """False when there is none, and none is about to become free."""
        if not self._free and not self._stuck:
            await self._wait()
        if not self._free:
            return False
        self._free -= 1
        return True

    async def _wait(self) -> None:
        self._given_back.clear()
        try:
            async with asyncio.timeout(self._patience_s):  # wait_for may swallow a cancel
                await self._given_back.wait()
        except TimeoutError:
            self._stuck = True

    def give_back(self) -> None:
        self._free += 1
        self._stuck = False
        self._given_back.set()
