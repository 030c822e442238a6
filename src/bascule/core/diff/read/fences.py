"""Markdown around a diff: fenced blocks, at any indentation, that may hold one."""

import re
from typing import NamedTuple

from bascule.core.diff.read.codex_patch import is_patch_start
from bascule.core.diff.read.hunks import Cursor, is_file_header

OPENING = re.compile(r"([ \t]*)(`{3,}|~{3,})[ \t]*([^\s`]*)[^`]*$")
MAX_OPENING = 400  # characters; more is prose
SAYS_DIFF = {"diff", "patch", "udiff", "gitdiff", "git-diff"}


class Block(NamedTuple):
    lines: list[str]
    first: int  # line of the whole text
    says_diff: bool
    is_closed: bool

    @property
    def has_changes(self) -> bool:
        return any(line[:1] in ("+", "-") for line in self.lines)


def find_opening(line: str) -> re.Match[str] | None:
    is_short = len(line) <= MAX_OPENING
    return OPENING.match(line) if is_short and ("```" in line or "~~~" in line) else None


def read_block(cursor: Cursor, opening: re.Match[str]) -> Block | None:
    """The lines up to the closing fence; None where they are of something else than a diff."""
    cursor.take()
    indent, fence, info = opening[1], opening[2], opening[3].lower()
    first, is_closed = cursor.number, False
    lines: list[str] = []
    while not cursor.is_done:
        line = _dedent(cursor.take(), indent)
        bare = line.rstrip()
        if bare.startswith(fence) and not bare.strip(fence[0]):
            is_closed = True
            break
        lines.append(line)
    says_diff = info in SAYS_DIFF
    return Block(lines, first, says_diff, is_closed) if says_diff or _begins_diff(lines) else None


def _dedent(line: str, indent: str) -> str:
    return line[len(indent) :] if line.startswith(indent) else line.lstrip(" \t")


def _begins_diff(lines: list[str]) -> bool:
    at = next((number for number, line in enumerate(lines) if line.strip()), None)
    if at is None:
        return False
    return (
        lines[at].startswith(("diff -", "Index: ", "From ", "commit "))
        or is_patch_start(lines[at])
        or lines[at].startswith("apply_patch")
        or is_file_header(lines, at)
    )
