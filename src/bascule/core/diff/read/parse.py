"""A text with a diff in it, as models and Git write them: `parse_diff(text)` gives it, or says why not."""

from collections.abc import Callable

from msgspec.structs import replace

from bascule.core.diff.read.codex_patch import is_patch_start, read_patch
from bascule.core.diff.read.cuts import HALF_HEADERS, breaks_off, find_fences, find_half, has_more
from bascule.core.diff.read.doubts import UNENDED
from bascule.core.diff.read.fences import (
    Block,
    begins_text,
    find_margin,
    find_opening,
    looks_like_hunk,
    read_block,
)
from bascule.core.diff.read.hunk_headers import NUMBERS
from bascule.core.diff.read.hunks import Cursor, Short, count_extra, is_file_header
from bascule.core.diff.read.names import parse_header_name
from bascule.core.diff.read.sections import (
    GIT,
    MERGES,
    is_binary_line,
    read_binary_line,
    read_git_file,
    read_plain_file,
)
from bascule.core.diff.refusal import AGAIN, DiffRefused, refusal
from bascule.core.text.visible import quoted, visible
from bascule.model.edits import Diff, EditRefused, FileDiff, Hunk

MAX_TEXT = 20 * 1024 * 1024  # characters
MAX_LINES = 1_000_000
MAX_FILES = 5_000
NO_NEWLINE = UNENDED + "No newline at end of file"
MARK = "\ufeff"  # what editors on Windows put before a text

NO_DIFF = (
    "there is no diff in this text. A diff has `--- NAME` and `+++ NAME` before its hunks, or "
    "is between `*** Begin Patch` and `*** End Patch`."
)


def parse_diff(text: str, strip: int | None = None) -> Diff | EditRefused:
    """`strip`: so many top folders are no part of the names, as `git apply -p`; None where the names tell."""
    try:
        return _parse(text, strip)
    except DiffRefused as refused:
        return refused.answer


def _parse(text: str, strip: int | None) -> Diff:
    if len(text) > MAX_TEXT or text.count("\n") > MAX_LINES:
        raise refusal(
            f"the diff is longer than {MAX_TEXT} characters or {MAX_LINES} lines. Ask for it in parts."
        )
    lines = text.removeprefix(MARK).split(
        "\n"
    )  # only a newline ends a line: a form feed or U+2028 is content
    unended = lines[-1]
    if unended == "":
        lines.pop()
    scan = _Scan(strip, unended)
    scan.read(Cursor(lines, has_carriage_returns="\r" in text))
    files = scan.files
    if not files:
        raise refusal(find_margin(lines) or NO_DIFF)
    if len(files) > MAX_FILES:
        raise refusal(f"the diff has more than {MAX_FILES} files. Ask for it in parts.")
    return Diff(tuple(_doubted(files)))


def _doubted(files: list[FileDiff]) -> list[FileDiff]:
    """Where counts of a diff are wrong, those of its other hunks do not tell where text begins."""
    if not any(file.hunks and file.hunks[-1].extra for file in files):
        return files
    if all(hunk.numbers == "right" for file in files for hunk in file.hunks):
        return files
    return [replace(file, hunks=tuple(map(_doubt, file.hunks))) for file in files]


def _doubt(hunk: Hunk) -> Hunk:
    return replace(hunk, doubts_text=True) if hunk.extra else hunk


class _Scan:
    """From one file's header to the next; what stands between is prose."""

    def __init__(self, strip: int | None, unended: str) -> None:
        self._strip = strip
        self._unended = unended  # the last line of the text, where no newline ends it
        self._is_bare = False  # a name without any folder came: from there on Git drops no prefix
        self._has_block = False  # some of it came in fences
        self._fences: list[int] | None = None  # all of the text's, once they are asked for
        self._end = 0  # the line after the last that belongs to a diff of any kind
        self.files: list[FileDiff] = []

    def read(self, cursor: Cursor) -> None:
        end_of_diff = 0  # the line after the last that belongs to a unified diff
        lines = cursor.lines
        while cursor.at < len(lines):
            line = lines[cursor.at]
            is_codex = line[:1] != "d" and is_patch_start(line)
            if not self._read_file(cursor):
                self._read_other(cursor)
                continue
            self._end = cursor.at
            if not is_codex:
                end_of_diff = cursor.at
        self._check_end(cursor, end_of_diff)

    def _read_file(self, cursor: Cursor) -> bool:
        lines, at = cursor.lines, cursor.at
        line = lines[at]
        uncounted, cursor.uncounted = cursor.uncounted, None
        if line.startswith(GIT):
            self.files.append(self._read_section(cursor, read_git_file))
        elif line.startswith("--- ") and is_file_header(cursor.lines, cursor.at):
            self.files.append(self._read_section(cursor, read_plain_file))
            self._is_bare = self._is_bare or _is_bare(lines, at)
        elif line.lstrip(" ").startswith("*** ") and is_patch_start(line):
            self.files += read_patch(cursor)
            cursor.short = None
        elif is_binary_line(line):
            self.files.append(read_binary_line(cursor, self._strip))
        else:
            cursor.uncounted = uncounted  # no other file follows it yet
            return False
        return True

    def _read_section(self, cursor: Cursor, read: Callable[[Cursor, int | None], FileDiff]) -> FileDiff:
        if self._strip is not None or not self._is_bare:
            return read(cursor, self._strip)
        at, number = cursor.at, cursor.number
        file = read(cursor, self._strip)
        cursor.at = at
        try:
            whole = read(cursor, 0)
        except DiffRefused:
            whole = None
        if whole is None or (whole.path, whole.source) != (file.path, file.source):
            raise refusal(
                f"the name of {visible(file.path)} at line {number} of the diff has a prefix, and names "
                "before it have none. Ask for the diff again, with a/ and b/ before all names or none.",
                file.path,
            )
        return whole

    def _read_other(self, cursor: Cursor) -> None:
        line = cursor.peek()
        opening = find_opening(line)
        if opening is None:
            _check_prose(line, cursor.number)
            if self.files and NUMBERS.match(line.lstrip("> \t")):
                raise _homeless(cursor.number)
            cursor.take()
            return
        block = read_block(cursor, opening)
        if block.is_diff:
            self._read_block(block, cursor)
        elif block.has_part:
            raise refusal(
                f"the block that begins at line {block.first - 1} of the text holds a part of a diff that "
                "belongs to no file. Ask for it again, all of it in one ```diff block."
            )
        elif not block.is_closed and not block.lines and (self._has_block or (self.files and block.info)):
            raise _is_open(block)

    def _read_block(self, block: Block, cursor: Cursor) -> None:
        inner = Cursor(block.lines, block.first, is_block=True)
        before = len(self.files)
        text_from: int | None = None  # the line after the latest section, and after what may be its own
        while not inner.is_done:
            if self._read_file(inner):
                text_from = inner.at + count_extra(inner)
                continue
            line = inner.peek()
            _check_prose(line, inner.number)
            if begins_text(inner):
                text_from = None
            elif text_from is not None and inner.at >= text_from and line[:1] in ("+", "-"):
                raise _dropped(line, inner.number)
            inner.take()
        has_files = len(self.files) > before
        if not has_files and block.says_diff and block.has_changes:
            raise refusal(
                f"the diff at line {block.first} of the text names no file. "
                "Ask for it again, with `--- NAME` and `+++ NAME`."
            )
        if not block.is_closed and (has_files or self.files):
            raise _is_open(block)
        if inner.short is not None and self._fences is None:
            self._fences = find_fences(cursor.lines)
        if inner.short is not None and has_more(cursor, self._fences or []):
            raise _cut_off(inner.short, "and more lines follow its block")
        if inner.short is not None and inner.short.may_be_cut:
            raise _cut_off(inner.short, "and its block ends after it")
        self._has_block = True
        cursor.short = None
        self._end = cursor.at

    def _check_end(self, cursor: Cursor, end_of_diff: int) -> None:
        """A diff that breaks off is not written."""
        if cursor.short is not None:
            raise _cut_off(cursor.short, "and nothing follows it")
        if not self.files:
            return
        if cursor.uncounted is not None and not any(map(str.strip, cursor.lines[end_of_diff:])):
            raise _uncounted(cursor.uncounted)
        half = find_half(cursor.lines, self._end)
        if half is not None:
            raise _half(cursor.lines[half], cursor.number - cursor.at + half)
        if not self._unended or cursor.lines[-1:] != [self._unended]:
            return
        if self._unended == NO_NEWLINE:
            return  # the line is whole, and says itself that no newline follows
        is_inside = end_of_diff == len(cursor.lines) and not self._unended.startswith(UNENDED)
        if is_inside or breaks_off(self._unended):
            raise refusal(
                f"the diff ends in the middle of a line, {quoted(self._unended)}, so it may have been cut "
                "off. Ask for it again: with a newline after the last line, or in a ```diff block."
            )


def _is_open(block: Block) -> DiffRefused:
    return refusal(
        f"the block that begins at line {block.first - 1} of the text is not closed, so the diff in "
        f"it may have been cut off. {AGAIN}"
    )


def _is_bare(lines: list[str], at: int) -> bool:
    return any("/" not in parse_header_name(line[4:]).name for line in lines[at : at + 2])


def _cut_off(short: Short, why: str) -> DiffRefused:
    return refusal(
        f"{visible(short.path)}, hunk {short.hunk} has fewer lines than the numbers at line {short.line} of "
        f"the diff say, {why}, so it may have been cut off. {AGAIN}",
        short.path,
        hunk=short.hunk,
    )


def _uncounted(hunk: Short) -> DiffRefused:
    return refusal(
        f"{visible(hunk.path)}, hunk {hunk.hunk}: the numbers at line {hunk.line} of the diff do not say "
        "where it ends, and nothing follows it, so it may have been cut off. Ask for the diff again: with "
        "right numbers, or in a ```diff block.",
        hunk.path,
        hunk=hunk.hunk,
    )


def _half(line: str, number: int) -> DiffRefused:
    return refusal(
        f"line {number} of the diff, {quoted(line)}, is half of a header, so the diff may have been cut "
        f"off. {AGAIN}"
    )


def _homeless(number: int) -> DiffRefused:
    return refusal(
        f"the hunk at line {number} of the diff belongs to no file. "
        "Ask for it again, with `--- NAME` and `+++ NAME`."
    )


def _dropped(line: str, number: int) -> DiffRefused:
    return refusal(
        f"line {number} of the text, {quoted(line)}, comes after a complete hunk in the same block and "
        "belongs to none. Ask for the diff again, with `@@` before each hunk."
    )


def _check_prose(line: str, number: int) -> None:
    if line.startswith(MERGES):
        raise refusal(
            f"line {number} begins a diff of a merge, against several files at once. "
            "Ask for a diff against one."
        )
    if looks_like_hunk(line):
        raise _homeless(number)
    if line.startswith(HALF_HEADERS):
        raise _half(line, number)
