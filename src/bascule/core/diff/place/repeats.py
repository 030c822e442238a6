"""Hunks of one section that claim the same lines: repeated, or overlapping by their own numbers."""

from collections.abc import Sequence
from operator import attrgetter

from bascule.core.diff.place.asked import Asked


def check_repeats(asked: Sequence[Asked]) -> None:
    """Nobody makes such a diff, and to look for another place for the second one is to change it twice."""
    _check_same(asked)
    _check_alike(asked)
    last: Asked | None = None
    for one in sorted((one for one in asked if one.has_right_numbers), key=attrgetter("stated")):
        if last is not None and one.stated < _end(last) and last.stated < _end(one):
            line = one.stated + 1
            raise one.refuse(
                f"by its numbers it overlaps hunk {last.number} at line {line}. "
                "Ask for the diff again, with the two as one hunk.",
                line,
            )
        last = one if last is None or _end(one) >= _end(last) else last


def _check_same(asked: Sequence[Asked]) -> None:
    first: dict[object, int] = {}
    for one in asked:
        hunk = one.hunk
        if hunk.numbers == "made":
            continue
        key = (hunk.old_start, hunk.section, hunk.anchors, hunk.lines)
        number = first.setdefault(key, one.number)
        if number != one.number:
            raise one.refuse(
                f"it is the same as hunk {number}, so one change would be made twice. "
                "Ask for the diff again, with each hunk once."
            )


def _check_alike(asked: Sequence[Asked]) -> None:
    """The same lines at numbers that overlap: with wrong counts too, one change with two line numbers."""
    latest: dict[object, Asked] = {}
    stated = (one for one in asked if one.hunk.numbers in ("right", "wrong"))
    for one in sorted(stated, key=attrgetter("stated")):
        before = latest.get(one.hunk.lines)
        if before is not None and one.stated < _end(before):
            raise one.refuse(
                f"it has the same lines as hunk {before.number}, and by its numbers it overlaps it, so one "
                "change would be made twice. Ask for the diff again, with each hunk once."
            )
        latest[one.hunk.lines] = one


def _end(asked: Asked) -> int:
    return asked.stated + len(asked.old)
