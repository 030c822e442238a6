"""The file in which an agent keeps one session: found by the session's id, its end read, then followed."""

import os
import re
import stat
from collections.abc import Iterable, Iterator

from bascule.core.watch.logs.tail_lines import TailLine
from bascule.core.watch.places import MAX_DEPTH, find_session_id, is_rollout
from bascule.host.watch.growing_file import GrowingFile, read_head

TAIL = 4 * 1024 * 1024  # bytes that are read of a long file
MAX_FOLDERS = 20_000  # that are looked into
SAFE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}", re.ASCII)


def find_rollout(homes: Iterable[str], session: str) -> str | None:
    """The latest, should there be two. Folders are named by dates, so the latest come first."""
    if SAFE_ID.fullmatch(session) is None:
        return None
    for home in homes:
        root = os.path.join(os.path.realpath(home), "sessions")  # noqa: PTH118
        for folder in _walk(root):
            for name in _names(folder):
                if is_rollout(name) and session in name and find_session_id(name) == session:
                    return os.path.join(folder, name)  # noqa: PTH118
    return None


def find_transcript(claude_homes: Iterable[str], session: str) -> str | None:
    if SAFE_ID.fullmatch(session) is None:
        return None
    for home in claude_homes:
        root = os.path.join(home, "projects")  # noqa: PTH118
        for folder in _names(root)[:MAX_FOLDERS]:
            path = os.path.join(root, folder, f"{session}.jsonl")  # noqa: PTH118
            if _is_file(path):
                return path
    return None


def _walk(root: str) -> Iterator[str]:
    """Links are not followed, so no loop is walked."""
    waiting, seen = [(root, 0)], 0
    while waiting and seen < MAX_FOLDERS:
        folder, depth = waiting.pop()
        seen += 1
        yield folder
        if depth < MAX_DEPTH:
            inner = (os.path.join(folder, name) for name in sorted(_names(folder)))  # noqa: PTH118
            waiting += [(one, depth + 1) for one in inner if _is_folder(one)]


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208
    except OSError:
        return []


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def _is_file(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


class SessionLog:
    """`read` gives the lines that are new. `is_tail`: the file is longer than what is read of it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.is_tail = False
        self.restarted = False  # it was cut or replaced, and begins again
        self._file: GrowingFile | None = None

    def read(self) -> list[TailLine]:
        if self._file is None:
            return self._begin()
        lines = self._file.read()
        self.restarted = self._file.restarted
        return self._begin() if self.restarted else lines

    def _begin(self) -> list[TailLine]:
        size = read_head(self.path, 0)[1]
        self.is_tail = size > TAIL
        self._file = GrowingFile(self.path, start=max(0, size - TAIL))
        lines = self._file.read()
        return lines[1:] if self.is_tail else lines  # the first one has no beginning

    @property
    def has_more(self) -> bool:
        return self._file is not None and self._file.has_more
