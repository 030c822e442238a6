"""edits.* and test.run: what is written or run here, after a yes."""

from typing import TYPE_CHECKING, TypeVar

from bascule.core.prompts.comments import compose_comments
from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.protocol.runs import start
from bascule.daemon.surfaces.event_view import follow_asks
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.host.edits.apply import FinishedEdit
from bascule.model.asks import Refuse
from bascule.model.edits import MAX_STRIP
from bascule.model.ids import SessionId
from bascule.model.protocol import edits, runs, setup

if TYPE_CHECKING:
    from bascule.daemon.parts import App

MAX_NAMED = 20  # files of one edit in a list

Given = TypeVar("Given")


def _given(answer: Given | Refuse) -> Given:
    if isinstance(answer, Refuse):
        raise rpc.refuse(rpc.FAILED, answer)
    return answer


async def prepare(app: "App", surface: Surface, params: edits.PrepareParams) -> edits.Prepared:
    session = SessionId(params.session_id) if params.session_id else None
    workspace = _given(await app.workspaces.get(params.session_id, surface.workspace))
    if params.strip is not None and not 0 <= params.strip <= MAX_STRIP:
        raise RpcError(rpc.INVALID_PARAMS, f"strip: between 0 and {MAX_STRIP} folders.")
    if session is None:
        follow_asks(app, surface, None)  # that of edits.apply
    text = params.diff or params.data.decode("utf-8", "surrogateescape")
    answer = await app.edits.prepare_in(workspace, session, text, params.strip)
    if isinstance(answer, Refuse):
        app.edits.notes.tell_failure(session, "parse", text, answer.why)
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
    reverting = _given(await app.reviews.revert(session, params.run_id, params.files))
    return _given(
        await app.edits.prepare_revert(session, reverting.diff, reverting.run, is_all=reverting.is_all)
    )


async def comment(app: "App", surface: Surface, params: edits.CommentParams) -> runs.RunStartResult:
    """As run.start has it; what a person wrote is the prompt, word for word."""
    text = compose_comments(params.comments, params.text)
    if isinstance(text, Refuse):
        raise rpc.refuse(rpc.INVALID_PARAMS, text)
    said = runs.RunStartParams(
        input=runs.RunInput(type="text", text=text),
        session_id=params.session_id,
        how=params.how,
        key=params.key,
    )
    return await start(app, surface, said, verbatim=True)


async def list_written(app: "App", _surface: Surface, _params: setup.InspectParams) -> edits.WrittenEdits:
    return edits.WrittenEdits(edits=tuple(map(_listed, await app.edits.list_past())))


def _listed(past: FinishedEdit) -> edits.WrittenEdit:
    return edits.WrittenEdit(
        undo_id=past.journal,
        workspace=past.workspace,
        at_ms=past.at_ms,
        hash=past.hash,
        files=past.files[:MAX_NAMED],
        count=len(past.files),
        undoes=past.undoes,
        undone=past.undone,
    )


async def undo(app: "App", surface: Surface, params: edits.UndoParams) -> edits.Written:
    session = SessionId(params.session_id) if params.session_id else None
    if session is None:
        follow_asks(app, surface, None)
    return await app.edits.undo(session, params.undo_id, surface.who)


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
    "edits.list": list_written,
    "edits.undo": undo,
    "test.run": run_tests,
}
