"""order.take and order.cancel: all that a bridge to a chat can say."""

from typing import TYPE_CHECKING

from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.model.asks import Refuse
from bascule.model.consent.orders import OrderOutcome
from bascule.model.protocol import orders
from bascule.model.protocol.sessions import Done

if TYPE_CHECKING:
    from bascule.daemon.parts import App


async def take(app: "App", surface: Surface, params: orders.TakeOrderParams) -> OrderOutcome:
    return await app.orders.take(params.order, surface.workspace, surface.label)


async def cancel(app: "App", _surface: Surface, params: orders.CancelOrderParams) -> Done:
    refused = await app.orders.cancel(params.command_id)
    if isinstance(refused, Refuse):
        raise RpcError(rpc.INVALID_REQUEST, refused.why)
    return Done()


HANDLERS: dict[str, Handler] = {"order.take": take, "order.cancel": cancel}
