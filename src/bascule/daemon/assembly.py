"""The application put together from its parts, and taken apart in the right order."""

import logging
import os
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from bascule import __version__
from bascule.agents.driver import Driver, ThreadChanges
from bascule.core.text.redact import Redactor
from bascule.daemon.agents.agent_events import AgentEvents
from bascule.daemon.agents.available_agents import AvailableAgents, find_available
from bascule.daemon.agents.pool import AgentPlace
from bascule.daemon.base import Base, build_base
from bascule.daemon.consent.ask_recovery import AskRecovery
from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.devices import Devices
from bascule.daemon.consent.doors import Doors
from bascule.daemon.consent.folder_trust import Trust
from bascule.daemon.consent.manual_actions import ManualActions
from bascule.daemon.consent.record import told_loss
from bascule.daemon.consent.setting_changes import SettingChanges
from bascule.daemon.edits.edits import Edits
from bascule.daemon.edits.patches import Patches
from bascule.daemon.edits.project_tests import ProjectTests
from bascule.daemon.edits.review import Reviews
from bascule.daemon.edits.workspace_observer import WorkspaceObserver
from bascule.daemon.files.file_access import FileAccess
from bascule.daemon.files.file_links import FileLinks
from bascule.daemon.files.opened_folders import OpenedFolders
from bascule.daemon.files.workspaces import Workspaces
from bascule.daemon.orders.order_actions import OrderActions
from bascule.daemon.orders.orders import Orders
from bascule.daemon.parts import App
from bascule.daemon.protocol.dispatch import Dispatch
from bascule.daemon.sessions.composer import Composer
from bascule.daemon.sessions.deletion import SWEEP_S, Deletion
from bascule.daemon.sessions.prompt_contexts import Contexts
from bascule.daemon.sessions.prompts import Prompts
from bascule.daemon.sessions.session_reader import SessionReader
from bascule.daemon.sessions.sessions import Sessions
from bascule.daemon.surfaces.surfaces import Surfaces
from bascule.daemon.watch.claude_hooks import ClaudeHooks
from bascule.daemon.watch.session_watch import SessionWatch
from bascule.host.clock import new_id, now_ms
from bascule.host.config.device_file import EnrolledDevices
from bascule.host.files.attachments import Attachments
from bascule.host.files.data_folder import Folder, find_home
from bascule.host.machine import host_name
from bascule.host.processes.tasks import every
from bascule.host.storage.logfile import LogFile
from bascule.model.ids import SessionId
from bascule.model.protocol.setup import DemoPrompt
from bascule.model.protocol.sync import AgentNotify, DaemonNotice, DaemonNotify
from bascule.model.protocol.ui import UiToastNotify

IDLE_LOOK_S = 60.0  # how often idle agents are looked for
SECRET = 24  # bytes of an id under which a file is served


log = logging.getLogger("bascule")


@asynccontextmanager
async def assemble(
    folder: Folder,
    env: Mapping[str, str],
    log_file: LogFile,
    redactor: Redactor,
    demo_prompts: tuple[DemoPrompt, ...],
    secret_files: tuple[Path, ...] = (),
    agents: AvailableAgents | None = None,
) -> AsyncIterator[App]:
    log.info("bascule %s owns %s", __version__, folder.root)
    base = build_base(folder, env, log_file, redactor, agents or find_available(), secret_files)
    app = _build_app(base, {**os.environ, **env}, home=find_home(env), demo_prompts=demo_prompts)
    try:
        yield app
    finally:
        await app.surfaces.close()
        await base.pool.close()
        await base.tasks.close()
        await base.record.close()
        await base.hub.close()
        base.saver.close()
        log.info("bascule releases %s", folder.root)


def _build_app(base: Base, env: Mapping[str, str], *, home: str, demo_prompts: tuple[DemoPrompt, ...]) -> App:
    hub, roster, pool = base.hub, base.roster, base.pool

    async def find_agent(session: SessionId) -> Driver:
        return await sessions.ready(session)

    asks = _make_asks(base, find_agent)
    trust = _make_trust(base, asks, home)
    workspaces = Workspaces(roster=roster, private=base.private)
    contexts = Contexts(workspaces=workspaces, settings=base.settings)
    sessions = Sessions(
        hub=hub,
        roster=roster,
        pool=pool,
        trust=trust,
        settings=base.settings,
        new_id=new_id,
        now_ms=now_ms,
    )
    prompts = Prompts(
        hub=hub,
        roster=roster,
        ready=sessions.ready,
        policy=sessions.policy,
        contexts=contexts,
        tasks=base.tasks,
        new_id=new_id,
        now_ms=now_ms,
    )
    asks.on_reason = prompts.say_reason
    edits, tests = _make_edits(base, asks), _make_tests(base, asks)
    observer = WorkspaceObserver(root=base.folder.root, roster=roster, tasks=base.tasks)
    _connect_agents(base, prompts, asks, edits, observer)
    tests.recover(base.left)
    dispatch = Dispatch()
    openings = OpenedFolders(hub=hub, store=base.trust_store, private=base.private)
    surfaces = Surfaces(dispatch=dispatch, new_id=new_id, opened=openings.open)
    prompts.on_trouble = lambda why: surfaces.broadcast("ui.toast", UiToastNotify(level="error", message=why))
    base.record.on_loss = lambda loss: surfaces.broadcast("ui.toast", told_loss(loss))
    pool.is_needed = lambda place: roster.is_needed(place.agent, place.workspace)
    base.tasks.start("end idle agents", every(IDLE_LOOK_S, pool.end_idle))
    _tell_troubles(base, surfaces)
    manual = ManualActions(asks=asks, record=base.record, settings=base.settings, register=base.register)
    doors = Doors()
    devices = _make_devices(base, asks, doors, surfaces)
    asks.find_answer_bar = devices.find_answer_bar
    file_links = FileLinks(new_secret=lambda: secrets.token_urlsafe(SECRET))
    dispatch.app = App(
        hub=hub,
        roster=roster,
        pool=pool,
        notices=base.notices,
        sessions=sessions,
        prompts=prompts,
        asks=asks,
        manual=manual,
        deletion=_make_deletion(base, manual),
        setting_changes=SettingChanges(
            folder=base.folder, settings=base.settings, asks=asks, record=base.record
        ),
        composer=_make_composer(base, sessions, prompts, tests),
        surfaces=surfaces,
        settings=base.settings,
        register=base.register,
        workspaces=workspaces,
        trust=trust,
        openings=openings,
        trust_store=base.trust_store,
        private=base.private,
        contexts=contexts,
        folder=base.folder,
        home=home,
        demo_prompts=demo_prompts,
        session_reader=SessionReader(hub=hub, roster=roster, redactor=base.redactor),
        file_links=file_links,
        links=_make_links(base, file_links),
        edits=edits,
        record=base.record,
        redactor=base.redactor,
        reviews=Reviews(hub=hub, roster=roster, observer=observer),
        tests=tests,
        doors=doors,
        devices=devices,
        orders=_make_orders(base, sessions, prompts, edits, tests),
        claude_hooks=ClaudeHooks(root=base.folder.root, manual=manual),
        session_watch=_make_watch(base, env, home),
    )
    return dispatch.app


def _tell_troubles(base: Base, surfaces: Surfaces) -> None:
    """What is wrong with an agent or with the daemon: as state to those who mirror it, else as a toast."""

    def tell_silent(place: AgentPlace) -> None:
        title = base.pool.agents.get(place.agent).title
        text = (
            f"{title} in {place.workspace} does not answer. Wait, or restart it: bascule session restart ID"
        )
        surfaces.toast(UiToastNotify(level="warn", message=text))

    def tell_notices(notices: tuple[DaemonNotice, ...]) -> None:
        surfaces.broadcast("daemon.state", DaemonNotify(notices=notices))

    base.pool.on_state = lambda state: surfaces.broadcast("agent.state", AgentNotify(state=state))
    base.pool.on_silent = tell_silent
    base.notices.on_change, base.notices.on_toast = tell_notices, surfaces.toast


def _make_deletion(base: Base, manual: ManualActions) -> Deletion:
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
        home=home,
        hub=base.hub,
        roster=base.roster,
        pool=base.pool,
        asks=asks,
        record=base.record,
        tasks=base.tasks,
        now_ms=now_ms,
    )


def _connect_agents(
    base: Base, prompts: Prompts, asks: Asks, edits: Edits, observer: WorkspaceObserver
) -> None:
    """What agents tell goes into the sessions, and beside them into the evidence of what a run changed."""
    hub, roster = base.hub, base.roster
    patches = Patches(hub=hub, roster=roster, edits=edits, prompts=prompts, tasks=base.tasks, now_ms=now_ms)
    inflow = AgentEvents(
        hub=hub,
        roster=roster,
        prompts=prompts,
        asks=asks,
        patches=patches,
        ask_recovery=AskRecovery(root=base.folder.root, record=base.record, now_ms=now_ms),
        tasks=base.tasks,
        new_id=new_id,
        now_ms=now_ms,
    )

    def take(place: AgentPlace, told: list[ThreadChanges]) -> None:
        inflow.take(place, told)
        observer.take(place, told)

    def died(place: AgentPlace, why: str) -> None:
        inflow.agent_died(place, why)
        observer.agent_died(place)

    base.pool.on_told, base.pool.on_died = take, died
    inflow.recover()


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


def _make_composer(base: Base, sessions: Sessions, prompts: Prompts, tests: ProjectTests) -> Composer:
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


def _make_asks(base: Base, find_agent: Callable[[SessionId], Awaitable[Driver]]) -> Asks:
    return Asks(
        hub=base.hub,
        roster=base.roster,
        record=base.record,
        find_agent=find_agent,
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


def _make_orders(
    base: Base, sessions: Sessions, prompts: Prompts, edits: Edits, tests: ProjectTests
) -> Orders:
    hub, roster = base.hub, base.roster
    return Orders(
        hub=hub,
        roster=roster,
        sessions=sessions,
        deeds=OrderActions(hub=hub, roster=roster, prompts=prompts, edits=edits, tests=tests),
        record=base.record,
        redactor=base.redactor,
        settings=base.settings,
        tasks=base.tasks,
        host_name=host_name(),
        now_ms=now_ms,
    )


def _make_watch(base: Base, env: Mapping[str, str], home: str) -> SessionWatch:
    return SessionWatch(
        hub=base.hub,
        pool=base.pool,
        folder=base.folder,
        env=env,
        home=home,
        redactor=base.redactor,
        tasks=base.tasks,
        now_ms=now_ms,
    )


def _make_links(base: Base, file_links: FileLinks) -> FileAccess:
    attachments = Attachments(base.folder.attachments)
    if swept := attachments.sweep({head.id for head in base.hub.heads()}):
        log.info("%d attached files of old, or of sessions that are gone, were taken away", swept)
    return FileAccess(
        hub=base.hub, roster=base.roster, file_links=file_links, attachments=attachments, private=base.private
    )
