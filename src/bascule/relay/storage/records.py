"""What is stored of a command, a machine and a node, as values."""

from typing import Literal

import msgspec
from msgspec import Struct

from bascule.core.relay.dev_commands import Language
from bascule.model.consent.orders import Order, OrderOutcome
from bascule.relay.storage.database import Row

CommandState = Literal["queued", "taken", "inLine", "asking", "done"]

ORDER = msgspec.json.Decoder(Order)
OUTCOME = msgspec.json.Decoder(OrderOutcome)

COLUMNS = (
    "command_id, machine, seq, actor, platform, chat, language, fingerprint, body, state, outcome, reported, "
    "report_node, is_cancelled, retried_from, created_ms, asks, asks_sent"
)


class NewCommand(Struct, frozen=True, kw_only=True):
    order: Order
    platform: str
    chat: str = ""  # empty: the sender's own
    language: str
    fingerprint: str
    retried_from: str = ""


class StoredCommand(Struct, frozen=True, kw_only=True):
    order: Order
    machine: str
    seq: int
    actor: str
    platform: str
    language: str
    state: CommandState
    created_ms: int
    chat: str = ""
    fingerprint: str = ""
    outcome: OrderOutcome | None = None
    reported: int = 0  # 1: the chat has it; 2: the chat did not take it
    report_node: str = ""
    is_cancelled: bool = False
    retried_from: str = ""
    asks: int = 0  # questions at the machine, so far
    asks_sent: int = 0  # of which the chat knows

    @property
    def id(self) -> str:
        return self.order.command_id

    @property
    def said_in(self) -> Language:
        return self.language if self.language in ("zh", "ja") else "en"  # type: ignore[return-value]


class KnownMachine(Struct, frozen=True, kw_only=True):
    machine: str
    public_key: str
    enrolled_ms: int
    revoked_ms: int | None
    connected_ms: int | None
    node: str  # that holds its socket; empty where none does


def read_command(row: Row) -> StoredCommand:
    _, machine, seq, actor, platform, chat, language, fingerprint, body, state, outcome, *rest = row
    reported, report_node, cancelled, retried, created, asks, asks_sent = rest
    return StoredCommand(
        order=ORDER.decode(body),
        machine=machine,
        seq=seq,
        actor=actor,
        platform=platform,
        chat=chat,
        language=language,
        fingerprint=fingerprint,
        state=state,
        outcome=OUTCOME.decode(outcome) if outcome is not None else None,
        reported=reported,
        report_node=report_node,
        is_cancelled=bool(cancelled),
        retried_from=retried,
        created_ms=created,
        asks=asks,
        asks_sent=asks_sent,
    )


def make_row(command: StoredCommand) -> Row:
    """All columns, in their order."""
    return (
        command.id,
        command.machine,
        command.seq,
        command.actor,
        command.platform,
        command.chat,
        command.language,
        command.fingerprint,
        msgspec.json.encode(command.order).decode(),
        command.state,
        encode_outcome(command.outcome),
        command.reported,
        command.report_node,
        int(command.is_cancelled),
        command.retried_from,
        command.created_ms,
        command.asks,
        command.asks_sent,
    )


def encode_outcome(outcome: OrderOutcome | None) -> str | None:
    return msgspec.json.encode(outcome).decode() if outcome is not None else None
