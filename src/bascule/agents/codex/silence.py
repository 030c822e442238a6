"""Notices when an agent is silent: a call has no answer yet, and nothing else comes either."""

import asyncio
from collections.abc import Callable

from msgspec import Raw

SILENT_AFTER_S = 4.0
SLOW_AFTER_S = 20.0
# These read a whole conversation, or wait for other programs.
SLOW = frozenset({"thread/resume", "thread/fork", "thread/turns/list", "mcpServerStatus/list"})


class Silence:
    """Nothing ends because of it: time is no evidence that the agent is gone."""

    def __init__(
        self,
        *,
        now_ms: Callable[[], int],
        tell: Callable[[int | None], None],
        after_s: float = SILENT_AFTER_S,
    ) -> None:
        self._now_ms = now_ms
        self._tell = tell  # since when, or None: it speaks again
        self._after_s = after_s
        self._heard_at_ms = 0
        self._since_ms: int | None = None

    def heard(self) -> None:
        """Whatever it was: the agent is there."""
        self._heard_at_ms = self._now_ms()
        self.end()

    def end(self) -> None:
        if self._since_ms is not None:
            self._since_ms = None
            self._tell(None)

    async def wait_for(self, method: str, answer: "asyncio.Future[Raw]") -> Raw:
        """The answer, however long it takes."""
        limit_s = max(SLOW_AFTER_S, self._after_s) if method in SLOW else self._after_s
        since_ms = self._now_ms()
        timer: asyncio.TimerHandle

        def look() -> None:
            nonlocal since_ms, timer
            if self._heard_at_ms > since_ms:
                since_ms = self._heard_at_ms
            elif self._since_ms is None:
                self._since_ms = since_ms
                self._tell(since_ms)
            timer = asyncio.get_running_loop().call_later(limit_s, look)

        timer = asyncio.get_running_loop().call_later(limit_s, look)
        try:
            return await answer
        finally:
            timer.cancel()
