"""PostgreSQL: shared by any number of nodes; a batch is three round trips, however many commands it holds."""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import psycopg

from bascule.core.faults import UserError
from bascule.relay.storage.database import Database, News, Read, Row, Write, away_on

LOCK = 7_236_001_455  # of the writer: the nodes take turns, as processes do with SQLite
CHANNEL = "bascule_relay"
CONNECT_S = 5
# A node that stops in the middle of a transaction holds up the others for so long.
SESSION = (
    "SET synchronous_commit = on; SET idle_in_transaction_session_timeout = '5s'; "
    "SET lock_timeout = '10s'; SET statement_timeout = '15s'"
)
_away = away_on(psycopg.Error, psycopg.DataError, psycopg.IntegrityError)
BEGIN = f"BEGIN; SELECT pg_advisory_xact_lock({LOCK})"
MAX_TOGETHER = 64  # rows of one statement
MAX_NEWS = 7_000  # bytes of one notification; PostgreSQL takes 8,000


@cache
def _sql(text: str) -> bytes:
    return text.replace("?", "%s").encode()


def channel_of(node: str) -> str:
    return f"{CHANNEL}_{node}" if node else CHANNEL


def _put_together(write: Write) -> Iterator[tuple[str, Sequence[object]]]:
    """Rows to insert, many in one statement; their numbers are powers of two: few statements, each prepared
    once."""
    head, values, tail = write.sql.partition("VALUES ")
    row, end, more = tail.partition(")")
    if not values:
        yield from ((write.sql, args) for args in write.rows)
        return
    rest = list(write.rows)
    while rest:
        count = min(1 << (len(rest).bit_length() - 1), MAX_TOGETHER)
        sql = f"{head}{values}{', '.join([row + end] * count)}{more}"
        yield sql, [arg for args in rest[:count] for arg in args]
        rest = rest[count:]


def _say(news: Iterable[News]) -> Iterator[tuple[str, str]]:
    """Channel and text: what is for one node together, as long as it fits."""
    lines: dict[tuple[str, str], str] = {}
    for one in news:
        key = (channel_of(one.node), one.word if one.node else f"{one.word} {one.about}")
        text = f"{lines.get(key, one.word)} {one.about}".strip()
        if len(text.encode()) > MAX_NEWS:
            yield key[0], lines.pop(key)
            text = f"{one.word} {one.about}"
        lines[key] = text
    yield from ((channel, text) for (channel, _), text in lines.items())


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
    def begin(self) -> None:
        self._db.execute(BEGIN.encode())

    @_away
    def read(self, reads: Sequence[Read]) -> list[list[Row]]:
        with self._db.pipeline():
            found = [self._db.execute(_sql(read.sql), read.args) for read in reads]
            return [cursor.fetchall() for cursor in found]

    @_away
    def commit(self, writes: Sequence[Write], news: Iterable[News]) -> None:
        with self._db.pipeline():
            for write in writes:
                for sql, args in _put_together(write):
                    self._db.execute(_sql(sql), args)
            for channel, text in _say(news):
                self._db.execute(b"SELECT pg_notify(%s, %s)", (channel, text))
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
