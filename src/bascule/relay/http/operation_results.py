"""What the operations answer, as values; the OpenAPI description is made from them."""

from typing import Literal

from msgspec import Struct

from bascule.model.consent.orders import Order, OrderKind, OrderOutcome
from bascule.relay.storage.records import CommandState


class OperationResult(Struct, frozen=True, kw_only=True, rename="camel"):
    pass


class OperationError(OperationResult, frozen=True, kw_only=True):
    error: str


class Health(OperationResult, frozen=True, kw_only=True):
    status: Literal["ok"]
    node: str


class MachineItem(OperationResult, frozen=True, kw_only=True):
    machine_id: str
    connected: bool
    connected_at: str | None
    node: str  # that holds its socket
    enrolled_at: str
    revoked: bool


class MachineList(OperationResult, frozen=True, kw_only=True):
    items: list[MachineItem]


class InFlightItem(OperationResult, frozen=True, kw_only=True):
    command_id: str
    user_id: str
    machine_id: str
    kind: OrderKind
    state: CommandState
    cancelled: bool
    age_ms: int


class InFlightList(OperationResult, frozen=True, kw_only=True):
    items: list[InFlightItem]


class AuditItem(OperationResult, frozen=True, kw_only=True):
    at: str
    step: str
    command_id: str
    user_id: str
    machine_id: str
    status: str
    detail: str


class AuditList(OperationResult, frozen=True, kw_only=True):
    items: list[AuditItem]


class CommandDetail(OperationResult, frozen=True, kw_only=True):
    command: Order
    state: CommandState
    outcome: OrderOutcome | None
    reported: Literal["no", "yes", "failed"]
    cancelled: bool
    retried_from: str
    events: list[AuditItem]


class CancelSent(OperationResult, frozen=True, kw_only=True):
    status: Literal["cancel_sent"]


class RetrySent(OperationResult, frozen=True, kw_only=True):
    status: Literal["retried_sent"]
    command_id: str
    retried_from: str


class MachineCode(OperationResult, frozen=True, kw_only=True):
    machine_id: str
    code: str  # for `bascule bridge join`
    expires_at: str


class MachineRevoked(OperationResult, frozen=True, kw_only=True):
    machine_id: str
    status: Literal["revoked"]
