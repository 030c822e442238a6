"""settings.*, setup.inspect, commands.list, context.preview, test.cancel: what is set, found and allowed."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from bascule.core.consent.access import find_setting_bar
from bascule.core.prompts.slash import COMMANDS
from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.protocol.sessions import accept
from bascule.daemon.surfaces.event_view import follow_asks
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.host.findings import Finding, inspect_machine
from bascule.host.own_command import find_own_command
from bascule.model.asks import Refuse
from bascule.model.ids import SessionId
from bascule.model.protocol import sessions, setup

if TYPE_CHECKING:
    from bascule.daemon.parts import App

MAX_WORKSPACES = 20


def _workspace(app: "App", surface: Surface, session_id: str) -> str:
    """The session's, the surface's own, or none."""
    return app.roster.get(SessionId(session_id)).workspace if session_id else surface.workspace


async def list_settings(app: "App", surface: Surface, params: setup.SettingsParams) -> setup.ListedSettings:
    return await app.settings.list(_workspace(app, surface, params.session_id))


async def set_setting(app: "App", surface: Surface, params: setup.SetSettingParams) -> setup.ListedSettings:
    barred = find_setting_bar(surface.origin, params.key)
    if barred is not None:
        raise rpc.refuse(rpc.NOT_ALLOWED, barred)
    workspace = _workspace(app, surface, params.session_id)
    follow_asks(app, surface, None)
    theirs = params.scope == "workspace" and bool(workspace)
    before = await app.trust.look(workspace) if theirs else None
    done = await app.setting_changes.set(workspace, params, surface)
    if isinstance(done, Refuse):
        raise rpc.refuse(rpc.FAILED, done)
    if before is None:
        return done
    await app.trust.renew_settings(before)
    return await app.settings.list(workspace)


async def inspect(app: "App", surface: Surface, _params: setup.InspectParams) -> setup.Inspected:
    place = Path(surface.workspace) if surface.workspace else None
    findings = await asyncio.to_thread(
        inspect_machine, app.folder, place, app.pool.agents.launches, app.pool.search_path
    )
    used = dict.fromkeys(head.workspace for head in app.hub.heads() if head.workspace)
    there = await asyncio.to_thread(lambda: [name for name in used if Path(name).is_dir()])
    return setup.Inspected(
        checks=tuple(map(_check, findings)),
        workspaces=tuple(there[:MAX_WORKSPACES]),
        program=find_own_command(),
        demo=bool(app.demo_prompts),
        prompts=app.demo_prompts,
    )


def _check(finding: Finding) -> setup.Check:
    return setup.Check(
        name=finding.what,
        state=finding.state,
        text=finding.detail,
        next=finding.then,
        step=finding.step,
        commands=finding.commands,
        agent=finding.agent,
    )


async def list_commands(_app: "App", _surface: Surface, _params: sessions.WatchParams) -> setup.CommandList:
    return setup.CommandList(
        commands=tuple(
            setup.SlashCommand(name=name, argument=command.argument, doc=command.doc, needs=command.needs)
            for name, command in COMMANDS.items()
        )
    )


async def preview(app: "App", surface: Surface, params: setup.PreviewContextParams) -> setup.PreviewedContext:
    workspace = await app.workspaces.get(params.session_id, surface.workspace)
    if isinstance(workspace, Refuse):
        raise rpc.refuse(rpc.INVALID_PARAMS, workspace)
    found = await app.contexts.preview(workspace, params.context, surface.context)
    if isinstance(found, Refuse):
        raise RpcError(rpc.INVALID_PARAMS, f"context: {found.why}")
    return found


async def cancel_tests(app: "App", _surface: Surface, params: sessions.SessionRef) -> sessions.Done:
    return accept(app.tests.cancel(SessionId(params.session_id)))


HANDLERS: dict[str, Handler] = {
    "settings.list": list_settings,
    "settings.set": set_setting,
    "setup.inspect": inspect,
    "commands.list": list_commands,
    "context.preview": preview,
    "test.cancel": cancel_tests,
}
