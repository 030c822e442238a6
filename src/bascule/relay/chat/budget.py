"""How many messages a chat may still get: WeCom counts replies and pushes together."""

from collections import deque
from collections.abc import Callable

from bascule.core.bounded import forget_oldest

A_MINUTE, AN_HOUR = (30, 60_000), (1_000, 3_600_000)  # messages, milliseconds
ON_THE_WAY_MS = 2_000  # WeCom counts a message when it arrives: two may be closer together there than here
KEPT_BACK = 10  # of each limit, for outcomes
MAX_CHATS = 10_000
SPANS = tuple((most, span_ms + ON_THE_WAY_MS) for most, span_ms in (A_MINUTE, AN_HOUR))


class ChatBudget:
    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._sent: dict[tuple[str, str], deque[int]] = {}

    def take(self, platform: str, chat: str, *, is_outcome: bool) -> bool:
        """Counts it where it may be sent. Progress leaves room for outcomes."""
        now_ms, sent = self._now_ms(), self._find(platform, chat)
        if _next_ms(sent, 0 if is_outcome else KEPT_BACK) > now_ms:
            return False
        sent.append(now_ms)
        return True

    def left(self, platform: str, chat: str) -> int:
        """How many outcomes may be sent right now."""
        now_ms, sent = self._now_ms(), self._find(platform, chat)
        spans = ((most, sum(at + span_ms > now_ms for at in sent)) for most, span_ms in SPANS)
        return min(most - used for most, used in spans)

    def next_ms(self, platform: str, chat: str) -> int:
        """The moment from which an outcome may be sent."""
        return _next_ms(self._find(platform, chat), 0)

    def _find(self, platform: str, chat: str) -> deque[int]:
        sent = self._sent.setdefault((platform, chat), deque(maxlen=AN_HOUR[0]))
        forget_oldest(self._sent, MAX_CHATS)
        return sent


def _next_ms(sent: deque[int], kept_back: int) -> int:
    spans = ((most - kept_back, span_ms) for most, span_ms in SPANS)
    return max((sent[-most] + span_ms for most, span_ms in spans if len(sent) >= most), default=0)
