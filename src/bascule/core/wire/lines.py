"""Newline-delimited bytes in any chunking, cut into whole lines under a ceiling."""

from msgspec import Struct

MAX_LINE = 16 * 1024 * 1024  # codex sends whole diffs and command outputs in one line


class OverlongLine(Struct, frozen=True):
    """A line that was dropped because it would not end; `size` is what had arrived of it."""

    size: int


class Lines:
    """Feed chunks; get runs of whole lines back, so that a decoder may take many at once."""

    def __init__(self, *, max_line: int = MAX_LINE) -> None:
        self._max_line = max_line
        self._partial: list[bytes] = []
        self._size = 0
        self._skipping = False

    def feed(self, chunk: bytes) -> list[bytes | OverlongLine]:
        cut = chunk.rfind(b"\n") + 1
        if cut == 0:
            return self._keep(chunk)
        out: list[bytes | OverlongLine] = []
        start = self._finish_partial(chunk, out)
        if start < cut:
            self._take_whole(chunk[start:cut], out)
        out.extend(self._keep(chunk[cut:]))
        return out

    def end(self) -> list[bytes | OverlongLine]:
        """At the end of the stream: a last line that nobody ended is a line as well."""
        size, skipping, rest = self._size, self._skipping, b"".join(self._partial)
        self._partial, self._size, self._skipping = [], 0, False
        if skipping:
            return [OverlongLine(size)]
        return [rest] if rest else []

    def _finish_partial(self, chunk: bytes, out: list[bytes | OverlongLine]) -> int:
        """End the line that an earlier chunk began; says where the next one starts."""
        if not self._size:
            return 0
        end = chunk.find(b"\n") + 1
        self._size += end - 1
        if self._skipping or self._size > self._max_line:
            out.append(OverlongLine(self._size))
        else:
            out.append(b"".join([*self._partial, chunk[:end]]))
        self._partial, self._size, self._skipping = [], 0, False
        return end

    def _take_whole(self, lines: bytes, out: list[bytes | OverlongLine]) -> None:
        if len(lines) <= self._max_line:
            out.append(lines)
            return
        for line in lines[:-1].split(b"\n"):
            out.append(line + b"\n" if len(line) <= self._max_line else OverlongLine(len(line)))

    def _keep(self, rest: bytes) -> list[bytes | OverlongLine]:
        self._size += len(rest)
        if self._size > self._max_line:
            self._partial, self._skipping = [], True
        elif rest:
            self._partial.append(rest)
        return []
