"""files.*, folders.*, workspace.*, artifact.read, history.*, todos.list: what is looked at beside the log."""

import asyncio
from typing import TYPE_CHECKING, TypeVar

from bascule.core.wire import rpc
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.model.asks import Refuse
from bascule.model.protocol import files, sessions, setup, trust

if TYPE_CHECKING:
    from bascule.daemon.parts import App

T = TypeVar("T")


def _given(found: T | Refuse) -> T:
    if isinstance(found, Refuse):
        raise rpc.refuse(rpc.FAILED, found)
    return found


async def list_folders(app: "App", _surface: Surface, params: trust.ListFoldersParams) -> trust.ListedFolders:
    return _given(await asyncio.to_thread(app.openings.list, params.folder))


async def open_folder(app: "App", surface: Surface, params: trust.FolderParams) -> trust.OpenedFolder:
    return trust.OpenedFolder(workspace=_given(await app.openings.choose(params.folder, surface.who)))


async def find(app: "App", surface: Surface, params: files.FindFilesParams) -> files.FoundFiles:
    return _given(await app.workspaces.find_files(params, surface.workspace))


async def attach(app: "App", _surface: Surface, params: setup.AttachParams) -> setup.LinkedFile:
    return _given(await app.links.attach(params))


async def link(app: "App", _surface: Surface, params: setup.LinkParams) -> setup.LinkedFile:
    return _given(await app.links.link(params))


async def list_dir(app: "App", surface: Surface, params: files.ListDirParams) -> files.ListedDir:
    return _given(await app.workspaces.list_dir(params, surface.workspace))


async def read(app: "App", surface: Surface, params: files.ReadFileParams) -> files.ReadFile:
    return _given(await app.workspaces.read_file(params, surface.workspace))


async def search(app: "App", surface: Surface, params: files.SearchFilesParams) -> files.SearchedFiles:
    return _given(await app.workspaces.search(params, surface.workspace))


async def read_artifact(app: "App", _surface: Surface, params: sessions.ArtifactParams) -> sessions.Artifact:
    return _given(await app.session_reader.read_artifact(params))


async def read_history(
    app: "App", _surface: Surface, params: sessions.HistoryReadParams
) -> sessions.HistoryRead:
    return await app.session_reader.read_history(params)


async def export(app: "App", _surface: Surface, params: sessions.ExportParams) -> sessions.Exported:
    return _given(await app.session_reader.export(params))


async def todos(app: "App", _surface: Surface, params: sessions.SessionRef) -> sessions.Todos:
    return await app.session_reader.todos(params)


HANDLERS: dict[str, Handler] = {
    "folders.list": list_folders,
    "folders.open": open_folder,
    "files.find": find,
    "files.attach": attach,
    "files.link": link,
    "workspace.list": list_dir,
    "workspace.read": read,
    "workspace.search": search,
    "artifact.read": read_artifact,
    "history.read": read_history,
    "history.export": export,
    "todos.list": todos,
}
