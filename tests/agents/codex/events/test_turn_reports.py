"""What is reported beside the items of a turn: diffs, plans, errors, usage and status."""

from tests.agents.codex.listening import Listener

from bascule.core.session.usage import usage_text
from bascule.model.blocks import (
    ErrorBlock,
    FileChangeBlock,
    FileEdit,
    PlanBlock,
    PlanStep,
)
from bascule.model.changes import DiffSet, StatusSet
from bascule.model.edits import HunkSpan
from bascule.model.ids import BlockId, RunId, ThreadId
from bascule.model.said import Said
from bascule.model.session import LatestDiff, Usage

R = RunId("r")
I = BlockId("i")  # noqa: E741  # the item that Listener.item() tells

DIFF = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n"
EDIT = {"path": "a.txt", "kind": {"type": "update", "move_path": None}, "diff": "@@ -1 +1 @@\n-x\n+y\n"}
EDITED = FileEdit(
    path="a.txt",
    change="update",
    diff="@@ -1 +1 @@\n-x\n+y\n",
    additions=1,
    deletions=1,
    spans=(HunkSpan(first=1, count=2, old_start=1, new_start=1),),
)


# -- diffs --


def test_turn_diff_updates_latest_diff_and_files_once() -> None:
    listener = Listener()
    listener.item("fileChange", changes=[EDIT], status="completed")
    for _ in range(3):
        listener.tell("turn/diff/updated", turnId="r", diff=DIFF)
    session = listener.session()
    assert session.diff == LatestDiff(unified=DIFF, files=(EDITED,), run=R)
    assert session.blocks == (
        FileChangeBlock(id=I, run=R, files=(EDITED,), has_diff=True, status="completed"),
    )
    changes = listener.changes[ThreadId("t")]
    assert len([change for change in changes if isinstance(change, DiffSet)]) == 1


def test_a_new_diff_recomputes_the_files() -> None:
    listener = Listener()
    listener.tell("turn/diff/updated", turnId="r", diff=DIFF)
    listener.tell("turn/diff/updated", turnId="r", diff=DIFF.replace("+y", "+z"))
    diff = listener.session().diff
    assert diff is not None
    assert [edit.diff for edit in diff.files] == ["@@ -1 +1 @@\n-x\n+z\n"]


def test_a_diff_of_other_files_leaves_the_mark_off() -> None:
    listener = Listener()
    listener.item("fileChange", changes=[{**EDIT, "path": "b.txt"}], status="completed")
    listener.tell("turn/diff/updated", turnId="r", diff=DIFF)
    block = listener.block()
    assert isinstance(block, FileChangeBlock)
    assert not block.has_diff


def test_the_diff_mark_outlives_completion() -> None:
    listener = Listener()
    listener.item("fileChange", done=False, changes=[EDIT], status="inProgress")
    listener.tell("turn/diff/updated", turnId="r", diff=DIFF)
    listener.item("fileChange", changes=[EDIT], status="completed")
    block = listener.block()
    assert isinstance(block, FileChangeBlock)
    assert (block.has_diff, block.status) == (True, "completed")


def test_patch_updated_replaces_the_files_of_a_changes_block() -> None:
    listener = Listener()
    listener.begin()
    listener.tell("item/fileChange/patchUpdated", turnId="r", itemId="i", changes=[])
    listener.tell("item/fileChange/patchUpdated", turnId="r", itemId="i", changes=[EDIT])
    assert listener.block() == FileChangeBlock(id=I, run=R, files=(EDITED,))
    listener.item("fileChange", changes=[EDIT], status="declined")
    assert listener.block() == FileChangeBlock(id=I, run=R, files=(EDITED,), status="declined")


def test_a_patch_that_codex_refused_is_declined_and_not_done() -> None:
    listener = Listener()
    listener.begin()
    listener.tell("item/fileChange/patchUpdated", turnId="r", itemId="i", changes=[EDIT])
    listener.end()
    assert listener.block() == FileChangeBlock(id=I, run=R, files=(EDITED,), status="declined")


# -- plans --


def test_plan_update_is_one_block_per_run() -> None:
    listener = Listener()
    first = [{"step": "look", "status": "inProgress"}, {"step": "write", "status": "pending"}]
    then = [{"step": "look", "status": "completed"}, {"step": "write", "status": "inProgress"}]
    listener.tell("turn/plan/updated", turnId="r", plan=first, explanation="In two steps.")
    listener.tell("turn/plan/updated", turnId="r", plan=then, explanation=None)
    listener.tell("turn/plan/updated", turnId="r2", plan=[], explanation=None)
    assert listener.session().blocks == (
        PlanBlock(
            id=BlockId("plan:r"),
            run=R,
            steps=(PlanStep("look", "completed"), PlanStep("write", "inProgress")),
        ),
        PlanBlock(id=BlockId("plan:r2"), run=RunId("r2")),
    )


def test_a_step_of_another_state_is_shown_under_other_events() -> None:
    listener = Listener()
    listener.tell("turn/plan/updated", turnId="r", plan=[{"step": "look", "status": "paused"}])
    assert '"status": "paused"' in listener.other_events("t") + listener.other_events()


# -- errors --


def test_error_becomes_an_error_block() -> None:
    listener = Listener()
    error = {"message": "the model is away", "additionalDetails": "503", "codexErrorInfo": None}
    listener.tell("error", turnId="r", willRetry=False, error=error)
    assert listener.block() == ErrorBlock(
        id=BlockId("error:r"),
        run=R,
        title="The agent met an error",
        text="the model is away\n503",
        said=Said("agent.error"),
    )


def test_an_error_that_is_tried_again_says_so_and_stays_one_block() -> None:
    listener = Listener()
    for attempt in ("1/5", "2/5"):
        listener.tell("error", turnId="r", willRetry=True, error={"message": f"Reconnecting {attempt}"})
    assert listener.block() == ErrorBlock(
        id=BlockId("error:r:retry"),
        run=R,
        title="The agent met an error and tries again",
        text="Reconnecting 2/5",
        said=Said("agent.retries"),
    )


def test_an_error_sent_twice_is_one_block() -> None:
    listener = Listener()
    listener.begin()
    listener.tell("error", turnId="r", willRetry=False, error={"message": "no"})
    listener.end(status="failed", error={"message": "no"})
    assert listener.block().id == "error:r"


# -- usage --


def test_token_usage_text() -> None:
    listener = Listener()
    count = {"inputTokens": 15, "cachedInputTokens": 3, "outputTokens": 4, "reasoningOutputTokens": 1}
    listener.tell(
        "thread/tokenUsage/updated",
        turnId="r",
        tokenUsage={
            "total": {"totalTokens": 30_000, **count},
            "last": {"totalTokens": 18_400, **count},
            "modelContextWindow": 258_400,
        },
    )
    usage = listener.session().usage
    assert usage == Usage(
        context_used=18_400, context_window=258_400, total=30_000, input=15, cached=3, output=4, reasoning=1
    )
    assert usage_text(usage) == "ctx remaining=93% (240000/258400)"


def test_a_run_knows_the_tokens_of_its_own_requests() -> None:
    listener = Listener()
    counts = {"inputTokens": 0, "cachedInputTokens": 0, "outputTokens": 0, "reasoningOutputTokens": 0}
    for last, total in ((700, 30_700), (300, 31_000)):
        if total == 30_700:
            listener.begin()
        listener.tell(
            "thread/tokenUsage/updated",
            turnId="r",
            tokenUsage={
                "total": {"totalTokens": total, **counts},
                "last": {"totalTokens": last, **counts},
                "modelContextWindow": 258_400,
            },
        )
    listener.end()
    assert [run.tokens for run in listener.session().runs] == [1_000]


# -- status --


def test_thread_status_changed_is_said_once() -> None:
    listener = Listener()
    listener.begin()
    for status in (
        {"type": "active", "activeFlags": []},
        {"type": "active", "activeFlags": ["waitingOnApproval"]},
        {"type": "active", "activeFlags": ["waitingOnUserInput"]},
        {"type": "active", "activeFlags": []},
        {"type": "idle"},
        {"type": "notLoaded"},
        {"type": "systemError"},
    ):
        listener.tell("thread/status/changed", status=status)
    changes = listener.changes[ThreadId("t")]
    statuses = [change.status for change in changes if isinstance(change, StatusSet)]
    assert statuses == ["working", "waiting_user", "working", "completed", "stopped"]


def test_a_thread_that_is_idle_before_its_first_run_has_no_dot() -> None:
    listener = Listener()
    listener.tell("thread/status/changed", status={"type": "idle"})
    assert listener.session().status == "unknown"
