"""Codex's rollout files below one home: the latest found, every one that changes followed."""

import contextlib
import heapq
import os
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

from bascule.core.watch.logs.rollout import RolloutReader
from bascule.core.watch.logs.tail_lines import TailLines, read_lines
from bascule.core.watch.places import MAX_DEPTH, find_session_id, is_rollout
from bascule.host.watch.faults import WatchFaults, why_of
from bascule.host.watch.growing_file import GrowingFile, read_head
from bascule.model.watch import Signal

MAX_LISTED = 400  # of the files that are there at the start: the latest
MAX_FOLLOWED = 1_000
HEAD = 64 * 1024
MAX_FIRST_LINE = 1024 * 1024  # it carries the agent's instructions
TAIL = 64 * 1024  # the first look from the end; doubled until a prompt is in it
MAX_TAIL = 8 * 1024 * 1024


class FollowedRollout:
    """One file: its first line and its end at first, then what is appended."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.reader = RolloutReader(self._name_session())
        self._file: GrowingFile | None = None

    def read(self) -> Signal | None:
        if self._file is None:
            self._file = self._begin()
        lines = self._file.read()
        if self._file.restarted:
            self._file = self._begin()
            lines = self._file.read()
        for line in lines:
            self.reader.feed(line)
        return self.reader.signal() if self.reader.is_known and self.reader.has_input else None

    def _name_session(self) -> str:
        return find_session_id(Path(self._path).name)

    @property
    def has_more(self) -> bool:
        return self._file is not None and self._file.has_more

    def _begin(self) -> GrowingFile:
        head, size = read_head(self._path, HEAD)
        if size <= len(head):
            self.reader = RolloutReader(self._name_session())
            return GrowingFile(self._path)
        if b"\n" not in head:
            head, size = read_head(self._path, MAX_FIRST_LINE)
        tail = TAIL
        while True:
            is_last = tail >= min(MAX_TAIL, size)
            reader = self._read_head(head, with_input=is_last)
            file = GrowingFile(self._path, start=max(0, size - tail))
            for line in file.read()[1:]:  # the first one has no beginning
                reader.feed(line)
            if reader.has_input or is_last:
                self.reader = reader
                return file
            tail *= 2

    def _read_head(self, head: bytes, *, with_input: bool) -> RolloutReader:
        """Who it is and how it was begun; nothing of its status. `with_input`: its prompts count too."""
        begun = RolloutReader(self._name_session())
        for line in read_lines(head):
            begun.feed(line)
        reader = RolloutReader(self._name_session())
        for line in TailLines().feed(head.split(b"\n", 1)[0] + b"\n"):
            reader.feed(line)
        reader.skip_to_end(begun, with_input=with_input)
        return reader


class RolloutFiles:
    """`list_folders` to watch, `list_latest` to begin with, and `read` for a name that changed."""

    def __init__(self, home: str, faults: WatchFaults) -> None:
        self.root = os.path.join(os.path.realpath(home), "sessions")  # noqa: PTH118
        self._faults = faults
        self._followed: OrderedDict[str, FollowedRollout] = OrderedDict()
        self._deleted: list[str] = []

    def list_folders(self, start: str = "") -> list[str]:
        return [folder for folder, _ in self._walk(start or self.root)]

    def list_latest(self, start: str = "") -> list[str]:
        """Paths, the latest last. Of a million files only so many are kept at a time."""
        files = (one for _, names in self._walk(start or self.root) for one in names)
        return [path for _, path in heapq.nlargest(MAX_LISTED, files)][::-1]

    def _walk(self, start: str) -> Iterator[tuple[str, list[tuple[int, str]]]]:
        """Folders and their rollouts. Links are not followed, so no loop is walked."""
        waiting = [(start, 0)]
        while waiting:
            folder, depth = waiting.pop()
            names: list[tuple[int, str]] = []
            try:
                with os.scandir(folder) as entries:
                    for entry in entries:
                        self._sort_entry(entry, depth, waiting, names)
            except FileNotFoundError:
                continue
            except OSError as fault:
                self._faults.report(folder, why_of(fault))
                continue
            yield folder, names

    @staticmethod
    def _sort_entry(
        entry: "os.DirEntry[str]", depth: int, waiting: list[tuple[str, int]], names: list[tuple[int, str]]
    ) -> None:
        if entry.is_dir(follow_symlinks=False):
            if depth < MAX_DEPTH:
                waiting.append((entry.path, depth + 1))
        elif is_rollout(entry.name) and entry.is_file(follow_symlinks=False):
            with contextlib.suppress(FileNotFoundError):  # it went while we looked
                state = entry.stat(follow_symlinks=False)
                if state.st_size:  # an empty one says nothing yet
                    names.append((state.st_mtime_ns, entry.path))
            if len(names) > 2 * MAX_LISTED:
                names[:] = heapq.nlargest(MAX_LISTED, names)

    def read(self, path: str) -> tuple[Signal | None, bool]:
        """What the file says now, and whether there is more to read at once."""
        followed = self._followed.get(path)
        if followed is None:
            followed = self._followed[path] = FollowedRollout(path)
            if len(self._followed) > MAX_FOLLOWED:
                self._followed.popitem(last=False)
        self._followed.move_to_end(path)
        try:
            read = followed.read(), followed.has_more
        except FileNotFoundError:
            self._followed.pop(path, None)
            self._deleted.append(followed.reader.session)
            read = None, False
        except OSError as fault:
            self._followed.pop(path, None)
            self._faults.report(path, why_of(fault))
            return None, False
        self._faults.forget(path)
        return read

    def take_deleted(self) -> list[str]:
        """Sessions whose files were found gone since the last call: deleted, or archived."""
        deleted, self._deleted = self._deleted, []
        return deleted

    @property
    def followed(self) -> int:
        return len(self._followed)
