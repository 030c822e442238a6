"""The fold: every Change, any chunking, and joining at any moment."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bascule.core.session.fold import APPLY, MAX_BLOCKS, MAX_RUNS, OTHER_EVENTS, Fold
from bascule.core.session.growing_text import MAX_PARTS, MAX_TEXT
from bascule.core.session.history import LEFT_OPEN
from bascule.model.asks import Ask, Choice, CommandSubject
from bascule.model.blocks import (
    AssistantBlock,
    Block,
    CommandBlock,
    DividerBlock,
    ErrorBlock,
    FileChangeBlock,
    FileEdit,
    InfoBlock,
    McpBlock,
    PlanBlock,
    PlanStep,
    ReasoningBlock,
    RemoteBlock,
    SystemBlock,
    UserBlock,
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
    Field,
    HiddenSet,
    HistoryPut,
    ModelSet,
    ParentSet,
    QueueSet,
    RunPut,
    StatusSet,
    TextGrew,
    TitleSet,
    UsageSet,
)
from bascule.model.ids import AskId, BlockId, PromptKey, RunId, SessionId, ThreadId
from bascule.model.session import Elsewhere, LatestDiff, Outcome, Prompt, Run, Session, Usage

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.json"))

START = Session(id=SessionId("s"), workspace="/w")
R1, R2, R3 = RunId("r1"), RunId("r2"), RunId("r3")


def fold(*changes: Change, start: Session = START) -> Session:
    state = Fold(start)
    state.apply_all(changes)
    return state.session()


def grew(
    text: str, block: str = "b", field: Field = "text", part: int = 0, run: RunId | None = None
) -> TextGrew:
    return TextGrew(BlockId(block), field, text, part, run)


def user(name: str, run: RunId | None = None) -> UserBlock:
    return UserBlock(id=BlockId(name), run=run, text=name)


def said(name: str, run: RunId | None = None) -> AssistantBlock:
    return AssistantBlock(id=BlockId(name), run=run, text=name, status="completed")


def done(run: RunId) -> Run:
    return Run(id=run, outcome="completed")


def ids(session: Session) -> list[str]:
    return [block.id for block in session.blocks]


THERE = Elsewhere(key="codex:t", their_id="t", home="/h")
ASK = Ask(
    id=AskId("a"),
    title="Run this command?",
    subject=CommandSubject(command="ls", original="ls"),
    choices=(Choice(id="accept", label="Yes, once", grants=True),),
)


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


# -- text that grows --


@pytest.mark.parametrize(
    ("field", "block"),
    [
        ("text", AssistantBlock(id=BlockId("b"), run=R1, text="xy")),
        ("summary", ReasoningBlock(id=BlockId("b"), run=R1, summary=("xy",))),
        ("raw", ReasoningBlock(id=BlockId("b"), run=R1, raw=("xy",))),
        ("output", CommandBlock(id=BlockId("b"), run=R1, output="xy")),
        ("stdin", CommandBlock(id=BlockId("b"), run=R1, stdin="xy")),
        ("detail", FileChangeBlock(id=BlockId("b"), run=R1, detail="xy")),
        ("progress", McpBlock(id=BlockId("b"), run=R1, progress="xy")),
        ("plan", PlanBlock(id=BlockId("b"), run=R1, text="xy")),
        ("debug", SystemBlock(id=BlockId("b"), run=R1, title=OTHER_EVENTS, text="xy", debug=True)),
    ],
)
def test_a_delta_may_be_the_first_that_is_heard_of_a_block(field: Field, block: Block) -> None:
    changes = [grew("x", field=field, run=R1), grew("y", field=field, run=R1)]
    assert fold(*changes).blocks == (block,)


def test_parts_grow_side_by_side_and_missing_ones_are_empty() -> None:
    changes: list[Change] = [
        grew("c", field="summary", part=2),
        grew("a", field="summary", part=0),
        grew("r", field="raw", part=1),
        grew("A", field="summary", part=0),
    ]
    assert fold(*changes).blocks == (ReasoningBlock(id=BlockId("b"), summary=("aA", "", "c"), raw=("", "r")),)


def test_parts_beyond_the_ceiling_run_together_in_the_last_one() -> None:
    changes = [grew("x", field="summary", part=part) for part in (MAX_PARTS - 1, MAX_PARTS, 10**9)]
    (block,) = fold(*changes).blocks
    assert isinstance(block, ReasoningBlock)
    assert len(block.summary) == MAX_PARTS
    assert block.summary[-1] == "xxx"


@pytest.mark.parametrize("field", ["summary", "raw", "output", "detail", "progress"])
def test_growth_of_a_text_that_the_block_does_not_have_is_let_go(field: Field) -> None:
    plan = PlanBlock(id=BlockId("b"), text="p")
    assert fold(BlockPut(plan), grew("x", field=field)).blocks == (plan,)


def test_a_summary_delta_leaves_the_one_line_summary_of_a_command_alone() -> None:
    command = CommandBlock(id=BlockId("b"), command="ls", summary="ls")
    changes: list[Change] = [BlockPut(command), grew("x", field="summary"), grew("out", field="output")]
    assert fold(*changes).blocks == (replace(command, output="out"),)


@given(st.text(min_size=1, max_size=60), st.lists(st.integers(0, 60), max_size=6), st.sets(st.integers(0, 6)))
def test_growth_does_not_depend_on_chunking_or_on_when_it_is_read(
    text: str, cuts: list[int], reads: set[int]
) -> None:
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    state = Fold(START)
    for number, (start, end) in enumerate(pairwise(edges)):
        state.apply(grew(text[start:end], field="output"))
        if number in reads:
            state.session()
    assert state.session() == fold(grew(text, field="output"))


def test_a_text_at_the_ceiling_keeps_its_end_the_same_in_every_chunking() -> None:
    text = "".join(f"{number:09d}\n" for number in range(MAX_TEXT // 10 + 54_321))
    expected = CommandBlock(id=BlockId("b"), output=text[-MAX_TEXT:], dropped=len(text) - MAX_TEXT)
    for size in (len(text), 1_000_003, 77_777):
        state = Fold(START)
        for start in range(0, len(text), size):
            state.apply(grew(text[start : start + size], field="output"))
            if size == 1_000_003:
                state = Fold(state.session())  # somebody joins here
        assert state.session().blocks == (expected,)


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
        RemoteBlock(id=BlockId("n"), run=R1, text="from afar"),
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


# -- joining --

names = st.sampled_from("abc")
runs = st.sampled_from([R1, R2])
fields = st.sampled_from(["text", "summary", "raw", "output", "stdin", "detail", "progress", "plan", "debug"])
blocks = st.one_of(
    st.builds(said, names, runs),
    st.builds(lambda name, run: CommandBlock(id=BlockId(name), run=run, summary="s"), names, runs),
    st.builds(lambda name, run: ReasoningBlock(id=BlockId(name), run=run, summary=("s",)), names, runs),
    st.builds(lambda name, run: InfoBlock(id=BlockId(name), run=run, title="i"), names, runs),
    st.builds(lambda name: DividerBlock(id=BlockId(name), title="", text="Context compacted"), names),
)
changes_of_any_kind = st.one_of(
    st.builds(grew, st.text(max_size=3), names, fields, st.integers(0, 3), runs),
    st.builds(BlockPut, blocks),
    st.builds(lambda name: BlockGone(BlockId(name)), names),
    st.builds(
        lambda run, outcome: RunPut(Run(id=run, outcome=outcome)),
        runs,
        st.sampled_from(["running", *LEFT_OPEN]),
    ),
    st.builds(
        lambda block, run, older: HistoryPut((replace(block, run=run),), (done(run),), "c", older),
        blocks,
        runs,
        st.booleans(),
    ),
    st.sampled_from([AskOpened(ASK), AskClosed(ASK.id, "withdrawn"), StatusSet("working")]),
    st.just(Cleared(ThreadId("t"))),
)


@given(st.lists(changes_of_any_kind, max_size=25))
def test_joining_after_any_change_ends_in_the_same_session(changes: list[Change]) -> None:
    whole = fold(*changes)
    for count in range(len(changes) + 1):
        snapshot = msgspec.json.encode(fold(*changes[:count]))
        assert fold(*changes[count:], start=msgspec.json.decode(snapshot, type=Session)) == whole


# -- cases shared with the page's fold --


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden(path: Path) -> None:
    case = json.loads(path.read_bytes())
    assert set(case) == {"name", "start", "changes", "end"}
    start, end = (msgspec.convert(case[name], Session) for name in ("start", "end"))
    changes = msgspec.convert(case["changes"], list[Change])
    assert fold(*changes, start=start) == end
    assert json.loads(msgspec.json.encode(end)) == case["end"], "written in the shortest form"


def test_the_golden_cases_show_every_change_and_every_text() -> None:
    changes = [change for path in GOLDEN for change in json.loads(path.read_bytes())["changes"]]
    assert {change["change"] for change in changes} == {
        kind.__struct_config__.tag for kind in get_args(Change)
    }
    assert {change["field"] for change in changes if "field" in change} == set(get_args(Field))
