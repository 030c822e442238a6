"""Markdown around a diff: fenced blocks, at any indentation, that may hold one."""

import re
from typing import NamedTuple

from bascule.core.diff.read.codex_patch import is_patch_start
from bascule.core.diff.read.hunk_headers import is_hunk_header
from bascule.core.diff.read.hunks import Cursor, is_file_header, is_signature

OPENING = re.compile(r"([ \t]*(?:(?:[-*]|[0-9]{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})[ \t]*([^\s`]*)[^`]*$")
MAX_OPENING = 400  # characters; more is prose
SAYS_DIFF = {"diff", "patch", "udiff", "gitdiff", "git-diff"}
SAYS_NOTHING = {"", "text", "txt", "plain", "plaintext", "console", "shell", "sh", "bash"}


class Block(NamedTuple):
    lines: list[str]
    first: int  # line of the whole text
    info: str  # the word after its fence
    is_closed: bool

    @property
    def says_diff(self) -> bool:
        return self.info in SAYS_DIFF

    @property
    def is_diff(self) -> bool:
        """Whether it is read: by its name, its beginning, or a diff in what has no other language."""
        return self.says_diff or _begins_diff(self.lines) or (self.info in SAYS_NOTHING and self.has_section)

    @property
    def has_changes(self) -> bool:
        return any(line[:1] in ("+", "-") for line in self.lines)

    @property
    def has_section(self) -> bool:
        return any(begins_section(self.lines, at) for at in range(len(self.lines)))

    @property
    def has_part(self) -> bool:
        """A file's section, or hunks that belong to none."""
        return self.has_section or (self.has_changes and any(map(looks_like_hunk, self.lines)))


def find_opening(line: str) -> re.Match[str] | None:
    is_short = len(line) <= MAX_OPENING
    return OPENING.match(line) if is_short and ("```" in line or "~~~" in line) else None


def read_block(cursor: Cursor, opening: re.Match[str]) -> Block:
    """The lines up to the closing fence, or to the end of the text."""
    cursor.take()
    margin, fence, info = _blank(opening[1]), opening[2], opening[3].lower()
    rest = map(cursor.peek, range(len(cursor.lines) - cursor.at))
    line = next(filter(str.strip, rest), margin)
    indent = margin if line.startswith(margin) else ""  # then only the fences are indented
    first, is_closed = cursor.number, False
    lines: list[str] = []
    while not cursor.is_done:
        raw = cursor.take()
        line = _dedent(raw, indent)
        if _closes(line, fence) or _closes(raw.removeprefix(margin), fence):
            is_closed = True
            break
        lines.append(line)
    return Block(lines, first, info, is_closed)


def _closes(line: str, fence: str) -> bool:
    bare = line.rstrip()
    return bare.startswith(fence) and not bare.strip(fence[0])


def _blank(margin: str) -> str:
    """A list's marker is as wide as the blanks below it."""
    return re.sub(r"[^ \t]", " ", margin)


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


def begins_section(lines: list[str], at: int) -> bool:
    line = lines[at]
    if line[:1] == "-":
        return is_file_header(lines, at) and is_hunk_header("".join(lines[at + 2 : at + 3]))
    return line.startswith("diff --git ") or is_patch_start(line)


def begins_text(cursor: Cursor) -> bool:
    """Of what stands between two sections: a mail's signature, or the next mail or commit."""
    return is_signature(cursor.lines, cursor.at) or TEXT_BEGINS.match(cursor.peek()) is not None


TEXT_BEGINS = re.compile(r"(From|commit) [0-9a-f]{7,64}\b")


def find_margin(lines: list[str]) -> str | None:
    """Why a text with a diff behind a margin has none; its lines would lose that margin or keep it, and a
    blank is part of a hunk's line."""
    for at, line in enumerate(lines[:-2]):
        margin = MARGIN.match(line)
        if margin is None:
            continue
        inner = [one.removeprefix(margin[0]) for one in lines[at : at + 3]]
        if not begins_section(inner, 0):
            continue
        what = "quoted with >" if ">" in margin[0] else "indented"
        return (
            f"the diff at line {at + 1} of the text is {what}. "
            "Ask for it again, in a ```diff block without anything before its lines."
        )
    return None


MARGIN = re.compile(r"[ \t]*(?:>[ \t]?)*(?=--- |diff --git |\*\*\* )")


def looks_like_hunk(line: str) -> bool:
    """`@@ -1 +1 @@`, `@@ ... @@`, `@@-1 +1@@`, `@@`; not `@@name`."""
    return LOOSE_HUNK.match(line) is not None


LOOSE_HUNK = re.compile(r"@@(?!@)(\s|-[0-9]|\.\.|$)")
