"""Two versions of a file compared: groups of changed lines with a few around them, as hunks."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal

from bascule.core.diff.content import CRLF, Content, to_text
from bascule.model.edits import Hunk, HunkLine

CONTEXT = 3
MAX_COMPARED = 2_000_000  # lines before times lines after; above it what differs is shown as one piece

Group = list[tuple[str, int, int, int, int]]
Ending = Literal["\n", "\r\n", ""]


def find_groups(before: Sequence[object], after: Sequence[object]) -> list[Group]:
    """What is equal at both ends is never compared twice."""
    if before == after:
        return []
    start = _agreeing(before, after)
    end = _agreeing(before[start:][::-1], after[start:][::-1])
    first = max(0, start - CONTEXT)
    old_end = min(len(before), len(before) - end + CONTEXT)
    new_end = min(len(after), len(after) - end + CONTEXT)
    codes = _compare(before[first:old_end], after[first:new_end])
    return [
        [(tag, a + first, b + first, c + first, d + first) for tag, a, b, c, d in group] for group in codes
    ]


def whole_lines(content: Content) -> list[bytes]:
    return [text + ending for text, ending in zip(content.texts, content.endings, strict=True)]


def count_changes(groups: list[Group]) -> tuple[int, int]:
    """Lines added, and lines removed."""
    changed = [code for group in groups for code in group if code[0] != "equal"]
    return sum(code[4] - code[3] for code in changed), sum(code[2] - code[1] for code in changed)


def hunks_between(before: bytes, after: bytes) -> tuple[Hunk, ...]:
    """Hunks that turn the one into the other, to the byte."""
    return make_hunks(_as_lines(Content(before)), _as_lines(Content(after)))


def make_hunks(
    old: Sequence[HunkLine], new: Sequence[HunkLine], *, old_first: int = 0, new_first: int = 0
) -> tuple[Hunk, ...]:
    """The two sides are pieces of files that begin after so many lines; their signs do not matter."""
    before = [(line.text, line.ending) for line in old]
    after = [(line.text, line.ending) for line in new]
    return tuple(
        Hunk(
            old_start=_start(old_first, group[0][1], group[-1][2]),
            new_start=_start(new_first, group[0][3], group[-1][4]),
            lines=tuple(_signed(old, new, group)),
        )
        for group in find_groups(before, after)
    )


def _signed(old: Sequence[HunkLine], new: Sequence[HunkLine], group: Group) -> list[HunkLine]:
    lines: list[HunkLine] = []
    for tag, old_from, old_to, new_from, new_to in group:
        if tag == "equal":
            lines += [HunkLine(" ", line.text, line.ending) for line in old[old_from:old_to]]
        else:
            lines += [HunkLine("-", line.text, line.ending) for line in old[old_from:old_to]]
            lines += [HunkLine("+", line.text, line.ending) for line in new[new_from:new_to]]
    return lines


def _start(first: int, start: int, end: int) -> int:
    """From 1; where there are no lines, the line before."""
    return first + start + (1 if end > start else 0)


def _as_lines(content: Content) -> list[HunkLine]:
    pairs = zip(content.texts, content.endings, strict=True)
    return [HunkLine(" ", to_text(text), _ending(ending)) for text, ending in pairs]


def _ending(ending: bytes) -> Ending:
    return "" if not ending else "\r\n" if ending == CRLF else "\n"


def _agreeing(one: Sequence[object], other: Sequence[object]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a != b), min(len(one), len(other)))


def _compare(before: Sequence[object], after: Sequence[object]) -> list[Group]:
    if len(before) * len(after) <= MAX_COMPARED:
        matcher = SequenceMatcher(None, before, after)  # what is everywhere is no landmark
        return [list(group) for group in matcher.get_grouped_opcodes(CONTEXT)]
    return [[("replace", 0, len(before), 0, len(after))]]
