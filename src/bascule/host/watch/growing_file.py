"""A file that others append to: what is new since the last look, in bounded pieces; never written."""

import os
import stat
from collections.abc import Iterator

from bascule.core.watch.logs.tail_lines import TailLine, TailLines

PIECE = 256 * 1024
MAX_AT_ONCE = 8 * 1024 * 1024  # bytes read in one turn; the rest waits for the next
MAX_BEHIND = 64 * 1024 * 1024  # of a file that has grown by more since the last look, only the end is read
KEPT = 256  # bytes before the place that was read to: another file's end would differ
OPEN_FLAGS = (
    os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
)


class NoFile(OSError):
    """A pipe, a device or a folder, where a file was expected."""


def open_file(path: str) -> int:
    """A descriptor for reading; a pipe that nobody writes to does not hold us up."""
    fd = os.open(path, OPEN_FLAGS)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise NoFile(0, "it is not a file")
    return fd


class GrowingFile:
    """`read` gives the lines that are new. `restarted`: it was cut, replaced or left far behind."""

    def __init__(self, path: str, *, start: int = 0) -> None:
        self.path = path
        self.offset = start
        self.restarted = False
        self.has_more = False
        self._which: tuple[int, int] | None = None
        self._lines = TailLines()
        self._end = b""  # what was read last

    def read(self) -> list[TailLine]:
        fd = open_file(self.path)
        try:
            state = os.fstat(fd)
            self._check_same(fd, (state.st_dev, state.st_ino), state.st_size)
            return [line for piece in self._pieces(fd) for line in self._lines.feed(piece)]
        finally:
            os.close(fd)

    def _check_same(self, fd: int, which: tuple[int, int], size: int) -> None:
        is_other = self._which is not None and self._which != which
        is_near = 0 <= size - self.offset <= MAX_BEHIND
        self.restarted = is_other or not is_near or not self._has_same_end(fd)
        if self.restarted:
            self.offset, self._lines, self._end = max(0, size - MAX_AT_ONCE), TailLines(), b""
        self._which = which

    def _has_same_end(self, fd: int) -> bool:
        """Else it was cut and written again, to its old length or above."""
        os.lseek(fd, self.offset - len(self._end), os.SEEK_SET)
        return os.read(fd, len(self._end)) == self._end

    def _pieces(self, fd: int) -> Iterator[bytes]:
        left = MAX_AT_ONCE
        while left > 0:
            os.lseek(fd, self.offset, os.SEEK_SET)
            piece = os.read(fd, min(PIECE, left))
            if not piece:
                break
            self.offset += len(piece)
            self._end = (self._end + piece[-KEPT:])[-KEPT:]
            left -= len(piece)
            yield piece
        self.has_more = left <= 0


def read_head(path: str, limit: int) -> tuple[bytes, int]:
    """The first bytes, and the size of all."""
    fd = open_file(path)
    try:
        return os.read(fd, limit), os.fstat(fd).st_size
    finally:
        os.close(fd)
