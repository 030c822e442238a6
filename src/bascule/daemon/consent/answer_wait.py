"""How long an Ask of ours waits: for its answer, for a time limit, or until who asked gives up."""

import asyncio
from collections.abc import Awaitable, Callable

from bascule.model.asks import Answer


class AnswerWait:
    """It is answered or given up, whichever came first, and never both."""

    def __init__(
        self, limit_s: float | None = None, on_ask: Callable[[bool], None] = lambda _is_asking: None
    ) -> None:
        self._limit_s = limit_s
        self._on_ask = on_ask  # as it begins to wait, and as it ends
        self._waiting: asyncio.Task[object] | None = None
        self._is_over = False
        self.gave_up = False

    async def wait(self, ask: Callable[[], Awaitable[Answer]]) -> Answer | None:
        """None: nobody answered in time, or it was given up."""
        if self.gave_up:
            return None
        try:
            self._on_ask(True)
            async with asyncio.timeout(self._limit_s):
                self._waiting = asyncio.current_task()
                return await ask()
        except TimeoutError:
            return None
        except asyncio.CancelledError:
            if not self._has_been_given_up():
                raise
            return None
        finally:
            self._waiting, self._is_over = None, True
            self._on_ask(False)

    def _has_been_given_up(self) -> bool:
        """And nobody else cancels the task as well."""
        return self.gave_up and self._waiting is not None and self._waiting.uncancel() == 0

    def give_up(self) -> bool:
        """False where the answer is known already: what follows from it goes on. Before it was asked, it is
        not asked at all. An answer that is on its way in the same moment no longer arrives."""
        if self._is_over:
            return False
        if self._waiting is not None and not self.gave_up:
            self._waiting.cancel()
        self.gave_up = True
        return True
