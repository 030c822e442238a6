"""Changes: something became true of a session; the fold of all of them is the Session."""

from typing import Literal

from msgspec import Struct

from bascule.model.agents import AgentCapabilities
from bascule.model.asks import Ask, AskEnd
from bascule.model.blocks import Block, InfoBlock, SystemBlock
from bascule.model.ids import AskId, BlockId, RunId, ThreadId
from bascule.model.session import (
    Elsewhere,
    LatestDiff,
    Limit,
    ListPlace,
    Prompt,
    Run,
    Status,
    TheirApprovals,
    TheirSandbox,
    TitleBy,
    Usage,
)

# The text that grows, and by it the kind of block: a delta may be the first we hear of one.
Field = Literal["text", "summary", "raw", "output", "stdin", "detail", "progress", "plan", "debug"]


class ChangeBase(Struct, frozen=True, tag_field="change", omit_defaults=True):
    pass


class BlockPut(ChangeBase, frozen=True, tag="blockPut"):
    block: Block
    first: bool = False  # a new one goes before all others


class BlockGone(ChangeBase, frozen=True, tag="blockGone"):
    block: BlockId


class TextGrew(ChangeBase, frozen=True, tag="textGrew"):
    block: BlockId
    field: Field
    text: str
    part: int = 0
    run: RunId | None = None


class HistoryPut(ChangeBase, frozen=True, tag="historyPut"):
    """Runs of the past, as the agent itself kept them: the latest ones, or `older` than all that is there."""

    blocks: tuple[Block, ...]
    runs: tuple[Run, ...]
    earlier: str = ""  # cursor of what is older still
    older: bool = False


class StatusSet(ChangeBase, frozen=True, tag="statusSet"):
    status: Status


class TitleSet(ChangeBase, frozen=True, tag="titleSet"):
    title: str
    by: TitleBy


class UsageSet(ChangeBase, frozen=True, tag="usageSet"):
    usage: Usage


class DiffSet(ChangeBase, frozen=True, tag="diffSet"):
    diff: LatestDiff


class RunPut(ChangeBase, frozen=True, tag="runPut"):
    run: Run


class AskOpened(ChangeBase, frozen=True, tag="askOpened"):
    ask: Ask


class AskClosed(ChangeBase, frozen=True, tag="askClosed"):
    ask: AskId
    end: AskEnd
    choice: str = ""
    by: str = ""
    why: str = ""
    unbegun: bool = False  # who asked has ended: what it asked for never began


class QueueSet(ChangeBase, frozen=True, tag="queueSet"):
    queue: tuple[Prompt, ...]
    held: bool = False


class ModelSet(ChangeBase, frozen=True, tag="modelSet"):
    model: str
    effort: str = ""


class CapabilitiesSet(ChangeBase, frozen=True, tag="capabilitiesSet"):
    """What its agent can do, as the one that runs now says."""

    capabilities: AgentCapabilities


class HiddenSet(ChangeBase, frozen=True, tag="hiddenSet"):
    hidden: bool


class PlaceSet(ChangeBase, frozen=True, tag="placeSet"):
    """Pinned above the others in a list, or put away below them."""

    place: ListPlace


class DeletedSet(ChangeBase, frozen=True, tag="deletedSet"):
    at_ms: int | None  # None: restored


class DriverSet(ChangeBase, frozen=True, tag="driverSet"):
    """Another surface speaks to the session from now on."""

    driver: str


class ParentSet(ChangeBase, frozen=True, tag="parentSet"):
    """Another agent began this one: a sub-agent of that thread."""

    thread: ThreadId


class ElsewhereSet(ChangeBase, frozen=True, tag="elsewhereSet"):
    """Another program has it open, or no longer has."""

    elsewhere: Elsewhere | None


class TheirRightsSet(ChangeBase, frozen=True, tag="theirRightsSet"):
    """What the terminal of a session that was joined allows it. Of ours, the settings say it."""

    sandbox: TheirSandbox
    approvals: TheirApprovals


class Cleared(ChangeBase, frozen=True, tag="cleared"):
    """The log starts empty; title, queue and place stay."""

    thread: ThreadId


Change = (
    BlockPut
    | BlockGone
    | TextGrew
    | HistoryPut
    | StatusSet
    | TitleSet
    | UsageSet
    | DiffSet
    | RunPut
    | AskOpened
    | AskClosed
    | QueueSet
    | ModelSet
    | CapabilitiesSet
    | HiddenSet
    | PlaceSet
    | DeletedSet
    | DriverSet
    | ParentSet
    | ElsewhereSet
    | TheirRightsSet
    | Cleared
)


class NoticePut(Struct, frozen=True, tag_field="change", tag="noticePut"):
    block: InfoBlock | SystemBlock


class AccountSet(Struct, frozen=True, tag_field="change", tag="accountSet"):
    account: str


class LimitsSet(Struct, frozen=True, tag_field="change", tag="limitsSet"):
    limits: tuple[Limit, ...]
    plan: str = ""


class SilenceSet(Struct, frozen=True, tag_field="change", tag="silenceSet"):
    """A call that should be quick has no answer, and the agent says nothing else; None: it speaks again."""

    since_ms: int | None


AgentChange = NoticePut | AccountSet | LimitsSet | SilenceSet
