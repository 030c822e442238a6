"""One file's section of a unified diff: its headers, what they say of it, and its hunks."""

from typing import NamedTuple

from bascule.core.diff.hunks import Cursor, is_file_header, read_hunks
from bascule.core.diff.names import (
    NOWHERE,
    find_lone_path,
    find_one_path,
    parse_header_name,
    parse_name,
    split_git_names,
)
from bascule.core.diff.refusal import refusal
from bascule.core.diff.visible import quoted, visible
from bascule.model.edits import FileDiff, FileKind, Hunk

GIT = "diff --git "
MERGES = ("diff --cc ", "diff --combined ")
BINARY_PATCH = "GIT binary patch"
BINARY_FILES, DIFFER = "Binary files ", " differ"
AGAIN = "Ask for the diff again."

EXTENDED = {
    "old mode ": "old_mode",
    "new mode ": "new_mode",
    "new file mode ": "added_mode",
    "deleted file mode ": "deleted_mode",
    "rename from ": "rename_from",
    "rename to ": "rename_to",
    "copy from ": "copy_from",
    "copy to ": "copy_to",
    "index ": "index",
    "similarity index ": "similarity",
    "dissimilarity index ": "dissimilarity",
}


class Names(NamedTuple):
    kind: FileKind
    path: str
    source: str | None = None


def read_git_file(cursor: Cursor) -> FileDiff:
    number = cursor.number
    pair = split_git_names(cursor.take()[len(GIT) :])
    said = _read_extended(cursor)
    old, new = _read_plain_names(cursor)
    names = _find_names(pair, said, old, new, number)
    is_binary = _is_binary(cursor)
    hunks = () if is_binary else read_hunks(cursor, names.path)
    return _checked(names, said, hunks, is_binary=is_binary)


def read_plain_file(cursor: Cursor) -> FileDiff:
    number = cursor.number
    old, new = _read_plain_names(cursor)
    names = _find_names(None, {}, old, new, number)
    return _checked(names, {}, read_hunks(cursor, names.path), is_binary=False)


def read_binary_line(cursor: Cursor) -> FileDiff:
    """`diff -r` says no more of a binary file than that it differs."""
    number = cursor.number
    old, _, new = cursor.take().rstrip().removeprefix(BINARY_FILES).removesuffix(DIFFER).partition(" and ")
    names = _find_names(None, {}, parse_name(old), parse_name(new), number)
    return FileDiff(kind=names.kind, path=names.path, binary=True)


def is_binary_line(line: str) -> bool:
    return line.startswith(BINARY_FILES) and line.rstrip().endswith(DIFFER)


def _read_extended(cursor: Cursor) -> dict[str, str]:
    said: dict[str, str] = {}
    while not cursor.is_done:
        prefix = next((prefix for prefix in EXTENDED if cursor.peek().startswith(prefix)), None)
        if prefix is None:
            break
        said[EXTENDED[prefix]] = cursor.take()[len(prefix) :].strip("\r\n ")
    return said


def _read_plain_names(cursor: Cursor) -> tuple[str, str]:
    if cursor.is_done or not is_file_header(cursor.lines, cursor.at):
        return "", ""
    return parse_header_name(cursor.take()[4:]), parse_header_name(cursor.take()[4:])


def _is_binary(cursor: Cursor) -> bool:
    if cursor.peek().startswith(BINARY_PATCH):
        while not cursor.is_done and not cursor.peek().startswith("diff --git "):
            cursor.take()
        return True
    if is_binary_line(cursor.peek()):
        cursor.take()
        return True
    return False


# -- which file --


def _find_names(pair: tuple[str, str] | None, said: dict[str, str], old: str, new: str, number: int) -> Names:
    names = _find_moved(said) or _find_still(pair, said, old, new)
    if names is None or not names.path:
        shown = " and ".join(map(quoted, (old, new) if old or pair is None else pair))
        raise refusal(
            f"the header at line {number} of the diff names {shown}, and does not say "
            "that one is renamed to the other. Ask for the diff again, with one name for each file."
        )
    if pair is not None and not _agrees(names, pair, old, new):
        raise refusal(
            f"the headers at line {number} of the diff disagree about the name of "
            f"{visible(names.path)}. {AGAIN}",
            names.path,
        )
    return names


def _find_moved(said: dict[str, str]) -> Names | None:
    if "rename_from" in said and "rename_to" in said:
        return Names("rename", parse_name(said["rename_to"]), parse_name(said["rename_from"]))
    if "copy_from" in said and "copy_to" in said:
        return Names("copy", parse_name(said["copy_to"]), parse_name(said["copy_from"]))
    return None


def _find_still(pair: tuple[str, str] | None, said: dict[str, str], old: str, new: str) -> Names | None:
    if not old and pair is not None:
        old, new = pair
    path = _find_path(pair, old, new)
    if path is None or (old == new == NOWHERE):
        return None
    if old == NOWHERE or "added_mode" in said:
        return Names("add", path)
    if new == NOWHERE or "deleted_mode" in said:
        return Names("delete", path)
    return Names("update", path)


def _find_path(pair: tuple[str, str] | None, old: str, new: str) -> str | None:
    if old == NOWHERE:
        return find_lone_path(new, pair)
    if new == NOWHERE:
        return find_lone_path(old, pair)
    return find_one_path(old, new)


def _agrees(names: Names, pair: tuple[str, str], old: str, new: str) -> bool:
    """No header may say one file and write another."""
    before = names.path if names.source is None else names.source
    wanted = ((before, (pair[0], old)), (names.path, (pair[1], new)))
    return all(_means(written, path) for path, both in wanted for written in both)


def _means(written: str, path: str) -> bool:
    return written in ("", NOWHERE, path) or written.partition("/")[2] == path


# -- what is said of it --


def _checked(names: Names, said: dict[str, str], hunks: tuple[Hunk, ...], *, is_binary: bool) -> FileDiff:
    before, after = _modes(said)
    says_enough = hunks or is_binary or names.source is not None or set(said) & SAYS_ENOUGH
    if not says_enough:
        raise refusal(f"the diff names {visible(names.path)} and has no hunk for it. {AGAIN}", names.path)
    return FileDiff(
        kind=names.kind,
        path=names.path,
        source=names.source,
        hunks=hunks,
        mode_before=before,
        mode_after=after,
        binary=is_binary,
    )


SAYS_ENOUGH = {"new_mode", "added_mode", "deleted_mode"}


def _modes(said: dict[str, str]) -> tuple[str | None, str | None]:
    _, _, unchanged = said.get("index", "").partition(" ")
    before = said.get("old_mode") or said.get("deleted_mode") or unchanged or None
    after = said.get("new_mode") or said.get("added_mode") or unchanged or None
    return before, None if after is None or "deleted_mode" in said else after
