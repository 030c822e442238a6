"""Thread items: the things a turn is made of, as Codex tells them."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

MAX_INT = 2**53  # what every reader of JSON keeps exactly, the page's included

Int = Annotated[int, Meta(ge=-MAX_INT, le=MAX_INT)]

Status = Literal["inProgress", "completed", "failed", "declined", "cancelled"]


class WireStruct(Struct, frozen=True, kw_only=True, rename="camel"):
    """Unknown fields are ignored; what may be missing has a default."""


class Item(WireStruct, frozen=True, kw_only=True, tag_field="type"):
    id: str
    started_at_ms: Int | None = None


class TextElement(WireStruct, frozen=True, kw_only=True):
    """A span of a text that a client marked when it sent it."""

    placeholder: str | None = None


class Input(WireStruct, frozen=True, kw_only=True):
    """One piece of what a person sent: text, an image, a mention."""

    type: str
    text: str = ""
    text_elements: tuple[TextElement, ...] = field(name="text_elements", default=())
    url: str | None = None
    path: str | None = None
    name: str = ""


class UserMessage(Item, frozen=True, kw_only=True, tag="userMessage"):
    content: list[Input]
    client_id: str | None = None


class Fragment(WireStruct, frozen=True, kw_only=True):
    text: str


class HookPrompt(Item, frozen=True, kw_only=True, tag="hookPrompt"):
    fragments: list[Fragment]


class AgentMessage(Item, frozen=True, kw_only=True, tag="agentMessage"):
    text: str
    phase: str | None = None


class FunctionCallOutput(Item, frozen=True, kw_only=True, tag="functionCallOutput"):
    name: str
    output: Any = None


class Plan(Item, frozen=True, kw_only=True, tag="plan"):
    text: str


class Reasoning(Item, frozen=True, kw_only=True, tag="reasoning"):
    summary: tuple[str, ...] = ()
    content: tuple[str, ...] = ()


class CommandAction(WireStruct, frozen=True, kw_only=True):
    type: str
    command: str = ""
    name: str = ""
    path: str | None = None
    query: str | None = None


class CommandExecution(Item, frozen=True, kw_only=True, tag="commandExecution"):
    command: str
    cwd: str = ""
    status: Status = "inProgress"
    command_actions: tuple[CommandAction, ...] = ()
    aggregated_output: str | None = None
    exit_code: Int | None = None
    duration_ms: Int | None = None


class ChangeKind(WireStruct, frozen=True, kw_only=True):
    type: Literal["add", "delete", "update"]
    move_path: str | None = field(default=None, name="move_path")


class FileUpdate(WireStruct, frozen=True, kw_only=True):
    path: str
    kind: ChangeKind
    diff: str = ""


class FileChange(Item, frozen=True, kw_only=True, tag="fileChange"):
    changes: list[FileUpdate]
    status: Status = "inProgress"


class McpResult(WireStruct, frozen=True, kw_only=True):
    content: tuple[Any, ...] = ()
    structured_content: Any = None


class Message(WireStruct, frozen=True, kw_only=True):
    message: str


class McpToolCall(Item, frozen=True, kw_only=True, tag="mcpToolCall"):
    server: str
    tool: str
    status: Status = "inProgress"
    arguments: Any = None
    result: McpResult | None = None
    error: Message | None = None
    duration_ms: Int | None = None


class DynamicToolCall(Item, frozen=True, kw_only=True, tag="dynamicToolCall"):
    tool: str
    namespace: str | None = None
    arguments: Any = None
    status: Status = "inProgress"
    content_items: list[Any] | None = None
    success: bool | None = None
    duration_ms: Int | None = None


class CollabAgentToolCall(Item, frozen=True, kw_only=True, tag="collabAgentToolCall"):
    tool: str
    status: Status | Literal["interrupted"] = "inProgress"
    prompt: str | None = None
    receiver_thread_ids: tuple[str, ...] = ()


class SubAgentActivity(Item, frozen=True, kw_only=True, tag="subAgentActivity"):
    kind: str
    agent_thread_id: str
    agent_path: str = ""
    model: str | None = None


class SearchAction(WireStruct, frozen=True, kw_only=True):
    type: str
    query: str | None = None
    queries: list[str] | None = None
    url: str | None = None
    pattern: str | None = None


class WebSearch(Item, frozen=True, kw_only=True, tag="webSearch"):
    query: str = ""
    action: SearchAction | None = None


class ImageView(Item, frozen=True, kw_only=True, tag="imageView"):
    path: str


class Sleep(Item, frozen=True, kw_only=True, tag="sleep"):
    duration_ms: Int = 0


class ImageGeneration(Item, frozen=True, kw_only=True, tag="imageGeneration"):
    status: str = ""
    revised_prompt: str | None = None
    saved_path: str | None = None


class EnteredReviewMode(Item, frozen=True, kw_only=True, tag="enteredReviewMode"):
    review: str = ""


class ExitedReviewMode(Item, frozen=True, kw_only=True, tag="exitedReviewMode"):
    review: str = ""


class ContextCompaction(Item, frozen=True, kw_only=True, tag="contextCompaction"):
    pass


ThreadItem = (
    UserMessage
    | HookPrompt
    | AgentMessage
    | FunctionCallOutput
    | Plan
    | Reasoning
    | CommandExecution
    | FileChange
    | McpToolCall
    | DynamicToolCall
    | CollabAgentToolCall
    | SubAgentActivity
    | WebSearch
    | ImageView
    | Sleep
    | ImageGeneration
    | EnteredReviewMode
    | ExitedReviewMode
    | ContextCompaction
)
