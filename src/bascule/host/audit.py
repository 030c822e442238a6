"""The record on the disk: lines only ever added, each flushed, whole after any kill."""

import getpass
import os
from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bascule.core.audit import MAX_LINE, Chain, hash_line, parse_line, write_line
from bascule.core.faults import CannotGoOn
from bascule.host.foothold import write_all
from bascule.host.guard import Busy, guarded
from bascule.host.journal import sync_folder
from bascule.model.audit import Entry, Head, Line, Local, Note, Problem

MAX_BYTES = 8 * 1024 * 1024  # of one file
MAX_FILES = 64  # full ones that are kept; the oldest goes
MAX_HEAD = 4_096

CURRENT, HEAD, LOCK = "audit.jsonl", "audit.head", "audit.lock"
PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | PLAIN
ANEW = os.O_WRONLY | os.O_TRUNC | os.O_CREAT | PLAIN
HEADS = msgspec.json.Decoder(Head)


class AuditFailed(CannotGoOn):
    """A line could not be written; what it would have told of must not happen."""


def who_is_here(surface: str) -> Local:
    try:
        return Local(surface=surface, person=getpass.getuser())
    except (KeyError, OSError, ImportError):
        return Local(surface=surface)  # a user without a name


class Audit:
    """The log in one folder. Several processes may write to it at once."""

    def __init__(self, folder: Path, *, max_bytes: int = MAX_BYTES, max_files: int = MAX_FILES) -> None:
        self._folder = folder
        self._current = folder / CURRENT
        self._max_bytes = max_bytes
        self._max_files = max_files

    # -- writing --

    def append(self, entry: Entry) -> None:
        """On the disk when this returns, or `AuditFailed`."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with guarded(self._folder / LOCK):
                self._append(entry)
        except Busy:
            raise AuditFailed(f"The record {self._current} is held by another process.") from None
        except OSError as fault:
            raise AuditFailed(f"The record {self._current} cannot be written: {fault.strerror}.") from None

    def _append(self, entry: Entry) -> None:
        head, note = self._find_end()
        line = write_line(entry, head, note)
        if head.size and head.size + len(line) > self._max_bytes:
            head = self._rotate(head)
        self._write(line, head.size)
        self._write_head(_moved_on(head, line))
        self._prune(head)

    def _write(self, line: bytes, size: int) -> None:
        fd = os.open(self._current, APPEND, 0o600)
        try:
            write_all(fd, line)
            os.fsync(fd)
        except OSError:
            os.ftruncate(fd, size)  # a full disk: no half of a line stays
            raise
        finally:
            os.close(fd)
        if size == 0:
            sync_folder(self._folder)

    def _write_head(self, head: Head) -> None:
        temporary = self._folder / (HEAD + ".new")
        fd = os.open(temporary, ANEW, 0o600)
        try:
            write_all(fd, msgspec.json.encode(head))
            os.fsync(fd)
        finally:
            os.close(fd)
        temporary.replace(self._folder / HEAD)
        sync_folder(self._folder)

    # -- one file after the other --

    def _full(self) -> list[Path]:
        """Those that are written to no more, the oldest first."""
        return sorted(self._folder.glob("audit-*.jsonl"))

    def _full_name(self, begins: int) -> Path:
        return self._folder / f"audit-{begins:012}.jsonl"

    def _rotate(self, head: Head) -> Head:
        self._current.rename(self._full_name(head.begins))
        oldest = _first_line(self._full()[-self._max_files]) if len(self._full()) > self._max_files else None
        head = replace(head, size=0, begins=head.seq + 1)
        return head if oldest is None else replace(head, first=oldest.seq, base=oldest.before)

    def _prune(self, head: Head) -> None:
        """After the head says so: a kill before leaves a file too many, never one too few."""
        for path in self._full():
            if path < self._full_name(head.first):
                path.unlink()

    # -- where it ends --

    def _find_end(self) -> tuple[Head, Note]:
        """What the head says, put right by what a kill may have left."""
        head = self.read_head()
        if head is None:
            return self._find_end_without_head()
        if self._full_name(head.begins).exists():  # killed after a file was put away
            head = replace(head, size=0, begins=head.seq + 1)
        return self._take_rest(head)

    def read_head(self) -> Head | None:
        """None where there is none, or none that can be read."""
        try:
            with (self._folder / HEAD).open("rb") as file:
                return HEADS.decode(file.read(MAX_HEAD))
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None

    def _take_rest(self, head: Head) -> tuple[Head, Note]:
        """A whole line after the head counts. Half of one, or what is none of ours, is kept aside."""
        size = self._current.stat().st_size if self._current.exists() else 0
        if size < head.size:  # somebody cut lines off, which `verify` tells
            head = replace(head, size=_whole_size(self._current))
        for raw in _lines(self._current, head.size):
            if not _follows(raw, head):
                break
            head = _moved_on(head, raw)
        if head.size == size:
            return head, ""
        self._set_aside(head)
        return head, "torn"

    def _set_aside(self, head: Head) -> None:
        rest = b"".join(_lines(self._current, head.size))
        fd = os.open(self._folder / f"audit.torn-{head.seq + 1}", ANEW, 0o600)
        try:
            write_all(fd, rest)
            os.fsync(fd)
        finally:
            os.close(fd)
        os.truncate(self._current, head.size)

    def _find_end_without_head(self) -> tuple[Head, Note]:
        files = self._files()
        if not files:
            return Head(), ""
        head, begins = Head(), 1
        oldest = _first_line(files[0])
        for path in files:
            for raw in _lines(path):
                line = parse_line(raw.rstrip(b"\n"))
                if line is not None and raw.endswith(b"\n"):
                    head = replace(head, seq=line.seq, hash=hash_line(raw[:-1]))
        if oldest is not None:
            head = replace(head, first=oldest.seq, base=oldest.before)
        newest = _first_line(self._current) if self._current.exists() else None
        begins = head.seq + 1 if newest is None else newest.seq
        head = replace(head, begins=begins, size=_whole_size(self._current))
        return self._take_rest(head)[0], "headless"

    # -- reading --

    def _files(self) -> list[Path]:
        return [*self._full(), *([self._current] if self._current.exists() else [])]

    def last(self, most: int) -> list[Line]:
        """The latest lines, oldest first; what is no line is left out, and told by `verify`."""
        found: deque[Line] = deque(maxlen=most)
        for path in self._files():
            lines = (parse_line(raw.rstrip(b"\n")) for raw in _lines(path))
            found.extend(line for line in lines if line is not None)
        return list(found)

    def verify(self) -> list[Problem]:
        """Everything that is not as it was written, as far as the log and its head can tell."""
        if not self._folder.is_dir():
            return []
        try:
            with guarded(self._folder / LOCK):  # a line that is just being written is not torn
                return self._verify()
        except Busy:
            raise AuditFailed(f"The record {self._current} is held by another process.") from None

    def _verify(self) -> list[Problem]:
        chain = Chain(self.read_head())
        problems: list[Problem] = []
        for path in self._files():
            for number, raw in enumerate(_lines(path), 1):
                if raw.endswith(b"\n"):
                    problems += chain.feed(path.name, number, raw[:-1])
                else:
                    problems.append(
                        Problem(path.name, number, "the line is torn: it was cut off while written")
                    )
        return [*problems, *chain.end(CURRENT)]

    def torn(self) -> list[Path]:
        """Halves of lines that were kept aside."""
        return sorted(self._folder.glob("audit.torn-*"))


def _follows(raw: bytes, head: Head) -> bool:
    line = parse_line(raw[:-1]) if raw.endswith(b"\n") else None
    return line is not None and (line.seq, line.before) == (head.seq + 1, head.hash)


def _moved_on(head: Head, raw: bytes) -> Head:
    return replace(head, seq=head.seq + 1, hash=hash_line(raw[:-1]), size=head.size + len(raw))


def _lines(path: Path, at: int = 0) -> Iterator[bytes]:
    """With their ends; one that is too long comes in pieces, and none of those is a line."""
    if not path.exists():
        return
    with path.open("rb") as file:
        file.seek(at)
        while raw := file.readline(MAX_LINE):
            yield raw


def _first_line(path: Path) -> Line | None:
    return next((parse_line(raw.rstrip(b"\n")) for raw in islice(_lines(path), 1)), None)


def _whole_size(path: Path) -> int:
    """Up to the end of the last whole line."""
    return sum(len(raw) for raw in _lines(path) if raw.endswith(b"\n"))


def audit_in(root: Path) -> Path:
    """Where a data folder keeps its record."""
    return root / "audit"
