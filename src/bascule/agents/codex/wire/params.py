"""Params of notifications: what we read of each."""

from typing import Any, Literal

from msgspec import Struct

from bascule.agents.codex.wire.items import FileUpdate, Int, ThreadItem, WireStruct
from bascule.agents.codex.wire.threads import SandboxPolicy, Thread, ThreadStatus, Turn, TurnError


class Delta(Struct, frozen=True, kw_only=True, rename="camel", gc=False):
    thread_id: str
    item_id: str
    delta: str
    turn_id: str | None = None


class PartDelta(Struct, frozen=True, kw_only=True, rename="camel", gc=False):
    thread_id: str
    item_id: str
    delta: str
    turn_id: str | None = None
    summary_index: Int = 0
    content_index: Int = 0


class ItemParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    item: ThreadItem
    turn_id: str | None = None


class TurnParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    turn: Turn


class ThreadOnly(WireStruct, frozen=True, kw_only=True):
    thread_id: str


class CompactedParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    turn_id: str | None = None


class ErrorParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    error: TurnError
    will_retry: bool = False
    turn_id: str | None = None


class ThreadParams(WireStruct, frozen=True, kw_only=True):
    thread: Thread


class StatusParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    status: ThreadStatus


class NameParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    thread_name: str | None = None


class Goal(WireStruct, frozen=True, kw_only=True):
    objective: str
    status: Any = None


class GoalParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    goal: Goal


class ThreadSettings(WireStruct, frozen=True, kw_only=True):
    model: str
    effort: str | None = None
    sandbox_policy: SandboxPolicy | None = None
    approval_policy: Any = None


class ThreadSettingsParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    thread_settings: ThreadSettings


class TokenCount(WireStruct, frozen=True, kw_only=True):
    total_tokens: Int
    input_tokens: Int = 0
    cached_input_tokens: Int = 0
    output_tokens: Int = 0
    reasoning_output_tokens: Int = 0


class TokenUsage(WireStruct, frozen=True, kw_only=True):
    total: TokenCount
    last: TokenCount
    model_context_window: Int | None = None


class TokenUsageParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    token_usage: TokenUsage


class HookEntry(WireStruct, frozen=True, kw_only=True):
    text: str
    kind: str = ""


class HookRun(WireStruct, frozen=True, kw_only=True):
    id: str
    event_name: str
    status: str
    status_message: str | None = None
    duration_ms: Int | None = None
    entries: tuple[HookEntry, ...] = ()


class HookParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    run: HookRun
    turn_id: str | None = None


class DiffParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    turn_id: str
    diff: str


class TurnPlanStep(WireStruct, frozen=True, kw_only=True):
    step: str
    status: Literal["pending", "inProgress", "completed"]


class PlanParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    turn_id: str
    plan: list[TurnPlanStep]
    explanation: str | None = None


class PartParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    item_id: str
    summary_index: Int = 0
    turn_id: str | None = None


class StdinParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    item_id: str
    stdin: str
    turn_id: str | None = None


class PatchParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    item_id: str
    changes: list[FileUpdate]
    turn_id: str | None = None


class ResolvedParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    request_id: Int | str


class ProgressParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    item_id: str
    message: str
    turn_id: str | None = None


class OauthParams(WireStruct, frozen=True, kw_only=True):
    name: str
    success: bool
    error: str | None = None


class McpStartupParams(WireStruct, frozen=True, kw_only=True):
    name: str
    status: str
    error: str | None = None
    thread_id: str | None = None


class AccountParams(WireStruct, frozen=True, kw_only=True):
    auth_mode: str | None = None
    plan_type: str | None = None


class RateWindow(WireStruct, frozen=True, kw_only=True):
    used_percent: float
    window_duration_mins: Int | None = None
    resets_at: Int | None = None


class RateLimits(WireStruct, frozen=True, kw_only=True):
    primary: RateWindow | None = None
    secondary: RateWindow | None = None
    plan_type: str | None = None


class RateLimitsParams(WireStruct, frozen=True, kw_only=True):
    rate_limits: RateLimits


class RerouteParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    from_model: str
    to_model: str
    reason: Any = None
    turn_id: str | None = None


class WarningParams(WireStruct, frozen=True, kw_only=True):
    message: str
    thread_id: str | None = None


class SummaryParams(WireStruct, frozen=True, kw_only=True):
    summary: str
    details: str | None = None
    path: str | None = None


class ReviewParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    review_id: str
    review: Any = None
    action: Any = None
    turn_id: str | None = None


class RecoveryParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    provider: str
    message: str
    turn_id: str | None = None


class BufferingParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    model: str
    reasons: tuple[str, ...] = ()
    turn_id: str | None = None


class WorldWritableParams(WireStruct, frozen=True, kw_only=True):
    sample_paths: tuple[str, ...] = ()
    extra_count: Int = 0
    failed_scan: bool = False


class SandboxSetupParams(WireStruct, frozen=True, kw_only=True):
    success: bool
    error: str | None = None


class RemoteControlParams(WireStruct, frozen=True, kw_only=True):
    status: str
    server_name: str = ""


class EnvironmentParams(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    environment_id: str = ""


class LegacyParams(WireStruct, frozen=True, kw_only=True):
    msg: Any
    conversation_id: str | None = None
