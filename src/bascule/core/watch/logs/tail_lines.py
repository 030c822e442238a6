"""Lines of a file that grows, under a ceiling: of a line that is too long, the beginning is kept."""

from typing import NamedTuple

MAX_LINE = 1024 * 1024  # bytes; a tool's output may be far longer, and nothing of it is needed


class TailLine(NamedTuple):
    data: bytes
    is_cut: bool = False  # the rest was dropped


class TailLines:
    """Feed chunks in any size; a last line without its end waits for the rest."""

    def __init__(self, *, max_line: int = MAX_LINE) -> None:
        self._max_line = max_line
        self._begun: list[bytes] = []
        self._kept = 0
        self._is_cut = False

    def feed(self, chunk: bytes) -> list[TailLine]:
        *whole, rest = chunk.split(b"\n")
        lines = []
        for piece in whole:
            self._keep(piece)
            lines.append(self._end())
        self._keep(rest)
        return [line for line in lines if line.data.strip()]

    @property
    def waiting(self) -> int:
        """Bytes kept of the line that is not whole yet."""
        return self._kept

    def _keep(self, piece: bytes) -> None:
        room = self._max_line - self._kept
        if len(piece) > room:
            self._is_cut = True
            piece = piece[:room]
        if piece:
            self._begun.append(piece)
            self._kept += len(piece)

    def _end(self) -> TailLine:
        line = TailLine(b"".join(self._begun), self._is_cut)
        self._begun, self._kept, self._is_cut = [], 0, False
        return line


def read_lines(head: bytes) -> list[TailLine]:
    """The beginning of a file. Its last line may go on below it, for tens of MB."""
    whole, _, rest = head.rpartition(b"\n")
    cut = [TailLine(rest, is_cut=True)] if rest.strip() else []
    return [*TailLines().feed(whole + b"\n"), *cut]
