"""Hunks: read by their counts where the lines agree, else up to where the lines stop being a hunk's."""

import re
from typing import Literal, NamedTuple

from bascule.core.diff.read.doubts import UNENDED, check_between, check_changes, check_headers, check_marks
from bascule.core.diff.read.hunk_headers import PLAIN_NUMBERS, is_hunk_header, parse_hunk_header
from bascule.core.diff.refusal import refusal
from bascule.core.text.visible import quoted, visible
from bascule.model.edits import Hunk, HunkLine, HunkSpan, Numbers

MAX_HUNK_LINES = 200_000
MAX_HUNKS = 10_000  # of one file
IN_PARTS = "Ask for it in parts, or use `git apply`."
MAX_EXTRA = 1_000  # lines after a complete hunk that are compared with the file; more are text

SIGNATURE_VERSION = re.compile(r"[0-9]+\.[0-9]")  # what `git format-patch` writes under its `-- `
BLANK = ("", "\r")

Ending = Literal["\n", "\r\n", ""]
Sign = Literal[" ", "+", "-"]
SIGNS: dict[str, Sign] = {" ": " ", "+": "+", "-": "-"}


class Short(NamedTuple):
    """A hunk with fewer lines than its counts say, or without right counts."""

    path: str
    hunk: int
    line: int  # of the text, where its header is
    may_be_cut: bool = True  # no side of it has more lines than its counts say, which would show them made up


class Cursor:
    """Lines of a text, without their newlines, and how far they were read."""

    def __init__(
        self, lines: list[str], first: int = 1, *, has_carriage_returns: bool = True, is_block: bool = False
    ) -> None:
        self.lines = lines
        self.has_carriage_returns = has_carriage_returns
        self.is_block = is_block  # in fences, where the counts of models are not believed
        self.at = 0
        self.short: Short | None = None  # the latest hunk, if it has fewer lines than it says
        self.uncounted: Short | None = None  # the latest hunk, if its counts do not say where it ends
        self.spans: list[HunkSpan] = []  # of the hunks that were read
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


def read_hunks(cursor: Cursor, path: str) -> tuple[Hunk, ...]:
    hunks: list[Hunk] = []
    lines = cursor.lines
    while cursor.at < len(lines):
        line = lines[cursor.at]
        if line[:1] == "d":  # most often, the next file
            break
        if is_hunk_header(line):
            first = cursor.at + 1
            hunk = _read_hunk(cursor, path, len(hunks) + 1)
            hunks.append(hunk)
            cursor.spans.append(
                HunkSpan(
                    first=first,
                    count=cursor.at - first,
                    old_start=hunk.old_start,
                    new_start=hunk.new_start,
                )
            )
        elif (
            hunks
            and line in BLANK
            and (blanks := _count_blanks(cursor))
            and is_hunk_header(cursor.peek(blanks))
        ):
            cursor.at += blanks
        else:
            break
        if len(hunks) > MAX_HUNKS:
            raise refusal(f"{visible(path)} has more than {MAX_HUNKS} hunks. {IN_PARTS}", path)
    return tuple(hunks)


def _count_blanks(cursor: Cursor) -> int:
    ahead = 0
    while cursor.at + ahead < len(cursor.lines) and cursor.peek(ahead) in BLANK:
        ahead += 1
    return ahead


def _read_hunk(cursor: Cursor, path: str, number: int) -> Hunk:
    return _find_plain_hunk(cursor) or _read_any_hunk(cursor, path, number)


def _find_plain_hunk(cursor: Cursor) -> Hunk | None:
    """In one pass, where nothing about it is unusual: most are so."""
    lines, first = cursor.lines, cursor.at + 1
    match = None if cursor.has_carriage_returns else PLAIN_NUMBERS.match(lines[first - 1])
    if match is None:
        return None
    old_start, old, new_start, new, section = match.groups()
    old, new = int(old or 1), int(new or 1)
    if old + new > MAX_HUNK_LINES:
        return None
    body: list[HunkLine] = []
    append, changes = body.append, 0
    for line in lines[first : first + old + new]:
        sign = line[:1]
        if sign == " ":
            old -= 1
            new -= 1
            append(HunkLine(" ", line[1:]))
        elif sign == "-":
            old -= 1
            changes += 1
            append(HunkLine("-", line[1:]))
        elif sign == "+":
            new -= 1
            changes += 1
            append(HunkLine("+", line[1:]))
        else:
            return None
        if old <= 0 and new <= 0:
            break
    end = first + len(body)
    is_over = end == len(lines) or lines[end][:1] in ("d", "@")
    if old or new or not is_over or not changes:
        return None
    cursor.at, cursor.short, cursor.uncounted = end, None, None
    return Hunk(
        old_start=int(old_start),
        new_start=int(new_start),
        lines=tuple(body),
        section=section,
        numbers="right",
    )


def _read_any_hunk(cursor: Cursor, path: str, number: int) -> Hunk:
    header_line = cursor.number
    written = cursor.take()
    header = parse_hunk_header(written)
    start, lines = cursor.at, cursor.lines
    end = _end_by_counts(lines, start, *header.counts) if header.counts else None
    more = end = None if end is None or not _has_changes(lines, start, end) else end
    if end is not None and lines[end : end + 1] and lines[end][:1] in SIGNS:
        more = _find_end_of_extra(lines, end)
        if more is not None and more > end and is_hunk_header(_line(lines, more)):
            check_between(path, number, lines[end:more])
            more = None
        end = None if more is None else end
    numbers: Numbers = "right" if end is not None else "wrong" if header.counts else "none"
    extra_lines = lines[end:more] if end is not None else []
    if end is None:
        end = _end_by_lines(cursor, path, number)
    is_crlf = written.endswith("\r") and _is_all_crlf(lines[start:end])
    extra = parse_body(extra_lines, is_crlf=is_crlf)
    cursor.at = end
    if end - start > MAX_HUNK_LINES:
        raise refusal(
            f"{visible(path)}, hunk {number} has more than {MAX_HUNK_LINES} lines. Ask for smaller hunks.",
            path,
            hunk=number,
        )
    check_marks(lines[start:end], path, number)
    body = parse_body(lines[start:end], is_crlf=is_crlf)
    check_changes(body, path, number)
    if numbers != "right":
        check_headers(lines[start:end], path, number)
    cursor.short = None
    cursor.uncounted = None if numbers == "right" else Short(path, number, header_line)
    missing = [said - seen for said, seen in zip(header.counts or (), _count_sides(body), strict=False)]
    if numbers == "wrong" and max(missing) > 0:
        cursor.short = Short(path, number, header_line, may_be_cut=min(missing) >= 0)
        _check_lost(cursor)
    return Hunk(
        old_start=header.old_start,
        new_start=header.new_start,
        lines=body,
        section=header.section,
        numbers=numbers,
        is_crlf=is_crlf,
        extra=extra,
        doubts_text=cursor.is_block and bool(extra),
    )


def _check_lost(cursor: Cursor) -> None:
    """Where more of the diff follows a short hunk, a line of it was lost, and nobody can tell which one."""
    if cursor.short is None or cursor.is_block:
        return
    if not any(_begins_part(cursor.lines, at) for at in range(cursor.at, len(cursor.lines))):
        return
    path, number, line, _ = cursor.short
    raise refusal(
        f"{visible(path)}, hunk {number} has fewer lines than the numbers at line {line} of the diff say, "
        "so lines of it may have been lost. Ask for the diff again.",
        path,
        hunk=number,
    )


def _begins_part(lines: list[str], at: int) -> bool:
    line = lines[at]
    return is_hunk_header(line) or line.startswith("diff --git ") or is_file_header(lines, at)


def _is_all_crlf(body: list[str]) -> bool:
    return all(line.endswith("\r") for line in body if not line.startswith(UNENDED))


def _count_sides(lines: tuple[HunkLine, ...]) -> tuple[int, int]:
    signs = [line.sign for line in lines]
    return len(signs) - signs.count("+"), len(signs) - signs.count("-")


def parse_body(body: list[str], *, is_crlf: bool) -> tuple[HunkLine, ...]:
    """`is_crlf`: the diff itself came with CRLF, so one CR of each line is not the file's."""
    lines: list[HunkLine] = []
    for line in body:
        if is_crlf and line.endswith("\r"):
            line = line[:-1]
        if not line:
            lines.append(EMPTY)
        elif line[0] == "\\":
            if lines:
                lines[-1] = _unended(lines[-1])
        elif line[-1] == "\r":
            lines.append(HunkLine(SIGNS.get(line[0], " "), line[1:-1], "\r\n"))
        else:
            lines.append(HunkLine(SIGNS[line[0]], line[1:]))
    return tuple(lines)


EMPTY = HunkLine(" ", "")  # a context line whose only blank was lost


def _unended(line: HunkLine) -> HunkLine:
    return HunkLine(line.sign, line.text + ("\r" if line.ending == "\r\n" else ""), "")


# -- where a hunk ends --


def _end_by_counts(lines: list[str], at: int, old: int, new: int) -> int | None:
    """Where its counts say, if the lines up to there agree."""
    size = len(lines)
    while old > 0 or new > 0:
        if at == size:
            return None
        line = lines[at]
        sign = line[:1]
        if sign == " " or line in BLANK:
            old, new = old - 1, new - 1
        elif sign == "-":
            old -= 1
        elif sign == "+":
            new -= 1
        elif not line.startswith(UNENDED):
            return None
        at += 1
    if old < 0 or new < 0:
        return None
    if at < size and lines[at].startswith(UNENDED):
        at += 1
    return at


def _has_changes(lines: list[str], start: int, end: int) -> bool:
    return any(line[:1] in ("+", "-") for line in lines[start:end])


def _find_end_of_extra(lines: list[str], at: int) -> int | None:
    """Where the lines after a complete hunk stop looking like its own; None where they can only be that:
    no text has so many lines that look like a hunk's."""
    last = min(len(lines), at + MAX_EXTRA)
    end = at
    while end < last and not _is_boundary(lines, end):
        line = lines[end]
        if line[:1] not in SIGNS and line not in BLANK and not line.startswith(UNENDED):
            break
        end += 1
    while end > at and lines[end - 1] in BLANK:
        end -= 1
    return None if end == last < len(lines) else end


def count_extra(cursor: Cursor) -> int:
    """How many lines after a section may be part of its last hunk: they are compared with the file."""
    if cursor.peek()[:1] not in SIGNS:
        return 0
    end = _find_end_of_extra(cursor.lines, cursor.at)
    return 0 if end is None else end - cursor.at


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
        is_header = is_file_header(lines, at) and is_hunk_header(_line(lines, at + 2))
        return is_header or is_signature(lines, at)
    return line.startswith(("@@", "diff -", "Index: ", "*** "))


def is_file_header(lines: list[str], at: int) -> bool:
    return lines[at].startswith("--- ") and _line(lines, at + 1).startswith("+++ ")


def is_signature(lines: list[str], at: int) -> bool:
    return lines[at].rstrip("\r") == "-- " and SIGNATURE_VERSION.match(_line(lines, at + 1)) is not None


def _line(lines: list[str], at: int) -> str:
    return lines[at] if at < len(lines) else ""
