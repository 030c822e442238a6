"""Notices outside the conversation: threads, warnings, hooks, reviews, accounts, limits."""

from typing import Any

import pytest
from tests.agents.codex.listening import CWD, Listener

from bascule.core.session.usage import limits_text
from bascule.model.blocks import Fact, InfoBlock, Progress
from bascule.model.ids import BlockId, RunId, ThreadId
from bascule.model.said import Said
from bascule.model.session import AgentState, Limit


def shown(listener: Listener) -> tuple[str, str]:
    block = listener.block()
    assert isinstance(block, InfoBlock)
    return (block.title, block.text)


def notice(listener: Listener) -> InfoBlock:
    (block,) = listener.agent().notices
    assert isinstance(block, InfoBlock)
    return block


# -- threads --


def test_thread_started_is_an_info_notice_with_cwd_version_and_origin() -> None:
    listener = Listener()
    thread = {
        "id": "t",
        "cwd": "/home/dev/demo",
        "cliVersion": "0.166.0",
        "gitInfo": {"originUrl": "https://example.org/demo.git", "branch": "main", "sha": None},
    }
    listener.tell_agent("thread/started", thread=thread)
    assert listener.block() == InfoBlock(
        id=BlockId("started:t"),
        title="Session started",
        said=Said("session.started"),
        facts=(
            Fact("cwd", "/home/dev/demo"),
            Fact("version", "0.166.0"),
            Fact("origin", "https://example.org/demo.git"),
        ),
    )
    assert listener.other_events() == ""


def test_thread_started_without_git_says_what_there_is() -> None:
    listener = Listener()
    listener.tell_agent("thread/started", thread={"id": "t", "cwd": "/w", "cliVersion": "", "gitInfo": None})
    block = listener.block()
    assert isinstance(block, InfoBlock)
    assert block.facts == (Fact("cwd", "/w"),)


def test_the_cwd_of_a_thread_makes_its_paths_short() -> None:
    listener = Listener()
    listener.tell_agent("thread/started", thread={"id": "t", "cwd": "/home/dev/demo"})
    change = {"path": "/home/dev/demo/src/a.py", "kind": {"type": "add"}, "diff": "x\n"}
    listener.item("fileChange", changes=[change], status="completed")
    block = listener.session().blocks[-1]
    assert [edit.path for edit in getattr(block, "files", ())] == ["src/a.py"]


def test_thread_name_updated_names_the_session() -> None:
    listener = Listener()
    listener.tell("thread/name/updated", threadName="Fix the tests")
    listener.tell("thread/name/updated", threadName=None)
    assert (listener.session().title, listener.session().title_by) == ("Fix the tests", "agent")


def test_thread_settings_say_model_and_effort() -> None:
    listener = Listener()
    listener.tell("thread/settings/updated", threadSettings={"model": "m", "effort": "high", "cwd": "/w"})
    assert (listener.session().model, listener.session().effort) == ("m", "high")


def test_thread_closed_is_no_longer_loaded() -> None:
    listener = Listener()
    listener.tell("thread/closed")
    assert not listener.driver.is_loaded(ThreadId("t"))
    assert listener.session().blocks == ()


@pytest.mark.parametrize(
    ("method", "title"),
    [
        ("thread/archived", "Archived by another client"),
        ("thread/unarchived", "Brought back by another client"),
        ("thread/deleted", "Deleted by another client"),
        ("thread/reverted", "Reverted to an earlier point"),
        ("autoApprovalReview/strictReviewRequired", "A strict review is required"),
    ],
)
def test_what_another_client_did_is_a_notice(method: str, title: str) -> None:
    listener = Listener()
    listener.tell(method, turnId="r")
    assert shown(listener) == (title, "")


def test_a_goal_is_shown_until_it_is_cleared() -> None:
    listener = Listener()
    listener.tell("thread/goal/updated", goal={"objective": "all green", "status": "active"})
    listener.tell("thread/goal/updated", goal={"objective": "all green and fast", "status": "active"})
    assert shown(listener) == ("Goal", "all green and fast")
    listener.tell("thread/goal/cleared")
    assert listener.session().blocks == ()


def test_environments_come_and_go_in_one_block() -> None:
    listener = Listener()
    listener.tell("thread/environment/connected", environmentId="local")
    listener.tell("thread/environment/disconnected", environmentId="local")
    assert shown(listener) == ("Disconnected: local", "")


# -- warnings --


def test_a_warning_of_a_thread_is_shown_in_it_once() -> None:
    listener = Listener()
    listener.begin()
    for _ in range(2):
        listener.tell("warning", message="fallback metadata")
    assert shown(listener) == ("Warning", "fallback metadata")
    assert listener.block().run == RunId("r")


def test_a_warning_of_no_thread_is_a_notice_of_the_agent() -> None:
    listener = Listener()
    listener.tell_agent("warning", message="low disk", threadId=None)
    assert (notice(listener).title, notice(listener).text) == ("Warning", "low disk")


def test_a_guardian_warning_is_a_warning() -> None:
    listener = Listener()
    listener.tell("guardianWarning", message="careful")
    assert shown(listener) == ("Warning", "careful")


def test_config_warning_is_a_notice_with_its_file() -> None:
    listener = Listener()
    listener.tell_agent("configWarning", summary="unknown key", details="line 3", path="/c.toml", range=None)
    assert notice(listener) == InfoBlock(
        id=notice(listener).id,
        title="Configuration",
        said=Said("notice.configuration"),
        text="unknown key\nline 3",
        facts=(Fact("file", "/c.toml"),),
    )


def test_deprecation_notice_is_a_notice() -> None:
    listener = Listener()
    listener.tell_agent("deprecationNotice", summary="old flag", details=None)
    assert (notice(listener).title, notice(listener).text) == ("Deprecated", "old flag")


def test_world_writable_notice() -> None:
    listener = Listener()
    listener.tell_agent(
        "windows/worldWritableWarning", samplePaths=["C:\\a", "C:\\b"], extraCount=3, failedScan=False
    )
    shown = notice(listener)
    assert (shown.title, shown.text) == ("Folders that everyone may write to", "C:\\a, C:\\b and 3 more")


def test_world_writable_scan_that_failed() -> None:
    listener = Listener()
    listener.tell_agent("windows/worldWritableWarning", samplePaths=[], extraCount=0, failedScan=True)
    assert notice(listener).text == "The folders could not be checked."


@pytest.mark.parametrize(("success", "count"), [(True, 0), (False, 1)])
def test_windows_sandbox_setup_only_failure_is_a_notice(success: bool, count: int) -> None:
    listener = Listener()
    listener.tell_agent("windowsSandbox/setupCompleted", mode="elevated", success=success, error="denied")
    assert len(listener.agent().notices) == count


# -- models --


def test_model_rerouted_says_from_and_to() -> None:
    listener = Listener()
    listener.tell("model/rerouted", turnId="r", fromModel="a", toModel="b", reason="highRiskCyberActivity")
    block = listener.block()
    assert isinstance(block, InfoBlock)
    assert (block.title, block.text) == ("Another model answers", "a → b")
    assert block.facts == (Fact("reason", "highRiskCyberActivity"),)


def test_safety_buffering_says_why() -> None:
    listener = Listener()
    listener.tell("model/safetyBuffering/updated", turnId="r", model="m", reasons=["x", "y"], useCases=[])
    assert shown(listener) == ("m is held for a safety check", "x, y")


def test_auth_recovery_goes_from_spinner_to_tick() -> None:
    listener = Listener()
    params = {"turnId": "r", "provider": "demo", "message": "again"}
    listener.tell("modelProvider/authRecoveryStarted", **params)
    assert getattr(listener.block(), "status", "") == "inProgress"
    listener.tell("modelProvider/authRecoveryCompleted", **params)
    assert getattr(listener.block(), "status", "") == "completed"
    assert shown(listener) == ("Signing in to demo again", "again")


# -- hooks and reviews --


def hook_run(status: str, **more: Any) -> dict[str, Any]:
    return {"id": "h", "eventName": "preToolUse", "status": status, "entries": [], **more}


@pytest.mark.parametrize(
    ("status", "progress"),
    [
        ("completed", "completed"),
        ("failed", "failed"),
        ("blocked", "declined"),
        ("stopped", "cancelled"),
        ("of a later version", "completed"),
    ],
)
def test_a_hook_is_one_block_from_start_to_end(status: str, progress: Progress) -> None:
    listener = Listener()
    listener.tell("hook/started", turnId="r", run=hook_run("running", statusMessage="checking"))
    assert getattr(listener.block(), "status", "") == "inProgress"
    entries = [{"kind": "feedback", "text": "not on Fridays"}]
    listener.tell(
        "hook/completed", turnId="r", run=hook_run(status, statusMessage="checked", entries=entries)
    )
    assert shown(listener) == ("Hook preToolUse", "checked\nnot on Fridays")
    assert getattr(listener.block(), "status", "") == progress


def test_an_automatic_review_is_one_block_from_start_to_end() -> None:
    listener = Listener()
    params = {"turnId": "r", "reviewId": "v", "action": {"type": "command"}}
    listener.tell("item/autoApprovalReview/started", **params, review={"status": "inProgress"})
    review = {"status": "denied", "riskLevel": "high", "rationale": "it deletes"}
    listener.tell("item/autoApprovalReview/completed", **params, review=review)
    block = listener.block()
    assert isinstance(block, InfoBlock)
    assert (block.title, block.text, block.status) == (
        "Automatic review of an approval",
        "it deletes",
        "completed",
    )
    assert block.facts == (Fact("status", "denied"), Fact("riskLevel", "high"))


# -- MCP servers --


def test_mcp_oauth_only_failure_is_a_notice() -> None:
    listener = Listener()
    listener.tell_agent("mcpServer/oauthLogin/completed", name="good", success=True)
    assert listener.agent().notices == ()
    listener.tell_agent("mcpServer/oauthLogin/completed", name="bad", success=False, error="refused")
    shown = notice(listener)
    assert (shown.title, shown.text, shown.status) == (
        "Signing in to the MCP server bad failed",
        "refused",
        "failed",
    )


def test_mcp_startup_only_failure_is_a_notice() -> None:
    listener = Listener()
    for status in ("starting", "ready"):
        listener.tell("mcpServer/startupStatus/updated", name="good", status=status, error=None)
    assert listener.agent().notices == ()
    listener.tell("mcpServer/startupStatus/updated", name="bad", status="failed", error="exit 1")
    shown = notice(listener)
    assert (shown.title, shown.text) == ("The MCP server bad did not start (failed)", "exit 1")


# -- accounts --


def test_account_updated() -> None:
    listener = Listener()
    listener.tell_agent("account/updated", authMode="chatgpt", planType="pro")
    assert listener.agent() == AgentState(workspace=CWD, account="authMode=chatgpt plan=pro")
    listener.tell_agent("account/updated", authMode=None, planType=None)
    assert listener.agent() == AgentState(workspace=CWD)


def test_rate_limits() -> None:
    listener = Listener()
    limits = {
        "limitId": "codex",
        "primary": {"usedPercent": 12, "windowDurationMins": 300, "resetsAt": 99},
        "secondary": {"usedPercent": 40, "windowDurationMins": 10_080, "resetsAt": None},
        "planType": "pro",
    }
    listener.tell_agent("account/rateLimits/updated", rateLimits=limits)
    agent = listener.agent()
    assert agent == AgentState(
        workspace=CWD,
        limits=(
            Limit(name="primary", used_percent=12, window_minutes=300, resets_at_s=99),
            Limit(name="secondary", used_percent=40, window_minutes=10_080),
        ),
        plan="pro",
    )
    assert limits_text(agent.limits, agent.plan) == "primary=12% of 5h secondary=40% of 7d plan=pro"


@pytest.mark.parametrize(
    "method",
    ["account/login/completed", "authStatusChange", "loginChatGptComplete", "sessionConfigured"],
)
def test_login_completed_goes_to_other_events(method: str) -> None:
    listener = Listener()
    listener.tell_agent(method, success=True)
    assert listener.other_events() == f'{method} {{"success": true}}\n'
