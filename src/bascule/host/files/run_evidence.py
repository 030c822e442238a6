"""What commands of a run did to files, kept for its review: contents by their hash, and for so long."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from msgspec import Struct

from bascule.host.files.workspace_snapshot import ChangedFile, FileVersion, State
from bascule.model.ids import BlockId, RunId, SessionId

NAME = "evidence.db"
MAX_RUNS = 500  # the oldest go first
MAX_BYTES = 128 * 1024 * 1024  # of all contents, deflated
BUSY_TIMEOUT_S = 5.0

SCHEMA = """
CREATE TABLE IF NOT EXISTS content (hash TEXT PRIMARY KEY, packed BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS step (
    number INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    run TEXT NOT NULL,
    block TEXT NOT NULL,
    path TEXT NOT NULL,
    before_state TEXT NOT NULL,
    before_hash TEXT NOT NULL,
    after_state TEXT NOT NULL,
    after_hash TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS step_of_run ON step (session, run);
CREATE TABLE IF NOT EXISTS seen (
    number INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    run TEXT NOT NULL,
    whole INTEGER NOT NULL,
    UNIQUE (session, run)
) STRICT;
"""


class EvidenceStep(Struct, frozen=True, kw_only=True):
    block: BlockId
    path: str
    before: FileVersion
    after: FileVersion


class RunEvidence(Struct, frozen=True, kw_only=True):
    """What is known of a run."""

    was_watched: bool = False
    is_whole: bool = True  # False: some files were beyond a limit
    steps: tuple[EvidenceStep, ...] = ()


class Evidence:
    """One short transaction for each call, from whatever thread."""

    def __init__(self, root: Path) -> None:
        self._path = root / NAME

    def note_run(self, session: SessionId, run: RunId, *, is_whole: bool) -> None:
        """Watched from its start; a limit that was met once stays noted."""
        with self._opened() as db:
            db.execute(
                "INSERT INTO seen (session, run, whole) VALUES (?, ?, ?) "
                "ON CONFLICT (session, run) DO UPDATE SET whole = min(whole, excluded.whole)",
                (session, run, int(is_whole)),
            )

    def keep(self, found: Sequence[ChangedFile]) -> None:
        with self._opened() as db:
            for one in found:
                _insert(db, one)
            _prune(db)

    def read(self, session: SessionId, run: RunId) -> RunEvidence:
        if not self._path.exists():
            return RunEvidence()
        with self._opened() as db:
            noted = db.execute(
                "SELECT whole FROM seen WHERE session = ? AND run = ?", (session, run)
            ).fetchone()
            rows = db.execute(
                "SELECT block, path, before_state, before_hash, after_state, after_hash FROM step "
                "WHERE session = ? AND run = ? ORDER BY number",
                (session, run),
            ).fetchall()
            steps = tuple(
                EvidenceStep(
                    block=BlockId(row[0]), path=row[1], before=_read(db, *row[2:4]), after=_read(db, *row[4:])
                )
                for row in rows
            )
        return RunEvidence(was_watched=noted is not None, is_whole=bool(noted and noted[0]), steps=steps)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=BUSY_TIMEOUT_S)) as db:
            self._path.chmod(0o600)
            db.executescript(SCHEMA)
            with db:
                yield db


def _insert(db: sqlite3.Connection, found: ChangedFile) -> None:
    for held in (found.before, found.after):
        if held.packed:
            db.execute("INSERT OR IGNORE INTO content VALUES (?, ?)", (held.hash, held.packed))
    window, before, after = found.window, found.before, found.after
    db.execute(
        "INSERT INTO step (session, run, block, path, before_state, before_hash, after_state, after_hash) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(window.session, window.run, window.block, found.path),
            *(before.state, before.hash, after.state, after.hash),
        ),
    )


def _read(db: sqlite3.Connection, state: State, hash_: str) -> FileVersion:
    if state != "text":
        return FileVersion(state, hash_)
    row = db.execute("SELECT packed FROM content WHERE hash = ?", (hash_,)).fetchone()
    return FileVersion("text", hash_, row[0]) if row else FileVersion("unknown")


def _prune(db: sqlite3.Connection) -> None:
    """The oldest runs go until the rest fits; then the contents that none of the rest names."""
    db.execute(
        "DELETE FROM seen WHERE number NOT IN (SELECT number FROM seen ORDER BY number DESC LIMIT ?)",
        (MAX_RUNS,),
    )
    _forget_lost(db)
    while _size(db) > MAX_BYTES and _forget_oldest(db):
        _forget_lost(db)


def _size(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT coalesce(sum(length(packed)), 0) FROM content").fetchone()[0])


def _forget_oldest(db: sqlite3.Connection) -> bool:
    """False where only the latest run is left: it is kept whatever its size."""
    count = db.execute("SELECT count(*) FROM seen").fetchone()[0]
    if count > 1:
        db.execute("DELETE FROM seen WHERE number = (SELECT min(number) FROM seen)")
    return bool(count > 1)


def _forget_lost(db: sqlite3.Connection) -> None:
    db.execute("DELETE FROM step WHERE (session, run) NOT IN (SELECT session, run FROM seen)")
    db.execute(
        "DELETE FROM content WHERE hash NOT IN "
        "(SELECT before_hash FROM step UNION SELECT after_hash FROM step)"
    )
