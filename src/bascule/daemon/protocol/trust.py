"""trust.*: which folders are trusted, and deciding about one at a terminal."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.protocol.sessions import accept
from bascule.daemon.surfaces.event_view import follow_asks
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.model.consent.trust import TrustedFolder
from bascule.model.protocol import sessions, trust

if TYPE_CHECKING:
    from bascule.daemon.parts import App

TERMINAL_ONLY = "A folder is trusted by an Ask, or with `bascule trust add` at a terminal."


async def list_folders(app: "App", _surface: Surface, _params: trust.TrustListParams) -> trust.TrustList:
    return trust.TrustList(folders=tuple([await _describe(app, one) for one in app.trust.list()]))


async def _describe(app: "App", one: TrustedFolder) -> trust.DecidedFolder:
    return trust.DecidedFolder(
        folder=one.folder,
        decision=one.decision,
        decided_at_ms=one.decided_at_ms,
        by=one.by,
        files=tuple(one.files),
        now=await app.trust.compare(one),
    )


async def inspect(app: "App", surface: Surface, params: trust.FolderParams) -> trust.InspectedFolder:
    _check_terminal(surface)
    standing = await app.trust.look(await _real(params.folder))
    return trust.InspectedFolder(
        folder=standing.folder,
        fingerprint=standing.inventory.fingerprint,
        findings=standing.findings,
        trusted=standing.trusted,
        truncated=standing.inventory.truncated,
    )


async def add(app: "App", surface: Surface, params: trust.TrustAddParams) -> sessions.Done:
    _check_terminal(surface)
    folder = await _real(params.folder)
    return accept(await app.trust.decide(folder, params.fingerprint, "trusted", surface.who))


async def revoke(app: "App", surface: Surface, params: trust.FolderParams) -> sessions.Done:
    """A folder that is gone can be named too."""
    known = {one.folder for one in app.trust.list()}
    folder = params.folder if params.folder in known else await _real(params.folder)
    return accept(await app.trust.revoke(folder, surface.who))


async def ask(app: "App", surface: Surface, params: trust.FolderParams) -> sessions.Done:
    """The question opens on every surface; its answer decides, and is waited for."""
    follow_asks(app, surface, None)
    accept(await app.trust.ask_again(params.folder))
    return accept(await app.trust.answered(params.folder))


def _check_terminal(surface: Surface) -> None:
    if surface.origin.door != "terminal":
        raise RpcError(rpc.NOT_ALLOWED, TERMINAL_ONLY)


async def _real(folder: str) -> str:
    if "\0" in folder or not folder:
        raise RpcError(rpc.INVALID_PARAMS, "folder: Name a folder.")
    return str(await asyncio.to_thread(Path(folder).resolve))


HANDLERS: dict[str, Handler] = {
    "trust.list": list_folders,
    "trust.inspect": inspect,
    "trust.add": add,
    "trust.ask": ask,
    "trust.revoke": revoke,
}
