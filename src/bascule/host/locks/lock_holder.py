"""Who holds the lock on a folder itself, as the system knows it: no file can be deleted to hide it."""

import os
import re
import sys
from pathlib import Path

LOCKS = Path("/proc/locks")
MAX_LOCKS = 4 * 1024 * 1024
HELD = re.compile(r"^\d+:\s+FLOCK\s+\S+\s+WRITE\s+(\d+)\s+[0-9a-f]+:[0-9a-f]+:(\d+)\s", re.MULTILINE)


def find_holder(folder: Path) -> int | None:
    """The process, where the system tells it (Linux)."""
    if sys.platform != "linux":
        return None
    try:
        state = folder.stat()
        with LOCKS.open("rb") as file:
            listed = file.read(MAX_LOCKS).decode("ascii", "replace")
    except OSError:
        return None
    pids = (int(held[1]) for held in HELD.finditer(listed) if int(held[2]) == state.st_ino)
    return next((pid for pid in pids if _has_open(pid, state)), None)


def _has_open(pid: int, state: os.stat_result) -> bool:
    """Another file system may have the same number for another file."""
    try:
        with os.scandir(f"/proc/{pid}/fd") as entries:
            return any(_is_same(Path(entry.path), state) for entry in entries)
    except OSError:
        return False


def _is_same(link: Path, state: os.stat_result) -> bool:
    try:
        return os.path.samestat(link.stat(), state)
    except OSError:
        return False
