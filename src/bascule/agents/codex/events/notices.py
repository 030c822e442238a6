"""Notices outside the conversation: threads coming and going, warnings, hooks, accounts."""

from collections.abc import Callable
from typing import Any

from bascule.agents.codex.events.change_sink import ChangeSink
from bascule.agents.codex.wire import params
from bascule.agents.codex.wire.threads import SandboxPolicy
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
    TheirRightsSet,
    TitleSet,
)
from bascule.model.ids import BlockId, ThreadId
from bascule.model.said import Said
from bascule.model.session import Limit, Status, TheirApprovals, TheirSandbox

STATUS: dict[str, Status] = {"idle": "completed", "active": "working", "systemError": "stopped"}
SANDBOXES: dict[str, TheirSandbox] = {
    "readOnly": "read-only",
    "workspaceWrite": "workspace-write",
    "dangerFullAccess": "full-access",
    "externalSandbox": "external",
}
APPROVALS: dict[str, TheirApprovals] = {
    "untrusted": "untrusted",
    "on-request": "on-request",
    "never": "never",
}
HOOK_PROGRESS: dict[str, Progress] = {
    "running": "inProgress",
    "completed": "completed",
    "failed": "failed",
    "blocked": "declined",
    "stopped": "cancelled",
}


def thread_started(sink: ChangeSink, event: params.ThreadParams) -> None:
    thread = event.thread
    sink.view(thread.id).cwd = thread.cwd
    origin = thread.git_info.origin_url if thread.git_info else None
    facts = (("cwd", thread.cwd), ("version", thread.cli_version), ("origin", origin or ""))
    block = InfoBlock(
        id=BlockId(f"started:{thread.id}"),
        at_ms=sink.at_ms,
        title="Session started",
        said=Said("session.started"),
        facts=tuple(Fact(name, value) for name, value in facts if value),
    )
    sink.put(thread.id, BlockPut(block, first=True))  # the prompt that begins a session is there before it
    if thread.parent_thread_id:
        sink.put(thread.id, ParentSet(ThreadId(thread.parent_thread_id)))
        sink.put(thread.id, TitleSet(f"Sub-agent {thread.agent_nickname or thread.id[:8]}", "agent"))


def status_changed(sink: ChangeSink, event: params.StatusParams) -> None:
    """`notLoaded` says nothing of the work; an idle thread that never ran has no dot."""
    view = sink.view(event.thread_id)
    status = STATUS.get(event.status.type)
    if status == "working" and event.status.active_flags:
        status = "waiting_user"
    if status is None or (status == "completed" and view.run is None):
        return
    sink.put_status(view, status)


def request_resolved(sink: ChangeSink, event: params.ResolvedParams) -> None:
    """Ours or somebody else's answer arrived: whatever is still open is no longer asked."""
    ask = sink.view(event.thread_id).asks.pop(event.request_id, None)
    if ask is not None:
        sink.put(event.thread_id, AskClosed(ask.id, "withdrawn", why="the agent no longer waits for it"))


def name_updated(sink: ChangeSink, event: params.NameParams) -> None:
    if event.thread_name:
        sink.put(event.thread_id, TitleSet(event.thread_name, "agent"))


def settings_updated(sink: ChangeSink, event: params.ThreadSettingsParams) -> None:
    now = event.thread_settings
    sink.put(event.thread_id, ModelSet(now.model, now.effort or ""))
    sink.put(event.thread_id, their_rights(now.sandbox_policy, now.approval_policy))


def their_rights(sandbox: SandboxPolicy | None, approvals: object) -> TheirRightsSet:
    """A newer word claims nothing."""
    word = approvals if isinstance(approvals, str) else ""
    return TheirRightsSet(SANDBOXES.get(sandbox.type if sandbox else "", ""), APPROVALS.get(word, ""))


def goal_updated(sink: ChangeSink, event: params.GoalParams) -> None:
    facts = (Fact("status", str(event.goal.status)),) if event.goal.status else ()
    _info(sink, event.thread_id, "goal", "Goal", event.goal.objective, facts=facts, said=Said("goal"))


def goal_cleared(sink: ChangeSink, event: params.ThreadOnly) -> None:
    sink.put(event.thread_id, BlockGone(BlockId("goal")))


def hook(sink: ChangeSink, event: params.HookParams) -> None:
    run = event.run
    lines = [run.status_message or "", *(entry.text for entry in run.entries)]
    _info(
        sink,
        event.thread_id,
        f"hook:{run.id}",
        f"Hook {run.event_name}",
        "\n".join(line for line in lines if line),
        status=HOOK_PROGRESS.get(run.status, "completed"),
        said=Said("hook", {"event": run.event_name}),
    )


def review_started(sink: ChangeSink, event: params.ReviewParams) -> None:
    _review(sink, event, "inProgress")


def review_completed(sink: ChangeSink, event: params.ReviewParams) -> None:
    _review(sink, event, "completed")


def _review(sink: ChangeSink, event: params.ReviewParams, status: Progress) -> None:
    review: Any = event.review if isinstance(event.review, dict) else {}
    text = str(review.get("rationale") or "")
    facts = tuple(Fact(key, str(review[key])) for key in ("status", "riskLevel") if review.get(key))
    _info(
        sink,
        event.thread_id,
        f"review:{event.review_id}",
        "Automatic review of an approval",
        text,
        status=status,
        facts=facts,
        said=Said("review.automatic"),
    )


def rerouted(sink: ChangeSink, event: params.RerouteParams) -> None:
    text = f"{event.from_model} → {event.to_model}"
    facts = (Fact("reason", str(event.reason)),) if event.reason else ()
    title, said = "Another model answers", Said("rerouted")
    _info(sink, event.thread_id, f"rerouted:{event.turn_id}", title, text, facts=facts, said=said)


def buffering(sink: ChangeSink, event: params.BufferingParams) -> None:
    text = ", ".join(event.reasons)
    _info(
        sink,
        event.thread_id,
        f"buffering:{event.turn_id}",
        f"{event.model} is held for a safety check",
        text,
        said=Said("buffering", {"model": event.model}),
    )


def recovery_started(sink: ChangeSink, event: params.RecoveryParams) -> None:
    _recovery(sink, event, "inProgress")


def recovery_completed(sink: ChangeSink, event: params.RecoveryParams) -> None:
    _recovery(sink, event, "completed")


def _recovery(sink: ChangeSink, event: params.RecoveryParams, status: Progress) -> None:
    title = f"Signing in to {event.provider} again"
    said = Said("recovery", {"provider": event.provider})
    name = f"recovery:{event.turn_id}"
    _info(sink, event.thread_id, name, title, event.message, status=status, said=said)


def thread_closed(sink: ChangeSink, event: params.ThreadOnly) -> None:
    """Unloaded after a while without work; the next prompt resumes it."""
    sink.view(event.thread_id).loaded = False


def thread_notice(title: str) -> Callable[[ChangeSink, params.ThreadOnly], None]:
    def tell(sink: ChangeSink, event: params.ThreadOnly) -> None:
        _info(sink, event.thread_id, f"{title}:{sink.at_ms or 0}", title)

    return tell


def environment(title: str) -> Callable[[ChangeSink, params.EnvironmentParams], None]:
    def tell(sink: ChangeSink, event: params.EnvironmentParams) -> None:
        _info(
            sink,
            event.thread_id,
            f"environment:{event.environment_id}",
            f"{title}: {event.environment_id}",
            said=Said(f"environment.{title.lower()}", {"name": event.environment_id}),
        )

    return tell


def warning(sink: ChangeSink, event: params.WarningParams) -> None:
    """Of a session where it names one, else of the agent."""
    name = f"warning:{event.message}"
    if event.thread_id is None:
        sink.notice(
            InfoBlock(
                id=_notice_id(name),
                at_ms=sink.at_ms,
                title="Warning",
                text=event.message,
                said=Said("warning"),
            )
        )
    else:
        _info(sink, event.thread_id, name, "Warning", event.message, said=Said("warning"))


def config_notice(title: str) -> Callable[[ChangeSink, params.SummaryParams], None]:
    def tell(sink: ChangeSink, event: params.SummaryParams) -> None:
        text = "\n".join(part for part in (event.summary, event.details) if part)
        facts = (Fact("file", event.path),) if event.path else ()
        sink.notice(
            InfoBlock(
                id=_notice_id(title + text),
                at_ms=sink.at_ms,
                title=title,
                text=text,
                facts=facts,
                said=Said(f"notice.{title.lower()}"),
            )
        )

    return tell


def world_writable(sink: ChangeSink, event: params.WorldWritableParams) -> None:
    more = f" and {event.extra_count} more" if event.extra_count else ""
    text = ", ".join(event.sample_paths) + more if event.sample_paths else "The folders could not be checked."
    title = "Folders that everyone may write to"
    sink.notice(
        InfoBlock(id=_notice_id(title), at_ms=sink.at_ms, title=title, text=text, said=Said("world.writable"))
    )


def sandbox_setup(sink: ChangeSink, event: params.SandboxSetupParams) -> None:
    if not event.success:
        _failed(sink, "Setting up the Windows sandbox failed", event.error, Said("sandbox.failed"))


def remote_control(sink: ChangeSink, event: params.RemoteControlParams) -> None:
    """Codex's own, which is not used: that it is off is said at every start, and no news."""
    if event.status != "disabled":
        sink.note(None, "remoteControl/status/changed", {"status": event.status, "server": event.server_name})


def mcp_login(sink: ChangeSink, event: params.OauthParams) -> None:
    if not event.success:
        _failed(
            sink,
            f"Signing in to the MCP server {event.name} failed",
            event.error,
            Said("mcp.signin", {"server": event.name}),
        )


def mcp_startup(sink: ChangeSink, event: params.McpStartupParams) -> None:
    if event.status == "ready" and sink.at_ms is not None:
        sink.saw_connected(event.name, sink.at_ms)
    if event.status in ("failed", "cancelled"):
        _failed(
            sink,
            f"The MCP server {event.name} did not start ({event.status})",
            event.error,
            Said("mcp.start", {"server": event.name}),
        )


def _failed(sink: ChangeSink, title: str, why: str | None, said: Said) -> None:
    sink.notice(
        InfoBlock(
            id=_notice_id(title), at_ms=sink.at_ms, title=title, text=why or "", status="failed", said=said
        )
    )


def account(sink: ChangeSink, event: params.AccountParams) -> None:
    words = (("authMode", event.auth_mode), ("plan", event.plan_type))
    sink.agent(AccountSet(" ".join(f"{name}={value}" for name, value in words if value)))


def rate_limits(sink: ChangeSink, event: params.RateLimitsParams) -> None:
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
    sink.agent(LimitsSet(limits, event.rate_limits.plan_type or ""))


def _info(
    sink: ChangeSink,
    thread: str,
    name: str,
    title: str,
    text: str = "",
    *,
    status: Progress = "completed",
    facts: tuple[Fact, ...] = (),
    said: Said | None = None,
) -> None:
    view = sink.view(thread)
    block = InfoBlock(
        id=_notice_id(name),
        run=view.run,
        at_ms=sink.at_ms,
        title=title,
        text=clip(text)[0],
        status=status,
        facts=facts,
        said=said,
    )
    sink.put(thread, BlockPut(block))


def _notice_id(name: str) -> BlockId:
    return BlockId(name[:200])
