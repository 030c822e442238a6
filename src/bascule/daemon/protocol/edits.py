"""edits.* and test.run: what is written or run here, after a yes."""

from typing import TYPE_CHECKING, TypeVar

from bascule.core.prompts.comments import compose_comments
from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.protocol.runs import start
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.model.asks import Refuse
from bascule.model.ids import SessionId
from bascule.model.protocol import edits, runs

if TYPE_CHECKING:
    from bascule.daemon.parts import App


Given = TypeVar("Given")


def _given(answer: Given | Refuse) -> Given:
    if isinstance(answer, Refuse):
        raise RpcError(rpc.FAILED, answer.why)
    return answer


async def prepare(app: "App", _surface: Surface, params: edits.PrepareParams) -> edits.Prepared:
    session = SessionId(params.session_id)
    answer = await app.edits.prepare(session, params.diff)
    if isinstance(answer, Refuse):
        app.edits.tell_failure(session, "parse", params.diff, answer.why)
    return _given(answer)


async def prepared(app: "App", _surface: Surface, params: edits.DiffRef) -> edits.Prepared:
    return _given(await app.edits.find(params.diff_id))


async def view(app: "App", _surface: Surface, params: edits.DiffRef) -> edits.Viewed:
    return _given(await app.edits.view(params.diff_id))


async def apply(app: "App", surface: Surface, params: edits.DiffRef) -> edits.Written:
    return await app.edits.apply(params.diff_id, surface.who)


async def select(app: "App", _surface: Surface, params: edits.SelectParams) -> edits.Prepared:
    return _given(await app.edits.select(params.diff_id, params.files))


async def review(app: "App", _surface: Surface, params: edits.RunRef) -> edits.RunReview:
    return _given(await app.reviews.review(SessionId(params.session_id), params.run_id))


async def revert(app: "App", _surface: Surface, params: edits.RevertParams) -> edits.Prepared:
    session = SessionId(params.session_id)
    diff = _given(await app.reviews.revert(session, params.run_id, params.files))
    return _given(await app.edits.prepare_diff(session, diff))


async def comment(app: "App", surface: Surface, params: edits.CommentParams) -> runs.RunStartResult:
    """As run.start has it; what a person wrote is the prompt, word for word."""
    text = compose_comments(params.comments, params.text)
    if isinstance(text, Refuse):
        raise RpcError(rpc.INVALID_PARAMS, text.why)
    said = runs.RunStartParams(
        input=runs.RunInput(type="text", text=text),
        session_id=params.session_id,
        how=params.how,
        key=params.key,
    )
    return await start(app, surface, said, verbatim=True)


async def undo(app: "App", surface: Surface, params: edits.UndoParams) -> edits.Written:
    return await app.edits.undo(SessionId(params.session_id), params.undo_id, surface.who)


async def run_tests(app: "App", surface: Surface, params: edits.RunTestParams) -> edits.RanTest:
    return (await app.tests.run(SessionId(params.session_id), params.command, surface.who)).ran


HANDLERS: dict[str, Handler] = {
    "edits.prepare": prepare,
    "edits.prepared": prepared,
    "edits.view": view,
    "edits.apply": apply,
    "edits.select": select,
    "edits.review": review,
    "edits.revert": revert,
    "edits.comment": comment,
    "edits.undo": undo,
    "test.run": run_tests,
}
