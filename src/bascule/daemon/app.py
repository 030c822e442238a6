"""The application: one owner of a data folder, put together from its parts."""

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bascule import __version__
from bascule.daemon.composer import Composer
from bascule.daemon.crew import Crew
from bascule.daemon.desk import Desk
from bascule.daemon.dispatch import Dispatch
from bascule.daemon.edits import Edits
from bascule.daemon.hub import Hub
from bascule.daemon.inflow import Inflow
from bascule.daemon.keeper import Keeper
from bascule.daemon.library import Library
from bascule.daemon.prompts import Prompts
from bascule.daemon.record import Record
from bascule.daemon.roster import Roster
from bascule.daemon.sessions import Sessions
from bascule.daemon.surfaces import Surfaces
from bascule.daemon.testruns import ProjectTests
from bascule.daemon.workspaces import Workspaces
from bascule.host import lockfile
from bascule.host.clock import new_id, now_ms
from bascule.host.folder import Folder
from bascule.host.logfile import LogFile
from bascule.host.recovery import mend
from bascule.host.register import Register, reap
from bascule.host.settings import read_settings
from bascule.host.store import Store
from bascule.host.tasks import Tasks
from bascule.model.protocol.sync import AgentNotify
from bascule.model.settings import Settings

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
    edits: Edits
    tests: ProjectTests
    settings: Callable[[str], Settings]  # of a workspace
    register: Register  # of child processes


@asynccontextmanager
async def open_app(
    folder: Folder,
    *,
    command: str,
    env: Mapping[str, str] | None = None,
    beside: Callable[[], AbstractAsyncContextManager[Mapping[str, str]]] | None = None,
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
                app = await stack.enter_async_context(_assemble(folder, {**(env or {}), **more}, log_file))
                yield app
        finally:
            log.removeHandler(log_file.handler)
            log_file.close()


@asynccontextmanager
async def _assemble(folder: Folder, env: Mapping[str, str], log_file: LogFile) -> AsyncIterator[App]:
    log.info("bascule %s owns %s", __version__, folder.root)
    register = Register(folder.children, folder.id)
    for reaped in reap(register):
        log.warning("ended what an earlier run had left: %s", reaped)
    for mended in mend(folder.root):
        log.warning("%s", mended)
    store = Store(folder.database)
    keeper = Keeper(store)
    hub = Hub(keeper, store.read_heads(), now_ms)
    tasks = Tasks()
    settings = _Settings(folder)
    crew = Crew(register=register, settings=settings, env=env, tasks=tasks, stderr=log_file.write)
    roster = Roster(hub)
    sessions = Sessions(hub=hub, roster=roster, crew=crew, settings=settings, new_id=new_id, now_ms=now_ms)
    desk = Desk(hub=hub, new_id=new_id, now_ms=now_ms)
    record = Record(folder.root, now_ms)
    prompts = Prompts(
        hub=hub,
        roster=roster,
        ready=sessions.ready,
        desk=desk,
        record=record,
        tasks=tasks,
        new_id=new_id,
        now_ms=now_ms,
    )
    inflow = Inflow(hub=hub, roster=roster, prompts=prompts, new_id=new_id, now_ms=now_ms)
    composer = Composer(
        hub=hub,
        roster=roster,
        crew=crew,
        sessions=sessions,
        prompts=prompts,
        new_id=new_id,
        now_ms=now_ms,
    )
    crew.on_told, crew.on_died = inflow.take, inflow.agent_died
    inflow.recover()
    dispatch = Dispatch()
    surfaces = Surfaces(dispatch=dispatch, new_id=new_id)
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
        workspaces=Workspaces(roster=roster),
        library=Library(hub=hub, roster=roster),
        edits=Edits(
            root=folder.root, roster=roster, desk=desk, record=record, settings=settings, new_id=new_id
        ),
        tests=ProjectTests(
            hub=hub,
            roster=roster,
            desk=desk,
            record=record,
            settings=settings,
            register=register,
            new_id=new_id,
            now_ms=now_ms,
        ),
    )
    try:
        yield dispatch.app
    finally:
        await surfaces.close()
        await crew.close()
        await tasks.close()
        keeper.close()
        log.info("bascule lets go of %s", folder.root)


class _Settings:
    """The settings of each workspace, read when it is first used."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._read: dict[str, Settings] = {}

    def __call__(self, workspace: str) -> Settings:
        if workspace not in self._read:
            self._read[workspace] = read_settings(self._folder, Path(workspace))
        return self._read[workspace]
