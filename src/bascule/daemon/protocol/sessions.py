"""session.*: watching, making, naming, hiding, forking; and who drives."""

import asyncio
from typing import TYPE_CHECKING

from bascule.core.prompts.prompt_outcome import PromptEnd
from bascule.core.session.status import shown_outcome, shown_status
from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.agents.pool import place_of
from bascule.daemon.consent.manual_actions import Declined
from bascule.daemon.sessions.session_choices import real_folder
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.daemon.surfaces.views import CardsView, SyncView
from bascule.host.clock import utc_text
from bascule.model.asks import Refuse
from bascule.model.changes import DriverSet
from bascule.model.ids import RunId, SessionId
from bascule.model.protocol import runs, search, sessions, setup
from bascule.model.session import Session
from bascule.model.watch import VIEWED

if TYPE_CHECKING:
    from bascule.daemon.parts import App

LIST = ""  # the view of all sessions has no session
MAX_LISTED = 1_000
NOT_STARTED = "The agent did not start."
LISTED_AT_ONCE = 100  # before others have their turn
MAX_VIEWS = 64  # of one surface


def accept(refused: Refuse | None) -> sessions.Done:
    """A refusal travels as an error that says why."""
    if refused is not None:
        raise rpc.refuse(rpc.TOO_LATE if refused.late else rpc.FAILED, refused)
    return sessions.Done()


def workspace_of(surface: Surface, named: str) -> str:
    workspace = named or surface.workspace
    if not workspace:
        raise RpcError(rpc.INVALID_PARAMS, "Name a workspace: this surface has none of its own.")
    return workspace


async def watch(app: "App", surface: Surface, params: sessions.WatchParams) -> sessions.Done:
    if not surface.capabilities.supports_session_sync:
        raise RpcError(rpc.INVALID_REQUEST, "session.watch needs the capability supports_session_sync.")
    if len(surface.views) >= MAX_VIEWS and params.session_id not in surface.views:
        raise RpcError(rpc.FAILED, f"A surface watches at most {MAX_VIEWS} sessions. Unwatch one first.")
    is_viewed = params.session_id.startswith(VIEWED)  # of another program
    if is_viewed:
        await app.session_watch.begin()
    elif params.session_id != LIST:
        await app.roster.open(SessionId(params.session_id))
    if surface.closed:
        return sessions.Done()
    await unwatch(app, surface, params)
    if params.session_id == LIST:
        surface.views[LIST] = CardsView(app.hub, app.hub.watch_list(surface.news))
        for state in app.pool.states():
            surface.notify("agent.state", sessions.AgentNotify(state=state))
        for workspace in app.git_states.states():
            surface.notify("workspace.state", sessions.WorkspaceNotify(state=workspace))
        daemon = sessions.DaemonNotify(notices=app.notices.all(), bridge=app.bridge.state)
        surface.notify("daemon.state", daemon)
    elif is_viewed:
        viewed = SessionId(params.session_id)
        surface.views[viewed] = SyncView(viewed, app.session_watch.views.watch(viewed, surface.news))
    else:
        session = SessionId(params.session_id)
        surface.views[session] = SyncView(session, app.hub.watch(session, surface.news))
        app.git_states.look_soon(app.roster.get(session).workspace)
    surface.news.set()
    return sessions.Done()


async def unwatch(_app: "App", surface: Surface, params: sessions.WatchParams) -> sessions.Done:
    view = surface.views.pop(params.session_id, None)
    if view is not None:
        view.close()
    return sessions.Done()


async def create(app: "App", surface: Surface, params: sessions.CreateParams) -> sessions.Created:
    workspace = await asyncio.to_thread(real_folder, workspace_of(surface, params.workspace))
    barred = app.openings.find_bar(workspace, surface.origin)
    if barred is not None:
        raise rpc.refuse(rpc.FAILED, barred)
    session = await app.sessions.create(
        workspace,
        agent=params.agent,
        model=params.model or surface.model,
        effort=params.effort or surface.effort,
    )
    take_wheel(app, surface, session)
    return sessions.Created(session_id=session)


async def open_session(app: "App", _surface: Surface, params: sessions.SessionRef) -> sessions.Done:
    if not params.session_id.startswith(VIEWED):
        await app.sessions.open(SessionId(params.session_id))
    return sessions.Done()


async def earlier(app: "App", _surface: Surface, params: sessions.SessionRef) -> sessions.Earlier:
    return sessions.Earlier(more=await app.sessions.load_earlier(SessionId(params.session_id)))


async def rename(app: "App", _surface: Surface, params: sessions.RenameParams) -> sessions.Done:
    return accept(await app.sessions.rename(SessionId(params.session_id), params.title))


async def hide(app: "App", _surface: Surface, params: sessions.HideParams) -> sessions.Done:
    app.sessions.hide(SessionId(params.session_id), params.hidden)
    return sessions.Done()


async def set_place(app: "App", _surface: Surface, params: sessions.PlaceParams) -> sessions.Done:
    app.sessions.set_place(SessionId(params.session_id), params.place)
    return sessions.Done()


async def delete(app: "App", surface: Surface, params: sessions.SessionRef) -> sessions.Done:
    try:
        return accept(await app.deletion.delete(SessionId(params.session_id), surface))
    except Declined as declined:
        raise RpcError(rpc.FAILED, str(declined)) from None


async def restore(app: "App", surface: Surface, params: sessions.SessionRef) -> sessions.Done:
    return accept(await app.deletion.restore(SessionId(params.session_id), surface))


async def list_deleted(app: "App", surface: Surface, _params: setup.InspectParams) -> runs.SessionListResult:
    listed = [await _listed(app, head) for head in app.deletion.list()[:MAX_LISTED]]
    return runs.SessionListResult(sessions=tuple(listed), current_workspace_root=surface.workspace)


async def fork(app: "App", surface: Surface, params: sessions.ForkParams) -> sessions.Created:
    run = RunId(params.run_id) if params.run_id else None
    forked = await app.sessions.fork(SessionId(params.session_id), run)
    if isinstance(forked, Refuse):
        raise rpc.refuse(rpc.FAILED, forked)
    take_wheel(app, surface, forked)
    return sessions.Created(session_id=forked)


async def compact(app: "App", _surface: Surface, params: sessions.SessionRef) -> runs.RunStartResult:
    return await start_compacting(app, SessionId(params.session_id), rpc.FAILED)


async def start_compacting(app: "App", session: SessionId, refused: int) -> runs.RunStartResult:
    """The answer names the run, so that its end can be awaited."""
    outcome = await app.sessions.compact(session)
    if isinstance(outcome, Refuse):
        raise rpc.refuse(refused, outcome)
    began = await outcome.began()
    if isinstance(began, PromptEnd):
        raise RpcError(rpc.FAILED, began.why or NOT_STARTED)
    return runs.RunStartResult(run_id=began, session_id=session)


async def clear(app: "App", _surface: Surface, params: sessions.SessionRef) -> sessions.Done:
    return accept(await app.sessions.clear(SessionId(params.session_id)))


async def set_model(app: "App", _surface: Surface, params: sessions.ModelParams) -> sessions.Done:
    return accept(await app.sessions.set_model(SessionId(params.session_id), params.model, params.effort))


async def interrupt(app: "App", _surface: Surface, params: sessions.SessionRef) -> sessions.Done:
    await app.roster.open(SessionId(params.session_id))
    app.prompts.interrupt(SessionId(params.session_id))
    return sessions.Done()


async def restart_agent(
    app: "App", surface: Surface, params: sessions.RestartAgentParams
) -> sessions.RestartedAgent:
    if params.session_id:
        places = [place_of(app.roster.get(SessionId(params.session_id)))]
        workspace = places[0].workspace
    else:
        workspace = workspace_of(surface, params.workspace)
        places = app.pool.running_in(workspace)
    why = f"Restarted by {surface.label}."
    restarted = await asyncio.gather(*(app.pool.restart(place, why) for place in places))
    return sessions.RestartedAgent(workspace=workspace, was_running=any(restarted))


async def drive(app: "App", surface: Surface, params: sessions.DriveParams) -> sessions.Done:
    take_wheel(app, surface, SessionId(params.session_id))
    return sessions.Done()


def take_wheel(app: "App", surface: Surface, session: SessionId) -> None:
    """One surface speaks to a session at a time; everyone sees which."""
    if app.roster.get(session).driver != surface.label:
        app.hub.apply(session, [DriverSet(surface.label)])
    surface.on_leaving(f"drives {session}", lambda: leave_wheel(app, surface, session))


def leave_wheel(app: "App", surface: Surface, session: SessionId) -> None:
    """What its driver leaves in the middle of a run has none; at rest the name says who spoke last."""
    head = app.hub.find(session)
    if head is not None and head.driver == surface.label and not app.roster.is_idle(session):
        app.hub.apply(session, [DriverSet("")])


async def list_sessions(
    app: "App", surface: Surface, params: runs.SessionListParams
) -> runs.SessionListResult:
    here = params.scope == "current_workspace" and bool(surface.workspace)
    heads = [head for head in app.hub.conversations() if not here or head.workspace == surface.workspace]
    limit = max(1, min(params.limit, MAX_LISTED))
    listed: list[runs.ListedSession] = []
    for number, head in enumerate(heads[:limit]):
        listed.append(await _listed(app, head))
        if number % LISTED_AT_ONCE == 0:
            await asyncio.sleep(0)
    return runs.SessionListResult(sessions=tuple(listed), current_workspace_root=surface.workspace)


async def search_sessions(
    app: "App", _surface: Surface, params: search.SearchSessionsParams
) -> search.FoundSessions:
    return await app.session_search.search(params)


async def _listed(app: "App", head: Session) -> runs.ListedSession:
    return runs.ListedSession(
        session_id=head.id,
        updated_at=utc_text(head.updated_at_ms),
        run_id=head.runs[-1].id if head.runs else "",
        message_count=len(head.runs),
        last_user_message=await app.hub.find_last_prompt(head.id),
        workspace_root=head.workspace,
        title=head.title,
        status=shown_status(head),
        outcome=shown_outcome(head),
        agent=head.agent,
    )


HANDLERS: dict[str, Handler] = {
    "session.watch": watch,
    "agent.restart": restart_agent,
    "session.unwatch": unwatch,
    "session.create": create,
    "session.open": open_session,
    "session.earlier": earlier,
    "session.rename": rename,
    "session.hide": hide,
    "session.place": set_place,
    "session.delete": delete,
    "session.restore": restore,
    "session.deleted": list_deleted,
    "session.fork": fork,
    "session.compact": compact,
    "session.clear": clear,
    "session.model": set_model,
    "session.interrupt": interrupt,
    "session.drive": drive,
    "session.list": list_sessions,
    "session.search": search_sessions,
}
