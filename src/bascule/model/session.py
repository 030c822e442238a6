"""A Session: one conversation with one agent, as a surface shows it."""

from typing import Literal

from msgspec import Struct

from bascule.model.agents import AgentCapabilities
from bascule.model.asks import Ask
from bascule.model.blocks import Block, FileEdit, InfoBlock, Purpose, SystemBlock
from bascule.model.consent.audit import Remote
from bascule.model.context import ContextPart
from bascule.model.ids import PromptKey, RunId, SessionId, ThreadId
from bascule.model.said import Said

Status = Literal["working", "waiting_user", "completed", "stopped", "unknown"]
Outcome = Literal["running", "completed", "failed", "interrupted"]
Ended = Literal["", "completed", "failed", "interrupted", "declined"]  # the last run, as a list shows it
TitleBy = Literal["default", "prompt", "agent", "person"]
ListPlace = Literal["", "pinned", "archived"]  # where a list shows it; empty: by its time


class Run(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    id: RunId
    outcome: Outcome = "running"
    started_at_ms: int | None = None
    ended_at_ms: int | None = None
    why: str = ""  # the reason of a failed or interrupted run
    said: Said | None = None  # the same, where it is ours
    tokens: int = 0  # spent by all of its requests
    declined: bool = False  # a person's no stopped it


class Usage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    context_used: int  # tokens in the last request
    context_window: int | None = None
    total: int = 0
    input: int = 0
    cached: int = 0
    output: int = 0
    reasoning: int = 0
    cost_usd: float = 0.0  # where the agent itself says it


class LatestDiff(Struct, frozen=True, kw_only=True, omit_defaults=True):
    unified: str
    files: tuple[FileEdit, ...]
    run: RunId | None = None


class Prompt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    key: PromptKey
    text: str
    images: tuple[str, ...] = ()
    context: tuple[ContextPart, ...] = ()  # what is sent of the workspace, read when it is sent
    selected: str = ""  # what is selected as the editor shows it, perhaps not saved yet
    purpose: Purpose = "talk"  # set where the prompt is made; it chooses the sandbox
    by: Literal["person", "bascule"] = "person"  # bascule: asks once more after an answer of no use
    asked_in: RunId | None = None  # of what is asked once more: the run in which it was asked first
    sender: Remote | None = None  # of an Order: nothing is written for it, whatever it says


TheirSandbox = Literal["", "read-only", "workspace-write", "full-access", "external"]
TheirApprovals = Literal["", "untrusted", "on-request", "never"]


class Elsewhere(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Another program has the conversation open."""

    key: str  # on the board
    their_id: str  # the agent's own id of it
    holder: str = ""  # which program, where that is known: "codex app-server (pid 812)"
    home: str = ""  # whose shared daemon it can be joined through; empty: it cannot be
    joined: bool = False  # through that daemon, so that it is used here and there
    sandbox: TheirSandbox = ""  # of one that was joined: what its terminal allows; empty: not said
    approvals: TheirApprovals = ""  # and when it asks
    is_guest: bool = False  # nothing of it was kept here before it was joined: leaving forgets it again


class Session(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: SessionId
    workspace: str
    agent: str = "codex"
    capabilities: AgentCapabilities = AgentCapabilities()
    thread: ThreadId | None = None
    title: str = ""
    title_by: TitleBy = "default"
    status: Status = "unknown"
    blocks: tuple[Block, ...] = ()
    dropped_blocks: int = 0  # the oldest leave the log at its ceiling; the agent still has them
    earlier: str = ""  # cursor of the history that has not been fetched yet
    runs: tuple[Run, ...] = ()
    usage: Usage | None = None
    diff: LatestDiff | None = None
    asks: tuple[Ask, ...] = ()
    queue: tuple[Prompt, ...] = ()
    queue_held: bool = False  # after an interrupt or a failure nothing starts by itself
    model: str = ""
    effort: str = ""
    hidden: bool = False  # from the tab bar only
    place: ListPlace = ""
    deleted_at_ms: int | None = None  # it can be restored for some days
    driver: str = ""  # the surface that speaks to it
    parent: SessionId | None = None  # forked from
    parent_thread: ThreadId | None = None  # the agent that began this sub-agent
    sender: str = ""  # the remote person whose Orders it takes
    relay: str = ""  # by which they send them; empty: a pipe
    elsewhere: Elsewhere | None = None
    created_at_ms: int = 0
    updated_at_ms: int = 0


class Limit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str  # primary, secondary
    used_percent: float
    window_minutes: int | None = None
    resets_at_s: int | None = None


class AgentState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is true of one agent in one workspace, whichever session is looked at."""

    workspace: str
    agent: str = "codex"
    notices: tuple[InfoBlock | SystemBlock, ...] = ()
    account: str = ""  # "authMode=chatgpt plan=pro"
    limits: tuple[Limit, ...] = ()
    plan: str = ""
    silent_since_ms: int | None = None  # it has not answered a call since, nor said anything else
