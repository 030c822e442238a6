"""Byte ring with absolute offsets, so that a surface can resume where it left a pane."""

MAX_CUT = 4096  # bytes that are given up to begin at a line


class ByteRing:
    """The end of a stream, under a ceiling. An offset counts from the first byte that there ever was."""

    def __init__(self, most: int, *, start: int = 0) -> None:
        self._most = most
        self._kept = bytearray()
        self.start = start

    @property
    def end(self) -> int:
        return self.start + len(self._kept)

    def add(self, data: bytes) -> bytes:
        """What had to go to make room: up to a line's end where there is one nearby."""
        self._kept += data
        too_many = len(self._kept) - self._most
        if too_many <= 0:
            return b""
        line_end = self._kept.find(b"\n", too_many, too_many + MAX_CUT)
        cut = line_end + 1 if line_end >= 0 else too_many
        gone = bytes(self._kept[:cut])
        del self._kept[:cut]
        self.start += cut
        return gone

    def read(self, offset: int, most: int) -> bytes:
        """From `offset`, which is kept; as much as there is, `most` bytes of it."""
        at = offset - self.start
        if at < 0:
            raise ValueError(f"{offset} is no longer kept; what is begins at {self.start}")
        return bytes(self._kept[at : at + most])
