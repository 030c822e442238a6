"""The parts of the application, as every method reaches them."""

from dataclasses import dataclass

from bascule.core.redact import Redactor
from bascule.daemon.composer import Composer
from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.by_hand import ByHand
from bascule.daemon.consent.setting_changes import SettingChanges
from bascule.daemon.contexts import Contexts
from bascule.daemon.crew import Crew
from bascule.daemon.devices import Devices
from bascule.daemon.doors import Doors
from bascule.daemon.edits import Edits
from bascule.daemon.hub import Hub
from bascule.daemon.library import Library
from bascule.daemon.links import Links
from bascule.daemon.notices import Notices
from bascule.daemon.openings import Openings
from bascule.daemon.orders import Orders
from bascule.daemon.preferences import Preferences
from bascule.daemon.prompts import Prompts
from bascule.daemon.record import Record
from bascule.daemon.review import Reviews
from bascule.daemon.roster import Roster
from bascule.daemon.sessions import Sessions
from bascule.daemon.shelf import Shelf
from bascule.daemon.surfaces import Surfaces
from bascule.daemon.testruns import ProjectTests
from bascule.daemon.trust import Trust
from bascule.daemon.workspaces import Workspaces
from bascule.host.folder import Folder
from bascule.host.private import Private
from bascule.host.register import Register
from bascule.host.trust import TrustStore
from bascule.model.protocol.setup import DemoPrompt

CODEX_HOME = "CODEX_HOME"


@dataclass(frozen=True, kw_only=True)
class App:
    """What a surface reaches: who is there, what they say, who is watching."""

    hub: Hub
    roster: Roster
    crew: Crew
    notices: Notices
    sessions: Sessions
    prompts: Prompts
    asks: Asks
    by_hand: ByHand
    setting_changes: SettingChanges
    composer: Composer
    surfaces: Surfaces
    workspaces: Workspaces
    trust: Trust
    openings: Openings
    trust_store: TrustStore
    private: Private
    library: Library
    shelf: Shelf
    links: Links
    edits: Edits
    record: Record
    redactor: Redactor  # of what leaves
    reviews: Reviews
    tests: ProjectTests
    doors: Doors
    devices: Devices
    orders: Orders
    contexts: Contexts
    settings: Preferences  # of a workspace
    register: Register  # of child processes
    folder: Folder
    home: str  # the person's own
    demo_prompts: tuple[DemoPrompt, ...] = ()  # what to try, in the offline demo
