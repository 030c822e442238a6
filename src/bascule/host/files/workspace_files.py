"""The files of a workspace: listed, read in pieces, and searched; never one that lies outside it."""

import codecs
import os
import stat
import sys
import time
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Literal

from msgspec import Struct

from bascule.host.files.confined_path import (
    ConfinedPath,
    find_inside,
    listed,
    opened,
    parse_relative,
    speakable,
)
from bascule.model.asks import Refuse
from bascule.model.protocol.files import DirEntry, ListedDir, ReadFile, SearchedFiles, SearchHit

EXCLUDED = {".git", "node_modules"}  # at any depth
MAX_FILES = 20_000
MAX_FOLDERS = 100_000
SCAN_S = 10.0  # a folder on a slow network is listed as far as it gets
MAX_SCANNED = 200_000  # entries of one folder that are looked at
MAX_ENTRIES = 5_000  # of one folder that is shown
MAX_READ = 1024 * 1024  # bytes in one piece
MIN_READ = 4  # the longest character
HEAD = 8 * 1024  # a NUL in it makes a file binary
MAX_SEARCHED = 2 * 1024 * 1024  # bytes of a file that is searched
MAX_HITS = 1_000
MAX_HITS_IN_FILE = 100
MAX_LINE = 400  # characters of a line that is shown
MAX_QUERY = 1_000
SEARCH_S = 5.0

Kind = Literal["file", "dir", "other"]


class Listing(Struct, frozen=True):
    files: tuple[str, ...]  # relative, with `/`
    truncated: bool = False


# -- all files --


def scan(
    workspace: Path,
    *,
    most: int = MAX_FILES,
    patience_s: float = SCAN_S,
    excluded: Collection[str] = EXCLUDED,
    ignored: Collection[str] = (),
) -> Listing:
    """Folder by folder, the shallow first, so that what is cut off lies deepest. Linked folders are left.

    `ignored`: paths of files and folders; `excluded`: names, wherever they are."""
    root = os.path.realpath(workspace)
    until = time.monotonic() + patience_s
    files: list[str] = []
    waiting, folders = deque([""]), 0
    while waiting:
        if folders == MAX_FOLDERS or time.monotonic() > until:
            return Listing(tuple(files), truncated=True)
        found, inner = _read_folder(root, waiting.popleft(), excluded)
        if ignored:
            found = [path for path in found if path not in ignored]
            inner = [path for path in inner if path not in ignored]
        folders += 1
        if len(files) + len(found) > most:
            return Listing((*files, *found[: most - len(files)]), truncated=True)
        files += found
        waiting += inner
    return Listing(tuple(files))


def _read_folder(root: str, folder: str, excluded: Collection[str]) -> tuple[list[str], list[str]]:
    """Its files and its folders, in the order of their names; none where it cannot be read."""
    files, folders = [], []
    prefix = f"{folder}/" if folder else ""
    try:
        with os.scandir(f"{root}/{folder}") as entries:
            for entry in islice(entries, MAX_SCANNED):
                if entry.name in excluded or not _is_text(entry.name):
                    continue
                kind = _kind(root, entry.path, entry)
                if kind == "file":
                    files.append(prefix + entry.name)
                elif kind == "dir" and not _is_link(entry):
                    folders.append(prefix + entry.name)
    except OSError:
        return [], []
    return sorted(files), sorted(folders)


def _kind(root: str, path: str, entry: "os.DirEntry[str]") -> Kind:
    """Of a link: of what it leads to, as long as that lies in the workspace."""
    try:
        if _is_link(entry) and not _stays(root, path):
            return "other"
        return "file" if entry.is_file() else "dir" if entry.is_dir() else "other"
    except OSError:
        return "other"


def _stays(root: str, path: str) -> bool:
    return Path(os.path.realpath(path, strict=True)).is_relative_to(root)


def _is_text(name: str) -> bool:
    """Names that are no text cannot be shown; they can still be read under another name."""
    return name.isascii() or name == speakable(name)


if sys.platform == "win32":
    LINKS = {stat.IO_REPARSE_TAG_SYMLINK, stat.IO_REPARSE_TAG_MOUNT_POINT}

    def _is_link(entry: "os.DirEntry[str]") -> bool:
        return entry.stat(follow_symlinks=False).st_reparse_tag in LINKS

else:

    def _is_link(entry: "os.DirEntry[str]") -> bool:
        return entry.is_symlink()


# -- one folder, one file --


def list_dir(workspace: Path, relative: str) -> ListedDir | Refuse:
    found = find_inside(workspace, relative)
    if isinstance(found, Refuse):
        return found
    with listed(found) as entries:
        if isinstance(entries, Refuse):
            return entries
        shown = [_entry(found, entry) for entry in islice(entries, MAX_ENTRIES)]
        truncated = next(entries, None) is not None
    shown.sort(key=lambda entry: (entry.kind != "dir", entry.name))
    return ListedDir(path=_tidy(relative), entries=tuple(shown), truncated=truncated)


def _entry(folder: ConfinedPath, entry: "os.DirEntry[str]") -> DirEntry:
    kind = _kind(str(folder.root), str(folder.real / entry.name), entry)
    return DirEntry(name=speakable(entry.name), kind=kind, size=_size(entry) if kind == "file" else 0)


def _size(entry: "os.DirEntry[str]") -> int:
    try:
        return entry.stat().st_size
    except OSError:
        return 0


def read_text(workspace: Path, relative: str, offset: int, limit: int) -> ReadFile | Refuse:
    """A piece of a file, from byte `offset` on; the next begins where a character does."""
    if offset < 0:
        return Refuse(f"A file begins at 0, not at {offset}.")
    found = find_inside(workspace, relative)
    if isinstance(found, Refuse):
        return found
    with opened(found) as fd:
        if isinstance(fd, Refuse):
            return fd
        try:
            return _read_piece(fd, _tidy(relative), offset, min(max(limit, MIN_READ), MAX_READ))
        except OSError as fault:
            return Refuse(f"{relative} cannot be read: {fault.strerror}.")


def _read_piece(fd: int, path: str, offset: int, limit: int) -> ReadFile:
    size = os.fstat(fd).st_size
    with os.fdopen(fd, "rb", buffering=0, closefd=False) as file:
        if b"\0" in (file.read(HEAD) or b""):
            return ReadFile(path=path, text="", size=size, binary=True)
        file.seek(min(offset, size))
        data = file.read(limit) or b""
    at_end = offset + len(data) >= size
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = decoder.decode(data, final=at_end)
    cut = len(decoder.getstate()[0])  # bytes of a character that goes on in the next piece
    following = None if at_end else offset + len(data) - cut
    return ReadFile(path=path, text=text, size=size, next_offset=following)


def _tidy(relative: str) -> str:
    parts = parse_relative(relative)
    assert not isinstance(parts, Refuse)
    return "/".join(parts)


class Beginning(Struct, frozen=True):
    size: int
    head: bytes


def read_beginning(found: ConfinedPath, most: int = HEAD) -> Beginning | Refuse:
    """How a file begins, and its size; all of it where that is no more than `most`."""
    with opened(found) as fd:
        if isinstance(fd, Refuse):
            return fd
        try:
            with os.fdopen(fd, "rb", closefd=False) as file:
                return Beginning(os.fstat(fd).st_size, file.read(most))
        except OSError as fault:
            return Refuse(f"{speakable(found.real.name)} cannot be read: {fault.strerror}.")


def read_mtime_ms(path: str) -> int:
    """When a file was last written; 0 where that cannot be said."""
    try:
        return Path(path).stat().st_mtime_ns // 1_000_000
    except (OSError, ValueError):
        return 0


def read_sizes(workspace: Path, paths: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Of those that are there; of a link, its own."""
    root = Path(os.path.realpath(workspace))
    for path in paths:
        try:
            yield path, os.lstat(root / path).st_size
        except (OSError, ValueError):
            continue


# -- a text in all files --


def search_text(
    workspace: Path, query: str, limit: int, files: Listing, *, patience_s: float = SEARCH_S
) -> SearchedFiles | Refuse:
    """Lines that hold the query. A capital in it means that case matters."""
    if not query or len(query) > MAX_QUERY or "\n" in query:
        return Refuse(f"A search looks for 1 to {MAX_QUERY} characters of one line.")
    until = time.monotonic() + patience_s
    limit = min(max(limit, 1), MAX_HITS)
    root = Path(os.path.realpath(workspace))
    hits: list[SearchHit] = []
    truncated = files.truncated
    for path in files.files:
        if len(hits) > limit or time.monotonic() > until:
            truncated = True
            break
        in_file = list(islice(_hits(path, _read_searched(root, path), query), MAX_HITS_IN_FILE + 1))
        truncated = truncated or len(in_file) > MAX_HITS_IN_FILE
        hits += in_file[:MAX_HITS_IN_FILE]
    return SearchedFiles(hits=tuple(hits[:limit]), truncated=truncated or len(hits) > limit)


def _read_searched(root: Path, path: str) -> str:
    """Nothing of a file that is binary, large or gone; a linked one is searched under its own name."""
    with opened(ConfinedPath(root, tuple(path.split("/")))) as fd:
        if isinstance(fd, Refuse) or os.fstat(fd).st_size > MAX_SEARCHED:
            return ""
        try:
            with os.fdopen(fd, "rb", buffering=0, closefd=False) as file:
                data = file.read(MAX_SEARCHED) or b""
        except OSError:
            return ""
    return "" if b"\0" in data[:HEAD] else data.decode("utf-8", "replace")


def _hits(path: str, text: str, query: str) -> Iterator[SearchHit]:
    fold = query == query.lower()
    if query not in (text.lower() if fold else text):
        return
    for number, line in enumerate(text.split("\n"), 1):
        at = (line.lower() if fold else line).find(query)
        if at >= 0:
            yield SearchHit(path=path, line=number, text=_around(line.rstrip("\r"), at, len(query)))


def _around(line: str, at: int, length: int) -> str:
    """The line, or the part of it that the hit lies in."""
    if len(line) <= MAX_LINE:
        return line
    start = max(0, min(at - (MAX_LINE - length) // 2, len(line) - MAX_LINE))
    cut = line[start : start + MAX_LINE]
    return f"{'…' if start else ''}{cut}{'…' if start + MAX_LINE < len(line) else ''}"
