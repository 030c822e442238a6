"""Machines in the store: a code made, a machine enrolled, a machine revoked."""

from msgspec import Struct

from bascule.core.faults import UserError
from bascule.core.relay.replies import say
from bascule.host.clock import utc_text
from bascule.model.consent.orders import OrderOutcome
from bascule.relay.storage.audit_chain import AuditLine
from bascule.relay.storage.batch import Batch, Needs
from bascule.relay.storage.database import News
from bascule.relay.storage.records import StoredCommand
from bascule.relay.storage.steps import Ending, Finish

ENROLLED = "SELECT 1 FROM machines WHERE machine = ? AND revoked_ms IS NULL"
KEYS_CHANGED = News("keys")


class AddCode(Struct, frozen=True, kw_only=True):
    machine: str
    hashed: str
    expires_ms: int
    now_ms: int

    def needs(self) -> Needs:
        return Needs()

    def run(self, batch: Batch) -> None:
        if batch.db.query(ENROLLED, (self.machine,)):
            raise UserError(
                f"{self.machine} is enrolled already. `bascule relay revoke {self.machine}` first."
            )
        old = "DELETE FROM codes WHERE machine = ? OR expires_ms < ?"
        batch.db.execute(old, (self.machine, self.now_ms))
        batch.db.execute("INSERT INTO codes VALUES (?, ?, ?)", (self.hashed, self.machine, self.expires_ms))
        batch.audit(AuditLine(at_ms=self.now_ms, step="code made", machine=self.machine))


class Enroll(Struct, frozen=True, kw_only=True):
    """With a code, which is used up; never over a machine that is enrolled."""

    machine: str
    hashed: str
    public_key: str
    now_ms: int

    def needs(self) -> Needs:
        return Needs()

    def run(self, batch: Batch) -> bool:
        use = "DELETE FROM codes WHERE hash = ? AND machine = ? AND expires_ms >= ?"
        if batch.db.execute(use, (self.hashed, self.machine, self.now_ms)) != 1:
            return False  # a guess is not written down: anybody can make any number of them
        is_free = not batch.db.query(ENROLLED, (self.machine,))
        if is_free:
            batch.db.execute("DELETE FROM machines WHERE machine = ?", (self.machine,))
            row = (self.machine, self.public_key, self.now_ms)
            batch.db.execute("INSERT INTO machines VALUES (?, ?, ?, NULL)", row)
        step = "enrolled" if is_free else "enrolment refused"
        batch.audit(AuditLine(at_ms=self.now_ms, step=step, machine=self.machine))
        return is_free


class Revoke(Struct, frozen=True, kw_only=True):
    """With the end of what it had not answered: another machine may get its name."""

    machine: str
    now_ms: int
    actor: str = ""
    is_left: bool = False  # the machine itself wants it

    def needs(self) -> Needs:
        return Needs(machine=self.machine)

    def run(self, batch: Batch) -> bool:
        query = "UPDATE machines SET revoked_ms = ? WHERE machine = ? AND revoked_ms IS NULL"
        if batch.db.execute(query, (self.now_ms, self.machine)) != 1:
            return False
        batch.news[KEYS_CHANGED] = None
        step = "left" if self.is_left else "revoked"
        batch.audit(AuditLine(at_ms=self.now_ms, step=step, machine=self.machine, actor=self.actor))
        batch.machines[self.machine].is_revoked = True
        for command in batch.list_open(self.machine):
            self._end(batch, command)
        return True

    def _end(self, batch: Batch, command: StoredCommand) -> None:
        """Any node tells its sender."""
        outcome = OrderOutcome(
            command_id=command.id,
            machine_id=self.machine,
            status="cancelled",
            summary=say(
                "ended_by_leaving" if self.is_left else "ended_by_revoking",
                command.said_in,
                machine=self.machine,
            ),
            created_at=utc_text(self.now_ms),
        )
        step: Ending = "machine left" if self.is_left else "machine revoked"
        finish = Finish(outcome=outcome, machine=self.machine, now_ms=self.now_ms, node="", step=step)
        batch.commands[command.id] = command
        finish.run(batch)
