"""The application put together from its parts, and taken apart in the right order."""

import logging
import os
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bascule import __version__
from bascule.agents.driver import Driver, ThreadChanges
from bascule.core.text.redact import Redactor
from bascule.core.watch.places import find_claude_settings
from bascule.daemon.agents.agent_events import AgentEvents
from bascule.daemon.agents.available_agents import AvailableAgents, find_available
from bascule.daemon.agents.pool import AgentPlace
from bascule.daemon.base import Base, build_base
from bascule.daemon.build_steps import (
    AgentParts,
    ConsentParts,
    WorkParts,
    make_agents,
    make_bridge,
    make_composer,
    make_consent,
    make_deletion,
    make_joining,
    make_links,
    make_orders,
    make_panes,
    make_watch,
    make_work,
)
from bascule.daemon.consent.ask_recovery import AskRecovery
from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.record import loss_toast
from bascule.daemon.edits.edits import Edits
from bascule.daemon.edits.patches import Patches
from bascule.daemon.edits.review import Reviews
from bascule.daemon.edits.workspace_observer import WorkspaceObserver
from bascule.daemon.files.file_links import FileLinks
from bascule.daemon.files.git_states import POLL_S, GitStates
from bascule.daemon.files.opened_folders import OpenedFolders
from bascule.daemon.orders.order_guard import OrderGuard
from bascule.daemon.orders.orders import Orders
from bascule.daemon.panes.panes import Panes
from bascule.daemon.parts import App
from bascule.daemon.prompts.prompts import Prompts
from bascule.daemon.protocol.dispatch import Dispatch
from bascule.daemon.sessions.session_reader import SessionReader
from bascule.daemon.sessions.session_search import SessionSearch
from bascule.daemon.surfaces.surfaces import Surfaces
from bascule.daemon.watch.claude_hooks import ClaudeHooks
from bascule.daemon.watch.session_watch import SessionWatch
from bascule.host.clock import new_id, now_ms
from bascule.host.files.data_folder import Folder, find_home
from bascule.host.git.git_status import read_git_status
from bascule.host.processes.tasks import every
from bascule.host.storage.logfile import LogFile
from bascule.model.ids import SessionId
from bascule.model.protocol.sessions import AgentNotify, DaemonNotify, WorkspaceNotify
from bascule.model.protocol.setup import DemoPrompt
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
        await app.panes.close()
        await base.pool.close()
        await base.tasks.close()
        await base.record.close()
        await base.hub.close()
        base.saver.close()
        base.order_store.close()
        log.info("bascule releases %s", folder.root)


@dataclass(frozen=True, kw_only=True)
class _Parts:
    """What the application consists of, in groups."""

    dispatch: Dispatch
    surfaces: Surfaces
    openings: OpenedFolders
    consent: ConsentParts
    agents: AgentParts
    work: WorkParts
    git: GitStates
    orders: Orders
    panes: Panes
    watch: SessionWatch


def _build_parts(base: Base, env: Mapping[str, str], home: str) -> _Parts:
    """In the order in which the parts need each other; what points back is connected at the end."""

    async def find_agent(session: SessionId) -> Driver:
        return await agents.sessions.ready(session)

    dispatch = Dispatch()
    openings = OpenedFolders(
        hub=base.hub,
        store=base.trust_store,
        private=base.private,
        record=base.record,
        search_path=base.search_path,
        home=home,
    )
    surfaces = Surfaces(dispatch=dispatch, new_id=new_id, opened=openings.open)
    consent = make_consent(base, find_agent, surfaces, home)
    agents = make_agents(base, consent.trust)
    work = make_work(base, consent.asks)
    guard = OrderGuard(roster=base.roster, record=base.record, settings=base.settings)
    git = _make_git_states(base, surfaces)
    _connect_agents(base, agents.prompts, consent, work.edits, work.observer, git, guard)
    _connect_surfaces(base, agents.prompts, consent.asks, surfaces)
    work.tests.recover(base.left)
    panes = make_panes(base, env, home)
    return _Parts(
        dispatch=dispatch,
        surfaces=surfaces,
        openings=openings,
        consent=consent,
        agents=agents,
        work=work,
        git=git,
        orders=make_orders(
            base, guard, consent.asks, agents.sessions, agents.prompts, work.edits, work.tests
        ),
        panes=panes,
        watch=make_watch(base, env, home, panes),
    )


def _build_app(base: Base, env: Mapping[str, str], *, home: str, demo_prompts: tuple[DemoPrompt, ...]) -> App:
    parts = _build_parts(base, env, home)
    consent, agents, work = parts.consent, parts.agents, parts.work
    session_search = SessionSearch(base.hub, base.saver)
    base.tasks.start("index what is stored", session_search.index_all())
    file_links = FileLinks(new_secret=lambda: secrets.token_urlsafe(SECRET))
    app = App(
        hub=base.hub,
        roster=base.roster,
        pool=base.pool,
        notices=base.notices,
        sessions=agents.sessions,
        prompts=agents.prompts,
        asks=consent.asks,
        manual=consent.manual,
        deletion=make_deletion(base, consent.manual),
        setting_changes=consent.setting_changes,
        grants=consent.grants,
        composer=make_composer(base, agents.sessions, agents.prompts, work.tests),
        surfaces=parts.surfaces,
        settings=base.settings,
        register=base.register,
        workspaces=agents.workspaces,
        git_states=parts.git,
        trust=consent.trust,
        openings=parts.openings,
        trust_store=base.trust_store,
        private=base.private,
        contexts=agents.contexts,
        folder=base.folder,
        home=home,
        demo_prompts=demo_prompts,
        session_reader=SessionReader(hub=base.hub, roster=base.roster, redactor=base.redactor),
        session_search=session_search,
        file_links=file_links,
        links=make_links(base, file_links),
        edits=work.edits,
        record=base.record,
        redactor=base.redactor,
        reviews=Reviews(root=base.folder.root, hub=base.hub, roster=base.roster, observer=work.observer),
        tests=work.tests,
        doors=consent.doors,
        devices=consent.devices,
        orders=parts.orders,
        bridge=make_bridge(base, parts.orders),
        claude_hooks=ClaudeHooks(
            root=base.folder.root, default=find_claude_settings(env, home), manual=consent.manual
        ),
        session_watch=parts.watch,
        joining=make_joining(base, env, home, agents.sessions, parts.watch),
        panes=parts.panes,
    )
    parts.dispatch.app = app
    _tell_state(app)
    return app


def _tell_state(app: App) -> None:
    """To all: what is wrong with the daemon, and how its connection to a relay is."""

    def tell() -> None:
        state = DaemonNotify(notices=app.notices.all(), bridge=app.bridge.state)
        app.surfaces.broadcast("daemon.state", state)

    app.notices.on_change = lambda _notices: tell()
    app.bridge.on_change = tell


def _make_git_states(base: Base, surfaces: Surfaces) -> GitStates:
    def find_watched() -> list[str]:
        watched = {SessionId(name) for surface in surfaces.all() for name in surface.views}
        heads = [base.hub.find(session) for session in watched]
        return [head.workspace for head in heads if head is not None and head.workspace]

    git = GitStates(
        tasks=base.tasks,
        wanted=find_watched,
        on_change=lambda state: surfaces.broadcast("workspace.state", WorkspaceNotify(state=state)),
        read=partial(read_git_status, base.git),
    )
    base.tasks.start("look at Git", every(POLL_S, git.poll))
    return git


def _connect_surfaces(base: Base, prompts: Prompts, asks: Asks, surfaces: Surfaces) -> None:
    """What is learned later reaches those who wait for it."""
    pool, roster = base.pool, base.roster
    asks.say_reason = prompts.say_reason
    # who mirrors the session has it as a block there
    prompts.on_trouble = lambda why: surfaces.toast(UiToastNotify(level="error", message=why))
    base.record.on_loss = lambda loss: surfaces.broadcast("ui.toast", loss_toast(loss))
    pool.is_needed = roster.is_needed
    base.tasks.start("end idle agents", every(IDLE_LOOK_S, pool.end_idle))
    _tell_troubles(base, surfaces)


def _tell_troubles(base: Base, surfaces: Surfaces) -> None:
    """What is wrong with an agent or with the daemon: as state to those who mirror it, else as a toast."""

    def tell_silent(place: AgentPlace) -> None:
        title = base.pool.agents.get(place.agent).title
        text = (
            f"{title} in {place.workspace} does not answer. Wait, or restart it: bascule session restart ID"
        )
        surfaces.toast(UiToastNotify(level="warn", message=text))

    base.pool.on_state = lambda state: surfaces.broadcast("agent.state", AgentNotify(state=state))
    base.pool.on_silent = tell_silent
    base.notices.on_toast = surfaces.toast


def _connect_agents(
    base: Base,
    prompts: Prompts,
    consent: ConsentParts,
    edits: Edits,
    observer: WorkspaceObserver,
    git: GitStates,
    guard: OrderGuard,
) -> None:
    """What agents tell goes into the sessions, and beside them into the evidence of what a run changed."""
    hub, roster = base.hub, base.roster
    patches = Patches(hub=hub, roster=roster, edits=edits, prompts=prompts, tasks=base.tasks, now_ms=now_ms)
    agent_events = AgentEvents(
        hub=hub,
        roster=roster,
        prompts=prompts,
        asks=consent.asks,
        patches=patches,
        guard=guard,
        ask_recovery=AskRecovery(root=base.folder.root, record=base.record, now_ms=now_ms),
        write_check=consent.write_check,
        tasks=base.tasks,
        new_id=new_id,
        now_ms=now_ms,
    )

    def take(place: AgentPlace, events: list[ThreadChanges]) -> None:
        agent_events.take(place, events)
        observer.take(place, events)
        git.take(place.workspace, events)

    def died(place: AgentPlace, why: str) -> None:
        agent_events.agent_died(place, why)
        observer.agent_died(place)

    base.pool.on_events, base.pool.on_died = take, died
    agent_events.recover()
