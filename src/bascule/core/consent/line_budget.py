"""How many lines of the record senders of Orders can cause in a day: the rest are counted, not listed."""

from collections import Counter

from msgspec.structs import replace

from bascule.model.consent.audit import Entry, Remote

MAX_OF_ONE = 200  # lines of one sender in a day
MAX_OF_ALL = 1_000  # of all of them: a sender can give itself any name
DAY_MS = 24 * 60 * 60 * 1_000


class LineBudget:
    """Fed every Entry. Those with a person's answer, and those of people here, always have their line."""

    def __init__(self) -> None:
        self._day = 0
        self._written: Counter[str] = Counter()  # by sender
        self._counted: Counter[str] = Counter()  # by outcome
        self._reported = 0  # how many of those a line has counted
        self._last: Entry | None = None

    def feed(self, entry: Entry) -> list[Entry]:
        """What is written for it: itself, or now and then how many there were."""
        if not isinstance(entry.who, Remote) or entry.answer != "none":
            return [entry]
        over = self.end_day(entry.at_ms // DAY_MS)
        if self._written[entry.who.user] < MAX_OF_ONE and self._written.total() < MAX_OF_ALL:
            self._written[entry.who.user] += 1
            return [*over, entry]
        self._counted[entry.outcome] += 1
        self._last = entry
        return [*over, *(self.rest() if self._counted.total() >= 10 * self._reported else [])]

    def end_day(self, day: int) -> list[Entry]:
        if day == self._day:
            return []
        rest = self.rest()
        self._day, self._reported = day, 0
        self._written, self._counted = Counter(), Counter()
        return rest

    def rest(self) -> list[Entry]:
        """The line for what no line has counted yet."""
        total = self._counted.total()
        if self._last is None or total == self._reported:
            return []
        self._reported = total
        kinds = ", ".join(f"{outcome} {count}" for outcome, count in sorted(self._counted.items()))
        said = f"{total} more from senders of orders on this day, counted instead of listed ({kinds})"
        return [replace(self._last, asked=said, why="This is the last of them.", ref="", hash="")]
