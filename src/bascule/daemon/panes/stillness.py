"""Output that stands still: noticed once, over with the next byte. A mark for the eye, and never a status."""

import asyncio
from collections.abc import Callable

STILL_S = 3.0  # an agent at work draws far more often


class Stillness:
    """No timer runs once it is still, nor before the first output."""

    def __init__(self, tell: Callable[[bool], None], still_s: float = STILL_S) -> None:
        self._tell = tell
        self._still_s = still_s
        self._moved_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self.is_still = False

    def moved(self) -> None:
        """The one timer is not set again for each piece of output."""
        loop = asyncio.get_running_loop()
        self._moved_at = loop.time()
        if self.is_still:
            self.is_still = False
            self._tell(False)
        if self._timer is None:
            self._timer = loop.call_later(self._still_s, self._look)

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        left_s = self._moved_at + self._still_s - loop.time()
        if left_s > 0:
            self._timer = loop.call_later(left_s, self._look)
            return
        self._timer, self.is_still = None, True
        self._tell(True)

    def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
