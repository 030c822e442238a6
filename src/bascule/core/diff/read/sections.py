"""One file's section of a unified diff: its headers, what they say of it, and its hunks."""

import re
from typing import Literal, NamedTuple

from bascule.core.diff.read.contradictions import check_consistent
from bascule.core.diff.read.hunks import Cursor, is_file_header, read_hunks
from bascule.core.diff.read.names import (
    NOWHERE,
    HeaderName,
    advise_strip,
    find_lone_path,
    find_one_path,
    parse_header_name,
    parse_name,
    split_git_names,
    strip_folders,
    without_dot,
)
from bascule.core.diff.refusal import AGAIN, refusal
from bascule.core.text.visible import quoted, visible
from bascule.model.edits import FileDiff, FileKind, Hunk

GIT = "diff --git "
MERGES = ("diff --cc ", "diff --combined ")
BINARY_PATCH = "GIT binary patch"
BINARY_FILES, DIFFER = "Binary files ", " differ"
MAX_UNKNOWN = 20  # header lines in a row

EXTENDED = {
    "old mode ": "old_mode",
    "new mode ": "new_mode",
    "new file mode ": "added_mode",
    "deleted file mode ": "deleted_mode",
    "rename from ": "rename_from",
    "rename to ": "rename_to",
    "rename old ": "rename_from",  # as Git wrote it first, and still reads it
    "rename new ": "rename_to",
    "copy from ": "copy_from",
    "copy to ": "copy_to",
    "index ": "index",
    "similarity index ": "similarity",
    "dissimilarity index ": "dissimilarity",
}


MOVED = {"rename_from", "rename_to", "copy_from", "copy_to"}
MODES = {"old_mode", "new_mode", "added_mode", "deleted_mode"}
PLAIN_INDEX = re.compile(r"index [0-9a-f]+\.\.[0-9a-f]+(?: ([0-7]{6}))?")
PLAIN_PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./+-]*")
MODE = re.compile(r"[0-7]{3,7}")


class Names(NamedTuple):
    kind: FileKind
    path: str
    source: str | None = None


class Section(NamedTuple):
    """The headers of one file, as they are written."""

    number: int  # the line of the text that they begin at
    pair: tuple[str, str] | None  # after `diff --git`
    said: dict[str, str]
    old: HeaderName | None
    new: HeaderName | None


def read_git_file(cursor: Cursor, strip: int | None = None) -> FileDiff:
    plain = _find_plain_head(cursor) if strip is None else None
    if plain is None:
        return _read_any_git_file(cursor, strip)
    path, mode = plain
    hunks = read_hunks(cursor, path)
    return FileDiff(kind="update", path=path, hunks=hunks, mode_before=mode, mode_after=mode, stripped=1)


def _find_plain_head(cursor: Cursor) -> tuple[str, str | None] | None:
    """Path and mode of a file that is only edited, where nothing about its head is unusual: most are so."""
    lines, at = cursor.lines, cursor.at
    first, mode = lines[at], None
    path = first[len(GIT) + 2 : (len(first) + len(GIT) - 1) // 2]
    if not PLAIN_PATH.fullmatch(path) or first != f"{GIT}a/{path} b/{path}" or len(lines) < at + 5:
        return None
    if index := PLAIN_INDEX.fullmatch(lines[at + 1]):
        at, mode = at + 1, index[1]
    if lines[at + 1] != f"--- a/{path}" or lines[at + 2] != f"+++ b/{path}" or lines[at + 3][:3] != "@@ ":
        return None
    cursor.at = at + 3
    return path, mode


def _read_any_git_file(cursor: Cursor, strip: int | None) -> FileDiff:
    number = cursor.number
    pair = split_git_names(cursor.take()[len(GIT) :])
    said = _read_extended(cursor)
    _check_known(cursor)
    section = Section(number, pair, said, *_read_plain_names(cursor, is_git=True))
    names = _find_names(section, strip)
    is_binary = _is_binary(cursor)
    hunks = () if is_binary else read_hunks(cursor, names.path)
    return _checked(names, section, hunks, cursor, strip, is_binary=is_binary)


def read_plain_file(cursor: Cursor, strip: int | None = None) -> FileDiff:
    section = Section(cursor.number, None, {}, *_read_plain_names(cursor, is_git=False))
    names = _find_names(section, strip)
    return _checked(names, section, read_hunks(cursor, names.path), cursor, strip, is_binary=False)


def read_binary_line(cursor: Cursor, strip: int | None = None) -> FileDiff:
    """`diff -r` says no more of a binary file than that it differs."""
    number = cursor.number
    old, _, new = cursor.take().rstrip().removeprefix(BINARY_FILES).removesuffix(DIFFER).partition(" and ")
    section = Section(number, None, {}, parse_header_name(old), parse_header_name(new))
    names = _find_names(section, strip)
    return FileDiff(kind=names.kind, path=names.path, binary=True)


def is_binary_line(line: str) -> bool:
    return line.startswith(BINARY_FILES) and line.rstrip().endswith(DIFFER)


def _read_extended(cursor: Cursor) -> dict[str, str]:
    said: dict[str, str] = {}
    while not cursor.is_done:
        line = cursor.peek()
        prefix = next((prefix for prefix in EXTENDED if line.startswith(prefix)), None)
        if prefix is None:
            _check_extended(line, cursor.number)
            break
        name, value = EXTENDED[prefix], line[len(prefix) :].rstrip("\r\n")
        if name not in MOVED:
            value = value.strip(" ")
        if name in MODES and not MODE.fullmatch(value):
            raise refusal(
                f"line {cursor.number} of the diff, {quoted(line)}, names no file mode. {AGAIN}",
            )
        if said.setdefault(name, value) != value:
            raise refusal(f"line {cursor.number} of the diff, {quoted(line)}, contradicts another. {AGAIN}")
        cursor.take()
    return said


def _check_extended(line: str, number: int) -> None:
    """A header without its value, such as `new mode`, says nothing that could be done."""
    if line.rstrip() and any(line.rstrip() == prefix.rstrip() for prefix in EXTENDED):
        raise refusal(f"line {number} of the diff, {quoted(line)}, lacks its value. {AGAIN}")


def _check_known(cursor: Cursor) -> None:
    """Git passes over a header that it doesn't know; what it would have said of the file, nobody knows."""
    for at in range(cursor.at, min(cursor.at + MAX_UNKNOWN, len(cursor.lines))):
        line = cursor.lines[at]
        if is_file_header(cursor.lines, at):
            if at > cursor.at:
                unknown = quoted(cursor.peek().rstrip())
                raise refusal(
                    f"line {cursor.number} of the diff, {unknown}, is not a header that is known here. "
                    "Ask for the diff again, without it."
                )
            return
        if not line.strip() or line.startswith((GIT, "@@", BINARY_PATCH)) or is_binary_line(line):
            return


def _read_plain_names(cursor: Cursor, *, is_git: bool) -> tuple[HeaderName | None, HeaderName | None]:
    if cursor.is_done or not is_file_header(cursor.lines, cursor.at):
        return None, None
    old, new = cursor.take()[4:], cursor.take()[4:]
    return parse_header_name(old, is_git=is_git), parse_header_name(new, is_git=is_git)


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


def _find_names(section: Section, strip: int | None) -> Names:
    check_consistent(section.said, section.old, section.new, section.number)
    names = _find_moved(section.said, strip) or _find_still(section, strip)
    if names is None or not names.path or names.source == "":
        raise refusal(_unclear(section, strip))
    if section.pair is not None and not _agrees(names, section, strip):
        raise refusal(
            f"the headers at line {section.number} of the diff disagree about the name of "
            f"{visible(names.path)}. {AGAIN}",
            names.path,
        )
    return names


def _unclear(section: Section, strip: int | None) -> str:
    written = _written(section)
    shown = " and ".join(map(quoted, written))
    said = f"the header at line {section.number} of the diff names {shown}, and"
    blank = next((name for name in written if name != name.rstrip(" ")), None)
    if blank is not None and not set(section.said) & MOVED:
        bare = f"{quoted(blank)} ends with a blank, which is part of a name"
        return f"{said} {bare}. Ask for the diff again, without the blank."
    deeper = "" if set(section.said) & MOVED else advise_strip(*written, strip or 0)
    if strip is None:
        other = deeper or AGAIN.replace(".", ", with one name for each file.")
        return f"{said} does not say that one is renamed to the other. {other}"
    is_left = all(strip_folders(name, strip) for name in written) and not set(section.said) & MOVED
    if is_left:
        return f"{said} -p{strip} leaves two different names. {deeper or AGAIN}"
    return f"{said} -p{strip} leaves no name. Apply it with a smaller number, or without -p."


def _written(section: Section) -> tuple[str, str]:
    if section.old is not None and section.new is not None:
        return section.old.name, section.new.name
    return section.pair or ("", "")


def _find_moved(said: dict[str, str], strip: int | None) -> Names | None:
    if "rename_from" in said:
        return Names("rename", _moved_name(said["rename_to"], strip), _moved_name(said["rename_from"], strip))
    if "copy_from" in said:
        return Names("copy", _moved_name(said["copy_to"], strip), _moved_name(said["copy_from"], strip))
    return None


def _moved_name(written: str, strip: int | None) -> str:
    """These names have no prefix, so Git drops one folder less from them."""
    name = parse_name(written)
    return without_dot(name) if strip is None else strip_folders(name, max(strip - 1, 0))


def _find_still(section: Section, strip: int | None) -> Names | None:
    old, new = section.old, section.new
    if old is None or new is None:
        if section.pair is None:
            return None
        old, new = HeaderName(section.pair[0]), HeaderName(section.pair[1])
    if old.is_absent and new.is_absent:
        return None
    path = _find_path(section.pair, old, new, strip)
    if path is None:
        return None
    if old.is_absent or "added_mode" in section.said:
        return Names("add", path)
    if new.is_absent or "deleted_mode" in section.said:
        return Names("delete", path)
    return Names("update", path)


def _find_path(
    pair: tuple[str, str] | None, old: HeaderName, new: HeaderName, strip: int | None
) -> str | None:
    if old.is_nowhere:
        return find_lone_path(new.name, pair, strip)
    if new.is_nowhere:
        return find_lone_path(old.name, pair, strip)
    return find_one_path(old.name, new.name, strip)


def _agrees(names: Names, section: Section, strip: int | None) -> bool:
    """No header may say one file and write another."""
    assert section.pair is not None
    before = names.path if names.source is None else names.source
    old = section.old.name if section.old else ""
    new = section.new.name if section.new else ""
    if strip is not None:
        written = ((before, old), (names.path, new))
        return all(name in ("", NOWHERE) or strip_folders(name, strip) == path for path, name in written)
    wanted = ((before, (section.pair[0], old)), (names.path, (section.pair[1], new)))
    prefixed = [_has_prefix(written, path) for path, both in wanted for written in both]
    return None not in prefixed and len(set(prefixed) - {"any"}) <= 1


def _has_prefix(written: str, path: str) -> Literal["yes", "no", "any"] | None:
    """Before this path; None where it is another. All names of a file have one, or none has."""
    if written in ("", NOWHERE):
        return "any"
    if written == path:
        return "no"
    return "yes" if written.partition("/")[2] == path else None


# -- what is said of it --


def _checked(
    names: Names,
    section: Section,
    hunks: tuple[Hunk, ...],
    cursor: Cursor,
    strip: int | None,
    *,
    is_binary: bool,
) -> FileDiff:
    before, after = _modes(section.said)
    if not hunks and not is_binary and _lacks_hunks(names, section, cursor):
        raise refusal(f"the diff names {visible(names.path)} and has no hunk for it. {AGAIN}", names.path)
    if names.kind == "add" and cursor.short is not None and hunks:
        raise refusal(
            f"{visible(names.path)} is a new file, and has fewer lines than the numbers at line "
            f"{cursor.short.line} of the diff say, so it may have been cut off. {AGAIN}",
            names.path,
            hunk=cursor.short.hunk,
        )
    return FileDiff(
        kind=names.kind,
        path=names.path,
        source=names.source,
        hunks=hunks,
        mode_before=before,
        mode_after=after,
        binary=is_binary,
        also=_other_path(names, section) if strip is None else None,
        stripped=_count_stripped(names, section, strip),
    )


def _count_stripped(names: Names, section: Section, strip: int | None) -> int:
    """As -p counts: the names of a rename or a copy have no prefix, and lose one folder less."""
    if names.source is not None:
        return 1 if strip is None else max(strip, 1)
    written = next(name for name in _written(section) if name != NOWHERE)
    return written.count("/") - names.path.count("/")


def _other_path(names: Names, section: Section) -> str | None:
    """Names without a prefix: Git would drop their top folder. Those of a rename or a copy never have one."""
    is_whole = names.source is None and names.path in _written(section)
    return names.path.partition("/")[2] or None if is_whole else None


SAYS_ENOUGH = {"new_mode", "added_mode", "deleted_mode", "rename_from", "copy_from"}
EMPTY_BLOB = "e69de29"  # how Git names a file without content


def _lacks_hunks(names: Names, section: Section, cursor: Cursor) -> bool:
    """Whether its headers say that its content changes, or say nothing at all."""
    said = section.said
    if section.old is not None or not set(said) & SAYS_ENOUGH:
        return True
    if "index" in said:
        before, _, after = said["index"].partition(" ")[0].partition("..")
        changes = {"add": after, "delete": before}.get(names.kind)
        return before != after if changes is None else not changes.startswith(EMPTY_BLOB)
    if names.kind == "add":
        return not cursor.peek().startswith(GIT)  # Git would go on with the line that names its content
    return said.get("similarity", "100%") != "100%"


def _modes(said: dict[str, str]) -> tuple[str | None, str | None]:
    _, _, unchanged = said.get("index", "").partition(" ")
    before = said.get("old_mode") or said.get("deleted_mode") or unchanged or None
    after = said.get("new_mode") or said.get("added_mode") or unchanged or None
    return before, None if after is None or "deleted_mode" in said else after
