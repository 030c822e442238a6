"""Orders that were taken, and their outcomes: so that one that comes again after a restart is not new."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from bascule.host.storage.store_faults import refuse_to_open
from bascule.model.consent.orders import Order, OrderOutcome

MAX_STORED = 5_000  # the oldest go first
# The schema is of this version; a later one adds its steps here.
SCHEMA = """
    CREATE TABLE IF NOT EXISTS orders (
        command_id TEXT PRIMARY KEY,
        body BLOB NOT NULL,
        workspace TEXT NOT NULL,
        outcome BLOB,
        diff TEXT NOT NULL DEFAULT '',
        plan TEXT NOT NULL DEFAULT ''
    ) STRICT;
    PRAGMA user_version = 1;
"""
BUSY_TIMEOUT_S = 5.0
ORDER = msgspec.json.Decoder(Order)
OUTCOME = msgspec.json.Decoder(OrderOutcome)


class StoredOrder(Struct, frozen=True, kw_only=True):
    order: Order
    workspace: str
    outcome: OrderOutcome | None  # None: it was begun, and nobody saw its end
    diff: str = ""  # of a patch: the whole answer that held it, from which the same plan is made again
    plan: str = ""  # its hash


class OrderStore:
    """Any thread may use it; opened when it is first needed. What it stores survives a crash.
    `StoreRefused` where the file cannot be used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()  # one connection holds one transaction at a time
        self._db: sqlite3.Connection | None = None

    def close(self) -> None:
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def begin(self, order: Order, workspace: str) -> None:
        with self._open() as db:
            db.execute(
                "INSERT INTO orders (command_id, body, workspace) VALUES (?, ?, ?)",
                (order.command_id, msgspec.json.encode(order), workspace),
            )
            db.execute("DELETE FROM orders WHERE rowid <= (SELECT max(rowid) FROM orders) - ?", (MAX_STORED,))

    def finish(self, outcome: OrderOutcome, diff: str = "", plan: str = "") -> None:
        with self._open() as db:
            db.execute(
                "UPDATE orders SET outcome = ?, diff = ?, plan = ? WHERE command_id = ?",
                (msgspec.json.encode(outcome), diff, plan, outcome.command_id),
            )

    def find(self, command_id: str) -> StoredOrder | None:
        query = "SELECT body, workspace, outcome, diff, plan FROM orders WHERE command_id = ?"
        with self._open() as db:
            row = db.execute(query, (command_id,)).fetchone()
        if row is None:
            return None
        body, workspace, outcome, diff, plan = row
        return StoredOrder(
            order=ORDER.decode(body),
            workspace=workspace,
            outcome=OUTCOME.decode(outcome) if outcome is not None else None,
            diff=diff,
            plan=plan,
        )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """One transaction."""
        try:
            with self._lock:
                self._db = self._db or _connect(self._path)
                with self._db:
                    yield self._db
        except sqlite3.DatabaseError as broken:
            raise refuse_to_open(self._path, broken) from None


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
    path.chmod(0o600)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.executescript(SCHEMA)
    return db
