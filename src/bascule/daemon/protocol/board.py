"""board.*: every session on this machine as it changes; joining, leaving and forking those of others."""

from typing import TYPE_CHECKING

from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.protocol.sessions import accept, take_wheel
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.model.asks import Refuse
from bascule.model.ids import SessionId
from bascule.model.protocol import board, sessions

if TYPE_CHECKING:
    from bascule.daemon.parts import App

VIEW = "board"  # among the views of a surface; no session is called so


async def list_sessions(app: "App", _surface: Surface, _params: board.BoardParams) -> board.BoardList:
    await app.session_watch.begin()
    return board.BoardList(sessions=tuple(app.session_watch.all()))


async def watch(app: "App", surface: Surface, _params: board.BoardParams) -> sessions.Done:
    if not surface.capabilities.supports_session_sync:
        raise RpcError(rpc.INVALID_REQUEST, "board.watch needs the capability supports_session_sync.")
    await unwatch(app, surface, _params)
    view = surface.views[VIEW] = app.session_watch.watch(surface.news)
    await app.session_watch.begin()
    view.open()  # sends nothing where the surface has left or stopped watching meanwhile
    return sessions.Done()


async def unwatch(_app: "App", surface: Surface, _params: board.BoardParams) -> sessions.Done:
    view = surface.views.pop(VIEW, None)
    if view is not None:
        view.close()
    return sessions.Done()


async def join(app: "App", surface: Surface, params: board.BoardRef) -> sessions.Created:
    session = await app.joining.join(params.key, surface)
    take_wheel(app, surface, session)
    return sessions.Created(session_id=session)


async def leave(app: "App", surface: Surface, params: sessions.SessionRef) -> sessions.Done:
    return accept(await app.joining.leave(SessionId(params.session_id), surface))


async def fork(app: "App", surface: Surface, params: board.BoardRef) -> sessions.Created:
    forked = await app.joining.fork(params.key, surface)
    if isinstance(forked, Refuse):
        raise rpc.refuse(rpc.FAILED, forked)
    take_wheel(app, surface, forked)
    return sessions.Created(session_id=forked)


HANDLERS: dict[str, Handler] = {
    "board.list": list_sessions,
    "board.watch": watch,
    "board.unwatch": unwatch,
    "board.join": join,
    "board.leave": leave,
    "board.fork": fork,
}
