"""Anchors of Codex's format: each leads to the class, function or block that its line begins."""

from bisect import bisect_left, bisect_right

from bascule.core.diff.content import to_bytes
from bascule.core.diff.place.blocks import Blocks
from bascule.core.diff.place.budget import LOOK, Budget
from bascule.core.diff.place.chosen import Stretch, pick
from bascule.core.diff.place.search import HunkSearch


class Anchors:
    """Where the anchors of a diff lead in a file."""

    def __init__(self, size: int, search: HunkSearch, blocks: Blocks, budget: Budget) -> None:
        self._size = size
        self._search = search
        self._blocks = blocks
        self._budget = budget
        self._known_spans: dict[tuple[str, ...], tuple[list[int], list[int]]] = {}

    def choose(self, anchors: tuple[str, ...], spots: list[int], reach: int) -> list[int]:
        """Those in the class or function that the last anchor begins, itself in that of the one before;
        `reach`: with so many lines, of which the last goes, or is followed by what is added."""
        starts, ends = self._spans(anchors)
        chosen: list[Stretch] = []
        index = bisect_left(spots, starts[0]) if starts else len(spots)
        while index < len(spots):
            at = bisect_right(starts, spots[index]) - 1
            inside = bisect_left(spots, min(ends[at], ends[at] - reach + 1), index)
            if inside > index:
                chosen.append((index, inside))
            index = bisect_left(spots, starts[at + 1], index) if at + 1 < len(starts) else len(spots)
        return pick(spots, chosen, self._budget)

    def _spans(self, anchors: tuple[str, ...]) -> tuple[list[int], list[int]]:
        """The stretches of lines that the anchors lead to: the first line of each, and the line after it."""
        if not anchors:
            return [0], [self._size]
        if anchors not in self._known_spans:
            lines = self._search.stripped.get(to_bytes(anchors[-1].strip()), [])
            starts: list[int] = []
            ends: list[int] = []
            for start, end in zip(*self._spans(anchors[:-1]), strict=True):
                for number in lines[bisect_left(lines, start) : bisect_left(lines, end)]:
                    self._budget.spend(LOOK)
                    if ends and number < ends[-1] == end:
                        continue  # all from there on is in already
                    reach = min(end, self._blocks.find_end(number))
                    if ends and number + 1 <= ends[-1]:
                        ends[-1] = max(ends[-1], reach)
                    else:
                        starts.append(number + 1)
                        ends.append(reach)
            self._known_spans[anchors] = starts, ends
        return self._known_spans[anchors]
