"""edits.* and test.run: what is written or run here, after a yes."""

from typing import TYPE_CHECKING

from bascule.core import rpc
from bascule.core.rpc import RpcError
from bascule.daemon.surfaces import Handler, Surface
from bascule.model.asks import Refuse
from bascule.model.ids import SessionId
from bascule.model.protocol import edits

if TYPE_CHECKING:
    from bascule.daemon.app import App


async def prepare(app: "App", _surface: Surface, params: edits.PrepareParams) -> edits.Prepared:
    prepared = await app.edits.prepare(SessionId(params.session_id), params.diff)
    if isinstance(prepared, Refuse):
        raise RpcError(rpc.FAILED, prepared.why)
    return prepared


async def view(app: "App", _surface: Surface, params: edits.DiffRef) -> edits.Viewed:
    viewed = app.edits.view(params.diff_id)
    if isinstance(viewed, Refuse):
        raise RpcError(rpc.FAILED, viewed.why)
    return viewed


async def apply(app: "App", surface: Surface, params: edits.DiffRef) -> edits.Written:
    return await app.edits.apply(params.diff_id, surface.label)


async def undo(app: "App", surface: Surface, params: edits.UndoParams) -> edits.Written:
    return await app.edits.undo(SessionId(params.session_id), params.undo_id, surface.label)


async def run_tests(app: "App", surface: Surface, params: edits.RunTestParams) -> edits.RanTest:
    return await app.tests.run(SessionId(params.session_id), params.command, surface.label)


HANDLERS: dict[str, Handler] = {
    "edits.prepare": prepare,
    "edits.view": view,
    "edits.apply": apply,
    "edits.undo": undo,
    "test.run": run_tests,
}
