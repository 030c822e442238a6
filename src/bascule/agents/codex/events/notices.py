"""Notices outside the conversation: threads coming and going, warnings, hooks, accounts."""

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
from bascule.model.said import Said
from bascule.model.session import Limit, Status

STATUS: dict[str, Status] = {"idle": "completed", "active": "working", "systemError": "stopped"}
HOOK_PROGRESS: dict[str, Progress] = {
    "running": "inProgress",
    "completed": "completed",
    "failed": "failed",
    "blocked": "declined",
    "stopped": "cancelled",
}


def thread_started(scribe: Scribe, event: params.ThreadParams) -> None:
    thread = event.thread
    scribe.view(thread.id).cwd = thread.cwd
    origin = thread.git_info.origin_url if thread.git_info else None
    facts = (("cwd", thread.cwd), ("version", thread.cli_version), ("origin", origin or ""))
    block = InfoBlock(
        id=BlockId(f"started:{thread.id}"),
        at_ms=scribe.at_ms,
        title="Session started",
        said=Said("session.started"),
        facts=tuple(Fact(name, value) for name, value in facts if value),
    )
    scribe.put(thread.id, BlockPut(block, first=True))  # the prompt that begins a session is there before it
    if thread.parent_thread_id:
        scribe.put(thread.id, ParentSet(ThreadId(thread.parent_thread_id)))
        scribe.put(thread.id, TitleSet(f"Sub-agent {thread.agent_nickname or thread.id[:8]}", "agent"))


def status_changed(scribe: Scribe, event: params.StatusParams) -> None:
    """`notLoaded` says nothing of the work; an idle thread that never ran has no dot."""
    view = scribe.view(event.thread_id)
    status = STATUS.get(event.status.type)
    if status == "working" and event.status.active_flags:
        status = "waiting_user"
    if status is None or (status == "completed" and view.run is None):
        return
    scribe.put_status(view, status)


def request_resolved(scribe: Scribe, event: params.ResolvedParams) -> None:
    """Ours or somebody else's answer arrived: whatever is still open is no longer asked."""
    ask = scribe.view(event.thread_id).asks.pop(event.request_id, None)
    if ask is not None:
        scribe.put(event.thread_id, AskClosed(ask.id, "withdrawn", why="the agent no longer waits for it"))


def name_updated(scribe: Scribe, event: params.NameParams) -> None:
    if event.thread_name:
        scribe.put(event.thread_id, TitleSet(event.thread_name, "agent"))


def settings_updated(scribe: Scribe, event: params.ThreadSettingsParams) -> None:
    scribe.put(event.thread_id, ModelSet(event.thread_settings.model, event.thread_settings.effort or ""))


def goal_updated(scribe: Scribe, event: params.GoalParams) -> None:
    facts = (Fact("status", str(event.goal.status)),) if event.goal.status else ()
    _info(scribe, event.thread_id, "goal", "Goal", event.goal.objective, facts=facts, said=Said("goal"))


def goal_cleared(scribe: Scribe, event: params.ThreadOnly) -> None:
    scribe.put(event.thread_id, BlockGone(BlockId("goal")))


def hook(scribe: Scribe, event: params.HookParams) -> None:
    run = event.run
    lines = [run.status_message or "", *(entry.text for entry in run.entries)]
    _info(
        scribe,
        event.thread_id,
        f"hook:{run.id}",
        f"Hook {run.event_name}",
        "\n".join(line for line in lines if line),
        status=HOOK_PROGRESS.get(run.status, "completed"),
        said=Said("hook", {"event": run.event_name}),
    )


def review_started(scribe: Scribe, event: params.ReviewParams) -> None:
    _review(scribe, event, "inProgress")


def review_completed(scribe: Scribe, event: params.ReviewParams) -> None:
    _review(scribe, event, "completed")


def _review(scribe: Scribe, event: params.ReviewParams, status: Progress) -> None:
    review: Any = event.review if isinstance(event.review, dict) else {}
    text = str(review.get("rationale") or "")
    facts = tuple(Fact(key, str(review[key])) for key in ("status", "riskLevel") if review.get(key))
    _info(
        scribe,
        event.thread_id,
        f"review:{event.review_id}",
        "Automatic review of an approval",
        text,
        status=status,
        facts=facts,
        said=Said("review.automatic"),
    )


def rerouted(scribe: Scribe, event: params.RerouteParams) -> None:
    text = f"{event.from_model} → {event.to_model}"
    facts = (Fact("reason", str(event.reason)),) if event.reason else ()
    title, said = "Another model answers", Said("rerouted")
    _info(scribe, event.thread_id, f"rerouted:{event.turn_id}", title, text, facts=facts, said=said)


def buffering(scribe: Scribe, event: params.BufferingParams) -> None:
    text = ", ".join(event.reasons)
    _info(
        scribe,
        event.thread_id,
        f"buffering:{event.turn_id}",
        f"{event.model} is held for a safety check",
        text,
        said=Said("buffering", {"model": event.model}),
    )


def recovery_started(scribe: Scribe, event: params.RecoveryParams) -> None:
    _recovery(scribe, event, "inProgress")


def recovery_completed(scribe: Scribe, event: params.RecoveryParams) -> None:
    _recovery(scribe, event, "completed")


def _recovery(scribe: Scribe, event: params.RecoveryParams, status: Progress) -> None:
    title = f"Signing in to {event.provider} again"
    said = Said("recovery", {"provider": event.provider})
    name = f"recovery:{event.turn_id}"
    _info(scribe, event.thread_id, name, title, event.message, status=status, said=said)


def thread_closed(scribe: Scribe, event: params.ThreadOnly) -> None:
    """Unloaded after a while without work; the next prompt resumes it."""
    scribe.view(event.thread_id).loaded = False


def thread_notice(title: str) -> Callable[[Scribe, params.ThreadOnly], None]:
    def tell(scribe: Scribe, event: params.ThreadOnly) -> None:
        _info(scribe, event.thread_id, f"{title}:{scribe.at_ms or 0}", title)

    return tell


def environment(title: str) -> Callable[[Scribe, params.EnvironmentParams], None]:
    def tell(scribe: Scribe, event: params.EnvironmentParams) -> None:
        _info(
            scribe,
            event.thread_id,
            f"environment:{event.environment_id}",
            f"{title}: {event.environment_id}",
            said=Said(f"environment.{title.lower()}", {"name": event.environment_id}),
        )

    return tell


def warning(scribe: Scribe, event: params.WarningParams) -> None:
    """Of a session where it names one, else of the agent."""
    name = f"warning:{event.message}"
    if event.thread_id is None:
        scribe.notice(
            InfoBlock(
                id=_notice_id(name),
                at_ms=scribe.at_ms,
                title="Warning",
                text=event.message,
                said=Said("warning"),
            )
        )
    else:
        _info(scribe, event.thread_id, name, "Warning", event.message, said=Said("warning"))


def config_notice(title: str) -> Callable[[Scribe, params.SummaryParams], None]:
    def tell(scribe: Scribe, event: params.SummaryParams) -> None:
        text = "\n".join(part for part in (event.summary, event.details) if part)
        facts = (Fact("file", event.path),) if event.path else ()
        scribe.notice(
            InfoBlock(
                id=_notice_id(title + text),
                at_ms=scribe.at_ms,
                title=title,
                text=text,
                facts=facts,
                said=Said(f"notice.{title.lower()}"),
            )
        )

    return tell


def world_writable(scribe: Scribe, event: params.WorldWritableParams) -> None:
    more = f" and {event.extra_count} more" if event.extra_count else ""
    text = ", ".join(event.sample_paths) + more if event.sample_paths else "The folders could not be checked."
    title = "Folders that everyone may write to"
    scribe.notice(
        InfoBlock(
            id=_notice_id(title), at_ms=scribe.at_ms, title=title, text=text, said=Said("world.writable")
        )
    )


def sandbox_setup(scribe: Scribe, event: params.SandboxSetupParams) -> None:
    if not event.success:
        _failed(scribe, "Setting up the Windows sandbox failed", event.error, Said("sandbox.failed"))


def mcp_login(scribe: Scribe, event: params.OauthParams) -> None:
    if not event.success:
        _failed(
            scribe,
            f"Signing in to the MCP server {event.name} failed",
            event.error,
            Said("mcp.signin", {"server": event.name}),
        )


def mcp_startup(scribe: Scribe, event: params.McpStartupParams) -> None:
    if event.status == "ready" and scribe.at_ms is not None:
        scribe.saw_connected(event.name, scribe.at_ms)
    if event.status in ("failed", "cancelled"):
        _failed(
            scribe,
            f"The MCP server {event.name} did not start ({event.status})",
            event.error,
            Said("mcp.start", {"server": event.name}),
        )


def _failed(scribe: Scribe, title: str, why: str | None, said: Said) -> None:
    scribe.notice(
        InfoBlock(
            id=_notice_id(title), at_ms=scribe.at_ms, title=title, text=why or "", status="failed", said=said
        )
    )


def account(scribe: Scribe, event: params.AccountParams) -> None:
    words = (("authMode", event.auth_mode), ("plan", event.plan_type))
    scribe.agent(AccountSet(" ".join(f"{name}={value}" for name, value in words if value)))


def rate_limits(scribe: Scribe, event: params.RateLimitsParams) -> None:
    windows = (("primary", event.rate_limits.primary), ("secondary", event.rate_limits.secondary))
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
    scribe.agent(LimitsSet(limits, event.rate_limits.plan_type or ""))


def _info(
    scribe: Scribe,
    thread: str,
    name: str,
    title: str,
    text: str = "",
    *,
    status: Progress = "completed",
    facts: tuple[Fact, ...] = (),
    said: Said | None = None,
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
        said=said,
    )
    scribe.put(thread, BlockPut(block))


def _notice_id(name: str) -> BlockId:
    return BlockId(name[:200])
