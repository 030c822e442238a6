"""The wire between the relay and a machine's bridge: Orders one way, their outcomes the other."""

from typing import Annotated

from msgspec import Meta, Struct

from bascule.model.consent.orders import Order, OrderOutcome

PURPOSE = b"bascule relay, machine 1\0"  # before what a machine signs: the signature is for nothing else
MAX_ASKS = 1_000  # questions at the machine, in one Order


class RelayFrame(Struct, frozen=True, kw_only=True, rename="camel", tag_field="type", omit_defaults=True):
    """From the relay."""


class ChallengeFrame(RelayFrame, frozen=True, kw_only=True, tag="challenge"):
    nonce: str


class WelcomeFrame(RelayFrame, frozen=True, kw_only=True, tag="welcome"):
    machine_id: str


class CommandFrame(RelayFrame, frozen=True, kw_only=True, tag="command"):
    seq: int  # counts for each machine; what is not acknowledged comes again
    command: Order


class CancelFrame(RelayFrame, frozen=True, kw_only=True, tag="command.cancel"):
    command_id: str


class StoredFrame(RelayFrame, frozen=True, kw_only=True, tag="stored"):
    """The outcome of that command is stored: it need not be sent again."""

    command_id: str


class LeftFrame(RelayFrame, frozen=True, kw_only=True, tag="left"):
    """The machine's key counts no more. Only who leaves waits for it."""


FromRelay = ChallengeFrame | WelcomeFrame | CommandFrame | CancelFrame | StoredFrame


class MachineFrame(Struct, frozen=True, kw_only=True, rename="camel", tag_field="type", omit_defaults=True):
    """From a machine."""


class HelloFrame(MachineFrame, frozen=True, kw_only=True, tag="hello"):
    machine_id: str
    version: str
    signature: str  # Ed25519 over PURPOSE, the machine's id and the nonce; base64


class TakenFrame(MachineFrame, frozen=True, kw_only=True, tag="taken"):
    seq: int
    command_id: str


class ProgressFrame(MachineFrame, frozen=True, kw_only=True, tag="progress"):
    """An Order waits for an answer at the machine, or goes on; never the question or the answer."""

    command_id: str
    asks: Annotated[int, Meta(ge=1, le=MAX_ASKS)]  # questions so far: an older frame changes nothing
    is_asking: bool


class LineFrame(MachineFrame, frozen=True, kw_only=True, tag="line"):
    """An Order waits at the machine for others to end, or no longer does."""

    command_id: str
    is_waiting: bool


class ResultFrame(MachineFrame, frozen=True, kw_only=True, tag="result"):
    result: OrderOutcome


class HeartbeatFrame(MachineFrame, frozen=True, kw_only=True, tag="heartbeat"):
    pass


class LeaveFrame(MachineFrame, frozen=True, kw_only=True, tag="leave"):
    """It takes no more orders, and its key is not to count any more."""


FromMachine = HelloFrame | TakenFrame | LineFrame | ProgressFrame | ResultFrame | HeartbeatFrame | LeaveFrame


class JoinCode(Struct, frozen=True, kw_only=True):
    """What `bascule relay enroll` prints, as base64 of JSON."""

    url: str
    machine: str
    secret: str


class EnrollRequest(Struct, frozen=True, kw_only=True, rename="camel"):
    machine_id: str
    secret: str
    public_key: str  # raw Ed25519, base64
    signature: str  # over PURPOSE, the machine's id and the secret: it has the key


def signed_text(machine_id: str, challenge: str) -> bytes:
    """What a machine signs."""
    return PURPOSE + machine_id.encode() + b"\0" + challenge.encode()
