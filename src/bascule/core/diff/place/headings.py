"""Headings: the line above a hunk, which the diff names after the second @@."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from itertools import takewhile

from bascule.core.diff.place.blocks import Blocks
from bascule.core.diff.place.budget import Budget
from bascule.core.diff.place.chosen import after_each, before_any, merge, pick


class Headings:
    """Where the headings of a diff stand in a file."""

    def __init__(self, texts: Sequence[bytes], blocks: Blocks, budget: Budget) -> None:
        self._texts = texts
        self._blocks = blocks
        self._budget = budget
        self._found: dict[bytes, list[int]] = {}
        self._ends: dict[int, int] = {}  # of what a line begins, where that is known
        self._unended: dict[int, int] = {}  # how far nothing ends it
        self._plain_ends: dict[int, int] = {}  # the next line that is indented as little

    def is_above(self, heading: bytes, start: int, size: int) -> bool:
        """Whether it stands before these lines and reaches to them, or among them; or nowhere at all."""
        lines = self.find(heading)
        spots = [start]
        return bool(not lines or before_any(spots, lines, size) or after_each(spots, lines, self._reach))

    def choose(self, heading: bytes, spots: list[int], size: int) -> list[int]:
        """A heading whose end is unknown excludes what is before it; to choose, it must plainly be above.
        Models name what the hunk itself shows: where they do, that chooses."""
        lines = self.find(heading)
        if not lines:
            return spots
        among = merge(before_any(spots, lines, size))
        under = merge([*among, *after_each(spots, lines, self._reach)])
        if not under or under == [(0, len(spots))]:
            return spots if under else []
        plain = after_each(spots, lines, self._reach_plainly)
        return pick(spots, among or plain or [(0, len(spots))], self._budget)

    def find(self, heading: bytes) -> list[int]:
        """Programs cut headings: lines that only begin with it count where none is all of it."""
        wanted = heading.strip()
        if wanted not in self._found:
            self._found[wanted] = (self._lines.get(wanted) or self._beginning(wanted)) if wanted else []
        return self._found[wanted]

    def _beginning(self, wanted: bytes) -> list[int]:
        texts = self._sorted
        begin = bisect_left(texts, wanted)
        rest = map(texts.__getitem__, range(begin, len(texts)))
        found = takewhile(lambda text: text.startswith(wanted), rest)
        return sorted(number for text in found for number in self._lines[text])

    def _reach(self, line: int, most: int) -> int:
        """As far as it is looked for: every line of the file once, however many hunks stand under it."""
        if line in self._ends:
            return self._ends[line]
        seen = self._unended.get(line, line + 1)
        if seen < most:
            end = self._blocks.find_end(line, first=seen, most=most, only_openings=True)
            if end < most:
                self._ends[line] = end
                return end
            self._unended[line] = most
        return most

    def _reach_plainly(self, line: int, most: int) -> int:
        """As strictly as can be said of a line that begins no class or function: no other line that is
        indented as little stands between."""
        if self._blocks.opens(line):
            return self._reach(line, most)
        if line not in self._plain_ends:
            self._plain_ends[line] = self._blocks.find_next(line)
        return self._plain_ends[line]

    @cached_property
    def _lines(self) -> dict[bytes, list[int]]:
        """Of each text, without the blanks around it."""
        lines: dict[bytes, list[int]] = {}
        for number, text in enumerate(self._texts):
            lines.setdefault(text.strip(), []).append(number)
        return lines

    @cached_property
    def _sorted(self) -> list[bytes]:
        return sorted(self._lines)
