"""Rows: of the places of several hunks one for each, in their order."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from bascule.core.diff.place.asked import Asked
from bascule.core.diff.place.chosen import has
from bascule.core.diff.refusal import DiffRefused

MAX_NAMED = 5  # places that one sentence names
Spots = Sequence[list[int]]  # of each hunk, where it fits


def find_row(asked: Sequence[Asked], spots: Spots, size: int) -> list[int]:
    """One for each hunk, in their order: if the first such row is not the last, it is a guess."""
    if all(len(few) == 1 for few in spots):
        return [few[0] for few in spots]
    if not _is_in_order(asked):
        raise next(_ambiguous(*one) for one in zip(asked, spots, strict=True) if one[1][1:])
    first, last = _first_row(asked, spots), _last_row(asked, spots, size)
    for one, left, right, few in zip(asked, first, last, spots, strict=True):
        if left != right:
            raise _ambiguous(one, few[bisect_left(few, left) : bisect_right(few, right)])
        if one.has_right_numbers and one.stated != left and has(few, one.stated):
            raise _pushed(one, left)
    return first


def _is_in_order(asked: Sequence[Asked]) -> bool:
    starts = [one.hunk.old_start for one in asked if one.hunk.old_start]
    return starts == sorted(starts)


def _first_row(asked: Sequence[Asked], spots: Spots) -> list[int]:
    row, end = [], 0
    for one, few in zip(asked, spots, strict=True):
        at = bisect_left(few, end)
        if at == len(few):
            raise _ambiguous(one, few)
        row.append(few[at])
        end = few[at] + len(one.old)
    return row


def _last_row(asked: Sequence[Asked], spots: Spots, size: int) -> list[int]:
    row, end = [], size
    for one, few in zip(reversed(asked), reversed(spots), strict=True):
        at = bisect_right(few, end - len(one.old)) - 1
        if at < 0:
            raise _ambiguous(one, few)
        row.append(few[at])
        end = few[at]
    return row[::-1]


def _pushed(asked: Asked, start: int) -> DiffRefused:
    return asked.refuse(
        f"its lines stand where its numbers say, at line {asked.stated + 1}, but then another hunk has "
        f"no place, unless this one goes to line {start + 1}. "
        "Ask for the diff again, made from the file as it is.",
        asked.stated + 1,
    )


def _ambiguous(asked: Asked, spots: Sequence[int]) -> DiffRefused:
    if len(spots) == 1:
        return asked.refuse(
            f"its lines stand at line {spots[0] + 1}, which is not in the order of the hunks. "
            "Ask for the diff again, with its hunks in the order of the file.",
            spots[0] + 1,
        )
    return asked.refuse(
        f"its lines are at {listed(spots)}, and nothing says which one to "
        "change. Ask for the diff again, with more context.",
        spots[0] + 1,
    )


def listed(spots: Sequence[int]) -> str:
    named = [str(spot + 1) for spot in spots[:MAX_NAMED]]
    more = f" and {len(spots) - MAX_NAMED} more" if len(spots) > MAX_NAMED else ""
    others = ", ".join(named[:-1])
    return (f"line {others} and again at line {named[-1]}" if others else f"line {named[-1]}") + more
