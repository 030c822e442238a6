"""Items become blocks: one small function per kind of item."""

from collections.abc import Callable, Iterable, Sized
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

import msgspec
from msgspec import Struct

from bascule.agents.codex.wire import items
from bascule.core.commands.shell import Action, kind_of, summarise, unwrap
from bascule.core.diff.show import unified
from bascule.core.prompts.prompt_blocks import asked_again_block, order_block
from bascule.core.prompts.prompt_context import ContextMark, parse_mark
from bascule.core.session.growing_text import MAX_PARTS, clip
from bascule.core.session.usage import duration_text
from bascule.model.blocks import (
    AssistantBlock,
    Block,
    CommandBlock,
    Fact,
    FileChangeBlock,
    FileEdit,
    ImageBlock,
    InfoBlock,
    McpBlock,
    PlanBlock,
    Progress,
    ReasoningBlock,
    RemoteBlock,
    SystemBlock,
    UserBlock,
    WebSearchBlock,
)
from bascule.model.ids import BlockId, RunId
from bascule.model.said import Said

MAX_FILES = 5_000  # of one Changes block
REJECTED = "user rejected MCP tool call"  # how Codex says that a person declined it


class ItemPlace(Struct, frozen=True, kw_only=True):
    """Where and when an item stands."""

    cwd: str = ""
    run: RunId | None = None
    at_ms: int | None = None
    done: bool = False

    @property
    def status(self) -> Progress:
        return "completed" if self.done else "inProgress"


def make_block(item: items.ThreadItem, place: ItemPlace) -> Block | None:
    """The block that shows this item; None for a compaction, which is a divider of its own making."""
    maker = MAKERS.get(type(item))
    return maker(item, place) if maker else None


def file_edits(changes: Iterable[items.FileUpdate], cwd: str) -> tuple[FileEdit, ...]:
    return tuple(_file_edit(change, cwd) for change in list(changes)[:MAX_FILES])


def count_more(changes: Sized) -> int:
    """Files that `file_edits` leaves out."""
    return max(len(changes) - MAX_FILES, 0)


def relative(path: str, cwd: str) -> str:
    """The path as a person in the workspace would write it."""
    if not cwd:
        return path
    flavour = PureWindowsPath if "\\" in cwd else PurePosixPath
    try:
        return flavour(path).relative_to(flavour(cwd)).as_posix()
    except ValueError:
        return path


def actions(sent: Iterable[items.CommandAction]) -> tuple[Action, ...]:
    return tuple(
        Action(kind=action.type, what=action.query or action.name, where=action.path or "") for action in sent
    )


def _file_edit(change: items.FileUpdate, cwd: str) -> FileEdit:
    path = relative(change.path, cwd)
    match change.kind.type:
        case "add":
            return unified.added(path, change.diff)
        case "delete":
            return unified.deleted(path, change.diff)
        case "update":
            moved = relative(change.kind.move_path, cwd) if change.kind.move_path else None
            return unified.updated(path, change.diff, moved)


def _user(item: items.UserMessage, place: ItemPlace) -> UserBlock | RemoteBlock | SystemBlock:
    """A person's own words; what we sent with them is only named."""
    marked = [(part.text, mark) for part in item.content if (mark := _find_mark(part)) is not None]
    if any(mark.again for _, mark in marked):
        return asked_again_block(BlockId(item.client_id or item.id), marked[0][0], place.run, place.at_ms)
    for text, mark in marked:
        if mark.sender is not None:
            name = BlockId(item.client_id or item.id)
            return order_block(name, text, mark.sender, place.run, place.at_ms)
    own = [part for part in item.content if _find_mark(part) is None]
    text, dropped = clip("\n".join(piece for part in own if (piece := _input_text(part))))
    images = tuple(part.path or part.url or "" for part in item.content if "mage" in part.type)
    return UserBlock(
        id=BlockId(item.client_id or item.id),
        run=place.run,
        at_ms=place.at_ms,
        text=text,
        dropped=dropped,
        images=images,
        context=tuple(part for _, mark in marked for part in mark.context),
    )


def _find_mark(part: items.Input) -> ContextMark | None:
    marks = (parse_mark(element.placeholder) for element in part.text_elements)
    return next((mark for mark in marks if mark is not None), None)


def _input_text(part: items.Input) -> str:
    match part.type:
        case "text":
            return part.text
        case "mention" | "skill":
            return f"@{part.path or part.name}"
        case _:
            return ""


def _hook_prompt(item: items.HookPrompt, place: ItemPlace) -> SystemBlock:
    text = "\n".join(fragment.text for fragment in item.fragments)
    return SystemBlock(
        id=BlockId(item.id),
        run=place.run,
        at_ms=place.at_ms,
        title="From a hook",
        text=text,
        said=Said("hook.prompt"),
    )


def _assistant(item: items.AgentMessage, place: ItemPlace) -> AssistantBlock:
    text, dropped = clip(item.text)
    return AssistantBlock(
        id=BlockId(item.id),
        run=place.run,
        at_ms=place.at_ms,
        text=text,
        dropped=dropped,
        final=item.phase == "final_answer",
        status=place.status,
    )


def _tool_output(item: items.FunctionCallOutput, place: ItemPlace) -> McpBlock:
    return McpBlock(
        id=BlockId(item.id),
        run=place.run,
        at_ms=place.at_ms,
        tool=item.name,
        result=_json(item.output),
        status=place.status,
    )


def _plan(item: items.Plan, place: ItemPlace) -> PlanBlock:
    return PlanBlock(id=BlockId(item.id), run=place.run, at_ms=place.at_ms, text=clip(item.text)[0])


def _reasoning(item: items.Reasoning, place: ItemPlace) -> ReasoningBlock:
    return ReasoningBlock(
        id=BlockId(item.id),
        run=place.run,
        at_ms=place.at_ms,
        summary=tuple(clip(part)[0] for part in item.summary[:MAX_PARTS]),
        raw=tuple(clip(part)[0] for part in item.content[:MAX_PARTS]),
        status=place.status,
    )


def _command(item: items.CommandExecution, place: ItemPlace) -> CommandBlock:
    command = unwrap(item.command, item.cwd)
    output, dropped = clip(item.aggregated_output or "")
    command_actions = actions(item.command_actions)
    does, reads = kind_of(command_actions)
    return CommandBlock(
        id=BlockId(item.id),
        run=place.run,
        at_ms=place.at_ms,
        command=command,
        original=item.command,
        summary=summarise(command, command_actions),
        cwd=item.cwd,
        output=output,
        dropped=dropped,
        status=item.status,
        exit_code=item.exit_code,
        duration_ms=item.duration_ms,
        does=does,
        reads=reads,
    )


def _file_change(item: items.FileChange, place: ItemPlace) -> FileChangeBlock:
    files = file_edits(item.changes, place.cwd)
    return FileChangeBlock(
        id=BlockId(item.id),
        run=place.run,
        at_ms=place.at_ms,
        files=files,
        more_files=count_more(item.changes),
        status=item.status,
    )


def _mcp(item: items.McpToolCall, place: ItemPlace) -> McpBlock:
    return McpBlock(
        id=BlockId(item.id),
        run=place.run,
        at_ms=place.at_ms,
        server=item.server,
        tool=item.tool,
        arguments=_json(item.arguments),
        result=_content(item.result.content) if item.result else "",
        error=item.error.message if item.error else "",
        status="declined" if item.error and item.error.message == REJECTED else item.status,
        duration_ms=item.duration_ms,
    )


def _dynamic(item: items.DynamicToolCall, place: ItemPlace) -> McpBlock:
    return McpBlock(
        id=BlockId(item.id),
        run=place.run,
        at_ms=place.at_ms,
        server=item.namespace or "client",
        tool=item.tool,
        arguments=_json(item.arguments),
        result=_content(item.content_items or []),
        status=item.status,
        duration_ms=item.duration_ms,
    )


def _collab(item: items.CollabAgentToolCall, place: ItemPlace) -> InfoBlock:
    facts = tuple(Fact("agent", thread) for thread in item.receiver_thread_ids)
    return InfoBlock(
        id=BlockId(item.id),
        run=place.run,
        at_ms=place.at_ms,
        title=f"Sub-agent: {item.tool}",
        said=Said("subagent.tool", {"tool": item.tool}),
        text=clip(item.prompt or "")[0],
        facts=facts,
        status="cancelled" if item.status == "interrupted" else item.status,
    )


def _sub_agent(item: items.SubAgentActivity, place: ItemPlace) -> InfoBlock:
    facts = [Fact("agent", item.agent_thread_id), *([Fact("model", item.model)] if item.model else [])]
    return InfoBlock(
        id=BlockId(item.id),
        run=place.run,
        at_ms=place.at_ms,
        title=f"Sub-agent {item.kind}",
        said=Said("subagent.activity", {"kind": item.kind}),
        text=item.agent_path,
        facts=tuple(facts),
        status=place.status,
    )


def _search(item: items.WebSearch, place: ItemPlace) -> WebSearchBlock:
    return WebSearchBlock(
        id=BlockId(item.id), run=place.run, at_ms=place.at_ms, query=_query(item), status=place.status
    )


def _query(item: items.WebSearch) -> str:
    action = item.action
    if action is None:
        return item.query
    return (
        item.query or action.query or " · ".join(action.queries or ()) or action.url or action.pattern or ""
    )


def _image(item: items.ImageView, place: ItemPlace) -> ImageBlock:
    return ImageBlock(id=BlockId(item.id), run=place.run, at_ms=place.at_ms, path=item.path)


def _generated(item: items.ImageGeneration, place: ItemPlace) -> ImageBlock:
    return ImageBlock(
        id=BlockId(item.id),
        run=place.run,
        at_ms=place.at_ms,
        path=item.saved_path or "",
        caption=item.revised_prompt or "",
        status=place.status,
    )


def _sleep(item: items.Sleep, place: ItemPlace) -> InfoBlock:
    title = f"Waited {duration_text(item.duration_ms)}" if place.done else "Waiting"
    said = Said("waited", {"ms": item.duration_ms}) if place.done else Said("waiting")
    return InfoBlock(
        id=BlockId(item.id), run=place.run, at_ms=place.at_ms, title=title, status=place.status, said=said
    )


def _review_in(item: items.EnteredReviewMode, place: ItemPlace) -> InfoBlock:
    return InfoBlock(
        id=BlockId(item.id),
        run=place.run,
        at_ms=place.at_ms,
        title="Review started",
        text=item.review,
        said=Said("review.started"),
    )


def _review_out(item: items.ExitedReviewMode, place: ItemPlace) -> InfoBlock:
    return InfoBlock(
        id=BlockId(item.id),
        run=place.run,
        at_ms=place.at_ms,
        title="Review finished",
        text=item.review,
        said=Said("review.finished"),
    )


def _json(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _content(parts: Iterable[Any]) -> str:
    """The text parts of a tool's answer; what is not text is named by its type."""
    texts = [_content_part(part) for part in parts]
    return clip("\n".join(texts))[0]


def _content_part(part: Any) -> str:
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        return str(part["text"])
    kind = part.get("type", "") if isinstance(part, dict) else ""
    return f"[{kind}]" if kind in ("image", "audio", "inputImage", "inputAudio") else _json(part)


MAKERS: dict[type, Callable[[Any, ItemPlace], Block]] = {
    items.UserMessage: _user,
    items.HookPrompt: _hook_prompt,
    items.AgentMessage: _assistant,
    items.FunctionCallOutput: _tool_output,
    items.Plan: _plan,
    items.Reasoning: _reasoning,
    items.CommandExecution: _command,
    items.FileChange: _file_change,
    items.McpToolCall: _mcp,
    items.DynamicToolCall: _dynamic,
    items.CollabAgentToolCall: _collab,
    items.SubAgentActivity: _sub_agent,
    items.WebSearch: _search,
    items.ImageView: _image,
    items.ImageGeneration: _generated,
    items.Sleep: _sleep,
    items.EnteredReviewMode: _review_in,
    items.ExitedReviewMode: _review_out,
}
