"""A plain loop of insert and commit on the same disk: what one durable write takes on this machine now."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

FOR_S = 2.0
ROW = "x" * 200


def count_commits(folder: Path) -> int:
    """A second, each of one row, with the relay's own settings of SQLite."""
    with closing(sqlite3.connect(folder / "bare.db", isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        began_s, count = time.perf_counter(), 0
        while time.perf_counter() - began_s < FOR_S:
            db.execute("BEGIN IMMEDIATE")
            db.execute("INSERT INTO rows (text) VALUES (?)", (ROW,))
            db.execute("COMMIT")
            count += 1
        return round(count / (time.perf_counter() - began_s))
