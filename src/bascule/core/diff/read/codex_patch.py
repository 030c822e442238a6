"""Codex's own patch format: `*** Begin Patch`, files by name, hunks by context and anchors."""

from bascule.core.diff.read.hunk_headers import is_hunk_header, parse_hunk_header
from bascule.core.diff.read.hunks import BLANK, MAX_HUNK_LINES, MAX_HUNKS, SIGNS, Cursor, parse_body
from bascule.core.diff.read.names import parse_name, without_dot
from bascule.core.diff.refusal import refusal
from bascule.core.text.visible import quoted, visible
from bascule.model.edits import FileDiff, Hunk

BEGIN, END = "*** Begin Patch", "*** End Patch"
ADD, DELETE, UPDATE = "*** Add File:", "*** Delete File:", "*** Update File:"
MOVE, END_OF_FILE = "*** Move to:", "*** End of File"
MAX_ANCHORS = 20  # of one hunk
AGAIN = "Ask for the patch again."


def is_patch_start(line: str) -> bool:
    return line.strip() == BEGIN


def read_patch(cursor: Cursor) -> list[FileDiff]:
    is_crlf = cursor.take().endswith("\r")
    files: list[FileDiff] = []
    while not cursor.is_done:
        line = cursor.peek().strip()
        if line == END:
            cursor.take()
            return files
        if line:
            files.append(_read_file(cursor, is_crlf=is_crlf))
        else:
            cursor.take()
    raise refusal(f"the patch has no `{END}`, so it may have been cut off. {AGAIN}")


def _read_file(cursor: Cursor, *, is_crlf: bool) -> FileDiff:
    line = cursor.peek().strip()
    for marker, read in READERS.items():
        if line.startswith(marker):
            cursor.take()
            return read(cursor, _parse_path(line[len(marker) :]), is_crlf)
    raise refusal(f"line {cursor.number} of the patch, {quoted(cursor.peek())}, belongs to no file. {AGAIN}")


def _parse_path(written: str) -> str:
    return without_dot(parse_name(written.strip()))


def _read_added(cursor: Cursor, path: str, is_crlf: bool) -> FileDiff:
    body = _take_body(cursor, path, 1)
    if any(line[:1] != "+" for line in body):
        raise refusal(f"{visible(path)} is to be added, and not every line begins with +. {AGAIN}", path)
    lines = parse_body(body, is_crlf=is_crlf)
    return FileDiff(
        kind="add",
        path=path,
        hunks=(Hunk(old_start=0, new_start=1, lines=lines, numbers="none"),) if lines else (),
    )


def _read_deleted(_cursor: Cursor, path: str, _is_crlf: bool) -> FileDiff:
    return FileDiff(kind="delete", path=path, by_name=True)


def _read_updated(cursor: Cursor, path: str, is_crlf: bool) -> FileDiff:
    moved_to = None
    if cursor.peek().strip().startswith(MOVE):
        moved_to = _parse_path(cursor.take().strip()[len(MOVE) :])
    hunks: list[Hunk] = []
    while not cursor.is_done and not _is_marker(cursor.peek()):
        hunks.append(_read_hunk(cursor, path, len(hunks) + 1, is_crlf=is_crlf))
        if len(hunks) > MAX_HUNKS:
            raise refusal(f"{visible(path)} has more than {MAX_HUNKS} hunks.", path)
    if not hunks and moved_to is None:
        raise refusal(f"the patch names {visible(path)} and has no hunk for it. {AGAIN}", path)
    if moved_to is None:
        return FileDiff(kind="update", path=path, hunks=tuple(hunks))
    return FileDiff(kind="rename", path=moved_to, source=path, hunks=tuple(hunks))


READERS = {ADD: _read_added, DELETE: _read_deleted, UPDATE: _read_updated}


def _read_hunk(cursor: Cursor, path: str, number: int, *, is_crlf: bool) -> Hunk:
    anchors: list[str] = []
    old_start = new_start = 0
    while is_hunk_header(cursor.peek()):  # several in a row narrow it down
        header = parse_hunk_header(cursor.peek())
        old_start, new_start = header.old_start, header.new_start
        if header.counts is None:
            anchors.append(cursor.peek()[2:].strip())
        cursor.take()
    lines = parse_body(_take_body(cursor, path, number), is_crlf=is_crlf)
    if not lines:
        raise refusal(f"{visible(path)}, hunk {number} is empty. {AGAIN}", path, hunk=number)
    named = tuple(filter(None, anchors))
    if len(named) > MAX_ANCHORS:
        raise refusal(
            f"{visible(path)}, hunk {number} has more than {MAX_ANCHORS} anchors. {AGAIN}", path, hunk=number
        )
    ends = cursor.peek().strip() == END_OF_FILE
    if ends:
        cursor.take()
    only_adds = all(line.sign == "+" for line in lines)  # without an anchor Codex puts those at the end
    return Hunk(
        numbers="wrong" if old_start else "none",
        old_start=old_start,
        new_start=new_start,
        lines=lines,
        anchors=named,
        at_end=ends or (only_adds and not named and not new_start),
    )


def _take_body(cursor: Cursor, path: str, number: int) -> list[str]:
    body: list[str] = []
    while not cursor.is_done and not _is_marker(cursor.peek()) and not is_hunk_header(cursor.peek()):
        line = cursor.take()
        if line[:1] not in SIGNS and line not in BLANK:
            raise refusal(
                f"{visible(path)}, hunk {number}: line {cursor.number - 1} of the patch, "
                f"{quoted(line)}, begins with neither a blank, + nor -. {AGAIN}",
                path,
                hunk=number,
            )
        body.append(line)
        if len(body) > MAX_HUNK_LINES:
            raise refusal(
                f"{visible(path)}, hunk {number} has more than {MAX_HUNK_LINES} lines.",
                path,
                hunk=number,
            )
    while body and body[-1] in BLANK:
        body.pop()
    return body


def _is_marker(line: str) -> bool:
    return line.startswith("***")
