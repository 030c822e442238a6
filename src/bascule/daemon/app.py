"""The application: one owner of a data folder, put together from its parts."""

import logging
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from bascule import __version__
from bascule.agents.codex.scribe import Entry
from bascule.daemon.composer import Composer
from bascule.daemon.contexts import Contexts
from bascule.daemon.crew import Crew
from bascule.daemon.deeds import Deeds
from bascule.daemon.desk import Desk
from bascule.daemon.dispatch import Dispatch
from bascule.daemon.edits import Edits
from bascule.daemon.hub import Hub
from bascule.daemon.inflow import Inflow
from bascule.daemon.keeper import Keeper
from bascule.daemon.library import Library
from bascule.daemon.links import Links
from bascule.daemon.orders import Orders
from bascule.daemon.patches import Patches
from bascule.daemon.preferences import Preferences
from bascule.daemon.prompts import Prompts
from bascule.daemon.record import Record
from bascule.daemon.review import Reviews
from bascule.daemon.roster import Roster
from bascule.daemon.sessions import Sessions
from bascule.daemon.shelf import Shelf
from bascule.daemon.surfaces import Surfaces
from bascule.daemon.testruns import BLOCK as TEST_BLOCK
from bascule.daemon.testruns import ProjectTests
from bascule.daemon.witness import Witness
from bascule.daemon.workspaces import Workspaces
from bascule.host import lockfile
from bascule.host.attachments import Attachments
from bascule.host.clock import new_id, now_ms
from bascule.host.folder import Folder, find_home
from bascule.host.logfile import LogFile
from bascule.host.machine import host_name
from bascule.host.recovery import mend
from bascule.host.register import Register, reap
from bascule.host.settings import read_settings
from bascule.host.store import Store
from bascule.host.tasks import Tasks
from bascule.model.blocks import Block
from bascule.model.ids import SessionId
from bascule.model.protocol.setup import DemoPrompt
from bascule.model.protocol.sync import AgentNotify
from bascule.model.protocol.ui import UiToastNotify

SECRET = 24  # bytes of an id under which a file is served

log = logging.getLogger("bascule")


@dataclass(frozen=True, kw_only=True)
class App:
    """What a surface reaches: who is there, what they say, who is watching."""

    hub: Hub
    roster: Roster
    crew: Crew
    sessions: Sessions
    prompts: Prompts
    composer: Composer
    surfaces: Surfaces
    workspaces: Workspaces
    library: Library
    shelf: Shelf
    links: Links
    edits: Edits
    record: Record
    reviews: Reviews
    tests: ProjectTests
    orders: Orders
    contexts: Contexts
    settings: Preferences  # of a workspace
    register: Register  # of child processes
    folder: Folder
    home: str  # the person's own
    demo_prompts: tuple[DemoPrompt, ...] = ()  # what to try, in the offline demo


@asynccontextmanager
async def open_app(
    folder: Folder,
    *,
    command: str,
    env: Mapping[str, str] | None = None,
    beside: Callable[[], AbstractAsyncContextManager[Mapping[str, str]]] | None = None,
    demo_prompts: tuple[DemoPrompt, ...] = (),
) -> AsyncIterator[App]:
    """Take the folder, end what an earlier owner left running, and give it all back at the end.

    `beside` is entered once the folder is ours; what it gives is added to the agents' environment."""
    user_settings = read_settings(folder, None)
    with lockfile.acquire(folder.lock, command=command):
        log_file = LogFile(folder.log, max_bytes=user_settings.log.max_bytes)
        log.setLevel(logging.INFO)
        log.addHandler(log_file.handler)
        try:
            async with AsyncExitStack() as stack:
                more = await stack.enter_async_context(beside()) if beside else {}
                whole = {**(env or {}), **more}
                app = await stack.enter_async_context(_assemble(folder, whole, log_file, demo_prompts))
                yield app
        finally:
            log.removeHandler(log_file.handler)
            log_file.close()


@dataclass(frozen=True, kw_only=True)
class Floor:
    """What every part stands on."""

    folder: Folder
    register: Register
    keeper: Keeper
    hub: Hub
    roster: Roster
    crew: Crew
    desk: Desk
    record: Record
    settings: Preferences
    tasks: Tasks
    left: list[tuple[SessionId, Block]]  # tests that an earlier owner did not see the end of


@asynccontextmanager
async def _assemble(
    folder: Folder, env: Mapping[str, str], log_file: LogFile, demo_prompts: tuple[DemoPrompt, ...]
) -> AsyncIterator[App]:
    log.info("bascule %s owns %s", __version__, folder.root)
    floor = _lay_floor(folder, env, log_file)
    app = _furnish(floor, home=find_home(env), demo_prompts=demo_prompts)
    try:
        yield app
    finally:
        await app.surfaces.close()
        await floor.crew.close()
        await floor.tasks.close()
        await floor.record.close()
        floor.keeper.close()
        log.info("bascule lets go of %s", folder.root)


def _lay_floor(folder: Folder, env: Mapping[str, str], log_file: LogFile) -> Floor:
    register = _tidy(folder)
    store = Store(folder.database)
    keeper = Keeper(store)
    left = store.read_named(f"{TEST_BLOCK}_")
    hub = Hub(keeper, store.read_heads(), now_ms)
    tasks = Tasks()
    record = Record(folder.root, now_ms)
    hub.on_ask_closed = record.closed
    settings = Preferences(folder, record)
    return Floor(
        folder=folder,
        register=register,
        keeper=keeper,
        hub=hub,
        roster=Roster(hub),
        crew=Crew(register=register, settings=settings, env=env, tasks=tasks, stderr=log_file.write),
        desk=Desk(hub=hub, new_id=new_id, now_ms=now_ms),
        record=record,
        settings=settings,
        tasks=tasks,
        left=left,
    )


def _furnish(floor: Floor, *, home: str, demo_prompts: tuple[DemoPrompt, ...]) -> App:
    hub, roster, crew = floor.hub, floor.roster, floor.crew
    workspaces = Workspaces(roster=roster)
    contexts = Contexts(workspaces=workspaces, settings=floor.settings)
    sessions = Sessions(
        hub=hub, roster=roster, crew=crew, settings=floor.settings, new_id=new_id, now_ms=now_ms
    )
    prompts = Prompts(
        hub=hub,
        roster=roster,
        ready=sessions.ready,
        policy=sessions.policy,
        contexts=contexts,
        desk=floor.desk,
        record=floor.record,
        tasks=floor.tasks,
        new_id=new_id,
        now_ms=now_ms,
    )
    edits, tests = _make_edits(floor), _make_tests(floor)
    witness = Witness(root=floor.folder.root, roster=roster, tasks=floor.tasks)
    _let_in(floor, prompts, edits, witness)
    tests.recover(floor.left)
    dispatch = Dispatch()
    surfaces = Surfaces(dispatch=dispatch, new_id=new_id)
    prompts.on_trouble = lambda why: surfaces.broadcast("ui.toast", UiToastNotify(level="error", message=why))
    crew.on_state = lambda state: surfaces.broadcast("agent.state", AgentNotify(state=state))
    shelf = Shelf(new_secret=lambda: secrets.token_urlsafe(SECRET))
    dispatch.app = App(
        hub=hub,
        roster=roster,
        crew=crew,
        sessions=sessions,
        prompts=prompts,
        composer=_make_composer(floor, sessions, prompts, tests),
        surfaces=surfaces,
        settings=floor.settings,
        register=floor.register,
        workspaces=workspaces,
        contexts=contexts,
        folder=floor.folder,
        home=home,
        demo_prompts=demo_prompts,
        library=Library(hub=hub, roster=roster),
        shelf=shelf,
        links=_make_links(floor, shelf),
        edits=edits,
        record=floor.record,
        reviews=Reviews(hub=hub, roster=roster, witness=witness),
        tests=tests,
        orders=_make_orders(floor, sessions, prompts, edits, tests),
    )
    return dispatch.app


def _let_in(floor: Floor, prompts: Prompts, edits: Edits, witness: Witness) -> None:
    """What agents tell goes into the sessions, and beside them into the evidence of what a run changed."""
    hub, roster = floor.hub, floor.roster
    patches = Patches(hub=hub, roster=roster, edits=edits, prompts=prompts, tasks=floor.tasks, now_ms=now_ms)
    inflow = Inflow(hub=hub, roster=roster, prompts=prompts, patches=patches, new_id=new_id, now_ms=now_ms)

    def told(workspace: str, entries: list[Entry]) -> None:
        inflow.take(workspace, entries)
        witness.take(workspace, entries)

    def died(workspace: str, why: str) -> None:
        inflow.agent_died(workspace, why)
        witness.agent_died(workspace)

    floor.crew.on_told, floor.crew.on_died = told, died
    inflow.recover()


def _make_composer(floor: Floor, sessions: Sessions, prompts: Prompts, tests: ProjectTests) -> Composer:
    return Composer(
        hub=floor.hub,
        roster=floor.roster,
        crew=floor.crew,
        sessions=sessions,
        prompts=prompts,
        tests=tests,
        new_id=new_id,
        now_ms=now_ms,
    )


def _make_edits(floor: Floor) -> Edits:
    return Edits(
        root=floor.folder.root,
        hub=floor.hub,
        roster=floor.roster,
        desk=floor.desk,
        record=floor.record,
        settings=floor.settings.get,
        new_id=new_id,
        now_ms=now_ms,
    )


def _make_tests(floor: Floor) -> ProjectTests:
    return ProjectTests(
        hub=floor.hub,
        roster=floor.roster,
        desk=floor.desk,
        record=floor.record,
        settings=floor.settings.get,
        register=floor.register,
        tasks=floor.tasks,
        new_id=new_id,
        now_ms=now_ms,
    )


def _make_orders(
    floor: Floor, sessions: Sessions, prompts: Prompts, edits: Edits, tests: ProjectTests
) -> Orders:
    hub, roster = floor.hub, floor.roster
    return Orders(
        hub=hub,
        roster=roster,
        sessions=sessions,
        deeds=Deeds(hub=hub, roster=roster, prompts=prompts, edits=edits, tests=tests),
        record=floor.record,
        settings=floor.settings,
        tasks=floor.tasks,
        host_name=host_name(),
        now_ms=now_ms,
    )


def _make_links(floor: Floor, shelf: Shelf) -> Links:
    attachments = Attachments(floor.folder.attachments)
    if swept := attachments.sweep({head.id for head in floor.hub.heads()}):
        log.info("%d attached files of old, or of sessions that are gone, were taken away", swept)
    data = floor.folder.root
    return Links(hub=floor.hub, roster=floor.roster, shelf=shelf, attachments=attachments, data_folder=data)


def _tidy(folder: Folder) -> Register:
    """After an owner that did not end well: its children are ended, its half-written edits taken back."""
    register = Register(folder.children, folder.id)
    for reaped in reap(register):
        log.warning("ended what an earlier run had left: %s", reaped)
    for mended in mend(folder.root):
        log.warning("%s", mended)
    return register
