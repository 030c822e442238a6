"""Sessions for surfaces that mirror state: watched, changed, answered, queued; and the daemon's own state."""

from typing import Literal

from msgspec import Struct

from bascule.model.agents import AgentCapabilities
from bascule.model.changes import Change
from bascule.model.said import Said
from bascule.model.session import AgentState, Ended, ListPlace, Session, Status


class Card(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A session's line in a list."""

    session_id: str
    title: str
    workspace: str
    status: Status
    outcome: Ended = ""  # of its last run, when none is going on; what could not be sent has failed
    agent: str = "codex"
    capabilities: AgentCapabilities = AgentCapabilities()
    asks: int = 0  # waiting for a person
    queued: int = 0
    hidden: bool = False
    place: ListPlace = ""
    deleted: bool = False
    draft: bool = False  # nothing was said in it yet
    driver: str = ""  # the surface that spoke last
    parent: str = ""
    updated_at_ms: int = 0
    created_at_ms: int = 0
    run_at_ms: int | None = None  # when its latest run started
    run_ended_at_ms: int | None = None
    why: str = ""  # its latest run failed or was interrupted
    said: Said | None = None  # the same, where it is ours
    files: int = 0  # that its latest run has changed
    additions: int = 0
    deletions: int = 0


class Done(Struct, frozen=True):
    ok: bool = True


class SessionRef(Struct, frozen=True, kw_only=True):
    session_id: str


class WatchParams(Struct, frozen=True, kw_only=True):
    """Without `session_id`: the list of all sessions."""

    session_id: str = ""


class SnapshotNotify(Struct, frozen=True, kw_only=True):
    session_id: str
    seq: int
    session: Session


class ChangedNotify(Struct, frozen=True, kw_only=True):
    """`seq` is the number of the last Change here; the one before the first is `after`."""

    session_id: str
    after: int
    seq: int
    changes: tuple[Change, ...]


class CardsNotify(Struct, frozen=True, kw_only=True):
    """`whole` begins the list again, with the latest 200; the rest follow, and those that have changed."""

    cards: tuple[Card, ...]
    whole: bool = False
    gone: tuple[str, ...] = ()  # sessions that are no longer kept here


class RestartAgentParams(Struct, frozen=True, kw_only=True):
    """The agent of a session, or all that run in a workspace; in the surface's own when none is named."""

    session_id: str = ""
    workspace: str = ""


class RestartedAgent(Struct, frozen=True, kw_only=True):
    workspace: str
    was_running: bool


DaemonNoticeKind = Literal["store_full", "store_failed", "set_aside", "database_replaced", "folder_gone"]


class DaemonNotice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something is wrong with the daemon itself; a page says it in its own language by `kind`."""

    id: str
    kind: DaemonNoticeKind
    text: str
    detail: str = ""  # what the system said, or what it is about
    since_ms: int = 0


BridgeStatus = Literal["connecting", "connected", "waiting"]


class BridgeState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The connection to the relay that this machine has joined."""

    status: BridgeStatus  # waiting: it is tried again after a pause
    relay: str  # its URL
    machine: str  # the name by which the relay knows this machine
    since_ms: int  # when the status became this
    last_error: str = ""  # why it was last not connected; kept while it is
    last_error_ms: int = 0
    retry_ms: int = 0  # of waiting: when it is tried again


class DaemonNotify(Struct, frozen=True, kw_only=True, omit_defaults=True):
    notices: tuple[DaemonNotice, ...]
    bridge: BridgeState | None = None  # None: no relay was joined


class AgentNotify(Struct, frozen=True, kw_only=True):
    state: AgentState


class GitStatus(Struct, frozen=True, kw_only=True, omit_defaults=True):
    branch: str = ""  # empty: none, as after a checkout of a commit
    changed: int = 0  # files that differ from the last commit, new ones too


class WorkspaceState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    workspace: str
    git: GitStatus | None = None  # None: no repository


class WorkspaceNotify(Struct, frozen=True, kw_only=True):
    state: WorkspaceState


class CreateParams(Struct, frozen=True, kw_only=True):
    workspace: str = ""  # of the surface, when empty
    agent: str = ""  # by name; the usual one when empty
    model: str = ""
    effort: str = ""


class Created(Struct, frozen=True, kw_only=True):
    session_id: str


class RenameParams(Struct, frozen=True, kw_only=True):
    session_id: str
    title: str


class HideParams(Struct, frozen=True, kw_only=True):
    session_id: str
    hidden: bool = True


class PlaceParams(Struct, frozen=True, kw_only=True):
    session_id: str
    place: ListPlace = ""


class ForkParams(Struct, frozen=True, kw_only=True):
    session_id: str
    run_id: str = ""  # up to and with this run; the whole session when empty


class Earlier(Struct, frozen=True, kw_only=True):
    more: bool  # whether a page was loaded


class ModelParams(Struct, frozen=True, kw_only=True):
    session_id: str
    model: str
    effort: str = ""


class DriveParams(Struct, frozen=True, kw_only=True):
    """Become the surface that speaks to this session."""

    session_id: str


class AnswerParams(Struct, frozen=True, kw_only=True):
    session_id: str
    ask_id: str
    choice: str
    answers: dict[str, tuple[str, ...]] = {}
    reason: str = ""
    shown: int = 0  # of the Ask, as it was when the person answered


class QueueRef(Struct, frozen=True, kw_only=True):
    session_id: str
    key: str


class QueueEditParams(Struct, frozen=True, kw_only=True):
    session_id: str
    key: str
    text: str


class QueueMoveParams(Struct, frozen=True, kw_only=True):
    session_id: str
    key: str
    to: int


class ArtifactParams(Struct, frozen=True, kw_only=True):
    """A block's large text by reference: `artifact_id` is `SESSION/BLOCK/FIELD`."""

    artifact_id: str
    offset: int = 0
    limit: int = 200_000


class Artifact(Struct, frozen=True, kw_only=True):
    artifact_id: str
    text: str
    size: int
    next_offset: int | None = None


class ExportParams(Struct, frozen=True, kw_only=True):
    session_id: str
    format: Literal["markdown", "json"] = "markdown"


class Exported(Struct, frozen=True, kw_only=True):
    session_id: str
    format: str
    text: str


class HistoryReadParams(Struct, frozen=True, kw_only=True):
    session_id: str


class HistoryRead(Struct, frozen=True, kw_only=True):
    session: Session


class Todo(Struct, frozen=True, kw_only=True):
    text: str
    status: Literal["pending", "inProgress", "completed"]


class Todos(Struct, frozen=True, kw_only=True):
    session_id: str
    todos: tuple[Todo, ...]
