"""What a bridge to a chat uses: Orders in, their outcomes out."""

from msgspec import Struct

from bascule.model.consent.orders import Order


class TakeOrderParams(Struct, frozen=True, kw_only=True):
    order: Order


class CancelOrderParams(Struct, frozen=True, kw_only=True):
    command_id: str
