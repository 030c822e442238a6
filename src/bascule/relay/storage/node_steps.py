"""Nodes in the store: which are alive, which machine's socket each holds, and what is left of a dead one."""

from msgspec import Struct

from bascule.relay.storage.audit_chain import AuditLine
from bascule.relay.storage.batch import Batch, Needs
from bascule.relay.storage.database import News
from bascule.relay.storage.steps import MINUTE_MS

DEAD_MS = 10_000  # without a word
UNREPORTED = "UPDATE commands SET report_node = ? WHERE state = 'done' AND reported = 0 AND report_node = ?"


class Beat(Struct, frozen=True, kw_only=True):
    """This node is alive, and takes over from those that are not. False: it was taken for dead itself."""

    node: str
    is_first: bool = False

    def needs(self) -> Needs:
        return Needs()

    def run(self, batch: Batch) -> bool:
        now_ms = batch.db.now_ms()
        if self.is_first:
            batch.db.execute("INSERT INTO nodes VALUES (?, ?)", (self.node, now_ms))
        elif batch.db.execute("UPDATE nodes SET seen_ms = ? WHERE node = ?", (now_ms, self.node)) != 1:
            return False
        # several nodes cannot share SQLite: an earlier one is gone
        newest_ms = now_ms - DEAD_MS if batch.db.is_shared else now_ms + 1
        query = "SELECT node FROM nodes WHERE node <> ? AND seen_ms < ?"
        for (dead,) in batch.db.query(query, (self.node, newest_ms)):
            remove_node(batch, dead, self.node)
            line = AuditLine(at_ms=now_ms, step="node lost", actor=self.node, detail=dead)
            batch.audit(line)
        batch.db.execute(UNREPORTED, (self.node, ""))
        return True


class Leave(Struct, frozen=True, kw_only=True):
    """This node stops; another reports what it has not."""

    node: str

    def needs(self) -> Needs:
        return Needs()

    def run(self, batch: Batch) -> None:
        remove_node(batch, self.node, "")


class Connect(Struct, frozen=True, kw_only=True):
    """A machine's socket is here; an older one, wherever it is, is closed. How far its numbers are."""

    machine: str
    node: str
    connection: str
    now_ms: int

    def needs(self) -> Needs:
        return Needs(machine=self.machine)

    def run(self, batch: Batch) -> int:
        batch.db.execute("DELETE FROM connections WHERE machine = ?", (self.machine,))
        row = (self.machine, self.node, self.connection, self.now_ms)
        batch.db.execute("INSERT INTO connections VALUES (?, ?, ?, ?)", row)
        queue = batch.machines[self.machine]
        queue.node = self.node
        batch.news[News("held", f"{self.machine} {self.connection}")] = None
        return queue.last_seq


class Disconnect(Struct, frozen=True, kw_only=True):
    machine: str
    connection: str

    def needs(self) -> Needs:
        return Needs()

    def run(self, batch: Batch) -> None:
        query = "DELETE FROM connections WHERE machine = ? AND connection = ?"
        batch.db.execute(query, (self.machine, self.connection))


class Lead(Struct, frozen=True, kw_only=True):
    """Whether this node is the one that does it: it was so before, or nobody was."""

    name: str
    node: str

    def needs(self) -> Needs:
        return Needs()

    def run(self, batch: Batch) -> bool:
        found = batch.db.query("SELECT node FROM leads WHERE name = ?", (self.name,))
        if not found:
            batch.db.execute("INSERT INTO leads VALUES (?, ?)", (self.name, self.node))
        return not found or bool(found[0][0] == self.node)


class HandOver(Struct, frozen=True, kw_only=True):
    """This node no longer does it, so that another leads it. False: there is no other."""

    name: str
    node: str

    def needs(self) -> Needs:
        return Needs()

    def run(self, batch: Batch) -> bool:
        alive = "SELECT node FROM nodes WHERE node <> ? AND seen_ms >= ?"
        if not batch.db.query(alive, (self.node, batch.db.now_ms() - DEAD_MS)):
            return False
        batch.db.execute("DELETE FROM leads WHERE name = ? AND node = ?", (self.name, self.node))
        return True


class Claim(Struct, frozen=True, kw_only=True):
    """This node sends the outcomes of platforms that it leads, also those that others stored."""

    node: str
    platforms: tuple[str, ...]

    def needs(self) -> Needs:
        return Needs()

    def run(self, batch: Batch) -> None:
        query = "UPDATE commands SET report_node = ? WHERE state = 'done' AND reported = 0 AND platform = ?"
        for platform in self.platforms:
            batch.db.execute(f"{query} AND report_node <> ?", (self.node, platform, self.node))


class ForgetMessages(Struct, frozen=True, kw_only=True):
    """That are older."""

    before_ms: int

    def needs(self) -> Needs:
        return Needs()

    def run(self, batch: Batch) -> None:
        batch.db.execute("DELETE FROM messages WHERE at_ms < ?", (self.before_ms,))
        batch.db.execute("DELETE FROM senders WHERE minute < ?", (self.before_ms // MINUTE_MS,))


def remove_node(batch: Batch, node: str, heir: str) -> None:
    batch.db.execute(UNREPORTED, (heir, node))
    batch.db.execute("DELETE FROM connections WHERE node = ?", (node,))
    batch.db.execute("DELETE FROM leads WHERE node = ?", (node,))
    batch.db.execute("DELETE FROM nodes WHERE node = ?", (node,))
