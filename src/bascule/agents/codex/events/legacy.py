"""`codex/event/*`: what only the older wire has is translated; what v2 has sent already is ignored."""

import base64
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from bascule.agents.codex.events.blocks import MAX_FILES, count_more, relative
from bascule.agents.codex.events.change_sink import ChangeSink, ThreadView
from bascule.agents.codex.events.notices import rate_limits
from bascule.agents.codex.events.turns import make_usage, set_diff
from bascule.agents.codex.wire import legacy, params
from bascule.agents.codex.wire.requests import LegacyFileChange
from bascule.core.commands.shell import Action, join_words, kind_of, summarise, unwrap
from bascule.core.diff.show import unified
from bascule.core.session.growing_text import clip
from bascule.model.blocks import CommandBlock, FileChangeBlock, FileEdit, InfoBlock, WebSearchBlock
from bascule.model.changes import BlockPut, UsageSet
from bascule.model.ids import BlockId
from bascule.model.said import Said

# The v2 wire sends the same, or a request does, or it is one token of something that is sent whole later.
NOISE = frozenset(
    [
        "task_started",
        "task_complete",
        "turn_started",
        "turn_complete",
        "item_started",
        "item_completed",
        "user_message",
        "agent_message",
        "agent_message_delta",
        "agent_message_content_delta",
        "agent_reasoning",
        "agent_reasoning_delta",
        "agent_reasoning_section_break",
        "agent_reasoning_raw_content",
        "agent_reasoning_raw_content_delta",
        "reasoning_content_delta",
        "reasoning_raw_content_delta",
        "plan_delta",
        "plan_update",
        "raw_response_item",
        "mcp_tool_call_begin",
        "mcp_tool_call_end",
        "mcp_startup_update",
        "exec_approval_request",
        "apply_patch_approval_request",
        "elicitation_request",
        "request_user_input",
        "request_permissions",
    ]
)

ACTION_KIND = {"list_files": "listFiles"}


def event(sink: ChangeSink, payload: params.LegacyParams) -> None:
    """One legacy event, of a session where it names one, else of the agent."""
    kind = str(payload.msg.get("type", "")) if isinstance(payload.msg, dict) else ""
    if kind in NOISE:
        return
    if kind not in KINDS:
        sink.note(payload.conversation_id, f"codex/event/{kind}", payload.msg)
        return
    msg = msgspec.convert(payload.msg, legacy.Known)
    if payload.conversation_id is None:
        _global(sink, msg)
    else:
        HANDLERS[type(msg)](sink, sink.view(payload.conversation_id), msg)


def _global(sink: ChangeSink, msg: legacy.Known) -> None:
    """Without a session the account's numbers and failed MCP servers concern everyone."""
    match msg:
        case legacy.LegacyTokenCount():
            _limits(sink, msg)
        case legacy.McpStartupComplete():
            _mcp_startup(sink, None, msg)
        case legacy.ExecBegin() | legacy.ExecOutput() | legacy.ExecStdin() | legacy.ExecEnd():
            return  # the session's own wire shows commands
        case _:
            sink.note(None, "codex/event of no session", msg)


def _exec_begin(sink: ChangeSink, view: ThreadView, msg: legacy.ExecBegin) -> None:
    if msg.call_id not in view.sent_items:
        sink.put(view.thread, BlockPut(_command(view, msg)))


def _exec_output(sink: ChangeSink, view: ThreadView, msg: legacy.ExecOutput) -> None:
    if msg.call_id in view.sent_items:
        return
    try:
        chunk = base64.b64decode(msg.chunk, validate=True).decode("utf-8", "replace")
    except ValueError:  # not the Base64 that it should be: shown as it came
        chunk = msg.chunk
    sink.grow(view.thread, msg.call_id, "output", chunk, 0, view.run)


def _exec_stdin(sink: ChangeSink, view: ThreadView, msg: legacy.ExecStdin) -> None:
    if msg.call_id not in view.sent_items:
        sink.grow(view.thread, msg.call_id, "stdin", msg.stdin, 0, view.run)


def _exec_end(sink: ChangeSink, view: ThreadView, msg: legacy.ExecEnd) -> None:
    if msg.call_id in view.sent_items:
        return
    output, dropped = clip(msg.aggregated_output or msg.stdout + msg.stderr)
    block = replace(
        _command(view, msg),
        output=output,
        dropped=dropped,
        status="completed" if msg.exit_code == 0 else "failed",
        exit_code=msg.exit_code,
        duration_ms=_duration_ms(msg.duration),
    )
    sink.put(view.thread, BlockPut(block))


def _command(view: ThreadView, msg: legacy.ExecBegin | legacy.ExecEnd) -> CommandBlock:
    original = join_words(list(msg.command))
    command = unwrap(original, msg.cwd)
    payload = _actions(msg.parsed_cmd)
    does, reads = kind_of(payload)
    return CommandBlock(
        id=BlockId(msg.call_id),
        run=view.run,
        command=command,
        original=original,
        summary=summarise(command, payload),
        cwd=msg.cwd,
        does=does,
        reads=reads,
    )


def _actions(parsed: Iterable[legacy.ParsedCommand]) -> tuple[Action, ...]:
    return tuple(
        Action(
            kind=ACTION_KIND.get(part.type, part.type), what=part.query or part.name, where=part.path or ""
        )
        for part in parsed
    )


def _duration_ms(duration: legacy.Duration | str | None) -> int | None:
    if isinstance(duration, legacy.Duration):
        return duration.secs * 1000 + duration.nanos // 1_000_000
    return None


def _token_count(sink: ChangeSink, view: ThreadView, msg: legacy.LegacyTokenCount) -> None:
    _limits(sink, msg)
    if msg.info is None:
        return
    info = msg.info
    usage = make_usage(info.total_token_usage, info.last_token_usage, info.model_context_window)
    sink.put(view.thread, UsageSet(usage))


def _limits(sink: ChangeSink, msg: legacy.LegacyTokenCount) -> None:
    payload = msg.rate_limits
    if payload is None:
        return
    limits = params.RateLimits(
        primary=_window(payload.primary), secondary=_window(payload.secondary), plan_type=payload.plan_type
    )
    rate_limits(sink, params.RateLimitsParams(rate_limits=limits))


def _window(window: legacy.LimitWindow | None) -> params.RateWindow | None:
    if window is None:
        return None
    return params.RateWindow(
        used_percent=window.used_percent,
        window_duration_mins=window.window_minutes,
        resets_at=window.resets_at,
    )


def _mcp_startup(sink: ChangeSink, _view: ThreadView | None, msg: legacy.McpStartupComplete) -> None:
    lines = [f"{failure.server}: {failure.error or 'failed'}" for failure in msg.failed]
    lines += [f"{server}: cancelled" for server in msg.cancelled]
    if lines:
        title = "MCP servers that did not start"
        sink.notice(
            InfoBlock(
                id=BlockId("mcp-startup"),
                title=title,
                text="\n".join(lines),
                status="failed",
                said=Said("mcp.starts"),
            )
        )


def _patch_begin(sink: ChangeSink, view: ThreadView, msg: legacy.PatchBegin) -> None:
    files = legacy_edits(msg.changes, view.cwd)
    if _same_changes(view, msg.call_id, files) is None:
        more = count_more(msg.changes)
        block = FileChangeBlock(id=BlockId(msg.call_id), run=view.run, files=files, more_files=more)
        sink.put_changes_block(view, block)


def _patch_end(sink: ChangeSink, view: ThreadView, msg: legacy.PatchEnd) -> None:
    """Its outcome joins the Changes block that is there already, whichever wire brought it."""
    files = legacy_edits(msg.changes, view.cwd)
    block = _same_changes(view, msg.call_id, files)
    if block is None:
        block = FileChangeBlock(id=BlockId(msg.call_id), run=view.run, files=files)
    said = "\n".join(part for part in (msg.stdout.strip(), msg.stderr.strip()) if part)
    status = block.status if block.id in view.sent_items else ("completed" if msg.success else "failed")
    sink.put_changes_block(view, replace(block, detail=clip(said)[0], status=status))


def _same_changes(view: ThreadView, call_id: str, files: tuple[FileEdit, ...]) -> FileChangeBlock | None:
    by_id = view.changes.get(call_id)
    if by_id is not None:
        return by_id
    names = {edit.path for edit in files}
    same = (b for b in view.changes.values() if names and {edit.path for edit in b.files} == names)
    return next(same, None)


def legacy_edits(changes: dict[str, LegacyFileChange], cwd: str) -> tuple[FileEdit, ...]:
    return tuple(
        _edit(relative(path, cwd), payload, cwd) for path, payload in list(changes.items())[:MAX_FILES]
    )


def _edit(path: str, payload: LegacyFileChange, cwd: str) -> FileEdit:
    match payload.type:
        case "add":
            return unified.added(path, payload.content)
        case "delete":
            return unified.deleted(path, payload.content)
        case "update":
            moved = relative(payload.move_path, cwd) if payload.move_path else None
            return unified.updated(path, payload.unified_diff, moved)


def _turn_diff(sink: ChangeSink, view: ThreadView, msg: legacy.TurnDiff) -> None:
    set_diff(sink, view, view.run, msg.unified_diff)


def _search_begin(sink: ChangeSink, view: ThreadView, msg: legacy.SearchBegin) -> None:
    if msg.call_id not in view.sent_items:
        sink.put(view.thread, BlockPut(WebSearchBlock(id=BlockId(msg.call_id), run=view.run)))


def _search_end(sink: ChangeSink, view: ThreadView, msg: legacy.SearchEnd) -> None:
    if msg.call_id not in view.sent_items:
        block = WebSearchBlock(id=BlockId(msg.call_id), run=view.run, query=msg.query, status="completed")
        sink.put(view.thread, BlockPut(block))


HANDLERS: dict[type, Callable[[ChangeSink, ThreadView, Any], None]] = {
    legacy.ExecBegin: _exec_begin,
    legacy.ExecOutput: _exec_output,
    legacy.ExecStdin: _exec_stdin,
    legacy.ExecEnd: _exec_end,
    legacy.LegacyTokenCount: _token_count,
    legacy.McpStartupComplete: _mcp_startup,
    legacy.PatchBegin: _patch_begin,
    legacy.PatchEnd: _patch_end,
    legacy.TurnDiff: _turn_diff,
    legacy.SearchBegin: _search_begin,
    legacy.SearchEnd: _search_end,
}
KINDS = frozenset(str(kind.__struct_config__.tag) for kind in HANDLERS)  # type: ignore[attr-defined]
