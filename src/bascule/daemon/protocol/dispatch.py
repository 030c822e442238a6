"""From a method's name to what it does: params are read by their struct, and every no has its code."""

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Raw

from bascule import __version__
from bascule.core.consent.access import find_bar, find_joined_bar
from bascule.core.session.growing_text import shorten
from bascule.core.text.plain import plain_line
from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.agents.roster import SessionMissing
from bascule.daemon.consent.record import loss_toast
from bascule.daemon.protocol import (
    asks,
    board,
    devices,
    edits,
    files,
    hooks,
    lists,
    orders,
    panes,
    queue,
    runs,
    sessions,
    setup,
    trust,
)
from bascule.daemon.protocol.unknown_fields import keep_extra
from bascule.daemon.surfaces.surfaces import MAX_SHOWN_METHOD, Handler, Surface
from bascule.model.ids import SessionId
from bascule.model.protocol.runs import (
    InitializeParams,
    InitializeResult,
    ServerCapabilities,
    ServerIdentity,
)
from bascule.model.protocol.sessions import Done
from bascule.model.protocol.setup import InspectParams
from bascule.model.protocol.table import METHODS, VERSION
from bascule.model.protocol.ui import UiToastNotify

if TYPE_CHECKING:
    from bascule.daemon.parts import App

MAX_NAME = 60  # characters of a client's own name


async def initialize(app: "App", surface: Surface, params: InitializeParams) -> InitializeResult:
    """The client says what it can; we say what we can and which version we speak."""
    if surface.initialized:
        raise RpcError(rpc.INVALID_REQUEST, "This connection is initialized already. Open another one.")
    surface.initialized = True
    surface.name = shorten(plain_line(params.client.name), MAX_NAME) or surface.origin.door
    surface.capabilities = params.ui_capabilities
    if params.protocol_version != VERSION:
        said = f"This daemon speaks version {VERSION} of the protocol, not {params.protocol_version}."
        surface.notify("ui.toast", UiToastNotify(level="warn", message=said))
    if app.record.loss:
        surface.notify("ui.toast", loss_toast(app.record.loss))
    if not surface.capabilities.supports_session_sync:  # the others get them with the list
        for notice in app.notices.all():
            surface.notify("ui.toast", UiToastNotify(level="error", message=notice.text))
    return InitializeResult(
        protocol_version=VERSION,
        server=ServerIdentity(name="bascule", version=__version__),
        server_capabilities=ServerCapabilities(),
        surface_id=surface.label,
        workspace=surface.workspace,
        home=app.home,
        access=app.devices.access(surface.origin),
        start_command=app.start_command,
    )


async def ping(_app: "App", _surface: Surface, _params: InspectParams) -> Done:
    return Done()


HANDLERS: dict[str, Handler] = {
    "initialize": initialize,
    "daemon.ping": ping,
    **runs.HANDLERS,
    **sessions.HANDLERS,
    **asks.HANDLERS,
    **board.HANDLERS,
    **devices.HANDLERS,
    **edits.HANDLERS,
    **files.HANDLERS,
    **hooks.HANDLERS,
    **lists.HANDLERS,
    **orders.HANDLERS,
    **panes.HANDLERS,
    **queue.HANDLERS,
    **setup.HANDLERS,
    **trust.HANDLERS,
}
DECODERS: dict[str, "msgspec.json.Decoder[Any]"] = {
    method: msgspec.json.Decoder(METHODS[method].params) for method in HANDLERS
}


OF_CURRENT = {
    "run.start", "model.list", "model.set", "mcp.list", "skills.list", "shell.exec", "auth.logout",
}  # without a name: the one at hand  # fmt: skip
OF_DELETED = {"session.restore", "session.unwatch", "ask.answer"}  # also for a session that was deleted


class Dispatch:
    """Set up before the app it serves, and given it when it exists."""

    def __init__(self) -> None:
        self.app: App | None = None

    async def __call__(self, surface: Surface, method: str, params: Raw) -> object:
        assert self.app is not None
        handler = HANDLERS.get(method)
        if handler is None:
            raise RpcError(rpc.METHOD_NOT_FOUND, f"There is no method {shorten(method, MAX_SHOWN_METHOD)}.")
        if not surface.initialized and method != "initialize":
            raise RpcError(rpc.INVALID_REQUEST, "The first message of a connection is `initialize`.")
        barred = find_bar(surface.origin, method, panes_outside=self.app.panes.are_open_to(surface.origin))
        if barred is not None:
            raise rpc.refuse(rpc.NOT_ALLOWED, barred)
        read = _read(method, params)
        session = SessionId(getattr(read, "session_id", "") or _find_current(surface, method))
        if method not in OF_DELETED:
            self.app.deletion.check_there(session)
        head = self.app.hub.find(session)
        is_joined = head is not None and head.elsewhere is not None and head.elsewhere.joined
        if is_joined and (barred := find_joined_bar(surface.origin, method)) is not None:
            raise rpc.refuse(rpc.NOT_ALLOWED, barred)
        try:
            return await handler(self.app, surface, read)
        except SessionMissing as missing:
            raise RpcError(rpc.SESSION_NOT_FOUND, str(missing)) from None


def _find_current(surface: Surface, method: str) -> str:
    return (surface.current or "") if method in OF_CURRENT else ""


def _read(method: str, params: Raw) -> Any:
    body = bytes(params)
    body = b"{}" if body.strip() in (b"", b"null") else body
    try:
        read = DECODERS[method].decode(body)
        return keep_extra(read, body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise RpcError(rpc.INVALID_PARAMS, f"{method}: {wrong}.") from None
