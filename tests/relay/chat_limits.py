"""How many messages a chat of WeCom may get, counted on WeCom's side."""

import time
from collections import defaultdict
from collections.abc import Callable

LIMITS = ((30, 60), (1_000, 3_600))  # messages, seconds


class ChatLimits:
    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._sent: dict[str, list[float]] = defaultdict(list)

    def take(self, chat: str) -> bool:
        """Whether one more is taken."""
        now_s, longest_s = self._now_s(), max(span_s for _, span_s in LIMITS)
        sent = self._sent[chat] = [at for at in self._sent[chat] if at > now_s - longest_s]
        if any(sum(at > now_s - span_s for at in sent) >= most for most, span_s in LIMITS):
            return False
        sent.append(now_s)
        return True
