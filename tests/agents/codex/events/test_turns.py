"""Runs, items, deltas, diffs and plans: seed 001's table of session notifications, row by row."""

import pytest
from tests.agents.codex.listening import Listener

from bascule.model.blocks import (
    AssistantBlock,
    CommandBlock,
    DividerBlock,
    ErrorBlock,
    FileChangeBlock,
    McpBlock,
    PlanBlock,
    ReasoningBlock,
    UserBlock,
)
from bascule.model.ids import BlockId, RunId
from bascule.model.said import Said
from bascule.model.session import Run

R = RunId("r")
I = BlockId("i")  # noqa: E741  # the item that Listener.item() tells

AT_MS = 1_794_775_399_000


# -- turns --


def test_turn_started_sets_working() -> None:
    listener = Listener()
    listener.begin(at_ms=AT_MS)
    session = listener.session()
    assert (session.status, session.runs, session.blocks) == (
        "working",
        (Run(id=R, started_at_ms=AT_MS),),
        (),
    )


def test_turn_started_without_a_time_of_sending_uses_its_own() -> None:
    listener = Listener()
    listener.tell("turn/started", turn={"id": "r", "status": "inProgress", "items": [], "startedAt": 7})
    assert listener.session().runs == (Run(id=R, started_at_ms=7_000),)


def test_turn_completed_ends_working_and_shows_no_card() -> None:
    listener = Listener()
    listener.begin(at_ms=AT_MS)
    listener.end(durationMs=2_500)
    session = listener.session()
    ended = Run(id=R, outcome="completed", started_at_ms=AT_MS, ended_at_ms=AT_MS + 2_500)
    assert (session.status, session.runs, session.blocks) == ("completed", (ended,), ())


def test_a_turn_that_was_interrupted_says_so() -> None:
    listener = Listener()
    listener.begin()
    listener.end(status="interrupted")
    assert [run.outcome for run in listener.session().runs] == ["interrupted"]


def test_a_failed_turn_is_an_error_block_and_a_reason() -> None:
    listener = Listener()
    listener.begin()
    listener.end(status="failed", error={"message": "no network", "additionalDetails": "tried twice"})
    session = listener.session()
    title = "The agent met an error"
    assert session.blocks == (
        ErrorBlock(
            id=BlockId("error:r"),
            run=R,
            title=title,
            text="no network\ntried twice",
            said=Said("agent.error"),
        ),
    )
    assert session.runs == (Run(id=R, outcome="failed", why="no network"),)


def test_a_turn_with_an_item_of_a_kind_to_come_still_ends() -> None:
    listener = Listener()
    listener.begin()
    listener.end(items=[{"type": "hologram", "id": "x"}])
    assert [run.outcome for run in listener.session().runs] == ["completed"]


def test_two_threads_on_one_wire_do_not_mix() -> None:
    listener = Listener()
    listener.begin()
    listener.tell("turn/started", threadId="u", turn={"id": "q", "status": "inProgress"})
    listener.tell("item/agentMessage/delta", threadId="u", turnId="q", itemId="m", delta="theirs")
    listener.tell("item/agentMessage/delta", turnId="r", itemId="m", delta="ours")
    listener.end()
    assert listener.session("t").blocks == (
        AssistantBlock(id=BlockId("m"), run=R, text="ours", status="completed"),
    )
    assert listener.session("u").blocks == (AssistantBlock(id=BlockId("m"), run=RunId("q"), text="theirs"),)
    assert (listener.session("t").status, listener.session("u").status) == ("completed", "working")


# -- deltas --


def test_agent_message_delta_grows_the_assistant_block() -> None:
    listener = Listener()
    for piece in ("Hel", "lo"):
        listener.tell("item/agentMessage/delta", turnId="r", itemId="i", delta=piece)
    assert listener.block() == AssistantBlock(id=I, run=R, text="Hello")


def test_a_completed_message_replaces_its_deltas() -> None:
    listener = Listener()
    listener.item("agentMessage", done=False, text="")
    listener.tell("item/agentMessage/delta", turnId="r", itemId="i", delta="Helo")
    listener.item("agentMessage", text="Hello", phase="final_answer")
    assert listener.block() == AssistantBlock(id=I, run=R, text="Hello", final=True, status="completed")


def test_reasoning_summary_delta_grows_the_summary() -> None:
    listener = Listener()
    for index, piece in ((0, "one"), (0, " more"), (1, "two")):
        listener.tell(
            "item/reasoning/summaryTextDelta", turnId="r", itemId="i", delta=piece, summaryIndex=index
        )
    assert listener.block() == ReasoningBlock(id=I, run=R, summary=("one more", "two"))


def test_reasoning_summary_part_added_makes_room_for_the_next_part() -> None:
    listener = Listener()
    listener.tell("item/reasoning/summaryPartAdded", turnId="r", itemId="i", summaryIndex=1)
    assert listener.block() == ReasoningBlock(id=I, run=R, summary=("", ""))


def test_reasoning_text_delta_grows_the_raw_text() -> None:
    listener = Listener()
    listener.tell("item/reasoning/textDelta", turnId="r", itemId="i", delta="hm", contentIndex=0)
    assert listener.block() == ReasoningBlock(id=I, run=R, raw=("hm",))


@pytest.mark.parametrize("index", [-1, -(2**40), 2**40])
def test_an_absurd_part_number_is_kept_within_bounds(index: int) -> None:
    listener = Listener()
    listener.tell("item/reasoning/summaryTextDelta", turnId="r", itemId="i", delta="x", summaryIndex=index)
    block = listener.block()
    assert isinstance(block, ReasoningBlock)
    assert block.summary[-1] == "x"


def test_command_output_delta_grows_the_output() -> None:
    listener = Listener()
    listener.item("commandExecution", done=False, command="ls", cwd="/w", status="inProgress")
    listener.tell("item/commandExecution/outputDelta", turnId="r", itemId="i", delta="a\n")
    listener.tell("item/commandExecution/outputDelta", turnId="r", itemId="i", delta="b\n")
    assert listener.block() == CommandBlock(
        id=I, run=R, command="ls", original="ls", summary="ls", cwd="/w", output="a\nb\n"
    )


def test_terminal_interaction_grows_the_stdin() -> None:
    listener = Listener()
    params = {"turnId": "r", "itemId": "i", "processId": "1"}
    listener.tell("item/commandExecution/terminalInteraction", **params, stdin="y\n")
    listener.tell("item/commandExecution/terminalInteraction", **params, stdin="q\n")
    assert listener.block() == CommandBlock(id=I, run=R, stdin="y\nq\n")


def test_file_change_output_delta_grows_the_detail() -> None:
    listener = Listener()
    listener.tell("item/fileChange/outputDelta", turnId="r", itemId="i", delta="done")
    assert listener.block() == FileChangeBlock(id=I, run=R, detail="done")


def test_mcp_progress_is_appended_line_by_line() -> None:
    listener = Listener()
    for message in ("one", "two"):
        listener.tell("item/mcpToolCall/progress", turnId="r", itemId="i", message=message)
    assert listener.block() == McpBlock(id=I, run=R, progress="one\ntwo\n")


def test_plan_delta_grows_a_plan_of_prose_and_completion_replaces_it() -> None:
    listener = Listener()
    listener.tell("item/plan/delta", turnId="r", itemId="i", delta="1. lo")
    listener.tell("item/plan/delta", turnId="r", itemId="i", delta="ok")
    assert listener.block() == PlanBlock(id=I, run=R, text="1. look")
    listener.item("plan", text="1. look around")
    assert listener.block() == PlanBlock(id=I, run=R, text="1. look around")


# -- items --


def test_item_started_and_completed_are_one_block() -> None:
    listener = Listener()
    listener.item("commandExecution", done=False, command="ls", cwd="/w", status="inProgress")
    assert listener.block() == CommandBlock(id=I, run=R, command="ls", original="ls", summary="ls", cwd="/w")
    listener.item(
        "commandExecution",
        command="ls",
        cwd="/w",
        status="completed",
        aggregatedOutput="a\n",
        exitCode=0,
        durationMs=5,
    )
    assert listener.block() == CommandBlock(
        id=I,
        run=R,
        command="ls",
        original="ls",
        summary="ls",
        cwd="/w",
        output="a\n",
        status="completed",
        exit_code=0,
        duration_ms=5,
    )


def test_the_first_message_of_a_run_began_it_and_later_ones_were_steered() -> None:
    listener = Listener()
    listener.begin()
    for name in ("a", "b"):
        listener.item("userMessage", id=name, content=[{"type": "text", "text": name}], done=False)
        listener.item("userMessage", id=name, content=[{"type": "text", "text": name}])
    listener.begin("r2")
    listener.item("userMessage", id="c", run="r2", content=[{"type": "text", "text": "c"}])
    users = [block for block in listener.session().blocks if isinstance(block, UserBlock)]
    assert [(block.id, block.steered) for block in users] == [("a", False), ("b", True), ("c", False)]


def test_a_prompt_goes_by_the_name_that_we_gave_it() -> None:
    listener = Listener()
    listener.item("userMessage", clientId="prompt-1", content=[{"type": "text", "text": "hi"}])
    assert listener.block() == UserBlock(id=BlockId("prompt-1"), run=R, text="hi")


def test_an_item_without_its_turn_belongs_to_the_present_run() -> None:
    listener = Listener()
    listener.begin()
    listener.tell("item/completed", item={"type": "agentMessage", "id": "i", "text": "x"})
    assert listener.block().run == R


def test_when_an_item_was_sent_is_kept() -> None:
    listener = Listener()
    listener.tell("item/started", AT_MS, turnId="r", item={"type": "plan", "id": "i", "text": "x"})
    assert listener.block().at_ms == AT_MS


# -- compaction --


def test_compaction_is_a_divider_with_worked_for() -> None:
    listener = Listener()
    listener.begin(at_ms=AT_MS)
    listener.tell("thread/compacted", AT_MS + 21_000, turnId="r")
    block = listener.block()
    assert block == DividerBlock(
        id=block.id,
        run=R,
        at_ms=AT_MS + 21_000,
        title="Worked for 21s",
        text="Context compacted",
        said=Said("compacted", {"worked_ms": 21_000}),
    )


def test_a_compaction_item_and_its_notification_are_one_divider() -> None:
    listener = Listener()
    listener.begin(at_ms=AT_MS)
    listener.item("contextCompaction", done=False)
    listener.item("contextCompaction")
    listener.tell("thread/compacted", turnId="r")
    assert [block.id for block in listener.session().blocks] == ["i"]
    listener.tell("thread/compacted", AT_MS + 1_000, turnId="r")
    assert len(listener.session().blocks) == 2


def test_a_compaction_without_times_says_only_that() -> None:
    listener = Listener()
    listener.tell("thread/compacted")
    block = listener.block()
    assert isinstance(block, DividerBlock)
    assert (block.title, block.text) == ("", "Context compacted")
