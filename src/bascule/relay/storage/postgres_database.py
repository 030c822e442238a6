"""PostgreSQL: shared by any number of nodes; a batch is two round trips, however many commands it holds."""

import contextlib
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import psycopg

from bascule.core.faults import UserError
from bascule.relay.storage.database import Database, Read, Row, Write, away_on

LOCK = 7_236_001_455  # of the writer: the nodes take turns, as processes do with SQLite
CHANNEL = "bascule_relay"
CONNECT_S = 5
# A node that stops in the middle of a transaction holds up the others for so long.
SESSION = (
    "SET synchronous_commit = on; SET idle_in_transaction_session_timeout = '5s'; "
    "SET lock_timeout = '10s'; SET statement_timeout = '15s'"
)
_away = away_on(psycopg.Error, psycopg.DataError, psycopg.IntegrityError)
BEGIN = f"SELECT pg_advisory_xact_lock({LOCK})"


@cache
def _sql(text: str) -> bytes:
    return text.replace("?", "%s").encode()


class PostgresDatabase(Database):
    dialect = "postgresql"
    is_shared = True

    def __init__(self, url: str) -> None:
        self._url = url
        try:
            self._connect()
        except psycopg.Error as fault:
            reason = str(fault).strip().splitlines()
            raise UserError(f"The database cannot be reached: {reason[-1] if reason else fault}") from None

    def _connect(self) -> None:
        self._db: psycopg.Connection[Any] = psycopg.connect(
            self._url, autocommit=True, connect_timeout=CONNECT_S
        )
        self._db.execute(SESSION)

    @_away
    def begin(self, reads: Sequence[Read]) -> list[list[Row]]:
        with self._db.pipeline():
            self._db.execute("BEGIN")
            self._db.execute(BEGIN)
            found = [self._db.execute(_sql(read.sql), read.args) for read in reads]
            return [cursor.fetchall() for cursor in found]

    @_away
    def commit(self, writes: Sequence[Write], news: Iterable[str]) -> None:
        with self._db.pipeline():
            for write in writes:
                self._db.cursor().executemany(_sql(write.sql), write.rows)
            for word in news:
                self._db.execute(b"SELECT pg_notify(%s, %s)", (CHANNEL, word))
            self._db.execute("COMMIT")

    @_away
    def rollback(self) -> None:
        self._db.execute("ROLLBACK")

    @_away
    def query(self, sql: str, args: Sequence[object] = ()) -> list[Row]:
        return self._db.execute(_sql(sql), args).fetchall()

    @_away
    def execute(self, sql: str, args: Sequence[object] = ()) -> int:
        return self._db.execute(_sql(sql), args).rowcount

    @_away
    def run_script(self, sql: str) -> None:
        self._db.execute(sql.encode())

    @_away
    def now_ms(self) -> int:
        row = self._db.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint").fetchone()
        assert row is not None
        return int(row[0])

    @_away
    def reconnect(self) -> None:
        self.close()
        self._connect()

    def close(self) -> None:
        with contextlib.suppress(psycopg.Error):
            self._db.close()
