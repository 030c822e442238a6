"""One transaction for many steps: their rows are read together, and their changes written together."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol, TypeVar

from bascule.relay.storage.audit_chain import AuditHead, AuditLine, hash_audit
from bascule.relay.storage.database import Database, News, Read, Row, Write, marks
from bascule.relay.storage.records import COLUMNS, StoredCommand, encode_outcome, make_row, read_command

LAST_LINE = Read("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1")
INSERT_COMMAND = f"INSERT INTO commands ({COLUMNS}) VALUES ({', '.join('?' * 18)})"  # noqa: S608  # constants
UPDATE_COMMAND = (
    "UPDATE commands SET state = ?, outcome = ?, reported = ?, report_node = ?, is_cancelled = ?, "
    "asks = ?, asks_sent = ? WHERE command_id = ?"
)
INSERT_MESSAGE = "INSERT INTO messages VALUES (?, ?, ?)"
COUNT_SENDER = (
    "INSERT INTO senders VALUES (?, ?, ?, ?) ON CONFLICT (platform, actor) "
    "DO UPDATE SET minute = excluded.minute, sent = excluded.sent"
)
INSERT_AUDIT = "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"

T_co = TypeVar("T_co", covariant=True)


class Needs(NamedTuple):
    """What a step looks at, by key."""

    messages: tuple[tuple[str, str], ...] = ()  # platform, id
    sender: tuple[str, str] | None = None  # platform, person
    fingerprint: str = ""
    machine: str = ""
    command: str = ""


class Step(Protocol[T_co]):
    """One change. `run` decides on what was read, and raises before it changes anything."""

    def needs(self) -> Needs: ...

    def run(self, batch: "Batch") -> T_co: ...


class MachineQueue:
    """Of one machine: how far its numbers are, how many commands are open, who holds its socket, and whether
    it may no longer connect."""

    def __init__(self, last_seq: int, waiting: int, node: str, is_revoked: bool) -> None:
        self.last_seq = last_seq
        self.waiting = waiting
        self.node = node
        self.is_revoked = is_revoked


class Batch:
    """Rows that were read, with the changes of the steps so far."""

    def __init__(self, db: Database) -> None:
        self.db = db  # for rare steps, which use tables that are not kept here
        self.seen: set[tuple[str, str]] = set()
        self.senders: dict[tuple[str, str], tuple[int, int]] = {}  # the minute, and how many
        self.asked_ms: dict[str, int] = {}  # by fingerprint: when last
        self.machines: dict[str, MachineQueue] = {}
        self.commands: dict[str, StoredCommand] = {}
        self.news: dict[News, None] = {}
        self._head = AuditHead()
        self._messages: list[Row] = []
        self._counted: set[tuple[str, str]] = set()
        self._added: dict[str, None] = {}
        self._changed: dict[str, None] = {}
        self._lines: list[Row] = []
        self.counts: Counter[tuple[str, str]] = Counter()  # of audit lines, by step and status

    # -- what steps do --

    def find_seen(self, keys: Iterable[tuple[str, str]]) -> tuple[str, str] | None:
        return next((key for key in keys if key in self.seen), None)

    def see(self, platform: str, message: str, now_ms: int) -> None:
        self.seen.add((platform, message))
        self._messages.append((platform, message, now_ms))

    def count_message(self, sender: tuple[str, str], minute: int) -> int:
        """How many it are with this one, in this minute; nodes' clocks may differ a little."""
        latest, sent = self.senders.get(sender, (minute, 0))
        sent = sent + 1 if latest >= minute else 1
        self.senders[sender] = (max(latest, minute), sent)
        self._counted.add(sender)
        return sent

    def add(self, command: StoredCommand) -> None:
        queue = self.machines[command.machine]
        queue.last_seq, queue.waiting = command.seq, queue.waiting + 1
        self.commands[command.id] = command
        self._added[command.id] = None
        if command.fingerprint:
            self.asked_ms[command.fingerprint] = command.created_ms

    def change(self, command: StoredCommand) -> None:
        self.commands[command.id] = command
        if command.id not in self._added:
            self._changed[command.id] = None

    def list_open(self, machine: str) -> list[StoredCommand]:
        """With what the steps so far have changed."""
        sql = f"SELECT {COLUMNS} FROM commands WHERE state <> 'done' AND machine = ?"  # noqa: S608  # constants
        stored = {row[0]: read_command(row) for row in self.db.query(sql, (machine,))}
        changed = {name: one for name, one in self.commands.items() if one.machine == machine}
        return [one for one in (stored | changed).values() if one.state != "done"]

    def look(self, machine: str, node: str = "") -> None:
        """The node that holds its socket, wherever that is, has something to send."""
        self.news[News("look", machine, node)] = None

    def audit(self, line: AuditLine) -> None:
        self._head = AuditHead(self._head.seq + 1, hash_audit(self._head.hash, line))
        self.counts[line.step, line.status] += 1
        words = (line.step, line.command_id, line.actor, line.machine, line.status, line.detail)
        self._lines.append((self._head.seq, line.at_ms, *words, self._head.hash))

    # -- its beginning and its end --

    def read(self, steps: Iterable[Step[Any]]) -> None:
        needs = [step.needs() for step in steps]
        reads = {"head": LAST_LINE, **_make_reads(needs)}
        found = dict(zip(reads, self.db.read(list(reads.values())), strict=True))
        if found["head"]:
            self._head = AuditHead(*found["head"][0])
        self.seen.update((platform, message) for platform, message in found.get("messages", ()))
        self.senders.update(
            ((platform, actor), (minute, sent)) for platform, actor, minute, sent in found.get("senders", ())
        )
        self.asked_ms.update(dict(found.get("fingerprints", ())))
        self.machines.update(
            (name, MachineQueue(last, waiting, node or "", bool(revoked)))
            for name, last, waiting, node, revoked in found.get("machines", ())
        )
        self.commands.update((row[0], read_command(row)) for row in found.get("commands", ()))

    def commit(self) -> None:
        added = [make_row(self.commands[name]) for name in self._added]
        changed = [_make_update(self.commands[name]) for name in self._changed]
        writes = [
            Write(INSERT_MESSAGE, self._messages),
            Write(COUNT_SENDER, [(*sender, *self.senders[sender]) for sender in sorted(self._counted)]),
            Write(INSERT_COMMAND, added),
            Write(UPDATE_COMMAND, changed),
            Write(INSERT_AUDIT, self._lines),
        ]
        self.db.commit([write for write in writes if write.rows], self.news)


def _make_reads(needs: list[Needs]) -> dict[str, Read]:
    """At most one for each table, whatever the number of steps."""
    messages = list({key: None for need in needs for key in need.messages})
    senders = list({need.sender[1]: None for need in needs if need.sender is not None})
    fingerprints = list({need.fingerprint: None for need in needs if need.fingerprint})
    machines = list({need.machine: None for need in needs if need.machine})
    commands = list({need.command: None for need in needs if need.command})
    reads: dict[str, Read] = {}
    if messages:
        signs, args = marks([message for _, message in messages])
        reads["messages"] = Read(f"SELECT platform, message FROM messages WHERE message IN {signs}", args)  # noqa: S608
    if senders:
        signs, args = marks(senders)
        sql = f"SELECT platform, actor, minute, sent FROM senders WHERE actor IN {signs}"  # noqa: S608
        reads["senders"] = Read(sql, args)
    if fingerprints:
        signs, args = marks(fingerprints)
        sql = f"SELECT fingerprint, max(created_ms) FROM commands WHERE fingerprint IN {signs} GROUP BY 1"  # noqa: S608
        reads["fingerprints"] = Read(sql, args)
    if machines:
        _, args = marks(machines)
        reads["machines"] = Read(_machines_sql(len(args)), args)
    if commands:
        signs, args = marks(commands)
        reads["commands"] = Read(f"SELECT {COLUMNS} FROM commands WHERE command_id IN {signs}", args)  # noqa: S608
    return reads


def _machines_sql(count: int) -> str:
    names = ", ".join(["(?)"] * count)
    return (
        f"WITH wanted (machine) AS (VALUES {names}) SELECT machine, "  # noqa: S608  # question marks alone
        "(SELECT coalesce(max(seq), 0) FROM commands WHERE commands.machine = wanted.machine), "
        "(SELECT count(*) FROM commands WHERE commands.machine = wanted.machine AND state <> 'done'), "
        "(SELECT node FROM connections WHERE connections.machine = wanted.machine), "
        "(SELECT count(*) FROM machines WHERE machines.machine = wanted.machine AND revoked_ms IS NOT NULL) "
        "FROM wanted"
    )


def _make_update(command: StoredCommand) -> Row:
    outcome, cancelled = encode_outcome(command.outcome), int(command.is_cancelled)
    asks = (command.asks, command.asks_sent)
    return (command.state, outcome, command.reported, command.report_node, cancelled, *asks, command.id)
