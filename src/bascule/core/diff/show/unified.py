"""A unified diff, file by file: what a Changes block shows under each name."""

from collections.abc import Callable
from typing import Literal

from bascule.core.diff.read.hunks import Cursor, is_file_header, is_hunk_header, read_hunks
from bascule.core.diff.read.sections import GIT, read_git_file, read_plain_file
from bascule.core.diff.refusal import DiffRefused
from bascule.core.diff.show.shown_diff import NO_NEWLINE, count_lines
from bascule.model.blocks import FileEdit
from bascule.model.edits import FileDiff, FileKind

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
        try:
            files.append(_edit(read(cursor), cursor.lines[start : cursor.at]))
        except DiffRefused:
            cursor.at = max(cursor.at, start + 1)  # the others are still shown
    return tuple(files)


def added(path: str, content: str) -> FileEdit:
    """A new file: Codex tells its content, not a diff."""
    return FileEdit(path=path, change="add", diff=_whole(content, "+"), additions=len(_lines(content)))


def deleted(path: str, content: str) -> FileEdit:
    return FileEdit(path=path, change="delete", diff=_whole(content, "-"), deletions=len(_lines(content)))


def updated(path: str, hunks: str, moved_to: str | None = None) -> FileEdit:
    additions, deletions = _count(path, hunks)
    return FileEdit(
        path=path, change="update", moved_to=moved_to, diff=hunks, additions=additions, deletions=deletions
    )


def _lines(text: str) -> list[str]:
    """Only a newline ends a line of a diff: a form feed or U+2028 is content."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _whole(content: str, sign: str) -> str:
    lines = _lines(content)
    if not lines:
        return ""
    span = f"-0,0 +1,{len(lines)}" if sign == "+" else f"-1,{len(lines)} +0,0"
    tail = [] if content.endswith("\n") else [NO_NEWLINE]
    return "\n".join([f"@@ {span} @@", *(sign + line for line in lines), *tail]) + "\n"


def _find_reader(cursor: Cursor) -> Callable[[Cursor], FileDiff] | None:
    if cursor.peek().startswith(GIT):
        return read_git_file
    return read_plain_file if is_file_header(cursor.lines, cursor.at) else None


def _edit(file: FileDiff, section: list[str]) -> FileEdit:
    """Its lines as they are written."""
    first = next((at for at, line in enumerate(section) if is_hunk_header(line)), len(section))
    additions, deletions = count_lines(file)
    return FileEdit(
        path=file.source or file.path,
        change=CHANGE[file.kind],
        moved_to=file.path if file.source else None,
        diff="".join(f"{line}\n" for line in section[first:]),
        additions=additions,
        deletions=deletions,
    )


def _count(path: str, hunks: str) -> tuple[int, int]:
    lines = _lines(hunks)
    try:
        return count_lines(FileDiff(kind="update", path=path, hunks=read_hunks(Cursor(lines), path)))
    except DiffRefused:  # cut off, or not what it says: about so many
        return sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines)
