"""run.start, run.cancel, session.history, ui.context.update: a conversation as every client knows it."""

import logging
from contextlib import nullcontext
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bascule.core.consent.access import may_start
from bascule.core.prompts.mentions import expand_selection
from bascule.core.prompts.prompt_lane import KEY_USED, How
from bascule.core.prompts.prompt_outcome import PromptEnd
from bascule.core.prompts.purposes import parse_purpose
from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.prompts.composer import Submitted, TypedPrompt
from bascule.daemon.prompts.prompt_contexts import read_selection
from bascule.daemon.protocol.sessions import NOT_STARTED, create, start_compacting, take_wheel
from bascule.daemon.surfaces.event_view import PlainView, replay_frames
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.host.clock import new_id
from bascule.model.asks import Refuse
from bascule.model.ids import PromptKey, SessionId
from bascule.model.protocol import runs
from bascule.model.protocol.sessions import CreateParams, Done
from bascule.model.session import Outcome, Prompt

if TYPE_CHECKING:
    from bascule.daemon.parts import App

log = logging.getLogger("bascule.runs")

STATE: dict[Outcome, runs.RunState] = {
    "running": "running",
    "completed": "completed",
    "failed": "error",
    "interrupted": "cancelled",
}


async def start(
    app: "App", surface: Surface, params: runs.RunStartParams, *, verbatim: bool = False
) -> runs.RunStartResult:
    """`verbatim`: the text is the prompt, whatever a slash or an @ in it would mean to a composer."""
    if params.ui_context is not None:
        surface.context = params.ui_context
    if not params.force_compaction:
        _check_input(params.input)  # before a session is made for it
    session = await _session(app, surface, params.session_id)
    params = replace(params, input=await _with_paths(app, surface, session, params.input))
    async with app.hub.held(session):
        plain = follow(app, surface, session)
        with plain.held() if plain else nullcontext():
            if params.force_compaction:
                return await start_compacting(app, session, rpc.BUSY)
            return await _begin(app, surface, session, params, plain, verbatim=verbatim)


async def _begin(
    app: "App",
    surface: Surface,
    session: SessionId,
    params: runs.RunStartParams,
    plain: PlainView | None,
    *,
    verbatim: bool,
) -> runs.RunStartResult:
    key = PromptKey(params.key or new_id("prompt"))
    lane = app.roster.lane(session)
    if key in lane.keys:
        return await _again(app, session, key, read_input(params.input)[0])
    busy = not lane.idle
    if busy and params.how == "start":
        _mind_driver(app, surface, session, take_over=params.take_over)
    take_wheel(app, surface, session)
    if plain is not None:
        plain.own(key)
    went = await _say(app, surface, session, params, key, verbatim=verbatim)
    if went.session != session:
        surface.current = went.session
        take_wheel(app, surface, went.session)
    if went.outcome is None:
        return runs.RunStartResult(run_id="", session_id=went.session)
    if params.how != "steer" and any(prompt.key == key for prompt in lane.queue):
        return runs.RunStartResult(run_id="", session_id=session, queued=True)
    began = await went.outcome.began()
    if isinstance(began, PromptEnd):
        return _unsent(app, session, key, plain, began.why or NOT_STARTED)
    kept = {**params.extra, **params.meta}
    if plain is not None and kept:
        plain.give_back(began, kept)
    return runs.RunStartResult(run_id=began, session_id=session)


def _unsent(
    app: "App", session: SessionId, key: PromptKey, plain: PlainView | None, why: str
) -> runs.RunStartResult:
    """A surface that mirrors state sees it in the queue; others keep what was refused, and send it again."""
    if plain is None and app.roster.lane(session).waits(key):
        return runs.RunStartResult(run_id="", session_id=session, queued=True, unsent=why)
    if plain is not None:
        app.prompts.remove_queued(session, key)
    raise RpcError(rpc.FAILED, why)


def _mind_driver(app: "App", surface: Surface, session: SessionId, *, take_over: bool) -> None:
    """Prompts of two surfaces do not mix: who takes over from another speaks when its run has ended."""
    driver = app.roster.get(session).driver
    others = driver if driver != surface.label else ""
    if others and take_over:
        return
    who = f"{others} drives this session, and the agent is at work." if others else "The agent is at work."
    raise RpcError(rpc.BUSY, f"{who} Queue the prompt, steer it in, or wait.", {"driver": driver})


async def _session(app: "App", surface: Surface, named: str) -> SessionId:
    """The one named, the one this surface used last, or a new one."""
    if named:
        if not app.roster.get(SessionId(named)).agent:
            raise RpcError(rpc.INVALID_PARAMS, "session_id: This is not a conversation: it has no agent.")
        surface.current = SessionId(named)
    elif surface.current is None:
        made = await create(app, surface, CreateParams())
        surface.current = SessionId(made.session_id)
    return surface.current


def follow(app: "App", surface: Surface, session: SessionId) -> PlainView | None:
    """A surface that shows events follows the session it speaks to, and only that one."""
    if surface.capabilities.supports_session_sync:
        return None
    present = surface.views.get(session)
    if isinstance(present, PlainView):
        return present
    for name in [name for name, view in surface.views.items() if isinstance(view, PlainView)]:
        surface.views.pop(name).close()
    view = PlainView(app, surface, session)
    surface.views[session] = view
    return view


async def _again(app: "App", session: SessionId, key: PromptKey, said: str) -> runs.RunStartResult:
    """Sent before: the same prompt, not another. Its run, as soon as that has a name."""
    lane = app.roster.lane(session)
    if not lane.is_same(key, said):
        raise RpcError(rpc.INVALID_PARAMS, KEY_USED)
    if (went := await app.composer.find_went(session, key)) is not None:
        return runs.RunStartResult(run_id="", session_id=went.session)
    if key not in lane.keys:
        raise RpcError(rpc.FAILED, "It was refused the first time. Send it again with a new key.")
    if any(prompt.key == key for prompt in lane.queue):
        return runs.RunStartResult(run_id="", session_id=session, queued=True)
    began = await app.prompts.recall(session, key).began()
    queued = any(prompt.key == key for prompt in lane.queue)
    return runs.RunStartResult(
        run_id="" if isinstance(began, PromptEnd) else began, session_id=session, queued=queued
    )


async def _say(
    app: "App",
    surface: Surface,
    session: SessionId,
    params: runs.RunStartParams,
    key: PromptKey,
    *,
    verbatim: bool,
) -> Submitted:
    """Surfaces that mirror state have slash commands and mentions; others have their own."""
    text, images = read_input(params.input)
    wanted = params.context or surface.context.context
    requested = await app.contexts.plan(app.roster.get(session).workspace, wanted, surface.context)
    if isinstance(requested, Refuse):
        raise RpcError(rpc.INVALID_PARAMS, f"context: {requested.why}")
    how: How = "steer" if params.how == "steer" else "queue"
    if verbatim or not surface.capabilities.supports_session_sync:
        given = text if verbatim else _with_selection(app, surface, session, text)
        prompt = Prompt(
            key=key,
            text=given,
            images=images,
            context=requested.context,
            selected=requested.selected,
            purpose=parse_purpose(given),
        )
        outcome = app.prompts.submit(session, prompt, how, text)
        went = outcome if isinstance(outcome, Refuse) else Submitted(session, outcome)
    else:
        typed = TypedPrompt(
            text=text,
            key=key,
            images=images,
            how=how,
            selection=read_selection(surface.context),
            context=requested,
            by=surface.label,
            asker=surface.who,
        )
        went = await app.composer.take(session, typed)
    if isinstance(went, Refuse):
        raise rpc.refuse(rpc.INVALID_PARAMS, went)
    return went


def _with_selection(app: "App", surface: Surface, session: SessionId, text: str) -> str:
    """A client with mentions of its own still means what is selected by `@selection`."""
    selection = read_selection(surface.context)
    if selection is None:
        return text
    given = expand_selection(text, app.roster.get(session).workspace, selection)
    if isinstance(given, Refuse):
        raise RpcError(rpc.INVALID_PARAMS, f"ui_context.selection: {given.why}")
    return given


def _check_input(said: runs.RunInput) -> None:
    text, images = read_input(said)
    if not text.strip() and not images:
        raise RpcError(rpc.INVALID_PARAMS, "input: The prompt is empty.")


async def _with_paths(app: "App", surface: Surface, session: SessionId, said: runs.RunInput) -> runs.RunInput:
    """Files that were attached or linked, as the agent finds them."""
    parts = []
    for part in said.parts:
        if part.image_url is not None:
            path = await app.links.find_path(session, part.image_url.url, surface.origin)
            if isinstance(path, Refuse):
                raise RpcError(rpc.INVALID_PARAMS, f"input: {path.why}")
            part = replace(part, image_url=runs.ImageUrl(path))
        parts.append(part)
    return replace(said, parts=tuple(parts))


def read_input(said: runs.RunInput) -> tuple[str, tuple[str, ...]]:
    if said.type == "text":
        return said.text, ()
    if said.type != "parts":
        raise RpcError(rpc.INVALID_PARAMS, f"input.type is {said.type!r}; it must be text or parts.")
    text = "\n".join(part.text for part in said.parts if part.type == "text")
    return text, tuple(part.image_url.url for part in said.parts if part.image_url is not None)


async def cancel(app: "App", surface: Surface, params: runs.RunCancelParams) -> runs.RunCancelResult:
    for head in app.hub.heads():
        run = next((run for run in head.runs if run.id == params.run_id), None)
        if run is None:
            continue
        if run.outcome == "running":
            log.info("%s cancels %s: %s", surface.label, run.id, params.reason[:200] or "no reason given")
            await app.roster.open(head.id)
            app.prompts.interrupt(head.id)
            return runs.RunCancelResult(ok=True, status="running")
        return runs.RunCancelResult(ok=False, status=STATE[run.outcome])
    raise RpcError(rpc.RUN_NOT_FOUND, f"There is no run {params.run_id}.")


async def history(
    app: "App", surface: Surface, params: runs.SessionHistoryParams
) -> runs.SessionHistoryResult:
    """The past as events, before the reply; the conversation goes on from there."""
    session = SessionId(params.session_id)
    app.roster.get(session)
    async with app.hub.held(session):
        if may_start(surface.origin):
            await app.sessions.open(session)
            await _load_runs(app, session, params.max_runs)
        surface.current = session
        plain = follow(app, surface, session)
        with plain.held() if plain else nullcontext():
            frames, result = replay_frames(app.hub.session(session), params)
            for frame in frames:
                await surface.room()
                surface.say(frame)
            return result


async def _load_runs(app: "App", session: SessionId, wanted: int) -> None:
    while len(app.roster.get(session).runs) < wanted:
        if not await app.sessions.load_earlier(session):
            break


async def update_context(_app: "App", surface: Surface, params: runs.UiContext) -> Done:
    surface.context = params
    return Done()


HANDLERS: dict[str, Handler] = {
    "run.start": start,
    "run.cancel": cancel,
    "session.history": history,
    "ui.context.update": update_context,
}
