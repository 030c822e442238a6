"""The parts of the application, made one group after the other from what they are built on."""

import logging
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial

from bascule.agents.driver import Driver
from bascule.core.watch.places import list_codex_homes
from bascule.daemon.base import Base
from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.devices import Devices
from bascule.daemon.consent.doors import Doors
from bascule.daemon.consent.folder_trust import Trust
from bascule.daemon.consent.grants import Grants
from bascule.daemon.consent.manual_actions import ManualActions
from bascule.daemon.consent.setting_changes import SettingChanges
from bascule.daemon.consent.trust_effects import TrustEffects
from bascule.daemon.consent.write_check import WriteCheck
from bascule.daemon.edits.edits import Edits
from bascule.daemon.edits.project_tests import ProjectTests
from bascule.daemon.edits.workspace_observer import WorkspaceObserver
from bascule.daemon.files.file_access import FileAccess
from bascule.daemon.files.file_links import FileLinks
from bascule.daemon.files.workspaces import Workspaces
from bascule.daemon.orders.bridge import Bridge
from bascule.daemon.orders.order_actions import OrderActions
from bascule.daemon.orders.order_guard import OrderGuard, decline_ask
from bascule.daemon.orders.order_limits import OrderLimits
from bascule.daemon.orders.orders import Orders
from bascule.daemon.panes.panes import Panes
from bascule.daemon.prompts.composer import Composer
from bascule.daemon.prompts.prompt_contexts import Contexts
from bascule.daemon.prompts.prompts import Prompts
from bascule.daemon.sessions.deletion import SWEEP_S, Deletion
from bascule.daemon.sessions.sessions import Sessions
from bascule.daemon.surfaces.surfaces import Surfaces
from bascule.daemon.watch.joining import Joining
from bascule.daemon.watch.session_watch import SessionWatch
from bascule.host.clock import new_id, now_ms
from bascule.host.config.bridge_file import BridgeFile
from bascule.host.config.device_file import EnrolledDevices
from bascule.host.files.attachments import Attachments
from bascule.host.git.ignored_files import scan_unignored
from bascule.host.machine import host_name
from bascule.host.network.relay_link import dial_relay
from bascule.host.processes.tasks import every
from bascule.model.asks import Answer, Ask
from bascule.model.ids import SessionId

log = logging.getLogger("bascule")


@dataclass(frozen=True, kw_only=True)
class ConsentParts:
    """Who may, and what was answered."""

    asks: Asks
    trust: Trust
    manual: ManualActions
    setting_changes: SettingChanges
    doors: Doors
    devices: Devices
    grants: Grants
    write_check: WriteCheck


def make_consent(
    base: Base, find_agent: Callable[[SessionId], Awaitable[Driver]], surfaces: Surfaces, home: str
) -> ConsentParts:
    asks = Asks(
        hub=base.hub,
        roster=base.roster,
        record=base.record,
        find_agent=find_agent,
        settle=base.saver.settle,
        new_id=new_id,
        now_ms=now_ms,
    )
    doors = Doors()
    devices = _make_devices(base, asks, doors, surfaces)
    asks.find_answer_bar = devices.find_answer_bar
    grants = Grants(roster=base.roster, pool=base.pool, record=base.record)
    write_check = WriteCheck(roster=base.roster, record=base.record, now_ms=now_ms)

    def note_answer(session: SessionId, ask: Ask, answer: Answer) -> None:
        grants.note(session, ask, answer, now_ms())
        write_check.note(session, ask, answer)

    asks.on_answered = note_answer
    return ConsentParts(
        asks=asks,
        trust=_make_trust(base, asks, home),
        manual=ManualActions(asks=asks, record=base.record, settings=base.settings, register=base.register),
        setting_changes=SettingChanges(
            folder=base.folder, settings=base.settings, asks=asks, record=base.record
        ),
        doors=doors,
        devices=devices,
        grants=grants,
        write_check=write_check,
    )


@dataclass(frozen=True, kw_only=True)
class AgentParts:
    """What goes to the agents."""

    workspaces: Workspaces
    contexts: Contexts
    sessions: Sessions
    prompts: Prompts


def make_agents(base: Base, trust: Trust) -> AgentParts:
    workspaces = Workspaces(roster=base.roster, private=base.private, scan=partial(scan_unignored, base.git))
    contexts = Contexts(workspaces=workspaces, settings=base.settings)
    sessions = Sessions(
        hub=base.hub,
        roster=base.roster,
        pool=base.pool,
        trust=trust,
        settings=base.settings,
        new_id=new_id,
        now_ms=now_ms,
    )
    prompts = Prompts(
        hub=base.hub,
        roster=base.roster,
        ready=sessions.ready,
        policy=sessions.policy,
        contexts=contexts,
        tasks=base.tasks,
        new_id=new_id,
        now_ms=now_ms,
    )
    return AgentParts(workspaces=workspaces, contexts=contexts, sessions=sessions, prompts=prompts)


@dataclass(frozen=True, kw_only=True)
class WorkParts:
    """What is written and run here, and what agents were seen to write."""

    edits: Edits
    tests: ProjectTests
    observer: WorkspaceObserver


def make_work(base: Base, asks: Asks) -> WorkParts:
    return WorkParts(
        edits=_make_edits(base, asks),
        tests=_make_tests(base, asks),
        observer=WorkspaceObserver(root=base.folder.root, roster=base.roster, tasks=base.tasks),
    )


def make_deletion(base: Base, manual: ManualActions) -> Deletion:
    deletion = Deletion(
        hub=base.hub,
        roster=base.roster,
        manual=manual,
        record=base.record,
        settings=lambda: base.settings.get("").history,
        now_ms=now_ms,
    )
    base.tasks.start("remove deleted sessions now", deletion.sweep())
    base.tasks.start("remove deleted sessions", every(SWEEP_S, deletion.sweep))
    return deletion


def _make_trust(base: Base, asks: Asks, home: str) -> Trust:
    return Trust(
        store=base.trust_store,
        private=base.private,
        search_path=base.search_path,
        home=home,
        hub=base.hub,
        asks=asks,
        effects=TrustEffects(
            store=base.trust_store,
            settings=base.settings,
            hub=base.hub,
            roster=base.roster,
            pool=base.pool,
            tasks=base.tasks,
            new_id=new_id,
            now_ms=now_ms,
        ),
        record=base.record,
        tasks=base.tasks,
        now_ms=now_ms,
    )


def _make_devices(base: Base, asks: Asks, doors: Doors, surfaces: Surfaces) -> Devices:
    return Devices(
        enrolled=EnrolledDevices(base.folder.root),
        doors=doors,
        asks=asks,
        record=base.record,
        settings=base.settings,
        surfaces=surfaces.all,
        now_ms=now_ms,
        now_s=time.monotonic,
    )


def make_composer(base: Base, sessions: Sessions, prompts: Prompts, tests: ProjectTests) -> Composer:
    return Composer(
        hub=base.hub,
        roster=base.roster,
        pool=base.pool,
        sessions=sessions,
        prompts=prompts,
        tests=tests,
        new_id=new_id,
        now_ms=now_ms,
    )


def _make_edits(base: Base, asks: Asks) -> Edits:
    return Edits(
        root=base.folder.root,
        hub=base.hub,
        roster=base.roster,
        asks=asks,
        record=base.record,
        settings=base.settings.get,
        private=base.private,
        new_id=new_id,
        now_ms=now_ms,
    )


def _make_tests(base: Base, asks: Asks) -> ProjectTests:
    return ProjectTests(
        hub=base.hub,
        roster=base.roster,
        asks=asks,
        record=base.record,
        settings=base.settings.get,
        register=base.register,
        tasks=base.tasks,
        new_id=new_id,
        now_ms=now_ms,
    )


def make_orders(
    base: Base,
    guard: OrderGuard,
    asks: Asks,
    sessions: Sessions,
    prompts: Prompts,
    edits: Edits,
    tests: ProjectTests,
) -> Orders:
    hub, roster = base.hub, base.roster
    guard.interrupt = prompts.interrupt

    async def decline(session: SessionId, ask: Ask) -> None:
        await decline_ask(asks, session, ask)

    actions = OrderActions(
        hub=hub,
        roster=roster,
        prompts=prompts,
        edits=edits,
        tests=tests,
        guard=guard,
        limits=OrderLimits(hub=hub, roster=roster, decline=decline, now_ms=now_ms),
        store=base.order_store,
        settings=base.settings,
        tasks=base.tasks,
    )
    return Orders(
        hub=hub,
        roster=roster,
        sessions=sessions,
        actions=actions,
        store=base.order_store,
        record=base.record,
        redactor=base.redactor,
        settings=base.settings,
        tasks=base.tasks,
        host_name=host_name(),
        now_ms=now_ms,
    )


def make_watch(base: Base, env: Mapping[str, str], home: str, panes: Panes) -> SessionWatch:
    """What happens in panes ends and binds sessions."""
    watch = SessionWatch(
        hub=base.hub,
        pool=base.pool,
        folder=base.folder,
        env=env,
        home=home,
        redactor=base.redactor,
        tasks=base.tasks,
        shells=panes.shells,
        note_agent=base.register.note_other,
        now_ms=now_ms,
    )
    panes.on_command = lambda pane, line: watch.panes.start(pane.pane_id, line, pane.cwd)
    panes.on_prompt = lambda pane_id: watch.panes.leave(pane_id, "prompt is back")
    panes.on_still = watch.panes.note_still
    panes.on_end = lambda pane_id: watch.panes.leave(pane_id, "shell ended")
    return watch


def make_joining(
    base: Base, env: Mapping[str, str], home: str, sessions: Sessions, watch: SessionWatch
) -> Joining:
    joining = Joining(
        hub=base.hub,
        roster=base.roster,
        pool=base.pool,
        sessions=sessions,
        watch=watch,
        private=base.private,
        record=base.record,
        codex_homes=list_codex_homes(env, home, os.pathsep),
        new_id=new_id,
        now_ms=now_ms,
    )
    sessions.find_holder = joining.name_holder
    return joining


def make_panes(base: Base, env: Mapping[str, str], home: str) -> Panes:
    return Panes(
        folder=base.folder,
        env=env,
        home=home,
        settings=lambda: base.settings.get("").panes,
        search_path=base.search_path,
        register=base.register,
        record=base.record,
        new_id=new_id,
        now_ms=now_ms,
    )


def make_links(base: Base, file_links: FileLinks) -> FileAccess:
    attachments = Attachments(base.folder.attachments)
    if swept := attachments.sweep({head.id for head in base.hub.heads()}):
        log.info("removed %d attached files that were too old or whose sessions are gone", swept)
    return FileAccess(
        hub=base.hub, roster=base.roster, file_links=file_links, attachments=attachments, private=base.private
    )


def make_bridge(base: Base, orders: Orders) -> Bridge:
    """Connects by itself as long as a relay is joined."""
    bridge = Bridge(
        orders=orders,
        file=BridgeFile(base.folder.root),
        settings=base.settings,
        record=base.record,
        dial=dial_relay,
        tasks=base.tasks,
    )
    base.tasks.start("the bridge to a relay", bridge.run())
    return bridge
