"""Two versions of a file compared: groups of changed lines with a few around them, as hunks."""

from collections.abc import Iterator, Sequence
from typing import Literal

from bascule.core.diff.content import CRLF, Content, to_text
from bascule.core.diff.make.landmarks import Match, find_matches
from bascule.model.edits import Hunk, HunkLine

CONTEXT = 3
MAX_COMPARED = 2_000_000  # lines before times lines after, of the pieces that are compared line by line

Code = tuple[str, int, int, int, int]  # the fate of which lines: from and to before, from and to after
Group = list[Code]
Ending = Literal["\n", "\r\n", ""]


def find_groups(before: Sequence[object], after: Sequence[object]) -> list[Group]:
    """Each change with a few lines around it; changes that stand close together are one group."""
    codes = list(_codes(before, after))
    groups: list[Group] = [[]]
    for number, code in enumerate(codes):
        tag, old_from, old_to, new_from, new_to = code
        is_first, is_last = number == 0, number == len(codes) - 1
        size = min(CONTEXT, old_to - old_from)
        if tag != "equal" or not (is_first or is_last or old_to - old_from > 2 * CONTEXT):
            groups[-1].append(code)
            continue
        if not is_first:
            groups[-1].append((tag, old_from, old_from + size, new_from, new_from + size))
            groups.append([])
        if not is_last:
            groups[-1].append((tag, old_to - size, old_to, new_to - size, new_to))
    return [group for group in groups if group]


def _codes(before: Sequence[object], after: Sequence[object]) -> Iterator[Code]:
    old = new = 0
    for match in (
        *find_matches(before, after, most=MAX_COMPARED),
        Match(len(before), len(after), 0),
    ):
        if old < match.old or new < match.new:
            tag = "insert" if old == match.old else "delete" if new == match.new else "replace"
            yield tag, old, match.old, new, match.new
        old, new = match.old + match.size, match.new + match.size
        if match.size:
            yield "equal", match.old, old, match.new, new


def whole_lines(content: Content) -> list[bytes]:
    """With their endings."""
    return [text + ending for text, ending in zip(content.texts, content.endings, strict=True)]


def comparable(old: Content, new: Content) -> tuple[list[bytes], list[bytes]]:
    """The lines of both, without their endings where these are all the same."""
    if old.is_even and new.is_even:
        return old.texts, new.texts
    return whole_lines(old), whole_lines(new)


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
