"""A stored conversation folded into a session that may have begun already."""

import pytest
from msgspec.structs import replace
from tests.core.session.folding import R1, R2, R3, done, fold, grew, ids, said, user

from bascule.core.session.fold import OTHER_EVENTS
from bascule.model.blocks import (
    AssistantBlock,
    Block,
    CommandBlock,
    ErrorBlock,
    InfoBlock,
    PlanBlock,
    PlanStep,
    RemoteBlock,
    SystemBlock,
    UserBlock,
)
from bascule.model.changes import (
    BlockPut,
    Change,
    HistoryPut,
    RunPut,
    TextGrew,
)
from bascule.model.ids import BlockId
from bascule.model.session import Run

# -- history --


def test_what_belongs_to_no_run_stays_between_the_prompts_that_it_came_between() -> None:
    test = CommandBlock(id=BlockId("t"), command="make test", status="completed")
    live = [BlockPut(user("a", R1)), BlockPut(said("m", R1)), BlockPut(test), BlockPut(user("b", R2))]
    page = HistoryPut((user("a", R1), said("m", R1), user("b", R2), said("n", R2)), (done(R1), done(R2)))
    assert [block.id for block in fold(*live, page).blocks] == ["a", "m", "t", "b", "n"]
    last = HistoryPut((user("a", R1), said("m", R1)), (done(R1),))
    assert [block.id for block in fold(*live[:3], last).blocks] == ["a", "m", "t"]
    newer = HistoryPut((user("a", R1), user("c", R3)), (done(R1), done(R3)))
    assert [block.id for block in fold(*live[:3], newer).blocks] == ["a", "m", "t", "c"]


def test_the_newest_page_takes_the_place_of_what_we_had_of_its_runs() -> None:
    live: list[Change] = [
        RunPut(done(R1)),
        BlockPut(user("k", R1)),
        BlockPut(replace(said("m", R1), text="as streamed")),
    ]
    page = HistoryPut((user("k", R1), said("m", R1), user("v", R2)), (done(R1), done(R2)), earlier="cursor")
    session = fold(*live, page)
    assert session.blocks == (user("k", R1), said("m", R1), user("v", R2))
    assert (session.runs, session.earlier) == ((done(R1), done(R2)), "cursor")


@pytest.mark.parametrize(
    "note",
    [
        PlanBlock(id=BlockId("n"), run=R1, steps=(PlanStep("x", "completed"),)),
        InfoBlock(id=BlockId("n"), run=R1, title="Warning"),
        SystemBlock(id=BlockId("n"), run=R1, title=OTHER_EVENTS, text="x", debug=True),
        ErrorBlock(id=BlockId("n"), run=R1, title="The agent met an error"),
        RemoteBlock(id=BlockId("n"), run=R1, text="sent remotely"),
        said("n", R1),
    ],
)
def test_what_only_we_have_of_a_run_that_is_sent_again_stays_in_its_place(note: Block) -> None:
    page = HistoryPut((user("k", R1), said("l", R1), said("m", R1), user("v", R2)), (done(R1), done(R2)))
    live = [BlockPut(user("k", R1)), BlockPut(note), BlockPut(said("m", R1))]
    assert ids(fold(*live, page)) == ["k", "l", "n", "m", "v"]


def test_a_text_that_an_agent_died_over_and_does_not_retell_stays() -> None:
    died = replace(done(R1), outcome="failed", why="killed")
    live: list[Change] = [
        RunPut(Run(id=R1)),
        BlockPut(user("k", R1)),
        TextGrew(BlockId("m"), "text", "half a sent", run=R1),
        RunPut(died),
    ]
    session = fold(*live, HistoryPut((user("k", R1),), (died,)))
    assert [getattr(block, "text", "") for block in session.blocks] == ["k", "half a sent"]


def test_a_block_that_is_sent_again_keeps_what_was_typed_into_it() -> None:
    shown = CommandBlock(
        id=BlockId("c"), run=R1, command="python", stdin="1 + 1\n", output="2\n", status="completed"
    )
    retold = replace(shown, stdin="")
    assert fold(BlockPut(shown), HistoryPut((retold,), (done(R1),))).blocks == (shown,)


def test_our_notes_of_a_run_of_which_nothing_is_sent_again_stay_too() -> None:
    note = ErrorBlock(id=BlockId("n"), run=R1, title="x")
    assert fold(BlockPut(note), HistoryPut((), (done(R1),))).blocks == (note,)


def test_a_note_that_is_sent_again_is_there_once() -> None:
    ours, theirs = (ErrorBlock(id=BlockId("error:r1"), run=R1, title=title) for title in ("ours", "theirs"))
    assert fold(BlockPut(ours), HistoryPut((theirs,), (done(R1),))).blocks == (theirs,)


def test_a_prompt_shown_before_its_run_had_a_name_is_there_once_and_in_its_place() -> None:
    early = UserBlock(id=BlockId("k"), text="k", sent=False)
    page = HistoryPut((user("u", R1), user("k", R2)), (done(R1), done(R2)))
    assert fold(BlockPut(early), page).blocks == (user("u", R1), user("k", R2))
    older = replace(page, older=True)
    assert fold(BlockPut(early), older).blocks == (user("u", R1), user("k", R2))


def test_an_older_page_comes_before_all_that_is_there() -> None:
    newest = HistoryPut((user("c", R3),), (done(R3),), earlier="2")
    older = HistoryPut((user("a", R1), user("b", R2)), (done(R1), done(R2)), earlier="", older=True)
    session = fold(BlockPut(InfoBlock(id=BlockId("started"), title="Session started")), newest, older)
    assert ids(session) == ["a", "b", "started", "c"]
    assert [run.id for run in session.runs] == [R1, R2, R3]
    assert session.earlier == ""


def test_the_same_page_twice_changes_nothing() -> None:
    page = HistoryPut((user("a", R1), said("m", R1)), (done(R1),), earlier="x")
    assert fold(page, page) == fold(page)


def test_what_a_run_cost_stays_when_history_tells_of_it_without_its_tokens() -> None:
    cost = RunPut(replace(done(R1), tokens=1_200))
    assert fold(cost, HistoryPut((user("a", R1),), (done(R1),))).runs == (cost.run,)


def test_what_history_left_open_in_an_ended_run_is_closed() -> None:
    block = CommandBlock(id=BlockId("c"), run=R1)
    ended, going = Run(id=R1, outcome="interrupted"), Run(id=R1)
    assert fold(HistoryPut((block,), (ended,))).blocks == (replace(block, status="cancelled"),)
    assert fold(HistoryPut((block,), (going,))).blocks == (block,)


def test_text_that_was_growing_is_settled_before_history_is_merged() -> None:
    page = HistoryPut((user("u", R1),), (done(R1),))
    session = fold(grew("live", "b", run=R2), page, grew(" on", "b", run=R2))
    assert session.blocks == (
        AssistantBlock(id=BlockId("b"), run=R2, text="live on"),
        user("u", R1),
    )
