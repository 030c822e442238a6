"""The messages inside `codex/event/*`: what older servers tell beside, or instead of, the v2 wire."""

from typing import Any

from msgspec import Struct

from bascule.agents.codex.wire.items import Int
from bascule.agents.codex.wire.requests import LegacyFileChange


class Msg(Struct, frozen=True, kw_only=True, tag_field="type"):
    pass


class ParsedCommand(Struct, frozen=True, kw_only=True):
    type: str
    cmd: str = ""
    name: str = ""
    path: str | None = None
    query: str | None = None


class ExecBegin(Msg, frozen=True, kw_only=True, tag="exec_command_begin"):
    call_id: str
    command: tuple[str, ...] = ()
    cwd: str = ""
    parsed_cmd: tuple[ParsedCommand, ...] = ()
    turn_id: str | None = None


class ExecOutput(Msg, frozen=True, kw_only=True, tag="exec_command_output_delta"):
    call_id: str
    chunk: str  # base64 of bytes


class ExecStdin(Msg, frozen=True, kw_only=True, tag="terminal_interaction"):
    call_id: str
    stdin: str


class Duration(Struct, frozen=True):
    secs: Int = 0
    nanos: Int = 0


class ExecEnd(Msg, frozen=True, kw_only=True, tag="exec_command_end"):
    call_id: str
    exit_code: Int
    command: tuple[str, ...] = ()
    cwd: str = ""
    parsed_cmd: tuple[ParsedCommand, ...] = ()
    aggregated_output: str = ""
    stdout: str = ""
    stderr: str = ""
    duration: Duration | str | None = None
    turn_id: str | None = None


class LegacyTokenUsage(Struct, frozen=True, kw_only=True):
    total_tokens: Int = 0
    input_tokens: Int = 0
    cached_input_tokens: Int = 0
    output_tokens: Int = 0
    reasoning_output_tokens: Int = 0


class TokenInfo(Struct, frozen=True, kw_only=True):
    total_token_usage: LegacyTokenUsage
    last_token_usage: LegacyTokenUsage
    model_context_window: Int | None = None


class LimitWindow(Struct, frozen=True, kw_only=True):
    used_percent: float
    window_minutes: Int | None = None
    resets_at: Int | None = None


class LegacyLimits(Struct, frozen=True, kw_only=True):
    primary: LimitWindow | None = None
    secondary: LimitWindow | None = None
    plan_type: str | None = None


class LegacyTokenCount(Msg, frozen=True, kw_only=True, tag="token_count"):
    info: TokenInfo | None = None
    rate_limits: LegacyLimits | None = None


class McpFailure(Struct, frozen=True):
    server: str
    error: str = ""


class McpStartupComplete(Msg, frozen=True, kw_only=True, tag="mcp_startup_complete"):
    failed: tuple[McpFailure, ...] = ()
    cancelled: tuple[str, ...] = ()
    ready: tuple[str, ...] = ()


class PatchBegin(Msg, frozen=True, kw_only=True, tag="patch_apply_begin"):
    call_id: str
    changes: dict[str, LegacyFileChange] = {}
    turn_id: str | None = None


class PatchEnd(Msg, frozen=True, kw_only=True, tag="patch_apply_end"):
    call_id: str
    success: bool
    stdout: str = ""
    stderr: str = ""
    changes: dict[str, LegacyFileChange] = {}
    turn_id: str | None = None


class TurnDiff(Msg, frozen=True, kw_only=True, tag="turn_diff"):
    unified_diff: str


class SearchBegin(Msg, frozen=True, kw_only=True, tag="web_search_begin"):
    call_id: str


class SearchEnd(Msg, frozen=True, kw_only=True, tag="web_search_end"):
    call_id: str
    query: str = ""
    action: Any = None


Known = (
    ExecBegin
    | ExecOutput
    | ExecStdin
    | ExecEnd
    | LegacyTokenCount
    | McpStartupComplete
    | PatchBegin
    | PatchEnd
    | TurnDiff
    | SearchBegin
    | SearchEnd
)
