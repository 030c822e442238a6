"""board.*: every session on this machine, as a list and as it changes."""

from typing import TYPE_CHECKING

from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.model.protocol import board, sync

if TYPE_CHECKING:
    from bascule.daemon.parts import App

VIEW = "board"  # among the views of a surface; no session is called so


async def list_sessions(app: "App", _surface: Surface, _params: board.BoardParams) -> board.BoardList:
    await app.session_watch.begin()
    return board.BoardList(sessions=tuple(app.session_watch.all()))


async def watch(app: "App", surface: Surface, _params: board.BoardParams) -> sync.Done:
    if not surface.capabilities.supports_session_sync:
        raise RpcError(rpc.INVALID_REQUEST, "board.watch needs the capability supports_session_sync.")
    await unwatch(app, surface, _params)
    view = surface.views[VIEW] = app.session_watch.watch(surface.news)
    await app.session_watch.begin()
    view.open()  # sends nothing where the surface has left or stopped watching meanwhile
    return sync.Done()


async def unwatch(_app: "App", surface: Surface, _params: board.BoardParams) -> sync.Done:
    view = surface.views.pop(VIEW, None)
    if view is not None:
        view.close()
    return sync.Done()


HANDLERS: dict[str, Handler] = {
    "board.list": list_sessions,
    "board.watch": watch,
    "board.unwatch": unwatch,
}
