"""Lists that come from the agent; and shell.exec and auth.logout, each after its Ask."""

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bascule.agents.driver import Driver
from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.agents.pool import AgentPlace, place_of
from bascule.daemon.consent.manual_actions import Declined
from bascule.daemon.protocol.sessions import workspace_of
from bascule.daemon.sessions.session_choices import choose_model, real_folder
from bascule.daemon.surfaces.event_view import follow_asks
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.host.clock import utc_text
from bascule.host.files.workspace_files import read_mtime_ms
from bascule.model.asks import Refuse
from bascule.model.ids import SessionId, ThreadId
from bascule.model.protocol import runs

if TYPE_CHECKING:
    from bascule.daemon.parts import App

OURS = ("", "openai", "codex")  # an agent's models are listed under the name that clients know

SIGN_IN = "Sign in to this server first."


def _place(app: "App", surface: Surface, session: SessionId | None = None) -> AgentPlace:
    """Of the session named or at hand, or the usual agent in the surface's own workspace."""
    named = session or surface.current
    if named is not None:
        return place_of(app.roster.get(named))
    return AgentPlace(app.pool.agents.default.name, workspace_of(surface, ""))


async def _driver(app: "App", surface: Surface) -> tuple[Driver, AgentPlace]:
    place = _place(app, surface)
    return await app.pool.driver(place), place


async def list_models(app: "App", surface: Surface, params: runs.ModelListParams) -> runs.ModelListResult:
    if params.provider not in OURS:
        return runs.ModelListResult(provider=params.provider, models=())
    session = SessionId(params.session_id) if params.session_id else surface.current
    models = await app.sessions.models(_place(app, surface, session))
    name, effort = _chosen(app, surface, session)
    current = next((model for model in models if (model.name == name if name else model.is_default)), None)
    windows = _find_windows(app)
    details = {
        model.name: runs.ModelDetails(
            context_window=windows.get(model.name),
            description=model.description,
            reasoning_efforts=model.efforts,
        )
        for model in models
    }
    return runs.ModelListResult(
        provider=params.provider,
        models=tuple(model.name for model in models),
        current=name or (current.name if current else None),
        reasoning=effort or (current.default_effort if current else None),
        details=details if params.include_details else None,
    )


def _find_windows(app: "App") -> dict[str, int]:
    """The context window of each model, as sessions that use it reported it; the latest counts.

    Codex tells it with the usage of a run and nowhere else, and no other size of a model at all."""
    used = ((head.model, head.usage) for head in reversed(app.hub.heads()))
    return {model: usage.context_window for model, usage in used if usage and usage.context_window}


def _chosen(app: "App", surface: Surface, session: SessionId | None) -> tuple[str, str]:
    """Model and effort of the session, or of the next; empty where the choice is the agent's."""
    if session is not None:
        head = app.roster.get(session)
        return head.model, head.effort
    place = _place(app, surface)
    preferred = app.pool.agents.get(place.agent).model(app.settings(place.workspace))
    return surface.model or preferred.model, surface.effort or preferred.effort


async def set_model(app: "App", surface: Surface, params: runs.ModelSetParams) -> runs.ModelSetResult:
    """Of the session named or at hand; before there is one, of the next."""
    named = SessionId(params.session_id) if params.session_id else surface.current
    if named is not None:
        refused = await app.sessions.set_model(named, params.name, params.reasoning)
        if refused is not None:
            raise RpcError(rpc.INVALID_PARAMS, f"name: {refused.why}")
        head = app.roster.get(named)
        return _set(params, head.model, head.effort)
    models = await app.sessions.models(_place(app, surface))
    model = choose_model(models, params.name, params.reasoning)
    if isinstance(model, Refuse):
        raise rpc.refuse(rpc.FAILED, model)
    surface.model = model.name
    surface.effort = params.reasoning or model.default_effort
    return _set(params, surface.model, surface.effort)


def _set(params: runs.ModelSetParams, name: str, effort: str) -> runs.ModelSetResult:
    return runs.ModelSetResult(
        provider=params.provider, name=name, reasoning=effort or None, source="session"
    )


async def list_mcp(app: "App", surface: Surface, params: runs.McpListParams) -> runs.McpListResult:
    """As the session's own thread is connected to them, or as they are configured."""
    driver, place = await _driver(app, surface)
    thread: ThreadId | None = None
    if params.scope == "loaded" and surface.current is not None:
        thread = app.roster.get(surface.current).thread
    listed = await driver.list_mcp_servers(thread, place.workspace)
    servers = tuple(
        replace(one.server, last_connected_at=utc_text(at_ms))
        if (at_ms := one.connected_at_ms) is not None
        else one.server
        for one in listed
    )
    if not _knows_sign_in(surface.capabilities):
        servers = tuple(map(_without_sign_in, servers))
    return runs.McpListResult(servers=servers)


def _knows_sign_in(can: runs.UiCapabilities) -> bool:
    """A client with a capability that the specification lacks also knows the state that it lacks."""
    return can.supports_session_sync or can.supports_permission_preflight_events


def _without_sign_in(server: runs.McpServer) -> runs.McpServer:
    """For clients that know the four states of the specification alone."""
    if server.state != "auth_required":
        return server
    return replace(server, state="error", last_error=server.last_error or SIGN_IN)


async def list_skills(app: "App", surface: Surface, params: runs.SkillsListParams) -> runs.SkillsListResult:
    driver, place = await _driver(app, surface)
    folder = await asyncio.to_thread(real_folder, params.cwd) if params.cwd else place.workspace
    if folder != place.workspace and (barred := app.openings.find_bar(folder, surface.origin)):
        raise rpc.refuse(rpc.FAILED, barred)
    return await driver.list_skills(folder, force_reload=params.force_reload, mtime_ms=read_mtime_ms)


async def inspect(
    app: "App", surface: Surface, _params: runs.ContextInspectParams
) -> runs.ContextInspectResult:
    agent, workspace, _ = _place(app, surface)
    policy = app.pool.agents.get(agent).policy(app.settings(workspace))
    context = surface.context
    active = context.active_file.path if context.active_file else ""
    return runs.ContextInspectResult(
        runtime_working_dir=workspace,
        runtime_sandbox_root=workspace,
        execution_environment=f"{agent}, sandbox {policy.sandbox}, approvals {policy.approvals}",
        ui_context=runs.InspectedUi(
            cwd=context.cwd,
            workspace_root=context.workspace_root,
            active_file_path=active,
            extensions=context.extensions,
        ),
    )


async def run_here(app: "App", surface: Surface, params: runs.ShellExecParams) -> runs.ShellExecResult:
    """What a person typed after a `!`: run after a yes."""
    cwd = await app.workspaces.find_folder(surface.current or "", surface.workspace, params.cwd)
    if isinstance(cwd, Refuse):
        raise RpcError(rpc.INVALID_PARAMS, f"cwd: {cwd.why}")
    follow_asks(app, surface, surface.current)
    try:
        ran = await app.manual.run_shell(
            surface.current, surface, params.command, cwd, params.timeout_seconds
        )
    except Declined as no:
        raise RpcError(rpc.USER_CANCELLED, str(no)) from None
    if isinstance(ran, Refuse):
        raise rpc.refuse(rpc.FAILED, ran)
    return ran


async def log_out(app: "App", surface: Surface, params: runs.AuthLogoutParams) -> runs.AuthLogoutResult:
    place = _place(app, surface)
    follow_asks(app, surface, None)

    async def sign_out() -> None:
        await (await app.pool.driver(place)).sign_out()

    try:
        await app.manual.sign_out(surface, app.pool.agents.get(place.agent).title, place.workspace, sign_out)
    except Declined:
        return runs.AuthLogoutResult(ok=False, cancelled=True)
    if params.clear_session:
        surface.current = None
    return runs.AuthLogoutResult(ok=True, auth_cleared=True, session_cleared=params.clear_session)


HANDLERS: dict[str, Handler] = {
    "model.list": list_models,
    "model.set": set_model,
    "mcp.list": list_mcp,
    "skills.list": list_skills,
    "context.inspect": inspect,
    "shell.exec": run_here,
    "auth.logout": log_out,
}
