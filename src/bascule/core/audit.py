"""The chain of the record: each line holds the hash of the one before, so that none can change alone."""

import hashlib
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from bascule.model.audit import Entry, Head, Line, Note, Problem

MAX_TEXT = 4_000  # characters of one field; a command or a list of files can be longer than is of use
MAX_LINE = 64 * 1024

LINES = msgspec.json.Decoder(Line)
MENDED = {
    "headless": "the head file had gone when this line was written; lines before it may have gone too",
}


def write_line(entry: Entry, head: Head, note: Note = "") -> bytes:
    """The next line, with its end. The same Entry after the same head is always the same bytes."""
    short = replace(
        entry,
        asked=_fit(entry.asked),
        why=_fit(entry.why),
        workspace=_fit(entry.workspace),
        ref=_fit(entry.ref),
    )
    return msgspec.json.encode(Line(seq=head.seq + 1, before=head.hash, entry=short, note=note)) + b"\n"


def _fit(text: str) -> str:
    """Under the ceiling, and with nothing in it that JSON cannot hold."""
    short = text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…"
    return short.encode("utf-8", "replace").decode()


def hash_line(raw: bytes) -> str:
    """Of a line without its end, byte by byte as it stands in the file."""
    return hashlib.sha256(raw).hexdigest()


def parse_line(raw: bytes) -> Line | None:
    try:
        return LINES.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


class Chain:
    """Fed line by line, oldest first; tells what does not follow from what came before."""

    def __init__(self, head: Head | None) -> None:
        self._head = head
        self._last = 0 if head is None else head.first - 1
        self._hash: str | None = None if head is None else head.base
        self._at_head = ""  # the hash of the line that the head says is the last
        self._begun = False

    def feed(self, file: str, number: int, raw: bytes) -> Iterator[Problem]:
        line = parse_line(raw)
        if line is None:
            yield Problem(file, number, "this is no line of the log: it was changed, or put in")
        else:
            yield from (Problem(file, number, what) for what in self._judge(line))
            self._last = line.seq
        self._hash, self._begun = hash_line(raw), True
        if line is not None and self._head is not None and line.seq == self._head.seq:
            self._at_head = self._hash

    def _judge(self, line: Line) -> Iterator[str]:
        if not self._begun and self._is_early(line):
            return
        if line.seq > self._last + 1:
            yield f"{_count(self._last + 1, line.seq - 1)} missing before it"
        elif line.seq <= self._last:
            yield f"line {line.seq} comes after line {self._last}: it was moved, or put in"
        elif self._hash is not None and line.before != self._hash:
            yield "it does not follow from the line before, which was changed or put in"
        if line.note in MENDED:
            yield MENDED[line.note]

    def _is_early(self, line: Line) -> bool:
        """Where nothing says how it begins, or older lines than are kept are still there."""
        return self._head is None or line.seq < self._head.first

    def end(self, file: str) -> Iterator[Problem]:
        head = self._head
        if head is None:
            if self._begun:
                yield Problem(file, None, "the head file is missing: whether lines were cut off is not known")
        elif self._last < head.seq:
            yield Problem(file, None, f"{_count(self._last + 1, head.seq)} missing at the end")
        elif self._at_head != head.hash and head.seq:
            yield Problem(file, None, f"line {head.seq} is not the one that was written last")
        elif self._last > head.seq + 1:  # one more is a kill between a line and its head
            yield Problem(file, None, f"{_count(head.seq + 1, self._last)} more than were written")


def _count(first: int, last: int) -> str:
    return f"line {first} is" if first == last else f"lines {first} to {last} are"
