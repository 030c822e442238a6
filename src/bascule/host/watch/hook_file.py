"""The files that Claude's hooks append to: made while a daemon runs, gone when it ends."""

import os
from pathlib import Path
from typing import Literal

from bascule.core.watch.hook_lines import HookReader
from bascule.host.watch.faults import WatchFaults, why_of
from bascule.host.watch.growing_file import GrowingFile
from bascule.model.watch import Signal

PRIVATE = 0o600
CHOSEN = "outside"  # there as long as the person wants sessions outside panes to be watched
MAX_SIZE = 4 * 1024 * 1024  # begun again above it


Where = Literal["outside", "panes"]


def notify_folder(data_root: Path) -> Path:
    return data_root / "notify"


def find_hook_path(data_root: Path, where: Where) -> Path:
    return notify_folder(data_root) / f"{where}-{os.getpid()}.jsonl"


class HookFile:
    """`outside-<pid>.jsonl`, for sessions in any terminal, or `panes-<pid>.jsonl`, for those in our panes.

    The runner appends only while it is there, and to the first only while that process lives."""

    def __init__(self, data_root: Path, faults: WatchFaults, where: Where = "outside") -> None:
        self.folder = notify_folder(data_root)
        self.path = find_hook_path(data_root, where)
        self._where = where
        self._faults = faults
        self._reader = HookReader()
        self._file: GrowingFile | None = None
        self._old: GrowingFile | None = None  # the one before: a runner may have had it open
        self._old_path = self.path.with_suffix(".old")

    @property
    def is_open(self) -> bool:
        """False also where somebody has deleted it."""
        return self._file is not None and self.path.exists()

    def open(self) -> bool:
        """False while nobody has installed hooks for sessions outside panes."""
        if self._where == "outside" and not (self.folder / CHOSEN).is_file():
            self.close()
            return False
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            for left in self.folder.glob(f"{self._where}-*"):
                left.unlink()  # of a daemon that did not end well: there is one at a time
            self._file, self._old = self._make(), None
        except OSError as fault:
            self._faults.report(str(self.folder), why_of(fault))
            return False
        return True

    def _make(self) -> GrowingFile:
        os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
        return GrowingFile(str(self.path))

    def read(self) -> list[Signal]:
        if self._file is None:
            return []
        try:
            lines = [*(self._old.read() if self._old is not None else ()), *self._file.read()]
            if self._file.offset > MAX_SIZE:
                self._begin_again(self._file)
        except OSError as fault:
            self._faults.report(str(self.path), why_of(fault))
            return []
        signals = (self._reader.feed(line.data) for line in lines if not line.is_cut)
        return [signal for signal in signals if signal is not None]

    def _begin_again(self, long: GrowingFile) -> None:
        """What is still written to the long one is read until the next time."""
        self.path.rename(self._old_path)
        long.path = str(self._old_path)
        self._old, self._file = long, None
        self._file = self._make()

    def close(self) -> None:
        if self._file is not None:
            self._file = self._old = None
            self.path.unlink(missing_ok=True)
            self._old_path.unlink(missing_ok=True)
