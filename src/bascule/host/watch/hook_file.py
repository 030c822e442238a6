"""The files that Claude's hooks append to: made while a daemon runs, gone when it ends."""

import os
from pathlib import Path

from bascule.core.watch.hook_lines import HookReader
from bascule.host.watch.faults import WatchFaults, why_of
from bascule.host.watch.growing_file import GrowingFile
from bascule.model.watch import Signal

PRIVATE = 0o600
CHOSEN = "outside"  # there as long as the person wants sessions outside panes to be watched
MAX_SIZE = 4 * 1024 * 1024  # begun again above it


def notify_folder(data_root: Path) -> Path:
    return data_root / "notify"


class HookFile:
    """`outside-<pid>.jsonl`: the runner appends only while that process lives."""

    def __init__(self, data_root: Path, faults: WatchFaults) -> None:
        self.folder = notify_folder(data_root)
        self.path = self.folder / f"outside-{os.getpid()}.jsonl"
        self._faults = faults
        self._reader = HookReader()
        self._file: GrowingFile | None = None

    @property
    def is_open(self) -> bool:
        return self._file is not None

    def open(self) -> bool:
        """False while nobody has installed hooks for sessions outside panes."""
        if not (self.folder / CHOSEN).is_file():
            self.close()
            return False
        try:
            for left in self.folder.glob("outside-*.jsonl"):
                left.unlink()  # of a daemon that did not end well: there is one at a time
            os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
        except OSError as fault:
            self._faults.report(str(self.folder), why_of(fault))
            return False
        self._file = GrowingFile(str(self.path))
        return True

    def read(self) -> list[Signal]:
        if self._file is None:
            return []
        try:
            lines = self._file.read()
            if self._file.offset > MAX_SIZE:
                os.truncate(self.path, 0)
        except OSError as fault:
            self._faults.report(str(self.path), why_of(fault))
            return []
        signals = (self._reader.feed(line.data) for line in lines if not line.is_cut)
        return [signal for signal in signals if signal is not None]

    def close(self) -> None:
        if self._file is not None:
            self._file = None
            self.path.unlink(missing_ok=True)
