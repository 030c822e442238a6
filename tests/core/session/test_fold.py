"""Every Change folded: blocks, runs, their ends, and the ceilings."""

from typing import Any, get_args

import pytest
from msgspec.structs import replace
from tests.core.session.folding import ASK, R1, R2, START, done, fold, grew, said, user

from bascule.core.session.fold import APPLY, MAX_BLOCKS, MAX_RUNS, Fold
from bascule.core.session.growing_text import MAX_TEXT
from bascule.core.session.history import LEFT_OPEN
from bascule.model.blocks import (
    AssistantBlock,
    CommandBlock,
    FileChangeBlock,
    FileEdit,
    McpBlock,
    PlanBlock,
)
from bascule.model.changes import (
    AskClosed,
    AskOpened,
    BlockGone,
    BlockPut,
    Change,
    Cleared,
    DiffSet,
    ElsewhereSet,
    HiddenSet,
    HistoryPut,
    ModelSet,
    ParentSet,
    QueueSet,
    RunPut,
    StatusSet,
    TitleSet,
    UsageSet,
)
from bascule.model.ids import AskId, BlockId, PromptKey, RunId, ThreadId
from bascule.model.session import Elsewhere, LatestDiff, Outcome, Prompt, Run, Usage

THERE = Elsewhere(key="codex:t", their_id="t", home="/h")


# -- every Change --


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([StatusSet("working")], {"status": "working"}),
        ([TitleSet("t", "agent")], {"title": "t", "title_by": "agent"}),
        ([UsageSet(Usage(context_used=1))], {"usage": Usage(context_used=1)}),
        ([DiffSet(LatestDiff(unified="d", files=()))], {"diff": LatestDiff(unified="d", files=())}),
        ([RunPut(Run(id=R1))], {"runs": (Run(id=R1),)}),
        ([RunPut(Run(id=R1)), RunPut(done(R1))], {"runs": (done(R1),)}),
        ([AskOpened(ASK)], {"asks": (ASK,)}),
        ([AskOpened(ASK), AskClosed(ASK.id, "answered", choice="accept")], {}),
        ([AskClosed(AskId("never opened"), "withdrawn")], {}),
        (
            [QueueSet((Prompt(key=PromptKey("k"), text="p"),), held=True)],
            {"queue": (Prompt(key=PromptKey("k"), text="p"),), "queue_held": True},
        ),
        ([ModelSet("m", "high")], {"model": "m", "effort": "high"}),
        ([ModelSet("m", "high"), ModelSet("n")], {"model": "n"}),
        ([HiddenSet(True)], {"hidden": True}),
        ([HiddenSet(True), HiddenSet(False)], {}),
        ([ParentSet(ThreadId("t"))], {"parent_thread": "t"}),
        ([ElsewhereSet(THERE)], {"elsewhere": THERE}),
        ([ElsewhereSet(THERE), ElsewhereSet(None)], {}),
        ([BlockPut(user("u"))], {"blocks": (user("u"),)}),
        ([BlockPut(user("u")), BlockGone(BlockId("u"))], {}),
        ([BlockGone(BlockId("never there"))], {}),
        ([BlockPut(user("u")), BlockPut(user("top"), first=True)], {"blocks": (user("top"), user("u"))}),
        (
            [BlockPut(user("u")), BlockPut(user("v")), BlockPut(user("v"), first=True)],
            {"blocks": (user("u"), user("v"))},
        ),
    ],
)
def test_what_each_change_makes_true(changes: list[Change], expected: dict[str, Any]) -> None:
    assert fold(*changes) == replace(START, **expected)


def test_every_kind_of_change_is_known_to_the_fold() -> None:
    assert set(APPLY) == set(get_args(Change))


def test_a_persons_title_stays_when_the_agent_names_the_session() -> None:
    person, agent = TitleSet("mine", "person"), TitleSet("theirs", "agent")
    assert fold(person, agent).title == "mine"
    assert fold(agent, person).title == "mine"
    assert fold(agent, TitleSet("other", "agent")).title == "other"


def test_the_first_prompt_names_a_session_that_nobody_has_named() -> None:
    prompt, agent = TitleSet("Fix the parser", "prompt"), TitleSet("theirs", "agent")
    assert fold(prompt).title == "Fix the parser"
    assert fold(prompt, TitleSet("And the tests", "prompt")).title == "Fix the parser"
    assert fold(prompt, agent).title == "theirs"
    assert fold(agent, prompt).title == "theirs"
    assert fold(TitleSet("mine", "person"), prompt).title == "mine"
    assert fold(prompt, TitleSet("app (0199c2d4)", "default"), TitleSet("Anew", "prompt")).title == "Anew"


def test_clearing_keeps_title_queue_and_place() -> None:
    kept: list[Change] = [
        TitleSet("mine", "person"),
        QueueSet((Prompt(key=PromptKey("k"), text="p"),)),
        HiddenSet(True),
        ModelSet("m", "low"),
    ]
    gone: list[Change] = [
        BlockPut(user("u")),
        grew("x"),
        RunPut(Run(id=R1)),
        AskOpened(ASK),
        StatusSet("working"),
        UsageSet(Usage(context_used=1)),
        DiffSet(LatestDiff(unified="d", files=())),
        HistoryPut((), (), earlier="cursor"),
    ]
    assert fold(*kept, *gone, Cleared(ThreadId("t"))) == replace(fold(*kept), thread=ThreadId("t"))


def test_a_block_put_again_stays_in_its_place() -> None:
    again = replace(user("a"), text="other")
    assert fold(BlockPut(user("a")), BlockPut(user("b")), BlockPut(again)).blocks == (again, user("b"))


# -- completion --


def test_completion_replaces_the_deltas() -> None:
    whole = AssistantBlock(id=BlockId("b"), text="the whole text", status="completed")
    assert fold(grew("the who"), BlockPut(whole)).blocks == (whole,)
    assert fold(grew("not what it became"), BlockPut(replace(whole, text=""))).blocks == (
        replace(whole, text=""),
    )


def test_completion_keeps_the_side_texts_that_it_does_not_tell() -> None:
    changes: list[Change] = [
        grew("out", field="output"),
        grew("in", field="stdin"),
        BlockPut(CommandBlock(id=BlockId("b"), command="ls", status="completed", exit_code=0)),
    ]
    assert fold(*changes).blocks == (
        CommandBlock(
            id=BlockId("b"), command="ls", output="out", stdin="in", status="completed", exit_code=0
        ),
    )


def test_completion_that_tells_the_output_replaces_it_and_keeps_the_stdin() -> None:
    block = CommandBlock(id=BlockId("b"), output="whole", status="completed")
    changes: list[Change] = [grew("out", field="output"), grew("in", field="stdin"), BlockPut(block)]
    assert fold(*changes).blocks == (replace(block, stdin="in"),)


def test_a_kept_side_text_keeps_the_count_of_what_left_it() -> None:
    changes: list[Change] = [
        grew("x" * (MAX_TEXT + 7), field="detail"),
        BlockPut(FileChangeBlock(id=BlockId("b"))),
    ]
    (block,) = fold(*changes).blocks
    assert isinstance(block, FileChangeBlock)
    assert (len(block.detail), block.dropped) == (MAX_TEXT, 7)


def test_progress_and_detail_outlive_completion() -> None:
    mcp = McpBlock(id=BlockId("m"), server="s", tool="t", result="r", status="completed")
    edits = FileChangeBlock(id=BlockId("f"), files=(FileEdit(path="a", change="add"),), status="completed")
    changes: list[Change] = [
        grew("p", "m", "progress"),
        BlockPut(mcp),
        grew("d", "f", "detail"),
        BlockPut(edits),
    ]
    assert fold(*changes).blocks == (replace(mcp, progress="p"), replace(edits, detail="d"))


def test_a_block_of_another_kind_under_the_same_id_takes_the_place_with_nothing_kept() -> None:
    assert fold(grew("out", field="output"), BlockPut(McpBlock(id=BlockId("b")))).blocks == (
        McpBlock(id=BlockId("b")),
    )


def test_text_may_grow_again_after_completion() -> None:
    assert fold(BlockPut(said("b")), grew(" more")).blocks == (replace(said("b"), text="b more"),)


# -- the end of a run --


@pytest.mark.parametrize("outcome", list(LEFT_OPEN))
def test_the_end_of_a_run_closes_what_it_left_open(outcome: Outcome) -> None:
    session = fold(
        RunPut(Run(id=R1)),
        grew("tex", "open", run=R1),
        BlockPut(CommandBlock(id=BlockId("failed"), run=R1, status="failed")),
        BlockPut(CommandBlock(id=BlockId("other"), run=R2)),
        BlockPut(PlanBlock(id=BlockId("plan"), run=R1)),
        RunPut(Run(id=R1, outcome=outcome)),
    )
    assert session.blocks == (
        AssistantBlock(id=BlockId("open"), run=R1, text="tex", status=LEFT_OPEN[outcome]),
        CommandBlock(id=BlockId("failed"), run=R1, status="failed"),
        CommandBlock(id=BlockId("other"), run=R2),
        PlanBlock(id=BlockId("plan"), run=R1),
    )


def test_a_run_that_is_still_going_closes_nothing() -> None:
    block = CommandBlock(id=BlockId("c"), run=R1)
    assert fold(BlockPut(block), RunPut(Run(id=R1))).blocks == (block,)


# -- ceilings --


def test_the_oldest_blocks_leave_at_the_ceiling_and_are_counted() -> None:
    full = replace(START, blocks=tuple(user(str(number)) for number in range(MAX_BLOCKS)))
    session = fold(BlockPut(user("x")), grew("y", "z"), start=full)
    assert (len(session.blocks), session.dropped_blocks) == (MAX_BLOCKS, 2)
    assert (session.blocks[0].id, session.blocks[-1].id) == ("2", "z")


def test_a_person_may_keep_fewer_blocks() -> None:
    kept = Fold(START, 50)
    kept.apply_all(BlockPut(user(str(number))) for number in range(60))
    assert (len(kept.session().blocks), kept.session().dropped_blocks) == (50, 10)
    kept.apply(HistoryPut((user("a", R1),), (done(R1),), older=True))
    assert (len(kept.session().blocks), kept.session().blocks[0].id) == (50, "10")


def test_older_history_over_the_ceiling_is_counted_as_dropped() -> None:
    full = replace(START, blocks=tuple(user(str(number)) for number in range(MAX_BLOCKS)))
    session = fold(HistoryPut((user("a", R1), user("b", R1)), (done(R1),), older=True), start=full)
    assert (len(session.blocks), session.dropped_blocks, session.blocks[0].id) == (MAX_BLOCKS, 2, "0")


def test_the_oldest_runs_leave_at_the_ceiling() -> None:
    full = replace(START, runs=tuple(done(RunId(str(number))) for number in range(MAX_RUNS)))
    assert fold(RunPut(Run(id=R1)), start=full).runs == (*full.runs[1:], Run(id=R1))
    assert fold(HistoryPut((), (done(R1),), older=True), start=full).runs == full.runs
    assert fold(HistoryPut((), (done(R1),)), start=full).runs == (*full.runs[1:], done(R1))


# -- reading --


def test_the_head_is_the_session_without_its_blocks() -> None:
    state = Fold(START)
    state.apply_all([BlockPut(user("u", R1)), RunPut(Run(id=R1)), AskOpened(ASK), StatusSet("working")])
    assert state.head() == replace(state.session(), blocks=())


def test_blocks_are_found_with_what_has_grown() -> None:
    state = Fold(START)
    state.apply_all([grew("x", "a", run=R1), BlockPut(user("u", R2))])
    assert state.find_block(BlockId("a")) == AssistantBlock(id=BlockId("a"), run=R1, text="x")
    assert state.find_block(BlockId("none")) is None
    assert state.block_ids() == ("a", "u")
    assert state.blocks_of(R2) == ["u"]


def test_the_owners_clock_says_when_it_last_changed() -> None:
    state = Fold(START)
    state.touch(12_345)
    assert state.session() == replace(START, updated_at_ms=12_345)
