"""Wrong credentials are answered later and later, for each source by itself; right ones never are."""

from collections.abc import Callable

from bascule.core.bounded import forget_oldest

FREE = 5  # wrong ones that cost nothing: an old tab, a mistyped link
FIRST_S = 0.05
MAX_S = 1.0
FORGOTTEN_S = 60.0
MAX_SOURCES = 256  # the one that was quiet for longest is forgotten first


class SlowDown:
    def __init__(self, *, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._misses: dict[str, tuple[int, float]] = {}  # how many, and when the last one was

    def miss(self, source: str) -> float:
        """Seconds until this wrong one is answered."""
        now = self._now_s()
        count, last_s = self._misses.pop(source, (0, now))
        count = 1 if now - last_s > FORGOTTEN_S else count + 1
        self._misses[source] = (count, now)
        forget_oldest(self._misses, MAX_SOURCES)
        return find_delay_s(count)


def find_delay_s(count: int) -> float:
    """Doubling, up to a second."""
    return 0.0 if count <= FREE else min(MAX_S, FIRST_S * 2 ** min(count - FREE - 1, 16))
