"""What panes showed, one file each in the data folder: as text, for after a restart."""

import contextlib
import logging
import re
from pathlib import Path

import msgspec
from msgspec import Struct

from bascule.host.files.atomic_file import replace_file

MAX_FILE = 2 * 1024 * 1024
MAX_FILES = 100
NAME = re.compile(r"[A-Za-z0-9_-]{1,80}")

log = logging.getLogger("bascule.panes")


class SavedPane(Struct, frozen=True, kw_only=True):
    pane_id: str
    shell: str
    cwd: str
    cols: int
    rows: int
    title: str = ""
    text: str = ""
    opened_at_ms: int = 0


class ScrollbackFiles:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read_all(self) -> list[SavedPane]:
        """The oldest first. What cannot be read is left out, and named in the log."""
        saved = []
        with contextlib.suppress(FileNotFoundError):
            for path in sorted(self._folder.glob("*.json"))[:MAX_FILES]:
                try:
                    saved.append(_read(path))
                except (OSError, ValueError) as fault:
                    log.warning("what a pane showed cannot be read: %s: %s", path, fault)
        return sorted(saved, key=lambda one: one.opened_at_ms)

    def write(self, pane: SavedPane) -> None:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        replace_file(self._path(pane.pane_id), msgspec.json.encode(pane), durable=False)

    def remove(self, pane_id: str) -> None:
        with contextlib.suppress(OSError):
            self._path(pane_id).unlink(missing_ok=True)

    def _path(self, pane_id: str) -> Path:
        return self._folder / f"{pane_id}.json"


def _read(path: Path) -> SavedPane:
    with path.open("rb") as file:
        data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise ValueError(f"it is larger than {MAX_FILE} bytes")
    pane = msgspec.json.decode(data, type=SavedPane)
    if pane.pane_id != path.stem or NAME.fullmatch(pane.pane_id) is None:
        raise ValueError("it names another pane")
    return pane
