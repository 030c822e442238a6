"""What every part of the application is built on: the store, the record, the agents, who owns what."""

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bascule.core.session.fold import MAX_BLOCKS
from bascule.core.settings.reading import SettingsRefused
from bascule.core.text.redact import Redactor
from bascule.daemon.agents.available_agents import AvailableAgents
from bascule.daemon.agents.pool import AgentPool
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.record import Record
from bascule.daemon.edits.project_tests import BLOCK as TEST_BLOCK
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.opened_store import Storage
from bascule.daemon.sessions.session_saver import SessionSaver
from bascule.daemon.surfaces.notices import Notices
from bascule.daemon.workspace_settings import WorkspaceSettings
from bascule.host.clock import now_ms
from bascule.host.config.search_path import find_search_path
from bascule.host.config.trust_store import TrustStore
from bascule.host.edits.recovery import recover_edits
from bascule.host.files.data_folder import Folder, find_home, with_outer
from bascule.host.files.private_places import PrivatePaths, find_private
from bascule.host.git.git import Git
from bascule.host.processes.process_register import Register, reap
from bascule.host.processes.program import SearchPath
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.logfile import LogFile
from bascule.host.storage.order_store import OrderStore
from bascule.model.blocks import Block
from bascule.model.ids import SessionId

log = logging.getLogger("bascule")


@dataclass(frozen=True, kw_only=True)
class Base:
    """What every part needs."""

    folder: Folder
    register: Register
    saver: SessionSaver
    hub: Hub
    roster: Roster
    pool: AgentPool
    notices: Notices
    record: Record
    redactor: Redactor
    settings: WorkspaceSettings
    trust_store: TrustStore
    private: PrivatePaths
    search_path: SearchPath
    git: Git
    order_store: OrderStore
    tasks: Tasks
    left: list[tuple[SessionId, Block]]  # tests that an earlier owner did not see the end of


def build_base(
    folder: Folder,
    env: Mapping[str, str],
    log_file: LogFile,
    redactor: Redactor,
    agents: AvailableAgents,
    secret_files: tuple[Path, ...] = (),
) -> Base:
    record = Record(folder.root, now_ms)
    record.check()
    register = _tidy(folder)
    notices = Notices()
    storage = Storage(folder.database, notices, now_ms)
    left = storage.store.read_named(f"{TEST_BLOCK}_")
    hub = Hub(storage.saver, storage.heads, now_ms)
    hub.on_unreadable, hub.find_aside = storage.set_aside, storage.find_aside
    tasks = Tasks()
    trust_store = TrustStore(folder.trust)
    settings = WorkspaceSettings(folder, trust_store)
    workspaces = (head.workspace for head in hub.heads())
    private = find_private(
        tuple(one.root for one in with_outer(folder)),
        home=find_home(env),
        named_files=(*secret_files, *map(Path, agents.find_credentials({**os.environ, **env}))),
    )
    search_path = find_search_path({**os.environ, **env}, folder, private, workspaces)
    hub.max_blocks = lambda: _read_max_blocks(settings)
    return Base(
        folder=folder,
        register=register,
        saver=storage.saver,
        hub=hub,
        roster=Roster(hub),
        pool=AgentPool(
            agents=agents,
            register=register,
            neutral=folder.agents,
            settings=settings,
            env=env,
            search_path=search_path,
            tasks=tasks,
            stderr=log_file.write,
            now_ms=now_ms,
        ),
        notices=notices,
        record=record,
        redactor=redactor,
        settings=settings,
        trust_store=trust_store,
        private=private,
        search_path=search_path,
        git=Git(folder.git, search_path),
        order_store=OrderStore(folder.orders),
        tasks=tasks,
        left=left,
    )


def _read_max_blocks(settings: WorkspaceSettings) -> int:
    """A file with a problem keeps nobody from reading a session."""
    try:
        return settings("").ui.max_messages
    except SettingsRefused:
        return MAX_BLOCKS


def _tidy(folder: Folder) -> Register:
    """After an owner that did not end well: its children are ended, its half-written edits reverted."""
    register = Register(folder.children, folder.id)
    for reaped in reap(register):
        log.warning("ended what an earlier run had left: %s", reaped)
    for repaired in recover_edits(folder.root):
        log.warning("%s", repaired)
    return register
