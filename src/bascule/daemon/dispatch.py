"""From a method's name to what it does: params are read by their struct, and every no has its code."""

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from bascule import __version__
from bascule.core import rpc
from bascule.core.plain import plain_line
from bascule.core.rpc import RpcError
from bascule.core.text import shorten
from bascule.daemon.methods import asks, edits, files, lists, runs, sessions
from bascule.daemon.roster import SessionMissing
from bascule.daemon.surfaces import MAX_SHOWN_METHOD, Handler, Surface
from bascule.model.protocol.runs import (
    InitializeParams,
    InitializeResult,
    RunStartParams,
    Server,
    ServerCapabilities,
)
from bascule.model.protocol.table import METHODS, VERSION
from bascule.model.protocol.ui import UiToastNotify

if TYPE_CHECKING:
    from bascule.daemon.app import App

MAX_NAME = 60  # characters of a client's own name


async def initialize(_app: "App", surface: Surface, params: InitializeParams) -> InitializeResult:
    """The client says what it can; we say what we can and which version we speak."""
    surface.initialized = True
    surface.name = shorten(plain_line(params.client.name), MAX_NAME) or surface.transport
    surface.capabilities = params.ui_capabilities
    if params.protocol_version != VERSION:
        said = f"This daemon speaks version {VERSION} of the protocol, not {params.protocol_version}."
        surface.notify("ui.toast", UiToastNotify(level="warn", message=said))
    return InitializeResult(
        protocol_version=VERSION,
        server=Server(name="bascule", version=__version__),
        server_capabilities=ServerCapabilities(),
        surface_id=surface.label,
        workspace=surface.workspace,
    )


HANDLERS: dict[str, Handler] = {
    "initialize": initialize,
    **runs.HANDLERS,
    **sessions.HANDLERS,
    **asks.HANDLERS,
    **edits.HANDLERS,
    **files.HANDLERS,
    **lists.HANDLERS,
}
DECODERS: dict[str, "msgspec.json.Decoder[Any]"] = {
    method: msgspec.json.Decoder(METHODS[method].params) for method in HANDLERS
}


class Dispatch:
    """Set up before the app it serves; told of it when it is there."""

    def __init__(self) -> None:
        self.app: App | None = None

    async def __call__(self, surface: Surface, method: str, params: Raw) -> object:
        assert self.app is not None
        handler = HANDLERS.get(method)
        if handler is None:
            raise RpcError(rpc.METHOD_NOT_FOUND, f"There is no method {shorten(method, MAX_SHOWN_METHOD)}.")
        if not surface.initialized and method != "initialize":
            raise RpcError(rpc.INVALID_REQUEST, "The first message of a connection is `initialize`.")
        try:
            return await handler(self.app, surface, _read(method, params))
        except SessionMissing as missing:
            raise RpcError(rpc.SESSION_NOT_FOUND, str(missing)) from None


def _read(method: str, params: Raw) -> Any:
    body = bytes(params)
    body = b"{}" if body.strip() in (b"", b"null") else body
    try:
        read = DECODERS[method].decode(body)
        return _with_extra(read, body) if isinstance(read, RunStartParams) else read
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise RpcError(rpc.INVALID_PARAMS, f"{method}: {wrong}.") from None


def _with_extra(read: RunStartParams, body: bytes) -> RunStartParams:
    """What a client says beyond what is known here is not thrown away."""
    told: dict[str, Any] = msgspec.json.decode(body)
    extra = {name: value for name, value in told.items() if name not in RunStartParams.__struct_fields__}
    return replace(read, extra=extra) if extra else read
