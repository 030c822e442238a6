"""Reading a file that somebody else may swap for a pipe or a device: it never blocks."""

import os
import stat
from pathlib import Path

OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def read_plain(path: Path, most: int) -> bytes:
    """At most that many bytes of it; OSError where it cannot be read, or is no plain file."""
    fd = os.open(path, OPEN)
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(0, "it is not a plain file")
        return file.read(most)
