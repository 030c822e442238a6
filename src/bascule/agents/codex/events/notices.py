"""What is told beside the conversation: threads coming and going, warnings, hooks, accounts."""

from collections.abc import Callable
from typing import Any

from bascule.agents.codex.events.scribe import Scribe
from bascule.agents.codex.wire import params
from bascule.core.session.growing_text import clip
from bascule.model.blocks import Fact, InfoBlock, Progress
from bascule.model.changes import (
    AccountSet,
    AskClosed,
    BlockGone,
    BlockPut,
    LimitsSet,
    ModelSet,
    ParentSet,
    TitleSet,
)
from bascule.model.ids import BlockId, ThreadId
from bascule.model.session import Limit, Status

STATUS: dict[str, Status] = {"idle": "completed", "active": "working", "systemError": "stopped"}
HOOK_PROGRESS: dict[str, Progress] = {
    "running": "inProgress",
    "completed": "completed",
    "failed": "failed",
    "blocked": "declined",
    "stopped": "cancelled",
}


def thread_started(scribe: Scribe, told: params.ThreadParams) -> None:
    thread = told.thread
    scribe.view(thread.id).cwd = thread.cwd
    origin = thread.git_info.origin_url if thread.git_info else None
    facts = (("cwd", thread.cwd), ("version", thread.cli_version), ("origin", origin or ""))
    block = InfoBlock(
        id=BlockId(f"started:{thread.id}"),
        at_ms=scribe.at_ms,
        title="Session started",
        facts=tuple(Fact(name, value) for name, value in facts if value),
    )
    scribe.put(thread.id, BlockPut(block))
    if thread.parent_thread_id:
        scribe.put(thread.id, ParentSet(ThreadId(thread.parent_thread_id)))
        scribe.put(thread.id, TitleSet(f"Sub-agent {thread.agent_nickname or thread.id[:8]}", "agent"))


def status_changed(scribe: Scribe, told: params.StatusParams) -> None:
    """`notLoaded` says nothing of the work; an idle thread that never ran has no dot."""
    view = scribe.view(told.thread_id)
    status = STATUS.get(told.status.type)
    if status == "working" and told.status.active_flags:
        status = "waiting_user"
    if status is None or (status == "completed" and view.run is None):
        return
    scribe.put_status(view, status)


def request_resolved(scribe: Scribe, told: params.ResolvedParams) -> None:
    """Ours or somebody else's answer arrived: whatever is still open is no longer asked."""
    ask = scribe.view(told.thread_id).asks.pop(told.request_id, None)
    if ask is not None:
        scribe.put(told.thread_id, AskClosed(ask.id, "withdrawn", why="the agent no longer waits for it"))


def name_updated(scribe: Scribe, told: params.NameParams) -> None:
    if told.thread_name:
        scribe.put(told.thread_id, TitleSet(told.thread_name, "agent"))


def settings_updated(scribe: Scribe, told: params.ThreadSettingsParams) -> None:
    scribe.put(told.thread_id, ModelSet(told.thread_settings.model, told.thread_settings.effort or ""))


def goal_updated(scribe: Scribe, told: params.GoalParams) -> None:
    facts = (Fact("status", str(told.goal.status)),) if told.goal.status else ()
    _info(scribe, told.thread_id, "goal", "Goal", told.goal.objective, facts=facts)


def goal_cleared(scribe: Scribe, told: params.ThreadOnly) -> None:
    scribe.put(told.thread_id, BlockGone(BlockId("goal")))


def hook(scribe: Scribe, told: params.HookParams) -> None:
    run = told.run
    lines = [run.status_message or "", *(entry.text for entry in run.entries)]
    _info(
        scribe,
        told.thread_id,
        f"hook:{run.id}",
        f"Hook {run.event_name}",
        "\n".join(line for line in lines if line),
        status=HOOK_PROGRESS.get(run.status, "completed"),
    )


def review_started(scribe: Scribe, told: params.ReviewParams) -> None:
    _review(scribe, told, "inProgress")


def review_completed(scribe: Scribe, told: params.ReviewParams) -> None:
    _review(scribe, told, "completed")


def _review(scribe: Scribe, told: params.ReviewParams, status: Progress) -> None:
    review: Any = told.review if isinstance(told.review, dict) else {}
    text = str(review.get("rationale") or "")
    facts = tuple(Fact(key, str(review[key])) for key in ("status", "riskLevel") if review.get(key))
    _info(
        scribe,
        told.thread_id,
        f"review:{told.review_id}",
        "Automatic review of an approval",
        text,
        status=status,
        facts=facts,
    )


def rerouted(scribe: Scribe, told: params.RerouteParams) -> None:
    text = f"{told.from_model} → {told.to_model}"
    facts = (Fact("reason", str(told.reason)),) if told.reason else ()
    _info(scribe, told.thread_id, f"rerouted:{told.turn_id}", "Another model answers", text, facts=facts)


def buffering(scribe: Scribe, told: params.BufferingParams) -> None:
    text = ", ".join(told.reasons)
    _info(
        scribe, told.thread_id, f"buffering:{told.turn_id}", f"{told.model} is held for a safety check", text
    )


def recovery_started(scribe: Scribe, told: params.RecoveryParams) -> None:
    _recovery(scribe, told, "inProgress")


def recovery_completed(scribe: Scribe, told: params.RecoveryParams) -> None:
    _recovery(scribe, told, "completed")


def _recovery(scribe: Scribe, told: params.RecoveryParams, status: Progress) -> None:
    title = f"Signing in to {told.provider} again"
    _info(scribe, told.thread_id, f"recovery:{told.turn_id}", title, told.message, status=status)


def thread_closed(scribe: Scribe, told: params.ThreadOnly) -> None:
    """Unloaded after a while without work; the next prompt resumes it."""
    scribe.view(told.thread_id).loaded = False


def thread_notice(title: str) -> Callable[[Scribe, params.ThreadOnly], None]:
    def tell(scribe: Scribe, told: params.ThreadOnly) -> None:
        _info(scribe, told.thread_id, f"{title}:{scribe.at_ms or 0}", title)

    return tell


def environment(title: str) -> Callable[[Scribe, params.EnvironmentParams], None]:
    def tell(scribe: Scribe, told: params.EnvironmentParams) -> None:
        _info(scribe, told.thread_id, f"environment:{told.environment_id}", f"{title}: {told.environment_id}")

    return tell


def warning(scribe: Scribe, told: params.WarningParams) -> None:
    """Of a session where it names one, else of the agent."""
    name = f"warning:{told.message}"
    if told.thread_id is None:
        scribe.notice(InfoBlock(id=_notice_id(name), at_ms=scribe.at_ms, title="Warning", text=told.message))
    else:
        _info(scribe, told.thread_id, name, "Warning", told.message)


def config_notice(title: str) -> Callable[[Scribe, params.SummaryParams], None]:
    def tell(scribe: Scribe, told: params.SummaryParams) -> None:
        text = "\n".join(part for part in (told.summary, told.details) if part)
        facts = (Fact("file", told.path),) if told.path else ()
        scribe.notice(
            InfoBlock(id=_notice_id(title + text), at_ms=scribe.at_ms, title=title, text=text, facts=facts)
        )

    return tell


def world_writable(scribe: Scribe, told: params.WorldWritableParams) -> None:
    more = f" and {told.extra_count} more" if told.extra_count else ""
    text = ", ".join(told.sample_paths) + more if told.sample_paths else "The folders could not be checked."
    title = "Folders that everyone may write to"
    scribe.notice(InfoBlock(id=_notice_id(title), at_ms=scribe.at_ms, title=title, text=text))


def sandbox_setup(scribe: Scribe, told: params.SandboxSetupParams) -> None:
    if not told.success:
        _failed(scribe, "Setting up the Windows sandbox failed", told.error)


def mcp_login(scribe: Scribe, told: params.OauthParams) -> None:
    if not told.success:
        _failed(scribe, f"Signing in to the MCP server {told.name} failed", told.error)


def mcp_startup(scribe: Scribe, told: params.McpStartupParams) -> None:
    if told.status == "ready" and scribe.at_ms is not None:
        scribe.saw_connected(told.name, scribe.at_ms)
    if told.status in ("failed", "cancelled"):
        _failed(scribe, f"The MCP server {told.name} did not start ({told.status})", told.error)


def _failed(scribe: Scribe, title: str, why: str | None) -> None:
    scribe.notice(
        InfoBlock(id=_notice_id(title), at_ms=scribe.at_ms, title=title, text=why or "", status="failed")
    )


def account(scribe: Scribe, told: params.AccountParams) -> None:
    words = (("authMode", told.auth_mode), ("plan", told.plan_type))
    scribe.agent(AccountSet(" ".join(f"{name}={value}" for name, value in words if value)))


def rate_limits(scribe: Scribe, told: params.RateLimitsParams) -> None:
    windows = (("primary", told.rate_limits.primary), ("secondary", told.rate_limits.secondary))
    limits = tuple(
        Limit(
            name=name,
            used_percent=window.used_percent,
            window_minutes=window.window_duration_mins,
            resets_at_s=window.resets_at,
        )
        for name, window in windows
        if window
    )
    scribe.agent(LimitsSet(limits, told.rate_limits.plan_type or ""))


def _info(
    scribe: Scribe,
    thread: str,
    name: str,
    title: str,
    text: str = "",
    *,
    status: Progress = "completed",
    facts: tuple[Fact, ...] = (),
) -> None:
    view = scribe.view(thread)
    block = InfoBlock(
        id=_notice_id(name),
        run=view.run,
        at_ms=scribe.at_ms,
        title=title,
        text=clip(text)[0],
        status=status,
        facts=facts,
    )
    scribe.put(thread, BlockPut(block))


def _notice_id(name: str) -> BlockId:
    return BlockId(name[:200])
