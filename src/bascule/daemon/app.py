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
from bascule.daemon.desk import Desk
from bascule.daemon.dispatch import Dispatch
from bascule.daemon.edits import Edits
from bascule.daemon.hub import Hub
from bascule.daemon.inflow import Inflow
from bascule.daemon.keeper import Keeper
from bascule.daemon.library import Library
from bascule.daemon.links import Links
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
from bascule.host.recovery import mend
from bascule.host.register import Register, reap
from bascule.host.settings import read_settings
from bascule.host.store import Store
from bascule.host.tasks import Tasks
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


@asynccontextmanager
async def _assemble(
    folder: Folder, env: Mapping[str, str], log_file: LogFile, demo_prompts: tuple[DemoPrompt, ...]
) -> AsyncIterator[App]:
    log.info("bascule %s owns %s", __version__, folder.root)
    register = _tidy(folder)
    store = Store(folder.database)
    keeper = Keeper(store)
    left = store.read_named(f"{TEST_BLOCK}_")
    hub = Hub(keeper, store.read_heads(), now_ms)
    tasks = Tasks()
    record = Record(folder.root, now_ms)
    hub.on_ask_closed = record.closed
    settings = Preferences(folder, record)
    crew = Crew(register=register, settings=settings, env=env, tasks=tasks, stderr=log_file.write)
    roster = Roster(hub)
    sessions = Sessions(hub=hub, roster=roster, crew=crew, settings=settings, new_id=new_id, now_ms=now_ms)
    desk = Desk(hub=hub, new_id=new_id, now_ms=now_ms)
    workspaces = Workspaces(roster=roster)
    contexts = Contexts(workspaces=workspaces, settings=settings)
    prompts = Prompts(
        hub=hub,
        roster=roster,
        ready=sessions.ready,
        policy=sessions.policy,
        contexts=contexts,
        desk=desk,
        record=record,
        tasks=tasks,
        new_id=new_id,
        now_ms=now_ms,
    )
    edits = Edits(
        root=folder.root,
        hub=hub,
        roster=roster,
        desk=desk,
        record=record,
        settings=settings,
        new_id=new_id,
        now_ms=now_ms,
    )
    tests = ProjectTests(
        hub=hub,
        roster=roster,
        desk=desk,
        record=record,
        settings=settings,
        register=register,
        tasks=tasks,
        new_id=new_id,
        now_ms=now_ms,
    )
    patches = Patches(hub=hub, roster=roster, edits=edits, prompts=prompts, tasks=tasks, now_ms=now_ms)
    inflow = Inflow(hub=hub, roster=roster, prompts=prompts, patches=patches, new_id=new_id, now_ms=now_ms)
    composer = Composer(
        hub=hub,
        roster=roster,
        crew=crew,
        sessions=sessions,
        prompts=prompts,
        tests=tests,
        new_id=new_id,
        now_ms=now_ms,
    )
    witness = Witness(root=folder.root, roster=roster, tasks=tasks)

    def told(workspace: str, entries: list[Entry]) -> None:
        inflow.take(workspace, entries)
        witness.take(workspace, entries)

    def died(workspace: str, why: str) -> None:
        inflow.agent_died(workspace, why)
        witness.agent_died(workspace)

    crew.on_told, crew.on_died = told, died
    inflow.recover()
    tests.recover(left)
    shelf = Shelf(new_secret=lambda: secrets.token_urlsafe(SECRET))
    attachments = Attachments(folder.attachments)
    if swept := attachments.sweep({head.id for head in hub.heads()}):
        log.info("%d attached files of old, or of sessions that are gone, were taken away", swept)
    dispatch = Dispatch()
    surfaces = Surfaces(dispatch=dispatch, new_id=new_id)
    prompts.on_trouble = lambda why: surfaces.broadcast("ui.toast", UiToastNotify(level="error", message=why))
    crew.on_state = lambda state: surfaces.broadcast("agent.state", AgentNotify(state=state))
    dispatch.app = App(
        hub=hub,
        roster=roster,
        crew=crew,
        sessions=sessions,
        prompts=prompts,
        composer=composer,
        surfaces=surfaces,
        settings=settings,
        register=register,
        workspaces=workspaces,
        contexts=contexts,
        folder=folder,
        home=find_home(env),
        demo_prompts=demo_prompts,
        library=Library(hub=hub, roster=roster),
        shelf=shelf,
        links=Links(hub=hub, roster=roster, shelf=shelf, attachments=attachments, data_folder=folder.root),
        edits=edits,
        record=record,
        reviews=Reviews(hub=hub, roster=roster, witness=witness),
        tests=tests,
    )
    try:
        yield dispatch.app
    finally:
        await surfaces.close()
        await crew.close()
        await tasks.close()
        await record.close()
        keeper.close()
        log.info("bascule lets go of %s", folder.root)


def _tidy(folder: Folder) -> Register:
    """After an owner that did not end well: its children are ended, its half-written edits taken back."""
    register = Register(folder.children, folder.id)
    for reaped in reap(register):
        log.warning("ended what an earlier run had left: %s", reaped)
    for mended in mend(folder.root):
        log.warning("%s", mended)
    return register
