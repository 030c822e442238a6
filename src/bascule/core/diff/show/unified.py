"""A unified diff, file by file: what a Changes block shows under each name."""

from collections.abc import Callable
from typing import Literal

from msgspec.structs import replace

from bascule.core.diff.read.hunk_headers import is_hunk_header
from bascule.core.diff.read.hunks import Cursor, is_file_header, read_hunks
from bascule.core.diff.read.sections import GIT, read_git_file, read_plain_file
from bascule.core.diff.refusal import DiffRefused
from bascule.core.diff.show.shown_diff import NO_NEWLINE, count_lines
from bascule.model.blocks import FileEdit
from bascule.model.edits import FileDiff, FileKind, HunkSpan

CHANGE: dict[FileKind, Literal["add", "delete", "update"]] = {
    "add": "add",
    "copy": "add",
    "delete": "delete",
    "update": "update",
    "rename": "update",
}


def split_files(unified: str) -> tuple[FileEdit, ...]:
    """One FileEdit per file of a `git diff`-like text, in its order; what is no diff gives none."""
    cursor = Cursor(_lines(unified))
    files: list[FileEdit] = []
    while not cursor.is_done:
        start, read = cursor.at, _find_reader(cursor)
        if read is None:
            cursor.at += 1
            continue
        cursor.spans = []
        try:
            files.append(_edit(read(cursor), cursor, start))
        except DiffRefused:
            cursor.at = max(cursor.at, start + 1)  # the others are still shown
    return tuple(files)


def added(path: str, content: str) -> FileEdit:
    """A new file: Codex sends its content, not a diff."""
    diff, spans = _whole(content, "+")
    return FileEdit(path=path, change="add", diff=diff, additions=len(_lines(content)), spans=spans)


def deleted(path: str, content: str) -> FileEdit:
    diff, spans = _whole(content, "-")
    return FileEdit(path=path, change="delete", diff=diff, deletions=len(_lines(content)), spans=spans)


def updated(path: str, hunks: str, moved_to: str | None = None) -> FileEdit:
    lines = _lines(hunks)
    cursor = Cursor(lines)
    try:
        file = FileDiff(kind="update", path=path, hunks=read_hunks(cursor, path))
    except DiffRefused:  # cut off, or not what it says: about so many
        spans: tuple[HunkSpan, ...] = ()
        additions = sum(line.startswith("+") for line in lines)
        deletions = sum(line.startswith("-") for line in lines)
    else:
        spans = _spans(file, cursor)
        additions, deletions = count_lines(file)
    return FileEdit(
        path=path,
        change="update",
        moved_to=moved_to,
        diff=hunks,
        additions=additions,
        deletions=deletions,
        spans=spans,
    )


def _lines(text: str) -> list[str]:
    """Only a newline ends a line of a diff: a form feed or U+2028 is content."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _whole(content: str, sign: str) -> tuple[str, tuple[HunkSpan, ...]]:
    lines = _lines(content)
    if not lines:
        return "", ()
    old, new = (0, 1) if sign == "+" else (1, 0)
    numbers = f"-0,0 +1,{len(lines)}" if sign == "+" else f"-1,{len(lines)} +0,0"
    body = [*(sign + line for line in lines), *([] if content.endswith("\n") else [NO_NEWLINE])]
    span = HunkSpan(first=1, count=len(body), old_start=old, new_start=new)
    return "\n".join([f"@@ {numbers} @@", *body]) + "\n", (span,)


def _spans(file: FileDiff, cursor: Cursor, start: int = 0) -> tuple[HunkSpan, ...]:
    """None where a hunk is not as long as it says: what belongs to it is then a guess."""
    if any(hunk.numbers != "right" or hunk.extra for hunk in file.hunks):
        return ()
    return tuple(replace(span, first=span.first - start) for span in cursor.spans)


def _find_reader(cursor: Cursor) -> Callable[[Cursor], FileDiff] | None:
    if cursor.peek().startswith(GIT):
        return read_git_file
    return read_plain_file if is_file_header(cursor.lines, cursor.at) else None


def _edit(file: FileDiff, cursor: Cursor, start: int) -> FileEdit:
    """Its lines as they are written."""
    section = cursor.lines[start : cursor.at]
    first = next((at for at, line in enumerate(section) if is_hunk_header(line)), len(section))
    additions, deletions = count_lines(file)
    return FileEdit(
        path=file.source or file.path,
        change=CHANGE[file.kind],
        moved_to=file.path if file.source else None,
        diff="".join(f"{line}\n" for line in section[first:]),
        additions=additions,
        deletions=deletions,
        spans=_spans(file, cursor, start + first),
    )
