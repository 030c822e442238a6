"""The steps of a command, each a decision on what was read: admitted, taken, ended, reported, cancelled."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.text.visible import visible
from bascule.model.consent.orders import Order, OrderOutcome
from bascule.relay.storage.audit_chain import AuditLine
from bascule.relay.storage.batch import Batch, Needs
from bascule.relay.storage.records import CommandState, NewCommand, StoredCommand

MAX_DETAIL = 300  # characters
MINUTE_MS = 60_000
Ending = Literal["outcome", "cancelled", "in-flight timeout", "machine revoked", "machine left"]
Refusal = Literal["seen", "too_many", "repeated", "full", "revoked"]
MessageKey = tuple[str, str]  # of a platform, an id that counts once


class Admitted(Struct, frozen=True, kw_only=True):
    """Or not: then why."""

    refusal: Refusal | None = None
    seen: MessageKey | None = None  # which id
    command: StoredCommand | None = None
    node: str = ""  # that holds the machine's socket; empty where none does


class SenderLimit(Struct, frozen=True):
    """Messages of one person: all nodes count them together."""

    platform: str
    user: str
    a_minute: int

    @property
    def key(self) -> tuple[str, str]:
        return self.platform, self.user

    def is_over(self, batch: Batch, now_ms: int) -> bool:
        """Counts one more."""
        return batch.count_message(self.key, now_ms // MINUTE_MS) > self.a_minute

    def refuse(self, batch: Batch, now_ms: int, why: Refusal) -> None:
        batch.audit(AuditLine(at_ms=now_ms, step="refused", actor=self.user, status=why))


class Remember(Struct, frozen=True, kw_only=True):
    """Ids of a message that makes no command, with a line about it."""

    messages: tuple[MessageKey, ...]
    now_ms: int
    limit: SenderLimit | None = None
    line: AuditLine | None = None

    def needs(self) -> Needs:
        return Needs(messages=self.messages, sender=self.limit.key if self.limit else None)

    def run(self, batch: Batch) -> Admitted:
        if (seen := batch.find_seen(self.messages)) is not None:
            if self.limit is not None:
                self.limit.refuse(batch, self.now_ms, "seen")
            return Admitted(refusal="seen", seen=seen)
        for platform, message in self.messages:
            batch.see(platform, message, self.now_ms)
        if self.limit is not None and self.limit.is_over(batch, self.now_ms):
            self.limit.refuse(batch, self.now_ms, "too_many")
            return Admitted(refusal="too_many")
        if self.line is not None:
            batch.audit(self.line)
        return Admitted()


class Admit(Struct, frozen=True, kw_only=True):
    """A message and the command that it is, together or not at all."""

    messages: tuple[MessageKey, ...]
    new: NewCommand
    now_ms: int
    repeat_ms: int
    most_waiting: int
    node: str  # this one: where it holds the machine's socket itself, no other is woken
    limit: SenderLimit | None = None

    def needs(self) -> Needs:
        order = self.new.order
        return Needs(
            messages=self.messages,
            sender=self.limit.key if self.limit else None,
            fingerprint=self.new.fingerprint,
            machine=order.machine_id,
            command=order.command_id,
        )

    def run(self, batch: Batch) -> Admitted:
        order, queue = self.new.order, batch.machines[self.new.order.machine_id]
        if (stored := batch.commands.get(order.command_id)) is not None:
            return Admitted(command=stored, node=queue.node)  # the connection broke after it was stored
        if (seen := batch.find_seen(self.messages)) is not None:
            self._refuse(batch, "seen")
            return Admitted(refusal="seen", seen=seen)
        for platform, message in self.messages:
            batch.see(platform, message, self.now_ms)
        if self.limit is not None and self.limit.is_over(batch, self.now_ms):
            self.limit.refuse(batch, self.now_ms, "too_many")
            return Admitted(refusal="too_many")
        if batch.asked_ms.get(self.new.fingerprint, -self.repeat_ms) > self.now_ms - self.repeat_ms:
            return self._refuse(batch, "repeated")
        if queue.is_revoked:
            return self._refuse(batch, "revoked")
        if queue.waiting >= self.most_waiting:
            return self._refuse(batch, "full")
        command = StoredCommand(
            order=order,
            machine=order.machine_id,
            seq=queue.last_seq + 1,
            actor=order.user_id,
            platform=self.new.platform,
            chat=self.new.chat,
            language=self.new.language,
            fingerprint=self.new.fingerprint,
            state="queued",
            retried_from=self.new.retried_from,
            created_ms=self.now_ms,
        )
        batch.add(command)
        detail = f"retried from {self.new.retried_from}" if self.new.retried_from else order.kind
        batch.audit(_line(order, self.now_ms, "created", detail=detail))
        if queue.node not in ("", self.node):
            batch.look(order.machine_id, queue.node)
        return Admitted(command=command, node=queue.node)

    def _refuse(self, batch: Batch, why: Refusal) -> Admitted:
        batch.audit(_line(self.new.order, self.now_ms, "refused", status=why))
        return Admitted(refusal=why)


class Take(Struct, frozen=True, kw_only=True):
    """The machine has it."""

    command_id: str
    machine: str
    now_ms: int

    def needs(self) -> Needs:
        return Needs(command=self.command_id)

    def run(self, batch: Batch) -> None:
        command = batch.commands.get(self.command_id)
        if command is None or command.machine != self.machine or command.state != "queued":
            return
        batch.change(replace(command, state="taken"))
        batch.audit(
            AuditLine(at_ms=self.now_ms, step="taken", command_id=self.command_id, machine=self.machine)
        )


class WaitInLine(Struct, frozen=True, kw_only=True):
    """The machine carries out others first, or has begun with this one."""

    command_id: str
    machine: str
    is_waiting: bool
    now_ms: int

    def needs(self) -> Needs:
        return Needs(command=self.command_id)

    def run(self, batch: Batch) -> None:
        before = ("queued", "taken") if self.is_waiting else ("inLine",)
        command = batch.commands.get(self.command_id)
        if command is None or command.machine != self.machine or command.state not in before or command.asks:
            return
        batch.change(replace(command, state="inLine" if self.is_waiting else "taken"))
        step = "in line" if self.is_waiting else "its turn"
        batch.audit(AuditLine(at_ms=self.now_ms, step=step, command_id=command.id, machine=self.machine))


class Progress(Struct, frozen=True, kw_only=True):
    """The machine asks its person, or goes on. The command, where it has begun to ask; frames that are late
    or come twice change nothing."""

    command_id: str
    machine: str
    asks: int
    is_asking: bool
    now_ms: int

    def needs(self) -> Needs:
        return Needs(command=self.command_id)

    def run(self, batch: Batch) -> StoredCommand | None:
        command = batch.commands.get(self.command_id)
        if command is None or command.machine != self.machine or command.state == "done":
            return None
        if self.asks < command.asks or (self.asks == command.asks and self.is_asking):
            return None
        if not self.is_asking and self.asks == command.asks and command.state != "asking":
            return None
        state: CommandState = "asking" if self.is_asking else "taken"
        changed = replace(command, state=state, asks=self.asks)
        batch.change(changed)
        step = "asking" if self.is_asking else "goes on"
        batch.audit(AuditLine(at_ms=self.now_ms, step=step, command_id=self.command_id, machine=self.machine))
        return changed if self.is_asking else None


class SendAsk(Struct, frozen=True, kw_only=True):
    """Whether the caller is to tell the chat that a command waits at its machine: one node, once for each
    question, while it is open."""

    command_id: str
    now_ms: int

    def needs(self) -> Needs:
        return Needs(command=self.command_id)

    def run(self, batch: Batch) -> StoredCommand | None:
        command = batch.commands.get(self.command_id)
        if command is None or command.state != "asking" or command.asks_sent >= command.asks:
            return None
        sent = replace(command, asks_sent=command.asks)
        batch.change(sent)
        batch.audit(AuditLine(at_ms=self.now_ms, step="ask sent", command_id=command.id, actor=command.actor))
        return sent


class UnsendAsk(Struct, frozen=True, kw_only=True):
    """The chat did not take it: it is sent again."""

    command_id: str
    asks: int  # which one
    now_ms: int
    fault: str

    def needs(self) -> Needs:
        return Needs(command=self.command_id)

    def run(self, batch: Batch) -> None:
        command = batch.commands.get(self.command_id)
        line = AuditLine(
            at_ms=self.now_ms,
            step="ask not sent",
            command_id=self.command_id,
            detail=_make_detail(self.fault),
        )
        batch.audit(line)
        if command is not None and command.state != "done" and command.asks_sent == self.asks:
            batch.change(replace(command, asks_sent=self.asks - 1))


class Finish(Struct, frozen=True, kw_only=True):
    """The first outcome counts, and only of the machine that has the command; this node reports it."""

    outcome: OrderOutcome
    machine: str
    now_ms: int
    node: str
    step: Ending = "outcome"

    def needs(self) -> Needs:
        return Needs(command=self.outcome.command_id)

    def run(self, batch: Batch) -> StoredCommand | None:
        command = batch.commands.get(self.outcome.command_id)
        if command is None or command.machine != self.machine or command.state == "done":
            return None
        done = replace(command, state="done", outcome=self.outcome, report_node=self.node)
        batch.change(done)
        if (queue := batch.machines.get(command.machine)) is not None:
            queue.waiting -= 1
        batch.audit(
            AuditLine(
                at_ms=self.now_ms,
                step=self.step,
                command_id=command.id,
                machine=self.machine,
                status=self.outcome.status,
                detail=_make_detail(self.outcome.summary),
            )
        )
        return done


class Report(Struct, frozen=True, kw_only=True):
    """The chat has its outcome, or did not take it."""

    command_id: str
    now_ms: int
    fault: str = ""
    note: str = ""  # what else there is to know where the chat has it

    def needs(self) -> Needs:
        return Needs(command=self.command_id)

    def run(self, batch: Batch) -> None:
        command = batch.commands.get(self.command_id)
        if command is None or command.reported:
            return
        batch.change(replace(command, reported=2 if self.fault else 1))
        step = "not reported" if self.fault else "reported"
        detail = _make_detail(self.fault or self.note)
        batch.audit(AuditLine(at_ms=self.now_ms, step=step, command_id=command.id, detail=detail))


class Cancel(Struct, frozen=True, kw_only=True):
    """It is to be stopped; the command as it is now, None where there is nothing to stop."""

    command_id: str
    actor: str
    now_ms: int

    def needs(self) -> Needs:
        return Needs(command=self.command_id)

    def run(self, batch: Batch) -> StoredCommand | None:
        command = batch.commands.get(self.command_id)
        if command is None or command.state == "done":
            return None
        if not command.is_cancelled:
            command = replace(command, is_cancelled=True)
            batch.change(command)
            line = AuditLine(at_ms=self.now_ms, step="cancel", command_id=command.id, actor=self.actor)
            batch.audit(line)
        batch.look(command.machine)
        return command


class Note(Struct, frozen=True, kw_only=True):
    """A line of the audit trail, and nothing else."""

    line: AuditLine

    def needs(self) -> Needs:
        return Needs()

    def run(self, batch: Batch) -> None:
        batch.audit(self.line)


def _make_detail(text: str) -> str:
    """From outside: what could not be seen, or not be stored, is spelt out."""
    return visible(text[:MAX_DETAIL], keep="\n\t")[:MAX_DETAIL]


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
