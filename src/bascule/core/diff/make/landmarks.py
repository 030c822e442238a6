"""The lines that two versions of a file share; long ones are cut at lines that stand in each only once."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

MAX_ROUNDS = 8  # of cutting pieces into smaller ones; each costs one look at every line

Lines = Sequence[object]
Shared = tuple[int, int, int]  # a `Match`, of which there may be as many as lines


class Match(NamedTuple):
    """Where the shared lines begin in each, and how many they are."""

    old: int
    new: int
    size: int


class LineRange(NamedTuple):
    old_from: int
    old_to: int
    new_from: int
    new_to: int
    rounds: int = 0

    @property
    def cost(self) -> int:
        return (self.old_to - self.old_from) * (self.new_to - self.new_from)


def find_matches(before: Lines, after: Lines, *, most: int) -> list[Match]:
    """In order. `most`: pairs of lines that are compared; beyond them lines count as changed."""
    matches: list[Match] = []
    pieces = [LineRange(0, len(before), 0, len(after))]
    while pieces:
        piece = _without_ends(before, after, pieces.pop(), matches)
        if 0 < piece.cost <= most:
            most -= piece.cost
            matches += _compare(before, after, piece)
        elif piece.cost and piece.rounds < MAX_ROUNDS:
            landmarks = _find_landmarks(before, after, piece)
            matches += landmarks
            pieces += _between(landmarks, piece) if landmarks else []
    return _joined(sorted(matches))


def _without_ends(before: Lines, after: Lines, piece: LineRange, matches: list[Match]) -> LineRange:
    """What is equal at both ends is never compared twice."""
    old_from, old_to, new_from, new_to, rounds = piece
    while old_from < old_to and new_from < new_to and before[old_from] == after[new_from]:
        old_from, new_from = old_from + 1, new_from + 1
    while old_from < old_to and new_from < new_to and before[old_to - 1] == after[new_to - 1]:
        old_to, new_to = old_to - 1, new_to - 1
    matches.append(Match(piece.old_from, piece.new_from, old_from - piece.old_from))
    matches.append(Match(old_to, new_to, piece.old_to - old_to))
    return LineRange(old_from, old_to, new_from, new_to, rounds)


def _compare(before: Lines, after: Lines, piece: LineRange) -> Iterator[Match]:
    old, new = before[piece.old_from : piece.old_to], after[piece.new_from : piece.new_to]
    if set(old).isdisjoint(new):
        return
    matcher = SequenceMatcher(None, old, new)  # which passes over what is everywhere
    for a, b, size in matcher.get_matching_blocks():
        yield Match(piece.old_from + a, piece.new_from + b, size)


def _between(landmarks: list[Match], piece: LineRange) -> Iterator[LineRange]:
    starts = [Match(piece.old_from, piece.new_from, 0), *landmarks]
    for one, other in pairwise([*starts, Match(piece.old_to, piece.new_to, 0)]):
        yield LineRange(one.old + one.size, other.old, one.new + one.size, other.new, piece.rounds + 1)


def _find_landmarks(before: Lines, after: Lines, piece: LineRange) -> list[Match]:
    """The most of them that stand in the same order in both."""
    old = _once(before, piece.old_from, piece.old_to)
    new = _once(after, piece.new_from, piece.new_to)
    return _joined(_in_order([(at, new[line], 1) for line, at in old.items() if line in new]))


def _once(lines: Lines, start: int, end: int) -> dict[object, int]:
    counted = Counter(lines[start:end])
    return {lines[at]: at for at in range(start, end) if counted[lines[at]] == 1}


def _in_order(pairs: list[Shared]) -> list[Shared]:
    """The longest row of them that grows on both sides; they come in the order of the first."""
    if all(one[1] < other[1] for one, other in pairwise(pairs)):
        return pairs
    ends: list[int] = []  # the smallest end, on the second side, of a row of each length
    rows: list[int] = []  # the pair that it belongs to
    befores: list[int | None] = []
    for number, pair in enumerate(pairs):
        length = bisect_left(ends, pair[1])
        befores.append(rows[length - 1] if length else None)
        ends[length : length + 1], rows[length : length + 1] = [pair[1]], [number]
    row: list[Shared] = []
    at = rows[-1] if rows else None
    while at is not None:
        row.append(pairs[at])
        at = befores[at]
    return row[::-1]


def _joined(matches: Sequence[Shared]) -> list[Match]:
    """Those that follow one another without a gap are one."""
    joined: list[Match] = []
    old = new = size = 0
    for next_old, next_new, count in matches:
        if old + size == next_old and new + size == next_new:
            size += count
        elif count:
            joined.append(Match(old, new, size))
            old, new, size = next_old, next_new, count
    joined.append(Match(old, new, size))
    return [match for match in joined if match.size]
