"""The store: every step of a command and its audit line in one transaction, on the disk before it counts."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar, get_args

from bascule.core.faults import UserError
from bascule.relay.storage.audit_chain import AuditHead, AuditLine, follow_chain
from bascule.relay.storage.batch import Step
from bascule.relay.storage.database import Database, Row, StoreAway, marks
from bascule.relay.storage.group_commit import GroupCommit, OnCommit, run_now
from bascule.relay.storage.migrate import migrate
from bascule.relay.storage.records import COLUMNS, KnownMachine, StoredCommand, read_command
from bascule.relay.storage.sqlite_database import SqliteDatabase
from bascule.relay.storage.steps import Ending

AUDIT = "SELECT seq, at_ms, step, command_id, actor, machine, status, detail, hash FROM audit"
ENDINGS = ", ".join(f"'{step}'" for step in get_args(Ending))
# A command with less in the trail than it has been through: its lines were removed.
UNRECORDED = f"""
SELECT command_id FROM commands WHERE
    NOT EXISTS (SELECT 1 FROM audit WHERE audit.command_id = commands.command_id AND step = 'created')
    OR (state = 'done' AND NOT EXISTS (SELECT 1 FROM audit WHERE audit.command_id = commands.command_id
        AND step IN ({ENDINGS})))
    OR (reported <> 0 AND NOT EXISTS (SELECT 1 FROM audit WHERE audit.command_id = commands.command_id
        AND step IN ('reported', 'not reported')))
ORDER BY created_ms LIMIT 1"""  # noqa: S608  # constants
MAX_SEARCHED = 100_000  # latest lines in which a filter looks
CHUNK = 5_000  # lines that are verified at once
MAX_UNREPORTED = 500
SCHEMES = ("postgresql://", "postgres://")

T = TypeVar("T")


def is_shared_database(where: str) -> bool:
    return where.startswith(SCHEMES)


def open_database(where: str) -> Database:
    """A file of SQLite, or the URL of a PostgreSQL; its tables are up to date."""
    db = _open_postgres(where) if is_shared_database(where) else SqliteDatabase(Path(where))
    try:
        migrate(db)
    except StoreAway as fault:
        db.close()
        raise UserError(f"The relay's database cannot be used: {fault}") from None
    except BaseException:
        db.close()
        raise
    return db


def _open_postgres(url: str) -> Database:
    try:
        from bascule.relay.storage.postgres_database import PostgresDatabase
    except ImportError:
        raise UserError("PostgreSQL needs its driver: pip install 'bascule[relay]'") from None
    return PostgresDatabase(url)


class RelayStore:
    def __init__(self, where: str) -> None:
        self._db = open_database(where)
        self._group = GroupCommit(self._db)

    def watch(self, on_commit: OnCommit) -> None:
        """Called after each transaction, on the store's thread."""
        self._group.on_commit = on_commit

    async def ping(self) -> None:
        await self._read(lambda db: db.query("SELECT 1"))

    def close(self) -> None:
        self._group.close()
        self._db.close()

    async def run(self, step: Step[T]) -> T:
        """Stored when this returns."""
        return await self._group.run(step)

    def run_now(self, step: Step[T]) -> T:
        """From a command line, where nothing else runs."""
        return run_now(self._db, step)

    async def _read(self, do: Callable[[Database], T]) -> T:
        return await self._group.read(do)

    # -- commands --

    async def find_command(self, command_id: str) -> StoredCommand | None:
        sql = f"SELECT {COLUMNS} FROM commands WHERE command_id = ?"  # noqa: S608  # constants
        rows = await self._read(lambda db: db.query(sql, (command_id,)))
        return read_command(rows[0]) if rows else None

    async def list_open(self, machines: Sequence[str]) -> list[StoredCommand]:
        """Of those machines, without an outcome, in the order in which they came."""
        if not machines:
            return []
        signs, args = marks(machines)
        where = f"WHERE state <> 'done' AND machine IN {signs} ORDER BY machine, seq"
        sql = f"SELECT {COLUMNS} FROM commands {where}"  # noqa: S608  # constants and question marks
        return [read_command(row) for row in await self._read(lambda db: db.query(sql, args))]

    async def list_in_flight(self, most: int, before_ms: int | None = None) -> list[StoredCommand]:
        """The oldest first; made before that moment."""
        sql = f"SELECT {COLUMNS} FROM commands WHERE state <> 'done' AND created_ms < ? ORDER BY created_ms LIMIT ?"  # noqa: S608, E501
        args = (before_ms if before_ms is not None else 2**62, most)
        return [read_command(row) for row in await self._read(lambda db: db.query(sql, args))]

    async def list_unreported(self, node: str) -> list[StoredCommand]:
        """With an outcome that this node is to tell the chat."""
        where = "WHERE state = 'done' AND reported = 0 AND report_node = ? ORDER BY created_ms LIMIT ?"
        sql = f"SELECT {COLUMNS} FROM commands {where}"  # noqa: S608  # constants
        rows = await self._read(lambda db: db.query(sql, (node, MAX_UNREPORTED)))
        return [read_command(row) for row in rows]

    async def list_unsent_asks(self, platforms: Sequence[str], most: int) -> list[StoredCommand]:
        """That wait at their machine, and whose chat, on one of these platforms, does not know it."""
        if not platforms:
            return []
        signs, args = marks(platforms)
        where = f"state = 'asking' AND asks_sent < asks AND platform IN {signs} ORDER BY created_ms LIMIT ?"
        sql = f"SELECT {COLUMNS} FROM commands WHERE {where}"  # noqa: S608  # constants and question marks
        return [read_command(row) for row in await self._read(lambda db: db.query(sql, (*args, most)))]

    async def count_by_state(self) -> dict[str, int]:
        """Of open commands, and of outcomes that the chat has not got."""
        sql = (
            "SELECT state, count(*) FROM commands WHERE state <> 'done' GROUP BY state UNION ALL "
            "SELECT 'unreported', count(*) FROM commands WHERE state = 'done' AND reported = 0"
        )
        return {str(name): int(count) for name, count in await self._read(lambda db: db.query(sql))}

    # -- machines --

    async def find_key(self, machine: str) -> str | None:
        query = "SELECT public_key FROM machines WHERE machine = ? AND revoked_ms IS NULL"
        rows = await self._read(lambda db: db.query(query, (machine,)))
        return str(rows[0][0]) if rows else None

    async def is_connected(self, machine: str) -> bool:
        """To any node."""
        query = "SELECT 1 FROM connections WHERE machine = ?"
        return bool(await self._read(lambda db: db.query(query, (machine,))))

    async def list_keys(self) -> dict[str, str]:
        """Of all machines that may connect."""
        query = "SELECT machine, public_key FROM machines WHERE revoked_ms IS NULL"
        return dict(await self._read(lambda db: db.query(query)))

    async def list_machines(self) -> list[KnownMachine]:
        query = (
            "SELECT m.machine, m.public_key, m.enrolled_ms, m.revoked_ms, c.since_ms, coalesce(c.node, '') "
            "FROM machines m LEFT JOIN connections c ON c.machine = m.machine ORDER BY m.machine"
        )
        fields = KnownMachine.__struct_fields__
        rows = await self._read(lambda db: db.query(query))
        return [KnownMachine(**dict(zip(fields, row, strict=True))) for row in rows]

    # -- the audit trail --

    async def read_audit(self, most: int, **wanted: str) -> list[AuditLine]:
        """The latest first; `command_id`, `actor`, `machine` or `status` narrow it."""
        chosen = {name: value for name, value in wanted.items() if value}
        assert chosen.keys() <= {"command_id", "actor", "machine", "status"}
        tests = [f"{name} = ?" for name in chosen]
        if chosen.keys() - {"command_id"}:
            tests.append(f"seq > (SELECT coalesce(max(seq), 0) FROM audit) - {MAX_SEARCHED}")  # noqa: S608
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        sql = f"{AUDIT}{where} ORDER BY seq DESC LIMIT ?"
        rows = await self._read(lambda db: db.query(sql, (*chosen.values(), most)))
        return [_line(row)[1] for row in rows]

    def verify(self) -> tuple[AuditHead, int | None]:
        """The end of the trail, and the first line that is not as it was written."""
        head = AuditHead()
        while True:
            rows = self._db.query(f"{AUDIT} WHERE seq > ? ORDER BY seq LIMIT ?", (head.seq, CHUNK))
            head, broken = follow_chain(head, (_line(row) for row in rows))
            if broken is not None or len(rows) < CHUNK:
                return head, broken

    def find_unrecorded(self) -> str | None:
        """The oldest command of which the trail lacks a step, as it does where its end was removed."""
        rows = self._db.query(UNRECORDED)
        return str(rows[0][0]) if rows else None


def _line(row: Row) -> tuple[int, AuditLine, str]:
    seq, at_ms, step, command_id, actor, machine, status, detail, hashed = row
    line = AuditLine(
        at_ms=at_ms,
        step=step,
        command_id=command_id,
        actor=actor,
        machine=machine,
        status=status,
        detail=detail,
    )
    return seq, line, hashed
