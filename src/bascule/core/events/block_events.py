"""Blocks as events: what a tool is called, its input, its result, and what was said."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from bascule.core.events.surface_text import (
    MAX_CONTENT,
    cut_end,
    cut_middle,
    fit,
    visible,
    visible_line,
    wrap_diff,
)
from bascule.core.session.growing_text import shorten
from bascule.core.text.plain import plain, plain_line
from bascule.model.asks import CommandSubject, FilesSubject, Subject
from bascule.model.attachments import DiffAttachment
from bascule.model.blocks import (
    AssistantBlock,
    Block,
    CommandBlock,
    ErrorBlock,
    FileChangeBlock,
    FileEdit,
    ImageBlock,
    InfoBlock,
    McpBlock,
    PlanBlock,
    Progress,
    RemoteBlock,
    StepStatus,
    SystemBlock,
    UserBlock,
    WebSearchBlock,
)

Event = dict[str, Any]
Note = InfoBlock | SystemBlock | ErrorBlock

HOW_TO_APPLY = "Apply it on the page, or in a terminal: `bascule session diff last | bascule diff apply -`"

MAX_ARGS = 8_000  # bytes of a call's arguments; it is one line for those who draw it
MAX_NAMED = 200  # files named in a call
MAX_STEPS = 200  # of a plan, in the call; its result has them all
MAX_STEP = 500  # characters

NOWHERE = "/dev/null"
MARK: dict[StepStatus, str] = {"completed": "x", "inProgress": ">", "pending": " "}
VERB = {"add": "Add", "delete": "Delete", "update": "Update"}
# The clients of this protocol know a shell's states by these names.
STATE: dict[Progress, str] = {
    "inProgress": "running",
    "completed": "completed",
    "failed": "failed",
    "declined": "cancelled",
    "cancelled": "cancelled",
}
OUTCOME: dict[Progress, str] = {"failed": "Failed", "declined": "Declined", "cancelled": "Cancelled"}


class Tool(Struct, frozen=True):
    """How a kind of block looks as a call and its result."""

    name: Callable[[Any], str]
    args: Callable[[Any], Event]
    result: Callable[[Any], str]
    is_known: Callable[[Any], bool]  # before it is finished: is there enough to tell the call?


def is_finished(block: Block) -> bool:
    return getattr(block, "status", "completed") != "inProgress"


def call_event(block: Block) -> Event:
    tool = TOOLS[type(block)]
    return _call(tool.name(block), block.id, tool.args(block))


def result_event(block: Block) -> Event:
    tool = TOOLS[type(block)]
    return _result(tool.name(block), block.id, tool.result(block), is_error=_is_error(block))


def _call(tool: str, call: str, args: Event) -> Event:
    return {"type": "tool_call", "tool": tool, "args": args, "tool_call_id": call}


def _result(tool: str, call: str, result: str, *, is_error: bool = False) -> Event:
    return {
        "type": "tool_result",
        "tool": tool,
        "result": result,
        "tool_call_id": call,
        "is_error": is_error,
    }


def _is_error(block: Block) -> bool:
    failed = getattr(block, "status", "completed") != "completed" or bool(getattr(block, "error", ""))
    return failed or getattr(block, "exit_code", None) not in (None, 0)


# -- commands --


def _command_result(block: CommandBlock) -> str:
    description = {
        "command": fit(block.command, MAX_ARGS),
        "state": STATE[block.status],
        "exit_code": block.exit_code,
        "stdout": fit(block.output) or (f"({block.status})" if block.status in OUTCOME else ""),
        "stderr": "",
        "duration_ms": block.duration_ms or None,  # codex says 0 where it has not measured
    }
    return _json(description)


# -- changes of files --


def patch_text(files: tuple[FileEdit, ...]) -> str:
    """The files by name: the changes themselves come with the result."""
    lines = [f"*** {VERB[edit.change]} File: {visible_line(edit.path)}" for edit in files[:MAX_NAMED]]
    more = [f"*** and {len(files) - MAX_NAMED} more"] if len(files) > MAX_NAMED else []
    return "\n".join([*lines, *more])


def diff_text(files: tuple[FileEdit, ...], limit: int = MAX_CONTENT) -> tuple[str, bool]:
    """One diff of them all, with nothing hidden in it, and whether it had to be cut."""
    cut, truncated = cut_end("".join(map(_file_diff, files)), limit)
    return wrap_diff(cut), truncated


def _file_diff(edit: FileEdit) -> str:
    """The first line is the one that names the file where a client draws numbers instead of `---`."""
    old, new = f"a/{visible_line(edit.path)}", f"b/{visible_line(edit.moved_to or edit.path)}"
    before = NOWHERE if edit.change == "add" else old
    after = NOWHERE if edit.change == "delete" else new
    body = visible(edit.diff)
    end = "" if body.endswith("\n") or not body else "\n"
    return f"diff --git {old} {new}\n--- {before}\n+++ {after}\n{body}{end}"


def summary_text(files: tuple[FileEdit, ...]) -> str:
    count = f"{len(files)} file" + ("" if len(files) == 1 else "s")
    return f"{count}, +{sum(edit.additions for edit in files)} -{sum(edit.deletions for edit in files)}"


def _change_result(block: FileChangeBlock) -> str:
    diff, truncated = diff_text(block.files)
    words = [OUTCOME.get(block.status, ""), summary_text(block.files)]
    summary = ": ".join(word for word in words if word)
    if block.status == "failed" and block.detail:
        summary = f"{summary}\n{fit(block.detail, MAX_ARGS)}"
    return _json({"summary": summary, "diff": diff, **_one_path(block.files), **_cut_mark(truncated)})


def _one_path(files: tuple[FileEdit, ...]) -> Event:
    return {"file_path": visible_line(files[0].path)} if len(files) == 1 else {}


def _cut_mark(truncated: bool) -> Event:
    return {"truncated": True} if truncated else {}


# -- the other tools --


def _mcp_name(block: McpBlock) -> str:
    return visible_line("/".join(part for part in (block.server, block.tool) if part)) or "tool"


def _mcp_args(block: McpBlock) -> Event:
    """An object as it is, as long as it is small; anything else as text."""
    if len(block.arguments.encode("utf-8", "replace")) > MAX_ARGS:
        return {"arguments": cut_middle(visible(block.arguments), MAX_ARGS)}
    try:
        args = msgspec.json.decode(block.arguments or "{}")
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        args = visible(block.arguments)
    return args if isinstance(args, dict) else {"arguments": args}


def _mcp_result(block: McpBlock) -> str:
    return fit(block.error or block.result or block.progress)


def _search_args(block: WebSearchBlock) -> Event:
    return {"queries": [fit(block.query, MAX_ARGS)] if block.query else []}


def _image_args(block: ImageBlock) -> Event:
    return {"path": visible_line(block.path)} if block.path else {"url": _short_url(block.url)}


def _short_url(url: str) -> str:
    """A data URL is the image itself."""
    return "[image]" if url.startswith("data:") else cut_middle(visible_line(url), MAX_ARGS)


TOOLS: dict[type, Tool] = {
    CommandBlock: Tool(
        lambda _: "shell",
        lambda block: {"command": fit(block.command, MAX_ARGS)},
        _command_result,
        lambda block: bool(block.command),
    ),
    # Its files come one by one: the call waits for the Ask, or for the end.
    FileChangeBlock: Tool(
        lambda _: "apply_patch",
        lambda block: {"patch": patch_text(block.files)},
        _change_result,
        lambda _: False,
    ),
    McpBlock: Tool(_mcp_name, _mcp_args, _mcp_result, lambda block: bool(block.tool)),
    WebSearchBlock: Tool(
        lambda _: "web_search",
        _search_args,
        lambda _: "",  # the agent keeps what it found to itself
        lambda block: bool(block.query),
    ),
    ImageBlock: Tool(
        lambda _: "view_image",
        _image_args,
        lambda block: fit(block.caption, MAX_ARGS),
        lambda block: bool(block.path or block.url),
    ),
}


# -- plans, words, notes --


def plan_events(block: PlanBlock, call: str) -> list[Event]:
    steps = block.steps[:MAX_STEPS]
    todos = [{"content": shorten(plain(step.text), MAX_STEP), "status": step.status} for step in steps]
    return [_call("todo_new", call, {"todos": todos}), _result("todo_new", call, plan_text(block))]


def plan_text(block: PlanBlock) -> str:
    """The wording that clients of this protocol colour."""
    lines = [f"{at}. [{MARK[step.status]}] {plain_line(step.text)}" for at, step in enumerate(block.steps, 1)]
    return fit("\n".join(lines))


def user_text(block: UserBlock | RemoteBlock) -> str:
    if isinstance(block, RemoteBlock):
        return fit(f"[{block.author}] {block.text}" if block.author else block.text)
    return fit("\n".join([*([block.text] if block.text else []), *("[image]" for _ in block.images)]))


def answer_text(block: AssistantBlock) -> str:
    """What was said, and whole the diff that hangs on it: such a surface has no other way to show it."""
    diffs = [one.unified_diff.rstrip("\n") for one in block.attachments if isinstance(one, DiffAttachment)]
    return "\n\n".join([block.text, *(f"```diff\n{diff}\n```\n\n{HOW_TO_APPLY}" for diff in diffs)])


def note_text(block: Note) -> str:
    """`Title: text`, and the facts of a notice in brackets."""
    prefix = "Error: " if isinstance(block, ErrorBlock) else ""
    words = ": ".join(part for part in (block.title, block.text) if part)
    facts = getattr(block, "facts", ())
    more = f" ({', '.join(f'{fact.name} {fact.value}' for fact in facts)})" if facts else ""
    return fit(f"{prefix}{words}{more}")


# -- before an approval --


def approval_events(subject: Subject, call: str) -> list[Event]:
    """What is shown before the question: the changes themselves, then that a word is wanted."""
    match subject:
        case FilesSubject():
            diff, truncated = diff_text(subject.files)
            preview: Event = {
                "type": "permission.preview",
                "tool": "apply_patch",
                "tool_call_id": call,
                **_one_path(subject.files),
                "diff": diff,
                "summary": summary_text(subject.files),
                "truncated": truncated,
            }
            return [preview, {"type": "permission.ready", "tool": "apply_patch", "tool_call_id": call}]
        case CommandSubject():
            return [{"type": "permission.ready", "tool": "shell", "tool_call_id": call}]
        case _:
            return []


def is_about(subject: Subject, block: Block) -> bool:
    """Is this the call that the Ask is about?"""
    match subject, block:
        case FilesSubject(files=files), FileChangeBlock(status="inProgress"):
            return files == block.files
        case CommandSubject(original=original), CommandBlock(status="inProgress"):
            return original == block.original
        case _:
            return False


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
