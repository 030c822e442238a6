"""SQLite: one file, nothing else to install."""

import sqlite3
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from bascule.core.faults import UserError
from bascule.relay.storage.database import Database, News, Read, Row, Write, away_on

BUSY_TIMEOUT_S = 5.0
_away = away_on(sqlite3.Error, sqlite3.DataError)


class SqliteDatabase(Database):
    dialect = "sqlite"
    is_shared = False

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._connect()
        except sqlite3.Error as broken:
            raise UserError(f"{path} cannot be used: {broken}.") from None

    def _connect(self) -> None:
        db = sqlite3.connect(
            self._path, timeout=BUSY_TIMEOUT_S, check_same_thread=False, isolation_level=None
        )
        try:
            self._path.chmod(0o600)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")  # a commit is on the disk
        except (sqlite3.Error, OSError):
            db.close()
            raise
        self._db = db

    @_away
    def begin(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")  # a command line may use the same file

    @_away
    def read(self, reads: Sequence[Read]) -> list[list[Row]]:
        return [self._db.execute(*read).fetchall() for read in reads]

    @_away
    def commit(self, writes: Sequence[Write], news: Iterable[News]) -> None:  # noqa: ARG002  # one node
        for write in writes:
            self._db.executemany(*write)
        self._db.execute("COMMIT")

    @_away
    def rollback(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    @_away
    def query(self, sql: str, args: Sequence[object] = ()) -> list[Row]:
        return self._db.execute(sql, args).fetchall()

    @_away
    def execute(self, sql: str, args: Sequence[object] = ()) -> int:
        return self._db.execute(sql, args).rowcount

    @_away
    def run_script(self, sql: str) -> None:
        """One after the other: `executescript` would end the transaction first."""
        statement = ""
        for line in sql.splitlines(keepends=True):
            statement += line
            if sqlite3.complete_statement(statement):
                self._db.execute(statement)
                statement = ""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def reconnect(self) -> None:
        """The file is still open; what was begun is undone."""
        self.rollback()

    def close(self) -> None:
        self._db.close()
