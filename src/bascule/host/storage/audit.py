"""The record on the disk: a table of lines that are only ever added, each one flushed before it counts."""

import getpass
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

from msgspec import Struct

from bascule.core.consent.record_chain import BEGIN, Chain, find_loss, hash_line, parse_line, write_line
from bascule.core.faults import UserError
from bascule.host.clock import now_ms
from bascule.host.locks.short_lock import Busy, guarded
from bascule.host.storage.audit_anchor import AnchorFile
from bascule.host.storage.old_audit_files import find_files, put_away, read_files, read_head
from bascule.model.consent.audit import Anchor, Entry, Line, Local, Note, RecordProblem

NAME, LOCK = "record.db", "audit.lock"
BUSY_TIMEOUT_S = 10.0
NEW = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
SURFACE = "record"  # what it says of itself

SCHEMA = (
    "BEGIN IMMEDIATE",
    """CREATE TABLE lines (
        seq INTEGER PRIMARY KEY,
        line TEXT NOT NULL,
        ref TEXT AS (json_extract(line, '$.entry.ref')),
        hash TEXT AS (json_extract(line, '$.entry.hash')),
        note TEXT AS (json_extract(line, '$.note'))
    ) STRICT""",
    "CREATE INDEX lines_by_ref ON lines (ref)",
    "CREATE INDEX lines_by_hash ON lines (hash)",
    "CREATE INDEX lines_by_note ON lines (note) WHERE note NOT NULL",
    "PRAGMA user_version = 1",
)


NOTE_GONE = (
    "The note in the session store of how far the record had come is gone, so lines that were removed before "
    "this one cannot be noticed."
)


class AuditFailed(UserError):
    """A line could not be written; what it would have recorded must not happen."""


def who_is_here(surface: str) -> Local:
    try:
        return Local(surface=surface, person=getpass.getuser())
    except (KeyError, OSError, ImportError):
        return Local(surface=surface)  # a user without a name


class Audit:
    """The record in one folder. Several processes may write to it at once; nothing is ever deleted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / NAME
        self._anchor = AnchorFile(folder.parent)

    # -- writing --

    def append(self, entry: Entry) -> str:
        """On the disk when this returns, or `AuditFailed`. What was found to be missing, mostly nothing."""
        return self._write(entry)

    def check(self) -> str:
        """For every start: what has been removed since the last line, which is then the next line."""
        return self._write(None) if self._exists() or self._anchor.read() is not None else ""

    def _write(self, entry: Entry | None) -> str:
        with self._saying("written"):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with guarded(self._folder / LOCK):
                self._prepare()
                with self._opened() as db:
                    return self._add(db, entry)

    def _add(self, db: sqlite3.Connection, entry: Entry | None) -> str:
        """The loss that was found; it has a line of its own before the Entry."""
        noted = self._anchor.read()
        loss = _find_loss(db, noted) if noted else _find_note_gone(db)
        db.execute("BEGIN IMMEDIATE")
        if loss:
            _insert(db, _lost(loss), noted, "removed")
        if entry is not None:
            _insert(db, entry, noted)
        db.execute("COMMIT")
        if (end := _find_end(db)) is not None:
            self._anchor.write(end)
        return loss

    # -- the file --

    def _exists(self) -> bool:
        return self._path.exists() or bool(find_files(self._folder))

    def _prepare(self) -> None:
        """The caller holds the lock. A record that was kept in files is read into the table."""
        os.close(os.open(self._path, NEW, 0o600))
        files = find_files(self._folder)
        with self._opened() as db:
            if db.execute("PRAGMA user_version").fetchone()[0] == 0:
                for statement in SCHEMA:
                    db.execute(statement)
                lines = [(line.seq, raw) for raw in read_files(files) if (line := parse_line(raw))]
                db.executemany("INSERT OR IGNORE INTO lines (seq, line) VALUES (?, ?)", lines)
                db.execute("COMMIT")
        if files:
            with self._opened() as db:
                head = read_head(self._folder) or _find_end(db)
            if head is not None:
                self._anchor.write(head)
            put_away(self._folder)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=BUSY_TIMEOUT_S, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = WAL")  # who reads holds nobody up
            db.execute("PRAGMA synchronous = FULL")  # a line is on the disk when its transaction ends
            yield db

    @contextmanager
    def _saying(self, what: str) -> Iterator[None]:
        try:
            yield
        except Busy:
            raise AuditFailed(f"The record {self._path} is held by another process.") from None
        except OSError as fault:
            raise AuditFailed(f"The record {self._path} cannot be {what}: {fault.strerror}.") from None
        except sqlite3.Error as fault:
            raise AuditFailed(f"The record {self._path} cannot be {what}: {fault}.") from None

    # -- reading --

    def _select(self, query: str, *given: object) -> list[Line]:
        """What is no line is left out, and reported by `verify`."""
        with self._reading() as db:
            found = [parse_line(raw) for (raw,) in db.execute(query, given)] if db else []
        return [line for line in found if line is not None]

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        """None where there is no record."""
        with self._saying("read"):
            if not self._exists():
                yield None
                return
            with guarded(self._folder / LOCK):
                self._prepare()
            with self._opened() as db:
                yield db

    def last(self, most: int) -> list[Line]:
        """The latest lines, oldest first."""
        return self._select("SELECT line FROM lines ORDER BY seq DESC LIMIT ?", most)[::-1]

    def find_ref(self, ref: str) -> list[Line]:
        """All that is recorded of one Ask, journal or test run, oldest first."""
        return self._select("SELECT line FROM lines WHERE ref = ? ORDER BY seq", ref)

    def find_hash(self, bound_to: str, after: int) -> list[Line]:
        """What followed that line of the same plan or command, oldest first."""
        return self._select("SELECT line FROM lines WHERE hash = ? AND seq > ? ORDER BY seq", bound_to, after)

    def find_loss(self) -> str:
        """What is missing now, and has no line yet that says so."""
        with self._reading() as db:
            if (noted := self._anchor.read()) is None:
                return ""
            return _find_loss(db, noted) if db else find_loss(noted, None, None, None)

    def losses(self) -> list[Line]:
        """The lines that say that others were removed."""
        return self._select("SELECT line FROM lines WHERE note = 'removed' ORDER BY seq")

    def all_losses(self) -> list[str]:
        """What is missing now, and what was found missing before."""
        found = [self.find_loss(), *(line.entry.why for line in self.losses())]
        return [loss for loss in found if loss]

    def verify(self) -> list[RecordProblem]:
        """Everything that is not as it was written, as far as the record and its anchor can tell."""
        return list(self.prove().problems)

    def prove(self) -> "Proof":
        problems, count, first, last = list[RecordProblem](), 0, "", ""
        with self._reading() as db:
            anchor = self._anchor.read()  # before the lines: it is never ahead of them
            # Without one nobody may write meanwhile: the first line is there before its note.
            alone = guarded(self._folder / LOCK) if db and anchor is None else nullcontext()
            with alone:
                anchor = anchor or self._anchor.read()
                chain = Chain(anchor)
                for seq, raw in db.execute("SELECT seq, line FROM lines ORDER BY seq") if db else ():
                    problems += chain.feed(seq, raw)
                    first, last, count = first or raw, raw, count + 1
        problems += chain.end()
        return Proof(
            problems=tuple(problems),
            count=count,
            first=parse_line(first),
            last=parse_line(last),
            hash=hash_line(last) if last else "",
            anchor=anchor,
        )


class Proof(Struct, frozen=True, kw_only=True):
    """What a look at every line found, and what it was compared with."""

    problems: tuple[RecordProblem, ...]
    count: int
    first: Line | None
    last: Line | None
    hash: str  # of the last line
    anchor: Anchor | None


def _find_loss(db: sqlite3.Connection, anchor: Anchor) -> str:
    first, last = db.execute("SELECT min(seq), max(seq) FROM lines").fetchone()
    row = db.execute("SELECT line FROM lines WHERE seq = ?", (anchor.seq,)).fetchone()
    return find_loss(anchor, first, last, row[0] if row else None)


def _find_note_gone(db: sqlite3.Connection) -> str:
    """Of one line a crash may have kept the note."""
    lines = db.execute("SELECT count(*) FROM (SELECT 1 FROM lines LIMIT 2)").fetchone()[0]
    return NOTE_GONE if lines > 1 else ""


def _insert(db: sqlite3.Connection, entry: Entry, anchor: Anchor | None, note: Note = "") -> None:
    """After what was lost as well: its numbers are not used twice."""
    end = _find_end(db)
    seq = max(end.seq if end else 0, anchor.seq if anchor else 0) + 1
    line = write_line(entry, seq, end.hash if end else BEGIN, note)
    db.execute("INSERT INTO lines (seq, line) VALUES (?, ?)", (seq, line))


def _find_end(db: sqlite3.Connection) -> Anchor | None:
    row = db.execute(
        "SELECT (SELECT min(seq) FROM lines), seq, line FROM lines ORDER BY seq DESC LIMIT 1"
    ).fetchone()
    if row is None:
        return None
    line = parse_line(row[2])
    return Anchor(first=row[0], seq=row[1], hash=hash_line(row[2]), at_ms=line.entry.at_ms if line else 0)


def _lost(loss: str) -> Entry:
    return Entry(
        at_ms=now_ms(),
        kind="record",
        who=Local(surface=SURFACE),
        asked="the record",
        outcome="failed",
        why=loss,
    )


def audit_in(root: Path) -> Path:
    """Where a data folder keeps its record."""
    return root / "audit"
