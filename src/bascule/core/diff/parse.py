"""A text with a diff in it, as models and Git write them: `parse_diff(text)` gives it, or says why not."""

from bascule.core.diff.codex_patch import is_patch_start, read_patch
from bascule.core.diff.fences import find_opening, read_block
from bascule.core.diff.hunks import NUMBERS, Cursor, is_file_header
from bascule.core.diff.refusal import DiffRefused, refusal
from bascule.core.diff.sections import (
    GIT,
    MERGES,
    is_binary_line,
    read_binary_line,
    read_git_file,
    read_plain_file,
)
from bascule.model.edits import Diff, EditRefused, FileDiff, Hunk

MAX_TEXT = 20 * 1024 * 1024  # characters
MAX_LINES = 1_000_000
MAX_FILES = 5_000
MARK = "\ufeff"  # what editors on Windows put before a text

NO_DIFF = (
    "there is no diff in this text. A diff has `--- NAME` and `+++ NAME` before its hunks, or "
    "stands between `*** Begin Patch` and `*** End Patch`."
)


def parse_diff(text: str) -> Diff | EditRefused:
    try:
        return _parse(text)
    except DiffRefused as refused:
        return refused.answer


def _parse(text: str) -> Diff:
    if len(text) > MAX_TEXT or text.count("\n") > MAX_LINES:
        raise refusal(
            f"the diff is longer than {MAX_TEXT} characters or {MAX_LINES} lines. Ask for it in parts."
        )
    lines = text.removeprefix(MARK).split(
        "\n"
    )  # only a newline ends a line: a form feed or U+2028 is content
    if lines[-1] == "":
        lines.pop()
    files = _scan(Cursor(lines), is_fenced=False)
    if not files:
        raise refusal(NO_DIFF)
    if len(files) > MAX_FILES:
        raise refusal(f"the diff has more than {MAX_FILES} files. Ask for it in parts.")
    return Diff(tuple(_joined(files)))


def _scan(cursor: Cursor, *, is_fenced: bool) -> list[FileDiff]:
    """From one file's header to the next; what stands between is prose."""
    files: list[FileDiff] = []
    while not cursor.is_done:
        line = cursor.peek()
        if line.startswith(GIT):
            files.append(read_git_file(cursor))
        elif line.startswith("--- ") and is_file_header(cursor.lines, cursor.at):
            files.append(read_plain_file(cursor))
        elif line.lstrip(" ").startswith("*** ") and is_patch_start(line):
            files += read_patch(cursor)
        elif is_binary_line(line):
            files.append(read_binary_line(cursor))
        elif not is_fenced and (opening := find_opening(line)):
            block = read_block(cursor, opening)
            inner = _scan(Cursor(block.lines, block.first), is_fenced=True) if block else []
            if block and block.says_diff and not inner and block.has_changes:
                raise refusal(
                    f"the diff at line {block.first} of the text names no file. "
                    "Ask for it again, with `--- NAME` and `+++ NAME`."
                )
            files += inner
        else:
            _check_prose(line, cursor.number)
            cursor.take()
    return files


def _check_prose(line: str, number: int) -> None:
    if line.startswith(MERGES):
        raise refusal(
            f"line {number} begins a diff of a merge, against several files at once. "
            "Ask for a diff against one."
        )
    if line.startswith("@@") and NUMBERS.match(line):
        raise refusal(
            f"the hunk at line {number} of the diff belongs to no file. "
            "Ask for it again, with `--- NAME` and `+++ NAME`."
        )


def _joined(files: list[FileDiff]) -> list[FileDiff]:
    """A file that is edited in several sections is edited once, by all their hunks."""
    first: dict[str, int] = {}
    joined: list[FileDiff] = []
    for file in files:
        at = first.get(file.path)
        if at is not None and _is_plain_edit(file) and _is_plain_edit(joined[at]):
            joined[at] = _join(joined[at], file)
        else:
            first[file.path] = len(joined)
            joined.append(file)
    return joined


def _is_plain_edit(file: FileDiff) -> bool:
    return file.kind == "update" and file.mode_after == file.mode_before and not file.binary


def _join(first: FileDiff, later: FileDiff) -> FileDiff:
    """The numbers of a later section may count from what an earlier one leaves: they are not believed."""
    loose = tuple(
        Hunk(old_start=0, new_start=0, lines=h.lines, section=h.section, anchors=h.anchors, at_end=h.at_end)
        for h in later.hunks
    )
    return FileDiff(
        kind="update",
        path=first.path,
        hunks=first.hunks + loose,
        mode_before=first.mode_before,
        mode_after=first.mode_after,
    )
