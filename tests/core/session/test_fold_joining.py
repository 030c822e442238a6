"""Text that grows in any chunks, joining at any moment, and the cases that the page's fold shares."""

import json
from itertools import pairwise
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.core.session.folding import ASK, R1, R2, START, done, fold, grew, said

from bascule.core.session.fold import OTHER_EVENTS, Fold
from bascule.core.session.growing_text import MAX_PARTS, MAX_TEXT
from bascule.core.session.history import LEFT_OPEN
from bascule.model.blocks import (
    AssistantBlock,
    Block,
    CommandBlock,
    DividerBlock,
    FileChangeBlock,
    InfoBlock,
    McpBlock,
    PlanBlock,
    ReasoningBlock,
    SystemBlock,
)
from bascule.model.changes import (
    AskClosed,
    AskOpened,
    BlockGone,
    BlockPut,
    Change,
    Cleared,
    Field,
    HistoryPut,
    RunPut,
    StatusSet,
)
from bascule.model.ids import BlockId, ThreadId
from bascule.model.session import Run, Session

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.json"))


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
