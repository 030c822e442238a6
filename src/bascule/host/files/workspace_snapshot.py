"""What the files of a workspace held, noted again and again: what changed between two looks, and when.

Nothing is asked of Git, and nothing is written. A look costs one stat for each file; only what has a new
stat is read. The time says who changed a file: its stamp lies in the time of a command, or it does not.
"""

import hashlib
import os
import stat
import sys
import time
import zlib
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from bascule.host.files.confined_path import ConfinedPath, opened
from bascule.host.files.workspace_files import EXCLUDED, scan
from bascule.model.asks import Refuse
from bascule.model.ids import BlockId, RunId, SessionId

MAX_FILES = 10_000
MAX_FILE = 256 * 1024  # bytes of a file whose content is kept
MAX_BYTES = 32 * 1024 * 1024  # of all of them together
LOOK_S = 5.0  # what was not seen by then is unknown
SLACK_NS = 20_000_000  # the clock that stamps files ticks every few milliseconds
# What tools keep for themselves: changed by nearly every command, and never reviewed.
SKIPPED = EXCLUDED | {
    *("__pycache__", ".venv", "venv", ".tox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".cache"),
}

State = Literal["text", "absent", "binary", "large", "unknown"]


class FileVersion(Struct, frozen=True):
    """What a file held at one look."""

    state: State
    hash: str = ""
    packed: bytes = b""  # deflated

    @property
    def data(self) -> bytes:
        return zlib.decompress(self.packed) if self.packed else b""


ABSENT, UNKNOWN = FileVersion("absent"), FileVersion("unknown")


class CommandWindow(Struct, frozen=True, kw_only=True):
    """The time of one command; None while it runs."""

    session: SessionId
    run: RunId
    block: BlockId
    start_ns: int
    end_ns: int | None = None

    def holds(self, stamp_ns: int) -> bool:
        is_before_end = self.end_ns is None or stamp_ns <= self.end_ns
        return is_before_end and stamp_ns >= self.start_ns - SLACK_NS


class ChangedFile(Struct, frozen=True, kw_only=True):
    """A file that was changed in the time of a command."""

    window: CommandWindow
    path: str
    before: FileVersion
    after: FileVersion


class _Noted(Struct, frozen=True):
    stamp_ns: int
    size: int
    held: FileVersion


class WorkspaceSnapshot:
    """Looked at from one thread at a time."""

    def __init__(self, workspace: Path) -> None:
        self._root = Path(os.path.realpath(workspace))
        self._noted: dict[str, _Noted] = {}
        self._bytes = 0
        self._looked = False
        self.is_whole = True  # False: some files were beyond a limit

    def held(self, path: str) -> FileVersion:
        """As it was at the last look."""
        noted = self._noted.get(path)
        return noted.held if noted else ABSENT if self._looked and self.is_whole else UNKNOWN

    def look(self, windows: Sequence[CommandWindow], explained: Collection[str] = ()) -> list[ChangedFile]:
        """What ended commands changed since the last look. `explained`: the agent has reported those itself.

        What changed in the time of a command that still runs stays as it was noted, until that ends."""
        until = time.monotonic() + LOOK_S
        listing = scan(self._root, most=MAX_FILES, patience_s=LOOK_S / 2, excluded=SKIPPED)
        self.is_whole = not listing.truncated
        found: list[ChangedFile] = []
        for path in (*listing.files, *self._missing(listing.files)):
            if time.monotonic() > until:
                self.is_whole = False
                break
            one = self._look_at(path, windows, is_explained=path in explained)
            if one is not None:
                found.append(one)
        self._looked = True
        return found

    def _missing(self, files: Collection[str]) -> list[str]:
        there = set(files)
        return [path for path in self._noted if path not in there]

    def _look_at(
        self, path: str, windows: Sequence[CommandWindow], *, is_explained: bool
    ) -> ChangedFile | None:
        seen = self._stat(path)
        noted = self._noted.get(path)
        if noted is not None and seen == (noted.stamp_ns, noted.size):
            return None
        if noted is None and seen is None:
            return None
        window = None if is_explained else _find_window(windows, seen[0] if seen else self._gone_ns(path))
        if window is not None and window.end_ns is None:
            self._note_late(path)
            return None
        before = self.held(path)
        after = self._note(path, seen)
        is_change = (before.state, before.hash) != (after.state, after.hash)
        if window is None or not is_change:
            return None
        return ChangedFile(window=window, path=path, before=before, after=after)

    def _note_late(self, path: str) -> None:
        """First seen while a command runs that may have written it: what it held before is unknown."""
        if not self._looked:
            self._noted[path] = _Noted(0, -1, UNKNOWN)

    def _stat(self, path: str) -> tuple[int, int] | None:
        """When it was last changed, and its size; None where there is no such file."""
        try:
            state = (self._root / path).lstat()
        except (OSError, ValueError):
            return None
        return (_stamp_ns(state), state.st_size) if stat.S_ISREG(state.st_mode) else None

    def _gone_ns(self, path: str) -> int:
        """When the nearest folder that is still there was changed: the file went then, or earlier."""
        for folder in (self._root / path).parents:
            try:
                return folder.lstat().st_mtime_ns
            except OSError:
                continue
        return 0

    def _note(self, path: str, seen: tuple[int, int] | None) -> FileVersion:
        old = self._noted.pop(path, None)
        if old is not None:
            self._bytes -= old.size if old.held.state == "text" else 0
        if seen is None:
            return ABSENT
        held = self._read(path, *seen)
        if held is None:
            return ABSENT
        self._bytes += seen[1] if held.state == "text" else 0
        is_settled = time.time_ns() - seen[0] > SLACK_NS  # else it may change again under the same stamp
        self._noted[path] = _Noted(seen[0] if is_settled else 0, seen[1], held)
        return held

    def _read(self, path: str, stamp_ns: int, size: int) -> FileVersion | None:
        large = FileVersion("large", f"{stamp_ns} {size}")  # not read: known by its stat alone
        if size > MAX_FILE or self._bytes + size > MAX_BYTES:
            return large
        with opened(ConfinedPath(self._root, tuple(path.split("/")))) as fd:
            if isinstance(fd, Refuse):
                return None
            try:
                with os.fdopen(fd, "rb", buffering=0, closefd=False) as file:
                    data = file.read(MAX_FILE + 1) or b""
            except OSError:
                return UNKNOWN
        if len(data) > MAX_FILE:
            return large
        digest = hashlib.sha256(data).hexdigest()
        if b"\0" in data:
            return FileVersion("binary", digest)
        return FileVersion("text", digest, zlib.compress(data, 1))


def _find_window(windows: Sequence[CommandWindow], stamp_ns: int) -> CommandWindow | None:
    """One that has ended before one that still runs: the earlier end is the nearer cause."""
    fitting = [window for window in windows if window.holds(stamp_ns)]
    ended = [window for window in fitting if window.end_ns is not None]
    return next(iter(ended or fitting), None)


if sys.platform == "win32":

    def _stamp_ns(state: os.stat_result) -> int:
        return state.st_mtime_ns  # the other one is when it was made

else:

    def _stamp_ns(state: os.stat_result) -> int:
        """No program can set back the time of the last change to a file's entry."""
        return max(state.st_mtime_ns, state.st_ctime_ns)
