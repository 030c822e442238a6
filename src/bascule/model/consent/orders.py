"""Orders: what a remote person wants done here, and the outcome that goes back to them."""

from typing import Literal

from msgspec import Struct

OrderKind = Literal["help", "status", "plan", "patch", "apply", "test"]
OrderEnd = Literal["ok", "error", "rejected", "cancelled"]


class Order(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """It can ask for work. It cannot answer an Ask: there is no word for that in it."""

    command_id: str
    machine_id: str
    user_id: str
    kind: OrderKind
    created_at: str  # ISO 8601, with its offset
    prompt: str = ""  # of plan and patch; the command of test
    ref_id: str = ""  # of apply: the patch Order whose diff it means


class OrderOutcome(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    command_id: str
    machine_id: str
    status: OrderEnd
    summary: str
    created_at: str
    diff: str = ""
