"""The parts of the application, as every method reaches them."""

from dataclasses import dataclass

from bascule.core.text.redact import Redactor
from bascule.daemon.agents.pool import AgentPool
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.devices import Devices
from bascule.daemon.consent.doors import Doors
from bascule.daemon.consent.folder_trust import Trust
from bascule.daemon.consent.grants import Grants
from bascule.daemon.consent.manual_actions import ManualActions
from bascule.daemon.consent.record import Record
from bascule.daemon.consent.setting_changes import SettingChanges
from bascule.daemon.edits.edits import Edits
from bascule.daemon.edits.project_tests import ProjectTests
from bascule.daemon.edits.review import Reviews
from bascule.daemon.files.file_access import FileAccess
from bascule.daemon.files.file_links import FileLinks
from bascule.daemon.files.git_states import GitStates
from bascule.daemon.files.opened_folders import OpenedFolders
from bascule.daemon.files.workspaces import Workspaces
from bascule.daemon.orders.bridge import Bridge
from bascule.daemon.orders.orders import Orders
from bascule.daemon.panes.panes import Panes
from bascule.daemon.prompts.composer import Composer
from bascule.daemon.prompts.prompt_contexts import Contexts
from bascule.daemon.prompts.prompts import Prompts
from bascule.daemon.sessions.deletion import Deletion
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.session_reader import SessionReader
from bascule.daemon.sessions.session_search import SessionSearch
from bascule.daemon.sessions.sessions import Sessions
from bascule.daemon.surfaces.notices import Notices
from bascule.daemon.surfaces.surfaces import Surfaces
from bascule.daemon.watch.claude_hooks import ClaudeHooks
from bascule.daemon.watch.joining import Joining
from bascule.daemon.watch.session_watch import SessionWatch
from bascule.daemon.workspace_settings import WorkspaceSettings
from bascule.host.config.trust_store import TrustStore
from bascule.host.files.data_folder import Folder
from bascule.host.files.private_places import PrivatePaths
from bascule.host.own_command import find_own_command
from bascule.host.processes.process_register import Register
from bascule.model.protocol.setup import DemoPrompt


@dataclass(frozen=True, kw_only=True)
class App:
    """What a surface reaches: who is there, what they say, who is watching."""

    hub: Hub
    roster: Roster
    pool: AgentPool
    notices: Notices
    sessions: Sessions
    prompts: Prompts
    asks: Asks
    manual: ManualActions
    deletion: Deletion
    setting_changes: SettingChanges
    grants: Grants
    composer: Composer
    surfaces: Surfaces
    workspaces: Workspaces
    git_states: GitStates  # of workspaces that somebody looks at
    trust: Trust
    openings: OpenedFolders
    trust_store: TrustStore
    private: PrivatePaths
    session_reader: SessionReader
    session_search: SessionSearch
    file_links: FileLinks
    links: FileAccess
    edits: Edits
    record: Record
    redactor: Redactor  # of what leaves
    reviews: Reviews
    tests: ProjectTests
    doors: Doors
    devices: Devices
    orders: Orders
    bridge: Bridge
    claude_hooks: ClaudeHooks
    session_watch: SessionWatch  # of every agent on this machine
    joining: Joining
    panes: Panes  # terminals that we own
    contexts: Contexts
    settings: WorkspaceSettings  # of a workspace
    register: Register  # of child processes
    folder: Folder
    home: str  # the person's own
    demo_prompts: tuple[DemoPrompt, ...] = ()  # what to try, in the offline demo

    @property
    def start_command(self) -> str:
        """What a person types to start this daemon again."""
        command = find_own_command()
        return f"{command} up --demo" if self.demo_prompts else f"{command} up"
