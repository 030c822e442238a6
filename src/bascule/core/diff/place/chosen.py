"""Some of many places, in order: chosen by stretches, as a file may have thousands for each of many hunks."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from bascule.core.diff.place.budget import PLACE, Budget

Stretch = tuple[int, int]  # of a list of places: its first index, and the one after its last


def has(spots: Sequence[int], spot: int) -> bool:
    at = bisect_left(spots, spot)
    return at < len(spots) and spots[at] == spot


def keep_only(spots: list[int], spot: int) -> list[int]:
    return [spot] if has(spots, spot) else []


def pick(spots: list[int], stretches: Sequence[Stretch], budget: Budget) -> list[int]:
    size = sum(end - start for start, end in stretches)
    if size == len(spots):
        return spots
    budget.spend(size * PLACE)
    return [spot for start, end in stretches for spot in spots[start:end]]


def merge(stretches: Sequence[Stretch]) -> list[Stretch]:
    merged: list[Stretch] = []
    for start, end in sorted(stretches):
        if merged and start <= merged[-1][1]:
            start, end = merged[-1][0], max(merged.pop()[1], end)
        merged.append((start, end))
    return merged


def before_any(spots: Sequence[int], lines: Sequence[int], size: int) -> list[Stretch]:
    """Those that have one of these lines among the next `size`."""
    chosen: list[Stretch] = []
    index = 0
    while index < len(spots):
        at = bisect_left(lines, spots[index])
        if at == len(lines):
            break
        first = bisect_left(spots, lines[at] - size + 1, index)
        end = bisect_right(spots, lines[at], index)
        if first < end:
            chosen.append((first, end))
        index = max(end, first)
    return chosen


def after_each(spots: Sequence[int], lines: Sequence[int], reach: Callable[[int, int], int]) -> list[Stretch]:
    """Those after one of these lines, as far as the last such line reaches: a function of it and of the last
    place that is asked about."""
    chosen: list[Stretch] = []
    index = 0
    while index < len(spots):
        at = bisect_left(lines, spots[index])
        end = bisect_right(spots, lines[at], index) if at < len(lines) else len(spots)
        if at:
            inside = bisect_right(spots, reach(lines[at - 1], spots[end - 1]), index, end)
            if inside > index:
                chosen.append((index, inside))
        index = end
    return chosen
