"""The anchor of the record: how far it had come, noted in the session store, so that a loss is noticed."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bascule.model.consent.audit import Anchor

DATABASE = "bascule.db"
BUSY_TIMEOUT_S = 5.0

TABLE = """
CREATE TABLE IF NOT EXISTS record_anchor (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    first INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT
"""
FORWARD = """
INSERT INTO record_anchor VALUES (1, ?, ?, ?, ?) ON CONFLICT (one) DO UPDATE
SET first = excluded.first, seq = excluded.seq, hash = excluded.hash, at_ms = excluded.at_ms
WHERE excluded.seq > record_anchor.seq
"""


class AnchorFile:
    """A table of its own in the store's file. It may lag behind the record; it is never ahead of it."""

    def __init__(self, root: Path) -> None:
        self._path = root / DATABASE

    def read(self) -> Anchor | None:
        """None where nothing is noted, or nothing can be read."""
        if not self._path.exists():
            return None
        try:
            with self._opened() as db:
                row = db.execute("SELECT first, seq, hash, at_ms FROM record_anchor").fetchone()
        except sqlite3.Error:
            return None
        return Anchor(first=row[0], seq=row[1], hash=row[2], at_ms=row[3]) if row else None

    def write(self, anchor: Anchor) -> None:
        """Forward only: of two writers the one that is ahead counts."""
        try:
            self._path.touch(mode=0o600)
            with self._opened() as db, db:
                db.execute(TABLE)
                db.execute(FORWARD, (anchor.first, anchor.seq, anchor.hash, anchor.at_ms))
        except (OSError, sqlite3.Error):
            return  # the next line brings it up to date

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=BUSY_TIMEOUT_S)) as db:
            db.execute("PRAGMA synchronous = NORMAL")
            yield db
