"""order.take: the one thing that a bridge to a chat can say."""

from typing import TYPE_CHECKING

from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.model.consent.orders import OrderOutcome
from bascule.model.protocol import orders

if TYPE_CHECKING:
    from bascule.daemon.parts import App

NOWHERE = "order.take needs a workspace: connect with one, as `bascule orders --workspace DIR` does."


async def take(app: "App", surface: Surface, params: orders.TakeOrderParams) -> OrderOutcome:
    if not surface.workspace:
        raise RpcError(rpc.INVALID_REQUEST, NOWHERE)
    return await app.orders.take(params.order, surface.workspace, surface.label)


HANDLERS: dict[str, Handler] = {"order.take": take}
