"""Blocks: what a session's log is made of, one struct per kind."""

from typing import Literal

from msgspec import Struct

from bascule.model.attachments import Attachment
from bascule.model.context import ContextPart
from bascule.model.edits import HunkSpan, ShownHunk
from bascule.model.ids import BlockId, RunId
from bascule.model.said import Said

Progress = Literal["inProgress", "completed", "failed", "declined", "cancelled"]
StepStatus = Literal["pending", "inProgress", "completed"]
CommandKind = Literal["run", "read", "list", "search", "test"]


# Without a garbage collector's eye on them: what is frozen holds no cycles, and there are very many.
Purpose = Literal["talk", "plan", "patch"]  # of a prompt; only in the run of a talk may something be written


class BlockBase(Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True, gc=False):
    id: BlockId
    run: RunId | None = None
    at_ms: int | None = None
    dropped: int = 0  # characters that left the front of its texts, to keep under the ceiling
    attachments: tuple[Attachment, ...] = ()


class UserBlock(BlockBase, frozen=True, kw_only=True, tag="user"):
    text: str
    images: tuple[str, ...] = ()  # paths or data URLs, as they were sent
    steered: bool = False  # added to a run that was already going
    sent: bool = True  # False until the agent has said that it has it
    purpose: Purpose = "talk"  # of one that is not sent yet
    context: tuple[ContextPart, ...] = ()  # what went along of the workspace


class RemoteBlock(BlockBase, frozen=True, kw_only=True, tag="remote"):
    text: str
    author: str = ""
    command_id: str = ""  # of the Order


class AssistantBlock(BlockBase, frozen=True, kw_only=True, tag="assistant"):
    text: str = ""
    final: bool = False  # the answer, as opposed to commentary on the way
    status: Progress = "inProgress"


class ReasoningBlock(BlockBase, frozen=True, kw_only=True, tag="reasoning"):
    summary: tuple[str, ...] = ()
    raw: tuple[str, ...] = ()
    status: Progress = "inProgress"


class CommandBlock(BlockBase, frozen=True, kw_only=True, tag="command"):
    command: str = ""  # without the shell wrapper
    original: str = ""  # as the agent wrote it, for hover
    summary: str = ""  # one readable line
    cwd: str = ""
    output: str = ""
    stdin: str = ""
    status: Progress = "inProgress"
    exit_code: int | None = None
    duration_ms: int | None = None
    does: CommandKind = "run"  # as the agent says; `test`: the project's tests, run by us
    reads: int = 0  # files, where it only reads


class FileEdit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    path: str  # relative to the workspace where it lies inside
    change: Literal["add", "delete", "update"]
    moved_to: str | None = None
    diff: str = ""  # unified hunks
    additions: int = 0
    deletions: int = 0
    hunks: tuple[ShownHunk, ...] = ()  # of a plan that we made
    spans: tuple[HunkSpan, ...] = ()  # of an agent's change: its hunks in `diff`; none where it is no diff


class FileChangeBlock(BlockBase, frozen=True, kw_only=True, tag="fileChange"):
    files: tuple[FileEdit, ...] = ()
    more_files: int = 0  # that are not listed
    detail: str = ""  # stdout and stderr of applying
    has_diff: bool = False  # the session's latest diff covers it
    status: Progress = "inProgress"


class McpBlock(BlockBase, frozen=True, kw_only=True, tag="mcp"):
    server: str = ""
    tool: str = ""
    arguments: str = ""  # JSON
    progress: str = ""
    result: str = ""
    error: str = ""
    status: Progress = "inProgress"
    duration_ms: int | None = None


class WebSearchBlock(BlockBase, frozen=True, kw_only=True, tag="webSearch"):
    query: str = ""
    status: Progress = "inProgress"


class PlanStep(Struct, frozen=True):
    text: str
    status: StepStatus


class PlanBlock(BlockBase, frozen=True, kw_only=True, tag="plan"):
    steps: tuple[PlanStep, ...] = ()
    text: str = ""  # an explanation, or a plan that was written as prose


class ImageBlock(BlockBase, frozen=True, kw_only=True, tag="image"):
    path: str = ""
    url: str = ""
    caption: str = ""
    status: Progress = "completed"


class DividerBlock(BlockBase, frozen=True, kw_only=True, tag="divider"):
    title: str  # "Worked for 21s"
    text: str  # "Context compacted"
    said: Said | None = None  # title and text, where they are ours


class Fact(Struct, frozen=True):
    name: str
    value: str


class InfoBlock(BlockBase, frozen=True, kw_only=True, tag="info"):
    title: str
    text: str = ""
    facts: tuple[Fact, ...] = ()
    status: Progress = "completed"
    said: Said | None = None  # title and text, where they are ours


class EditDone(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Files that were written here after a yes."""

    work: Literal["apply", "revert", "undo"]
    undo_id: str  # undoes this
    files: int
    additions: int
    deletions: int
    plan: str  # the short form of its hash
    diff_id: str = ""  # as it was prepared
    of: str = ""  # the diff that it is a part of, or the run that it reverts some of
    undoes: str = ""  # the edit that this one undid
    reverts: str = ""  # the run of which nothing is left after this


class SystemBlock(BlockBase, frozen=True, kw_only=True, tag="system"):
    title: str = ""
    text: str = ""
    debug: bool = False  # what an agent said that has no place of its own
    edit: EditDone | None = None
    said: Said | None = None  # title and text, where they are ours


class ErrorBlock(BlockBase, frozen=True, kw_only=True, tag="error"):
    title: str
    text: str = ""
    agent_stopped: bool = False  # in the middle of its run, as far as was known then
    said: Said | None = None  # title and text, where they are ours


Block = (
    UserBlock
    | RemoteBlock
    | AssistantBlock
    | ReasoningBlock
    | CommandBlock
    | FileChangeBlock
    | McpBlock
    | WebSearchBlock
    | PlanBlock
    | ImageBlock
    | DividerBlock
    | InfoBlock
    | SystemBlock
    | ErrorBlock
)
