"""pane.*: terminals at a person's own hands, on this machine; from outside only where a setting says so."""

import base64
import binascii
from typing import TYPE_CHECKING

from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.panes.pane_views import PaneView
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.host.terminals.pty_process import PtySize
from bascule.model.asks import Refuse
from bascule.model.protocol import panes, sessions

if TYPE_CHECKING:
    from bascule.daemon.parts import App

VIEW = "panes"  # among the views of a surface
MAX_WRITE = 64 * 1024  # bytes at a time
MAX_ATTACHED = 40  # panes that one surface shows at once
NO_PTY = "Terminal panes are not available on this system."


def _view_name(pane_id: str) -> str:
    return f"pane:{pane_id}"


async def list_panes(app: "App", _surface: Surface, _params: panes.PanesParams) -> panes.PaneList:
    return panes.PaneList(panes=app.panes.all(), is_available=app.panes.are_available)


async def watch(app: "App", surface: Surface, params: panes.PanesParams) -> panes.PaneList:
    if not surface.capabilities.supports_session_sync:
        raise RpcError(rpc.INVALID_REQUEST, "pane.watch needs the capability supports_session_sync.")
    _drop(surface, VIEW)
    surface.views[VIEW] = app.panes.watch(surface)
    return await list_panes(app, surface, params)


async def open_pane(app: "App", surface: Surface, params: panes.OpenPaneParams) -> panes.OpenedPane:
    if not app.panes.are_available:
        raise RpcError(rpc.FAILED, NO_PTY)
    size = PtySize(min(max(params.cols, 2), 1000), min(max(params.rows, 2), 1000))
    if len(params.run.encode()) > MAX_WRITE or "\n" in params.run or "\r" in params.run:
        raise RpcError(rpc.INVALID_PARAMS, "run: One line, of 64 KB at most.")
    app.session_watch.start()  # what an agent in it says is heard from the beginning
    opened = await app.panes.open(surface, cwd=params.cwd, size=size, pane_id=params.pane_id, run=params.run)
    if isinstance(opened, Refuse):
        raise RpcError(rpc.FAILED, opened.why)
    return panes.OpenedPane(pane=opened)


async def attach(app: "App", surface: Surface, params: panes.AttachPaneParams) -> panes.OpenedPane:
    if not surface.capabilities.supports_session_sync:
        raise RpcError(rpc.INVALID_REQUEST, "pane.attach needs the capability supports_session_sync.")
    name = _view_name(params.pane_id)
    pane = app.panes.get(params.pane_id)
    is_typing = pane.typist == surface.id
    _drop(surface, name)
    if sum(isinstance(view, PaneView) for view in surface.views.values()) >= MAX_ATTACHED:
        raise RpcError(rpc.BUSY, f"This surface shows {MAX_ATTACHED} panes already. Leave one first.")
    surface.views[name] = app.panes.attach(surface, params.pane_id, params.offset)
    if is_typing:
        app.panes.drive(surface, params.pane_id)
    return panes.OpenedPane(pane=pane.describe())


async def detach(_app: "App", surface: Surface, params: panes.PaneRef) -> sessions.Done:
    _drop(surface, _view_name(params.pane_id))
    return sessions.Done()


async def write(app: "App", surface: Surface, params: panes.WritePaneParams) -> sessions.Done:
    """Answered once the program has taken most of it: who pastes waits for that."""
    try:
        data = base64.b64decode(params.data, validate=True)
    except (binascii.Error, ValueError):
        raise RpcError(rpc.INVALID_PARAMS, "data: Send bytes as base64.") from None
    if len(data) > MAX_WRITE:
        raise RpcError(rpc.INVALID_PARAMS, f"data: {MAX_WRITE} bytes at a time at most.")
    pty = app.panes.write(surface, params.pane_id, data)
    if isinstance(pty, Refuse):
        raise RpcError(rpc.BUSY, pty.why)
    await pty.drain()
    return sessions.Done()


async def resize(app: "App", surface: Surface, params: panes.ResizePaneParams) -> sessions.Done:
    barred = app.panes.resize(surface, params.pane_id, PtySize(params.cols, params.rows))
    if barred is not None:
        raise RpcError(rpc.BUSY, barred.why)
    return sessions.Done()


async def drive(app: "App", surface: Surface, params: panes.PaneRef) -> sessions.Done:
    if _view_name(params.pane_id) not in surface.views:
        raise RpcError(rpc.INVALID_REQUEST, "Attach to the pane first.")
    app.panes.drive(surface, params.pane_id)
    return sessions.Done()


async def acknowledge(_app: "App", surface: Surface, params: panes.AckPaneParams) -> sessions.Done:
    view = surface.views.get(_view_name(params.pane_id))
    if isinstance(view, PaneView):
        view.acknowledge(params.offset)
    return sessions.Done()


async def close(app: "App", _surface: Surface, params: panes.PaneRef) -> sessions.Done:
    await app.panes.close_pane(params.pane_id)
    return sessions.Done()


def _drop(surface: Surface, name: str) -> None:
    view = surface.views.pop(name, None)
    if view is not None:
        view.close()


HANDLERS: dict[str, Handler] = {
    "pane.list": list_panes,
    "pane.watch": watch,
    "pane.open": open_pane,
    "pane.attach": attach,
    "pane.detach": detach,
    "pane.write": write,
    "pane.resize": resize,
    "pane.drive": drive,
    "pane.ack": acknowledge,
    "pane.close": close,
}
