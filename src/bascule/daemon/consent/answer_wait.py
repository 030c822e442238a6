"""How long an Ask of ours waits: for its answer, for a time limit, or until who asked gives up."""

import asyncio
from collections.abc import Awaitable, Callable

from bascule.model.asks import Answer


class AnswerWait:
    def __init__(
        self, limit_s: float | None = None, on_ask: Callable[[bool], None] = lambda _is_asking: None
    ) -> None:
        self._limit_s = limit_s
        self._on_ask = on_ask  # as it begins to wait, and as it ends
        self._timeout: asyncio.Timeout | None = None
        self._is_over = False
        self.gave_up = False

    async def wait(self, ask: Callable[[], Awaitable[Answer]]) -> Answer | None:
        """None: nobody answered in time, or it was given up."""
        if self.gave_up:
            return None
        try:
            self._on_ask(True)
            async with asyncio.timeout(self._limit_s) as self._timeout:
                return await ask()
        except TimeoutError:
            return None
        finally:
            self._timeout, self._is_over = None, True
            self._on_ask(False)

    def give_up(self) -> bool:
        """False where the answer is known already: what follows from it goes on. Before it was asked, it is
        not asked at all."""
        if self._is_over:
            return False
        self.gave_up = True
        if self._timeout is not None:
            self._timeout.reschedule(asyncio.get_running_loop().time())
        return True
