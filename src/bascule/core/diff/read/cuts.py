"""Diffs that break off: a header without its rest, the beginning of a word, lines after a closed block."""

import re
from bisect import bisect_left

from bascule.core.diff.read.doubts import UNENDED
from bascule.core.diff.read.fences import find_opening
from bascule.core.diff.read.hunks import BLANK, SIGNS, Cursor
from bascule.core.diff.read.sections import BINARY_FILES, BINARY_PATCH, EXTENDED

HALF_HEADERS = ("--- a/", "+++ b/", "--- /dev/null", "+++ /dev/null")
# What begins a part of a diff: a last line that breaks off in one of these was cut.
STARTS = (
    *("diff -", "Index: ", "--- ", "+++ ", "@@", UNENDED, BINARY_FILES, BINARY_PATCH, "=" * 67),
    *("*** Begin Patch", *EXTENDED),
)

# After these at least one file must follow.
OPENERS = re.compile(r"diff -[-\w]|Index: |From [0-9a-f]{40} ")
LAST = re.compile(r"--- \S(?!.*---$)|\+\+\+ \S|={67}$")


def breaks_off(line: str) -> bool:
    """Of a last line that no newline ends."""
    if line in ("`", "``"):
        return True
    return any(start.startswith(line) or line.startswith(start) for start in STARTS)


def find_half(lines: list[str], at: int) -> int | None:
    """A header in what follows the last file of a diff: its own file was cut off."""
    last = None
    for number in range(at, len(lines)):
        line = lines[number]
        if OPENERS.match(line):
            return number
        if line.strip():
            last = number
    return last if last is not None and LAST.match(lines[last]) else None


def find_fences(lines: list[str]) -> list[int]:
    """Where they are."""
    return [at for at, line in enumerate(lines) if find_opening(line) is not None]


def has_more(cursor: Cursor, fences: list[int]) -> bool:
    """Whether lines after a block that ended inside a hunk look like the rest of it: directly after it, or
    before a fence that closes nothing."""
    line = cursor.peek()
    if line[:1] in SIGNS and line not in BLANK:
        return True
    return (len(fences) - bisect_left(fences, cursor.at)) % 2 == 1
