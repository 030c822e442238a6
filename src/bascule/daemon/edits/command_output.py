"""What a command prints, into its block while it runs: joined for a moment, and a flood is few Changes."""

import asyncio
from collections.abc import Callable

from bascule.core.session.growing_text import clip

JOIN_S = 0.05
MAX_WAITING = 256 * 1024  # characters that wait to be sent; more of them are sent at once
MAX_TAIL = 256 * 1024  # characters


class Output:
    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._waiting: list[str] = []
        self._size = 0
        self._timer: asyncio.TimerHandle | None = None
        self.tail = ""  # of all that was sent

    def hear(self, text: str) -> None:
        self._waiting.append(text)
        self._size += len(text)
        if self._size >= MAX_WAITING:
            self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(JOIN_S, self.flush)

    def flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._waiting:
            return
        text, self._waiting, self._size = "".join(self._waiting), [], 0
        self.tail = clip(self.tail + text, MAX_TAIL)[0]
        self._tell(text)
