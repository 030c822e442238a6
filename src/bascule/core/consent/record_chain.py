"""The chain of the record: each line holds the hash of the one before, so that none can change alone."""

import hashlib
from collections.abc import Iterator
from typing import TypeVar

import msgspec
from msgspec.structs import asdict, replace

from bascule.core.text.counts import counted
from bascule.model.consent.audit import Anchor, Entry, Line, Note, RecordProblem, Remote, Who

MAX_TEXT = 4_000  # characters of one field; a command or a list of files can be longer than is of use
MAX_REMOTE_TEXT = 300  # of a field that a sender of Orders fills
MAX_NAME = 200  # of a name in it
BEGIN = "0" * 64  # what the first line follows

W = TypeVar("W", bound=Who)

LINES = msgspec.json.Decoder(Line)
UNANCHORED = (
    "the session store has no note of it, so lines that were removed from its end, or an earlier record in "
    "its place, cannot be noticed"
)
REPAIRED = {
    "headless": "the head file had gone when this line was written; lines before it may have gone too",
    "removed": "when this line was written, lines before it had been removed or replaced",
}


def write_line(entry: Entry, seq: int, before: str, note: Note = "") -> str:
    """The same Entry in the same place is always the same text."""
    most = MAX_REMOTE_TEXT if isinstance(entry.who, Remote) else MAX_TEXT
    short = replace(
        entry,
        who=_fit_names(entry.who),
        asked_by=_fit_names(entry.asked_by) if entry.asked_by is not None else None,
        asked=_fit(entry.asked, most),
        why=_fit(entry.why, most),
        workspace=_fit(entry.workspace, MAX_TEXT),
        ref=_fit(entry.ref, most),
        rule=_fit(entry.rule, most),
    )
    return msgspec.json.encode(Line(seq=seq, before=before, entry=short, note=note)).decode()


def _fit_names(who: W) -> W:
    names = {name: value for name, value in asdict(who).items() if isinstance(value, str)}
    return replace(who, **{name: _fit(value, MAX_NAME) for name, value in names.items()})


def _fit(text: str, most: int) -> str:
    """Under the ceiling, and with nothing in it that JSON cannot hold."""
    short = text if len(text) <= most else text[:most] + "…"
    return short.encode("utf-8", "replace").decode()


def hash_line(line: str) -> str:
    return hashlib.sha256(line.encode("utf-8", "surrogateescape")).hexdigest()


def parse_line(line: str | bytes) -> Line | None:
    try:
        return LINES.decode(line)
    except (msgspec.DecodeError, UnicodeError):
        return None


class Chain:
    """Fed line by line, oldest first; tells what does not follow from what came before."""

    def __init__(self, anchor: Anchor | None) -> None:
        self._anchor = anchor
        self._last = 0 if anchor is None else anchor.first - 1
        self._hash = BEGIN if self._last == 0 else ""  # empty: older lines than are kept were before it
        self._at_anchor = ""
        self._is_empty = True

    def feed(self, seq: int, raw: str) -> Iterator[RecordProblem]:
        self._is_empty = False
        line = parse_line(raw)
        if line is None or line.seq != seq:
            yield RecordProblem(seq, "this is not a line of the record: it was changed or added")
        else:
            yield from (RecordProblem(seq, what) for what in self._judge(line))
        self._last, self._hash = seq, hash_line(raw)
        if self._anchor is not None and seq == self._anchor.seq:
            self._at_anchor = self._hash

    def _judge(self, line: Line) -> Iterator[str]:
        if line.seq > self._last + 1:
            yield f"{_count(self._last + 1, line.seq - 1)} missing before it"
        elif line.seq <= self._last:
            yield "it comes before the first line that was kept: it was put in"
        elif self._hash and line.before != self._hash:
            yield "it does not follow from the line before, which was changed or put in"
        if line.note in REPAIRED:
            yield REPAIRED[line.note]

    def end(self) -> Iterator[RecordProblem]:
        anchor = self._anchor
        if anchor is None:
            if not self._is_empty:
                yield RecordProblem(None, UNANCHORED)
        elif self._is_empty:
            lines = anchor.seq - anchor.first + 1
            yield RecordProblem(None, f"the whole of it is gone ({counted(lines, 'line')})")
        elif self._last < anchor.seq:
            yield RecordProblem(None, f"{_count(self._last + 1, anchor.seq)} missing at the end")
        elif self._at_anchor != anchor.hash:
            yield RecordProblem(anchor.seq, "it is not the line that was noted in the session store")


def find_loss(anchor: Anchor, first: int | None, last: int | None, found: str | None) -> str:
    """What a record has lost that had come as far as the anchor; `found` is its line of that number."""
    if last is None or first is None:
        lost, how = _count(anchor.first, anchor.seq), "removed"
    elif last < anchor.seq:
        lost, how = _count(last + 1, anchor.seq), "cut, or replaced by an older copy"
    elif found is None or hash_line(found) != anchor.hash:
        lost, how = f"{_count(anchor.first, anchor.seq)} changed or", "replaced by another"
    elif first > anchor.first:
        lost, how = _count(anchor.first, first - 1), "cut at its beginning"
    else:
        return ""
    return f"The record was {how}: {lost} missing."


def _count(first: int, last: int) -> str:
    return f"line {first} is" if first == last else f"lines {first} to {last} are"
