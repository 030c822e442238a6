"""Which process has a Codex thread open for writing: the holder of its lock, as the system lists it."""

import os
import re
from pathlib import Path
from typing import NamedTuple

import psutil

from bascule.core.session.growing_text import shorten
from bascule.core.text.plain import plain_line

LOCKS = Path("/proc/locks")
MAX_LOCKS = 4 * 1024 * 1024  # bytes of the system's list
MAX_NAME = 80
SAFE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}", re.ASCII)
# 66: FLOCK  ADVISORY  WRITE 28816 fe:00:5833203 0 EOF
LINE = re.compile(
    r"\d+:\s+FLOCK\s+\w+\s+WRITE\s+(\d+)\s+([0-9a-f]+):([0-9a-f]+):(\d+)\s", re.ASCII | re.IGNORECASE
)


class LockHolder(NamedTuple):
    pid: int
    name: str  # "codex app-server"

    def __str__(self) -> str:
        return f"{self.name} (pid {self.pid})"


def find_holder(home: str, thread: str) -> LockHolder | None:
    """None where nobody holds it, or the system does not say."""
    if SAFE_ID.fullmatch(thread) is None:
        return None
    try:
        state = Path(home, "thread-writer-locks", f"{thread}.lock").stat()
        with LOCKS.open("rb") as file:
            listed = file.read(MAX_LOCKS).decode("ascii", "replace")
    except OSError:
        return None
    pid = find_pid(listed, os.major(state.st_dev), os.minor(state.st_dev), state.st_ino)
    return LockHolder(pid, _name(pid)) if pid else None


def find_pid(listed: str, major: int, minor: int, inode: int) -> int:
    """0 where nobody is listed."""
    for line in listed.splitlines():
        match = LINE.match(line.strip())
        if match and (int(match[2], 16), int(match[3], 16), int(match[4])) == (major, minor, inode):
            return int(match[1])
    return 0


def _name(pid: int) -> str:
    """The program and its first word that is no option."""
    try:
        program, *rest = psutil.Process(pid).cmdline()
    except (psutil.Error, ValueError):
        return "another program"
    verb = next((word for word in rest if not word.startswith("-")), "")
    return shorten(plain_line(f"{Path(program).name} {verb}".strip()), MAX_NAME)
