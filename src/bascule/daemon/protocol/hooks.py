"""hooks.*: Claude's hooks, looked at and changed after a yes."""

from pathlib import Path
from typing import TYPE_CHECKING

from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.consent.manual_actions import Declined
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.daemon.watch.claude_hooks import HooksVerb
from bascule.model.protocol import hooks

if TYPE_CHECKING:
    from bascule.daemon.parts import App


async def status(app: "App", surface: Surface, params: hooks.HooksParams) -> hooks.HooksStatus:
    return await app.claude_hooks.status(_path(app, surface, params))


async def install(app: "App", surface: Surface, params: hooks.HooksParams) -> hooks.HooksStatus:
    return await _change(app, surface, params, "install")


async def uninstall(app: "App", surface: Surface, params: hooks.HooksParams) -> hooks.HooksStatus:
    return await _change(app, surface, params, "uninstall")


async def restore(app: "App", surface: Surface, params: hooks.HooksParams) -> hooks.HooksStatus:
    return await _change(app, surface, params, "restore")


async def _change(
    app: "App", surface: Surface, params: hooks.HooksParams, change: HooksVerb
) -> hooks.HooksStatus:
    try:
        path = _path(app, surface, params)
        return await app.claude_hooks.change(surface, path, change, outside=params.outside)
    except Declined as declined:
        raise RpcError(rpc.USER_CANCELLED, str(declined)) from None


def _path(app: "App", surface: Surface, params: hooks.HooksParams) -> Path:
    """Any file may be named at a terminal only: who names one elsewhere would learn which files there are."""
    default = app.claude_hooks.default
    named = params.settings or default
    if surface.origin.door != "terminal" and named != default:
        raise RpcError(rpc.NOT_ALLOWED, "settings: Only a terminal may name a file. Leave it empty.")
    if "\0" in named or not Path(named).is_absolute():
        raise RpcError(rpc.INVALID_PARAMS, "settings: Name Claude's settings.json by its whole path.")
    return Path(named)


HANDLERS: dict[str, Handler] = {
    "hooks.status": status,
    "hooks.install": install,
    "hooks.uninstall": uninstall,
    "hooks.restore": restore,
}
