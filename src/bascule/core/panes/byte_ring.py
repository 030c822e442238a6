"""Byte ring with absolute offsets, so that a surface can resume where it left a pane."""

from collections import deque
from collections.abc import Iterator

MAX_CUT = 4096  # bytes that are given up to begin at a line
PIECE = 64 * 1024  # bytes that are moved about as one


class ByteRing:
    """The end of a stream, under a ceiling. An offset counts from the first byte that there ever was.

    Kept in pieces: in one long array, a flood would copy all of it again and again."""

    def __init__(self, most: int, *, start: int = 0) -> None:
        self._most = most
        self._pieces: deque[bytes] = deque()
        self._last = bytearray()
        self.start = start
        self.end = start

    def add(self, data: bytes) -> bytes:
        """What had to go to make room: up to a line's end where there is one nearby."""
        self._last += data
        self.end += len(data)
        if len(self._last) >= PIECE:
            self._pieces.append(bytes(self._last))
            self._last.clear()
        too_many = self.end - self.start - self._most
        return self._drop(too_many) if too_many > 0 else b""

    def _drop(self, count: int) -> bytes:
        gone: list[bytes] = []
        while self._pieces and len(self._pieces[0]) <= count:
            gone.append(self._pieces.popleft())
            count -= len(gone[-1])
        first = self._take_first(count + MAX_CUT)
        line_end = first.find(b"\n", count, count + MAX_CUT)
        cut = line_end + 1 if line_end >= 0 else count
        gone.append(first[:cut])
        if cut < len(first):
            self._pieces.appendleft(first[cut:])
        dropped = b"".join(gone)
        self.start += len(dropped)
        return dropped

    def _take_first(self, least: int) -> bytes:
        """At least so many bytes, where there are."""
        first = self._pieces.popleft() if self._pieces else b""
        while len(first) < least and self._pieces:
            first += self._pieces.popleft()
        if len(first) < least and self._last:
            first += self._last
            self._last.clear()
        return first

    def read(self, offset: int, most: int) -> bytes:
        """From `offset`, which is kept; as much as there is, `most` bytes of it."""
        at = offset - self.start
        if at < 0:
            raise ValueError(f"{offset} is no longer kept; what is begins at {self.start}")
        return b"".join(self._find(at, most))

    def _find(self, at: int, most: int) -> Iterator[bytes]:
        for piece in (*self._pieces, self._last):
            if most <= 0:
                return
            if at < len(piece):
                part = bytes(piece[at : at + most])
                most -= len(part)
                yield part
            at = max(0, at - len(piece))
