"""Hunks, read by their lines: the counts in their headers are believed only where the lines agree."""

import re
from typing import Literal, NamedTuple

from bascule.core.diff.refusal import refusal
from bascule.core.diff.visible import quoted, visible
from bascule.model.edits import Hunk, HunkLine

MAX_HUNK_LINES = 200_000
MAX_HUNKS = 10_000  # of one file

NUMBERS = re.compile(
    r"@@\s+-([0-9]{1,9})(?:,([0-9]{1,9}))?\s+\+([0-9]{1,9})(?:,([0-9]{1,9}))?(?:\s*@@\s?(.*))?\s*$"
)
SIGNATURE_VERSION = re.compile(r"[0-9]+\.[0-9]")  # what `git format-patch` writes under its `-- `
BLANK = ("", "\r")
UNENDED = "\\ "  # and then, in any language, that the file ends without a newline

Ending = Literal["\n", "\r\n", ""]
Sign = Literal[" ", "+", "-"]
SIGNS: dict[str, Sign] = {" ": " ", "+": "+", "-": "-"}


class Cursor:
    """Lines of a text, without their newlines, and how far they were read."""

    def __init__(self, lines: list[str], first: int = 1) -> None:
        self.lines = lines
        self.at = 0
        self._first = first

    @property
    def number(self) -> int:
        """The line of the whole text, for a person."""
        return self._first + self.at

    @property
    def is_done(self) -> bool:
        return self.at >= len(self.lines)

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.lines[at] if at < len(self.lines) else ""

    def take(self) -> str:
        line = self.lines[self.at]
        self.at += 1
        return line


class HunkHeader(NamedTuple):
    old_start: int = 0
    new_start: int = 0
    counts: tuple[int, int] | None = None  # lines before and after
    section: str = ""


def is_hunk_header(line: str) -> bool:
    return line.startswith("@@") and not line.startswith("@@@")


def parse_hunk_header(line: str) -> HunkHeader:
    match = NUMBERS.match(line)
    if match is None:
        return HunkHeader(section=line.strip("@ \r"))
    counts = int(match[2] or 1), int(match[4] or 1)
    return HunkHeader(int(match[1]), int(match[3]), counts, (match[5] or "").rstrip("\r"))


def read_hunks(cursor: Cursor, path: str) -> tuple[Hunk, ...]:
    hunks: list[Hunk] = []
    while not cursor.is_done:
        if is_hunk_header(cursor.peek()):
            hunks.append(_read_hunk(cursor, path, len(hunks) + 1))
        elif hunks and (blanks := _count_blanks(cursor)) and is_hunk_header(cursor.peek(blanks)):
            cursor.at += blanks
        else:
            break
        if len(hunks) > MAX_HUNKS:
            raise refusal(f"{visible(path)} has more than {MAX_HUNKS} hunks.", path)
    return tuple(hunks)


def _count_blanks(cursor: Cursor) -> int:
    ahead = 0
    while cursor.at + ahead < len(cursor.lines) and cursor.peek(ahead) in BLANK:
        ahead += 1
    return ahead


def _read_hunk(cursor: Cursor, path: str, number: int) -> Hunk:
    written = cursor.take()
    header = parse_hunk_header(written)
    start = cursor.at
    end = _end_by_counts(cursor.lines, start, *header.counts) if header.counts else None
    if end is None:
        end = _end_by_lines(cursor, path, number)
    body = cursor.lines[start:end]
    cursor.at = end
    if len(body) > MAX_HUNK_LINES:
        raise refusal(
            f"{visible(path)}, hunk {number} has more than {MAX_HUNK_LINES} lines. Ask for smaller hunks.",
            path,
            hunk=number,
        )
    lines = parse_body(body, is_crlf=written.endswith("\r"))
    if not lines:
        raise refusal(f"{visible(path)}, hunk {number} is empty.", path, hunk=number)
    return Hunk(old_start=header.old_start, new_start=header.new_start, lines=lines, section=header.section)


def parse_body(body: list[str], *, is_crlf: bool) -> tuple[HunkLine, ...]:
    """`is_crlf`: the diff itself came with CRLF, so one CR of each line is not the file's."""
    lines: list[HunkLine] = []
    for line in body:
        if is_crlf and line.endswith("\r"):
            line = line[:-1]
        if line.startswith(UNENDED):
            if lines:
                lines[-1] = _unended(lines[-1])
        elif line.endswith("\r"):
            lines.append(HunkLine(SIGNS.get(line[0], " "), line[1:-1], "\r\n"))
        else:
            lines.append(HunkLine(SIGNS[line[0]], line[1:]) if line else EMPTY)
    return tuple(lines)


EMPTY = HunkLine(" ", "")  # a context line whose only blank was lost


def _unended(line: HunkLine) -> HunkLine:
    return HunkLine(line.sign, line.text + ("\r" if line.ending == "\r\n" else ""), "")


# -- where a hunk ends --


def _end_by_counts(lines: list[str], at: int, old: int, new: int) -> int | None:
    """Where its counts say, if the lines up to there agree and what follows is no line of a hunk."""
    while old > 0 or new > 0:
        if at == len(lines):
            return None
        sign = lines[at][:1]
        if sign == " " or lines[at] in BLANK:
            old, new = old - 1, new - 1
        elif sign == "-":
            old -= 1
        elif sign == "+":
            new -= 1
        elif not lines[at].startswith(UNENDED):
            return None
        at += 1
    if old < 0 or new < 0:
        return None
    if at < len(lines) and lines[at].startswith(UNENDED):
        at += 1
    return None if _goes_on(lines, at) else at


def _goes_on(lines: list[str], at: int) -> bool:
    return at < len(lines) and lines[at][:1] in SIGNS and not _is_boundary(lines, at)


def _end_by_lines(cursor: Cursor, path: str, number: int) -> int:
    """At the next header, or where the text stops looking like a hunk and never does again."""
    lines, at = cursor.lines, cursor.at
    while at < len(lines) and not _is_boundary(lines, at):
        line = lines[at]
        if line[:1] not in SIGNS and not line.startswith(UNENDED) and line not in BLANK:
            if lines[at - 1] not in BLANK or _is_hunk_ahead(lines, at):
                raise refusal(
                    f"{visible(path)}, hunk {number}: "
                    f"line {cursor.number + at - cursor.at} of the diff, {quoted(line)}, "
                    "begins with neither a blank, + nor -. Ask for the diff again.",
                    path,
                    hunk=number,
                )
            break
        at += 1
    while at > cursor.at and lines[at - 1] in BLANK:
        at -= 1  # who wrote the diff may have put them after it
    return at


def _is_hunk_ahead(lines: list[str], at: int) -> bool:
    """Changed lines before the next header: then what looked like prose is a line that lost its sign."""
    while at < len(lines) and not _is_boundary(lines, at):
        if lines[at][:1] in ("+", "-"):
            return True
        at += 1
    return False


def _is_boundary(lines: list[str], at: int) -> bool:
    line = lines[at]
    if line[:1] == "-":
        return (is_file_header(lines, at) and is_hunk_header(_line(lines, at + 2))) or _is_signature(
            lines, at
        )
    return line.startswith(("@@", "diff -", "Index: ", "*** "))


def is_file_header(lines: list[str], at: int) -> bool:
    return lines[at].startswith("--- ") and _line(lines, at + 1).startswith("+++ ")


def _is_signature(lines: list[str], at: int) -> bool:
    return lines[at].rstrip("\r") == "-- " and SIGNATURE_VERSION.match(_line(lines, at + 1)) is not None


def _line(lines: list[str], at: int) -> str:
    return lines[at] if at < len(lines) else ""
