"""What holds for every edit: never twice, never by luck, never half."""

import difflib
import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import EditPlan, EditRefused

many = settings(max_examples=2 * settings().max_examples)
# Few different lines: then places repeat.
LINES = st.lists(st.sampled_from(["a", "b", "", "def f():", "    x"]), max_size=14)
CONTEXT = st.sampled_from([0, 1, 3])
# Counts that missing lines would explain are refused before any place is sought.
HEADERS = st.sampled_from(["", "@@", "@@ -2,99 +2,0 @@", "@@ -1,0 +1,99 @@", "@@ -2,7 +2,1 @@"])


def joined(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def written(text: str, before: bytes) -> bytes | EditRefused | None:
    diff = parse_diff(text)
    plan = diff if isinstance(diff, EditRefused) else plan_edits(diff, {"x": before}.get)
    return plan.files[0].after if isinstance(plan, EditPlan) else plan


def unified(before: list[str], after: list[str], context: int, header: str = "") -> str:
    old, new = ([f"{line}\n" for line in side] for side in (before, after))
    made = list(difflib.unified_diff(old, new, "a/x", "b/x", n=context))
    if header:
        made = [f"{header}\n" if line.startswith("@@") else line for line in made]
        return "```diff\n" + "".join(made) + "```\n"
    return "".join(made)


@many
@given(LINES, LINES, CONTEXT, HEADERS)
def test_an_edit_is_never_applied_twice(
    before: list[str], after: list[str], context: int, header: str
) -> None:
    assume(before != after)
    text = unified(before, after, context, header)
    once = written(text, joined(before))
    if isinstance(once, bytes):
        assert isinstance(written(text, once), EditRefused)


@many
@given(LINES, LINES, st.lists(st.sampled_from(["a", "b", "z"]), max_size=4))
def test_a_right_diff_on_its_own_file_is_what_it_says_and_elsewhere_is_one_place(
    before: list[str], after: list[str], above: list[str]
) -> None:
    assume(before != after)
    text = unified(before, after, 3)
    if isinstance(once := written(text, joined(before)), bytes):
        assert once == joined(after)
    elsewhere = written(text, joined(above + before))
    if above and isinstance(elsewhere, bytes) and text.count("@@ -") == 1:
        old = [line[1:] for line in text.split("\n")[3:-1] if line[:1] in (" ", "-", "")]
        spread = above + before
        places = [at for at in range(len(spread)) if spread[at : at + len(old)] == old]
        stated = int(text.split("@@ -")[1].split(",")[0].split(" ")[0]) - 1
        ends = stated <= 0 or text.rstrip("\n").split("\n")[-1][:1] in "+-"
        assert len(places) == 1 or stated in places or ends


@many
@given(
    LINES,
    LINES,
    st.sampled_from([b"p\nq\n", b"", b"p\n"]),
    st.sampled_from([b"r\n", b""]),
    HEADERS.filter(bool),
)
def test_a_hunk_with_two_fitting_places_and_no_right_numbers_is_never_written(
    block: list[str], new: list[str], between: bytes, below: bytes, header: str
) -> None:
    """Nor if one of them is an end of the file."""
    assume(block and block != new and any(block))
    text = unified(block, new, 20, header)
    twice = joined(block) + b"q\n" + between + joined(block) + below
    assert isinstance(written(text, twice), EditRefused)


@many
@given(LINES, LINES, st.data())
def test_a_diff_that_is_cut_off_is_refused_or_is_the_whole(
    before: list[str], after: list[str], data: st.DataObject
) -> None:
    assume(before != after)
    text = unified(before, after, 20)  # one hunk: what is cut between two cannot be seen
    whole = written(text, joined(before))
    for fenced in (text, f"```diff\n{text}```\n"):
        cut = fenced[: data.draw(st.integers(0, len(fenced)))]
        part = written(cut, joined(before))
        assert isinstance(part, EditRefused) or part == whole


@many
@given(LINES, LINES, st.integers(1, 20), st.sampled_from(["", "\nThat is all.\n"]))
def test_a_diff_that_lost_its_last_lines_is_refused_in_a_closed_block_too(
    before: list[str], after: list[str], lost: int, rest: str
) -> None:
    assume(before != after)
    text = unified(before, after, 20)
    kept = text.splitlines(keepends=True)[:-lost]
    assume(len(kept) > 2)
    assert isinstance(written(f"```diff\n{''.join(kept)}```\n{rest}", joined(before)), EditRefused)


class Shown(NamedTuple):
    start: int  # line, from 0
    old: list[str]
    new: list[str]


@many
@given(
    st.lists(st.sampled_from(["a", "b", "", "}"]), min_size=4, max_size=5),
    st.integers(2, 4),
    st.tuples(st.integers(1, 3), st.integers(1, 3)),
    st.integers(0, 1),
    st.integers(-1, 2),
    st.integers(0, 2),
)
def test_a_hunk_that_fits_where_it_says_is_written_there_or_nowhere(
    block: list[str], times: int, spots: tuple[int, int], moved: int, blocks: int, offset: int
) -> None:
    """The blocks of a file are alike, and hunks say lines of a later or earlier one, or none's."""
    before = block * times
    after = list(before)
    for number in reversed(range(times)):
        after.insert(number * len(block) + spots[number % 2], "NEW")
    head, *made = unified(before, after, 1).split("\n@@ ")
    for at in range(moved, len(made)):
        by = blocks * len(block) + (offset if at else 0)
        old, new = (int(number) + by for number in re.findall(r"[-+](\d+)", made[at])[:2])
        assume(old > 0 and new > 0)
        made[at] = re.sub(r"-\d+(.*?) \+\d+", rf"-{old}\1 +{new}", made[at], count=1)
    result = written("\n@@ ".join([head, *made]), joined(before))
    if isinstance(result, bytes):
        hunks = [shown(one) for one in made]
        rows = [row for row in rows_of(before, hunks) if joined(put(before, hunks, row)) == result]
        assert any(all(map(partial(is_kept, before), hunks, row)) for row in rows)


def is_kept(lines: list[str], hunk: Shown, start: int) -> bool:
    return start == hunk.start or not fits(lines, hunk, hunk.start)


def shown(written: str) -> Shown:
    header, *body = written.removesuffix("\n").split("\n")
    start = int(re.findall(r"-(\d+)", header)[0]) - 1
    return Shown(
        start, [line[1:] for line in body if line[0] != "+"], [line[1:] for line in body if line[0] != "-"]
    )


def fits(lines: list[str], hunk: Shown, start: int) -> bool:
    return start >= 0 and bool(hunk.old) and lines[start : start + len(hunk.old)] == hunk.old


def rows_of(lines: list[str], hunks: list[Shown], least: int = 0) -> Iterator[list[int]]:
    """All places of all hunks, in their order."""
    if not hunks:
        yield []
        return
    for start in range(least, len(lines) + 1):
        if fits(lines, hunks[0], start):
            for rest in rows_of(lines, hunks[1:], start + len(hunks[0].old)):
                yield [start, *rest]


def put(lines: list[str], hunks: list[Shown], row: list[int]) -> list[str]:
    after = list(lines)
    for hunk, start in reversed(list(zip(hunks, row, strict=True))):
        after[start : start + len(hunk.old)] = hunk.new
    return after


@many
@given(LINES, LINES, LINES, CONTEXT.filter(bool))
def test_a_series_is_applied_in_order_or_refused(
    first: list[str], second: list[str], third: list[str], context: int
) -> None:
    assume(first != second and second != third)
    text = unified(first, second, context) + unified(second, third, context)
    result = written(text, joined(first))
    assert isinstance(result, EditRefused) or result == joined(third)


ODD_HEADERS = ["@@", "@@ @@", "@@ ... @@", "@@ -2,99 +2,0 @@", "@@ -2,7 +2,1 @@", "@@ -{0},{1} +{0},{2} @@"]
BLOCK = st.lists(st.sampled_from(["a", "b", "c", "d", "", "    x"]), min_size=1, max_size=6)


def as_codex(text: str, anchor: str) -> str:
    body = text.split("\n", 3)[3]
    return f"*** Begin Patch\n*** Update File: x\n@@{anchor}\n{body}*** End Patch\n"


@many
@given(BLOCK, BLOCK, st.sampled_from([*ODD_HEADERS, "codex"]), CONTEXT, st.booleans(), st.integers(0, 3))
def test_a_hunk_without_right_numbers_is_not_written_where_its_result_is_already(
    block: list[str], new: list[str], header: str, context: int, is_first: bool, above: int
) -> None:
    """Two blocks were alike, and the change was made to one of them: it is not made to the other."""
    made = unified(block, new, context)
    assume(block != new and made.count("@@ -") == 1 and any(line.strip() for line in new))
    result = [line[1:] for line in made.split("\n")[3:-1] if line[:1] in (" ", "+")]
    assume(
        any(line.strip() for line in result)
    )  # lines that only go, without any around them, leave no trace
    order = [new, block] if is_first else [block, new]
    file = [*(f"above {n}" for n in range(above)), *order[0], "between", "the two", *order[1], "below"]
    if header == "codex":
        texts = [as_codex(made, anchor) for anchor in ("", *(" above 0" for _ in range(above and 1)))]
    else:
        old = sum(line[:1] in (" ", "-") for line in made.split("\n")[3:-1])
        numbers = header.format(above + len(order[0]) + 40, old, len(result))
        texts = [unified(block, new, context, numbers)]
    for text in texts:
        assert isinstance(written(text, joined(file)), EditRefused)
