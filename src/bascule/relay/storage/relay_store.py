"""SQLite: every step of a command and its audit line in one transaction, on the disk before it counts."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from bascule.core.faults import UserError
from bascule.model.consent.orders import Order, OrderOutcome
from bascule.relay.storage.audit_chain import BEGIN, AuditLine, find_break, hash_audit
from bascule.relay.storage.schema import SCHEMA

DAY_MS = 24 * 60 * 60 * 1000
BUSY_TIMEOUT_S = 5.0
ORDER = msgspec.json.Decoder(Order)
OUTCOME = msgspec.json.Decoder(OrderOutcome)
LINE = msgspec.json.Decoder(AuditLine)

CommandState = Literal["queued", "taken", "done"]
T = TypeVar("T")


class StoredCommand(Struct, frozen=True, kw_only=True):
    order: Order
    machine: str
    seq: int
    actor: str
    platform: str
    chat: str
    language: str
    state: CommandState
    outcome: OrderOutcome | None
    reported: bool
    is_cancelled: bool
    retried_from: str
    created_ms: int


class NewCommand(Struct, frozen=True, kw_only=True):
    order: Order
    platform: str
    chat: str = ""  # empty: the sender's own
    language: str
    fingerprint: str
    retried_from: str = ""


class KnownMachine(Struct, frozen=True, kw_only=True):
    machine: str
    public_key: str
    enrolled_ms: int
    revoked_ms: int | None


class RelayStore:
    """All calls run on one thread, one after the other; what waits together is one transaction."""

    def __init__(self, path: Path) -> None:
        self._thread = ThreadPoolExecutor(1, "relay store")
        self._lock = threading.Lock()  # of what waits: the loop adds to it, the thread takes it
        self._waiting: list[tuple[Callable[[sqlite3.Connection], Any], asyncio.Future[Any]]] = []
        try:
            self._db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
            path.chmod(0o600)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.executescript(SCHEMA)
        except sqlite3.DatabaseError as broken:
            raise UserError(f"{path} cannot be used: {broken}.") from None

    def close(self) -> None:
        self._thread.shutdown()
        self._db.close()

    async def _read(self, do: Callable[[sqlite3.Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, do, self._db)

    async def _run(self, do: Callable[[sqlite3.Connection], T]) -> T:
        """With all that waits by then in one transaction: one write to the disk for many commands."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        with self._lock:
            self._waiting.append((do, done))
            is_first = len(self._waiting) == 1
        if is_first:
            loop.run_in_executor(self._thread, self._commit_waiting, loop)
        return await done

    def _commit_waiting(self, loop: asyncio.AbstractEventLoop) -> None:
        """On the store's own thread; what one step raises is its own, and undoes no other."""
        with self._lock:
            batch, self._waiting = self._waiting, []
        ends: list[tuple[asyncio.Future[Any], Any, Exception | None]] = []
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")  # another process may use the same file
                for do, done in batch:
                    ends.append((done, *_attempt(self._db, do)))
        except sqlite3.Error as fault:  # nothing of it is stored
            ends = [(done, None, fault) for _, done in batch]
        for done, value, error in ends:
            loop.call_soon_threadsafe(_settle, done, value, error)

    def run_now(self, do: Callable[[sqlite3.Connection], T]) -> T:
        """From a command line, where nothing else runs."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            return do(self._db)

    # -- messages and commands --

    async def is_new_message(self, platform: str, message: str, now_ms: int) -> bool:
        """Once for each id within a day; the same call remembers it."""

        def do(db: sqlite3.Connection) -> bool:
            db.execute("DELETE FROM messages WHERE at_ms < ?", (now_ms - DAY_MS,))
            added = db.execute("INSERT OR IGNORE INTO messages VALUES (?, ?, ?)", (platform, message, now_ms))
            return added.rowcount == 1

        return await self._run(do)

    async def add_command(
        self, new: NewCommand, *, now_ms: int, repeat_ms: int, most_waiting: int
    ) -> Literal["added", "repeated", "full"]:
        order = new.order

        def do(db: sqlite3.Connection) -> Literal["added", "repeated", "full"]:
            recent = "SELECT 1 FROM commands WHERE fingerprint = ? AND created_ms > ?"
            if new.fingerprint and db.execute(recent, (new.fingerprint, now_ms - repeat_ms)).fetchone():
                _audit(db, _line(order, now_ms, "refused", "repeated"))
                return "repeated"
            waiting = "SELECT count(*) FROM commands WHERE machine = ? AND state <> 'done'"
            if db.execute(waiting, (order.machine_id,)).fetchone()[0] >= most_waiting:
                _audit(db, _line(order, now_ms, "refused", "too many wait"))
                return "full"
            last = "SELECT coalesce(max(seq), 0) FROM commands WHERE machine = ?"
            seq = db.execute(last, (order.machine_id,)).fetchone()[0] + 1
            db.execute(
                "INSERT INTO commands (command_id, machine, seq, actor, platform, chat, language, "
                "fingerprint, body, state, retried_from, created_ms) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?)",
                (
                    *(order.command_id, order.machine_id, seq, order.user_id, new.platform, new.chat),
                    *(new.language, new.fingerprint, msgspec.json.encode(order), new.retried_from, now_ms),
                ),
            )
            detail = f"retried from {new.retried_from}" if new.retried_from else order.kind
            _audit(db, _line(order, now_ms, "created", detail=detail))
            return "added"

        return await self._run(do)

    async def find_command(self, command_id: str) -> StoredCommand | None:
        return await self._read(lambda db: _find(db, command_id))

    async def list_open(self, machine: str = "") -> list[StoredCommand]:
        """Without an outcome, in the order in which they came; of all machines without one."""
        query = "SELECT * FROM listed WHERE state <> 'done' AND (? = '' OR machine = ?) ORDER BY machine, seq"
        return await self._read(lambda db: [_command(row) for row in db.execute(query, (machine, machine))])

    async def list_unreported(self) -> list[StoredCommand]:
        """With an outcome that the chat has not got."""
        query = "SELECT * FROM listed WHERE state = 'done' AND reported = 0 ORDER BY created_ms LIMIT 500"
        return await self._read(lambda db: [_command(row) for row in db.execute(query)])

    async def mark_taken(self, command_id: str, machine: str, now_ms: int) -> None:
        def do(db: sqlite3.Connection) -> None:
            taken = db.execute(
                "UPDATE commands SET state = 'taken' "
                "WHERE command_id = ? AND machine = ? AND state = 'queued'",
                (command_id, machine),
            )
            if taken.rowcount == 1:
                _audit(db, AuditLine(at_ms=now_ms, step="taken", command_id=command_id, machine=machine))

        await self._run(do)

    async def finish(self, outcome: OrderOutcome, machine: str, now_ms: int, step: str = "outcome") -> bool:
        """The first outcome counts, and only of the machine that has the command."""

        def do(db: sqlite3.Connection) -> bool:
            done = db.execute(
                "UPDATE commands SET state = 'done', outcome = ? "
                "WHERE command_id = ? AND machine = ? AND state <> 'done'",
                (msgspec.json.encode(outcome), outcome.command_id, machine),
            )
            if done.rowcount != 1:
                return False
            _audit(
                db,
                AuditLine(
                    at_ms=now_ms,
                    step=step,
                    command_id=outcome.command_id,
                    machine=machine,
                    status=outcome.status,
                    detail=outcome.summary[:300],
                ),
            )
            return True

        return await self._run(do)

    async def mark_reported(self, command_id: str, now_ms: int, fault: str = "") -> None:
        def do(db: sqlite3.Connection) -> None:
            db.execute(
                "UPDATE commands SET reported = ? WHERE command_id = ?", (2 if fault else 1, command_id)
            )
            step = "not reported" if fault else "reported"
            _audit(db, AuditLine(at_ms=now_ms, step=step, command_id=command_id, detail=fault[:300]))

        await self._run(do)

    async def cancel(self, command_id: str, actor: str, now_ms: int) -> bool:
        def do(db: sqlite3.Connection) -> bool:
            query = "UPDATE commands SET is_cancelled = 1 WHERE command_id = ? AND state <> 'done'"
            if db.execute(query, (command_id,)).rowcount != 1:
                return False
            _audit(db, AuditLine(at_ms=now_ms, step="cancel", command_id=command_id, actor=actor))
            return True

        return await self._run(do)

    # -- machines --

    def add_code(self, machine: str, hashed: str, expires_ms: int, now_ms: int) -> None:
        def do(db: sqlite3.Connection) -> None:
            query = "SELECT 1 FROM machines WHERE machine = ? AND revoked_ms IS NULL"
            if db.execute(query, (machine,)).fetchone():
                raise UserError(f"{machine} is enrolled already. `bascule relay revoke {machine}` first.")
            db.execute("DELETE FROM codes WHERE machine = ? OR expires_ms < ?", (machine, now_ms))
            db.execute("INSERT INTO codes VALUES (?, ?, ?)", (hashed, machine, expires_ms))
            _audit(db, AuditLine(at_ms=now_ms, step="code made", machine=machine))

        self.run_now(do)

    async def enroll(self, machine: str, hashed: str, public_key: str, now_ms: int) -> bool:
        """With a code, which is used up; never over a machine that is enrolled."""

        def do(db: sqlite3.Connection) -> bool:
            query = "DELETE FROM codes WHERE hash = ? AND machine = ? AND expires_ms >= ?"
            used = db.execute(query, (hashed, machine, now_ms)).rowcount == 1
            taken = "SELECT 1 FROM machines WHERE machine = ? AND revoked_ms IS NULL"
            is_free = db.execute(taken, (machine,)).fetchone() is None
            if used and is_free:
                db.execute(
                    "INSERT OR REPLACE INTO machines VALUES (?, ?, ?, NULL)", (machine, public_key, now_ms)
                )
            if used:  # a guess is not written down: anybody can make any number of them
                step = "enrolled" if is_free else "enrolment refused"
                _audit(db, AuditLine(at_ms=now_ms, step=step, machine=machine))
            return used and is_free

        return await self._run(do)

    def revoke(self, machine: str, now_ms: int) -> bool:
        def do(db: sqlite3.Connection) -> bool:
            query = "UPDATE machines SET revoked_ms = ? WHERE machine = ? AND revoked_ms IS NULL"
            if db.execute(query, (now_ms, machine)).rowcount != 1:
                return False
            _audit(db, AuditLine(at_ms=now_ms, step="revoked", machine=machine))
            return True

        return self.run_now(do)

    async def find_key(self, machine: str) -> str | None:
        query = "SELECT public_key FROM machines WHERE machine = ? AND revoked_ms IS NULL"

        def do(db: sqlite3.Connection) -> str | None:
            row = db.execute(query, (machine,)).fetchone()
            return str(row[0]) if row else None

        return await self._read(do)

    async def list_keys(self) -> dict[str, str]:
        """Of all machines that may connect."""
        query = "SELECT machine, public_key FROM machines WHERE revoked_ms IS NULL"
        return await self._read(lambda db: dict(db.execute(query).fetchall()))

    async def list_machines(self) -> list[KnownMachine]:
        query = "SELECT machine, public_key, enrolled_ms, revoked_ms FROM machines ORDER BY machine"
        return await self._read(
            lambda db: [
                KnownMachine(machine=name, public_key=key, enrolled_ms=at, revoked_ms=revoked)
                for name, key, at, revoked in db.execute(query)
            ]
        )

    # -- the audit trail --

    async def note(self, line: AuditLine) -> None:
        await self._run(lambda db: _audit(db, line))

    async def read_audit(self, limit: int, command_id: str = "") -> list[AuditLine]:
        query = "SELECT line FROM audit WHERE ? = '' OR command_id = ? ORDER BY seq DESC LIMIT ?"
        args = (command_id, command_id, limit)
        return await self._read(lambda db: [LINE.decode(row[0]) for row in db.execute(query, args)])

    def verify(self) -> int | None:
        """The first line that is not as it was written."""

        def do(db: sqlite3.Connection) -> int | None:
            rows = db.execute("SELECT seq, line, hash FROM audit ORDER BY seq")
            return find_break([(seq, LINE.decode(line), hashed) for seq, line, hashed in rows])

        return self.run_now(do)


def _attempt(db: sqlite3.Connection, do: Callable[[sqlite3.Connection], Any]) -> tuple[Any, Exception | None]:
    db.execute("SAVEPOINT step")
    try:
        value, error = do(db), None
    except Exception as raised:  # noqa: BLE001  # it is handed to who waits for this step
        db.execute("ROLLBACK TO step")
        value, error = None, raised
    db.execute("RELEASE step")
    return value, error


def _settle(done: "asyncio.Future[Any]", value: Any, error: Exception | None) -> None:
    """Who waited may have left."""
    if done.done():
        return
    if error is not None:
        done.set_exception(error)
    else:
        done.set_result(value)


def _audit(db: sqlite3.Connection, line: AuditLine) -> None:
    last = db.execute("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1").fetchone() or (0, BEGIN)
    row = (last[0] + 1, msgspec.json.encode(line), line.command_id, hash_audit(last[1], line))
    db.execute("INSERT INTO audit VALUES (?, ?, ?, ?)", row)


def _line(order: Order, now_ms: int, step: str, status: str = "", detail: str = "") -> AuditLine:
    return AuditLine(
        at_ms=now_ms,
        step=step,
        command_id=order.command_id,
        actor=order.user_id,
        machine=order.machine_id,
        status=status,
        detail=detail,
    )


def _find(db: sqlite3.Connection, command_id: str) -> StoredCommand | None:
    row = db.execute("SELECT * FROM listed WHERE command_id = ?", (command_id,)).fetchone()
    return _command(row) if row else None


def _command(row: tuple[object, ...]) -> StoredCommand:
    _, machine, seq, actor, platform, chat, language, body, *rest = row
    state, outcome, reported, cancelled, retried, created = rest
    assert isinstance(body, bytes)
    return msgspec.convert(
        {
            "order": ORDER.decode(body),
            "machine": machine,
            "seq": seq,
            "actor": actor,
            "platform": platform,
            "chat": chat,
            "language": language,
            "state": state,
            "outcome": OUTCOME.decode(outcome) if isinstance(outcome, bytes) else None,
            "reported": bool(reported),
            "is_cancelled": bool(cancelled),
            "retried_from": retried,
            "created_ms": created,
        },
        StoredCommand,
    )
