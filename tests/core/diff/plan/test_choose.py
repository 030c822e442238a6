"""A part of a plan: chosen files and hunks, to the byte."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.diff.judged import RENAME
from tests.core.diff.trees import contents, edited

from bascule.core.diff.make.compare import hunks_between
from bascule.core.diff.plan.choose import choose
from bascule.core.diff.plan.edit_plan import hash_plan, plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.core.diff.show.preview import preview_parts
from bascule.model.edits import Diff, EditPlan, EditRefused, FileDiff, PlannedFile
from bascule.model.protocol.edits import ChosenFile

LINES = [b"line %d\n" % number for number in range(60)]
BEFORE = b"".join(LINES)
AFTER = b"".join([b"new top\n", *LINES[:29], b"changed\n", *LINES[30:55], b"end\n", *LINES[58:]])


def update(after: bytes, before: bytes, path: str = "x", **more: object) -> PlannedFile:
    return PlannedFile(
        path=path,
        kind="update",
        before_hash=hashlib.sha256(before).hexdigest(),
        after=after,
        additions=3,
        deletions=4,
        **more,  # type: ignore[arg-type]
    )


def plan(*files: PlannedFile) -> EditPlan:
    return EditPlan(files=files, hash=hash_plan(files))


def chosen(whole: EditPlan, before: dict[str, bytes], *files: ChosenFile) -> EditPlan:
    part = choose(whole, before, files)
    assert isinstance(part, EditPlan), part
    assert part.hash == hash_plan(part.files)
    return part


def after_of(before: bytes, after: bytes, *numbers: int) -> bytes | None:
    whole = plan(update(after, before))
    return chosen(whole, {"x": before}, ChosenFile(path="x", hunks=numbers)).files[0].after


def test_two_hunks_of_three() -> None:
    whole = plan(update(AFTER, BEFORE))
    assert len(preview_parts(whole.files[0], BEFORE)[1]) == 3
    part = chosen(whole, {"x": BEFORE}, ChosenFile(path="x", hunks=(1, 3)))
    (file,) = part.files
    assert file.after == b"".join([b"new top\n", *LINES[:55], b"end\n", *LINES[58:]])
    assert (file.additions, file.deletions) == (2, 3)
    assert file.before_hash == whole.files[0].before_hash
    assert part.hash != whole.hash


def test_a_whole_file_is_as_it_was_planned_and_the_others_are_left_out() -> None:
    whole = plan(update(AFTER, BEFORE), update(b"b\n", b"a\n", "y"))
    before = {"x": BEFORE, "y": b"a\n"}
    assert chosen(whole, before, ChosenFile(path="y")).files == (whole.files[1],)
    every = (ChosenFile(path="y"), ChosenFile(path="x", hunks=(3, 1, 2)))
    assert chosen(whole, before, *every) == whole


def test_the_new_mode_and_the_new_name_go_with_the_file() -> None:
    tool = update(AFTER, BEFORE, mode_after=0o755)
    (part,) = chosen(plan(tool), {"x": BEFORE}, ChosenFile(path="x", hunks=())).files
    assert (part.after, part.mode_after) == (BEFORE, 0o755)
    moved = PlannedFile(
        path="to", kind="rename", before_hash=None, after=AFTER, source="from", source_hash="h"
    )
    (part,) = chosen(plan(moved), {"from": BEFORE}, ChosenFile(path="to", hunks=())).files
    assert (part.kind, part.source, part.after, part.additions) == ("rename", "from", BEFORE, 0)


GONE_C = "diff --git a/c b/c\ndeleted file mode 100644\n--- a/c\n+++ /dev/null\n@@ -1 +0,0 @@\n-c\n"
COPY = RENAME.replace("rename", "copy")
A_TO_B, B_TO_C = RENAME.format("a", "b"), RENAME.format("b", "c")
ABC = {"a": b"a\n", "b": b"b\n", "c": b"c\n"}


def parts_of(text: str, *paths: str) -> EditPlan | EditRefused:
    diff = parse_diff(text)
    assert isinstance(diff, Diff), diff
    before = ABC if GONE_C in text else {"a": b"a\n", "b": b"b\n"}
    whole = plan_edits(diff, before.get)
    assert isinstance(whole, EditPlan), whole
    return choose(whole, before, [ChosenFile(path=path) for path in paths])


@pytest.mark.parametrize(
    ("text", "halves", "whole"),
    [
        (A_TO_B + RENAME.format("b", "a"), {"a": "b", "b": "a"}, "b a"),
        (B_TO_C + A_TO_B, {"b": "c"}, "b c"),
        (B_TO_C + COPY.format("a", "b"), {"b": "c"}, "b c"),
        (GONE_C + B_TO_C + A_TO_B, {"a": "c", "b": "a", "c": "b"}, "a b c"),
        (A_TO_B + GONE_C + B_TO_C, {"a": "c", "b": "a", "c": "b"}, "c b a"),
        (GONE_C + B_TO_C + COPY.format("a", "b"), {"b": "c", "c": "b"}, "b c"),
        (GONE_C + B_TO_C, {"b": "c", "c": "b"}, "b c"),
        (GONE_C + B_TO_C, {"b": "c", "c": "b"}, "c b"),
    ],
    ids=["swap", "chain", "copied", "onto", "git order", "onto copied", "replacing", "turned"],
)
def test_what_a_rename_puts_in_the_place_of_another_is_chosen_with_it(
    text: str, halves: dict[str, str], whole: str
) -> None:
    for half, name in halves.items():
        alone = parts_of(text, half)
        assert isinstance(alone, EditRefused)
        assert f"Choose {half} and {name} together, or neither." in alone.why
    both = parts_of(text, *whole.split())
    assert isinstance(both, EditPlan), both
    assert {file.path for file in both.files} == set(whole.split())


def test_of_what_a_rename_replaces_all_hunks_are_chosen() -> None:
    before = {"b": AFTER, "c": BEFORE}
    files = (
        update(AFTER, BEFORE, "c", beside="b"),
        PlannedFile(path="b", kind="delete", before_hash="h", after=None, beside="c"),
    )
    refused = choose(plan(*files), before, (ChosenFile(path="c", hunks=(1,)), ChosenFile(path="b")))
    assert isinstance(refused, EditRefused)
    assert "Choose b and c together, with all of their hunks, or neither." in refused.why


@pytest.mark.parametrize("new", ["a\n", "q\n"])
def test_what_is_renamed_and_there_again_may_be_chosen_alone(new: str) -> None:
    """To its new name, or to what is new under the old one."""
    mode = "100755" if new == "a\n" else "100644"
    again = f"diff --git a/a b/a\nnew file mode {mode}\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+{new}"
    for path, source in (("z", "a"), ("a", None)):
        part = parts_of(RENAME.format("a", "z") + again, path)
        assert isinstance(part, EditPlan), part
        assert [(file.path, file.source, file.kind) for file in part.files] == [
            (path, source, "copy" if source else "update")
        ]


NEW = PlannedFile(path="new", kind="add", before_hash=None, after=b"a\nb\n", additions=2)
GONE = PlannedFile(path="gone", kind="delete", before_hash="h", after=None, deletions=1)


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ((), "nothing is chosen"),
        ((ChosenFile(path="other"),), "other is not in this diff, which has x, new, gone"),
        ((ChosenFile(path="x"), ChosenFile(path="x", hunks=(1,))), "x is chosen twice"),
        ((ChosenFile(path="x", hunks=(4,)),), "x has 3 hunks, and hunk 4 is chosen"),
        ((ChosenFile(path="x", hunks=(0,)),), "x has 3 hunks, and hunk 0 is chosen"),
        ((ChosenFile(path="x", hunks=()),), "nothing of x is chosen. Leave the file out"),
        ((ChosenFile(path="new", hunks=()),), "nothing of new is chosen"),
        ((ChosenFile(path="new", hunks=(2,)),), "new has 1 hunk, and hunk 2 is chosen"),
        ((ChosenFile(path="gone", hunks=()),), "nothing of gone is chosen"),
    ],
)
def test_nonsense_is_refused_by_name(files: tuple[ChosenFile, ...], why: str) -> None:
    whole = plan(update(AFTER, BEFORE), NEW, GONE)
    refused = choose(whole, {"x": BEFORE, "gone": b"a\n"}, files)
    assert isinstance(refused, EditRefused)
    assert why in refused.why


pairs = contents().flatmap(lambda before: edited(before).map(lambda after: (before, after)))


@settings(max_examples=5 * settings().max_examples, deadline=None)
@given(pairs, st.data())
def test_any_part_of_any_edit(pair: tuple[bytes, bytes], data: st.DataObject) -> None:
    before, after = pair
    whole = plan(update(after, before))
    count = len(preview_parts(whole.files[0], before)[1])
    numbers = data.draw(st.sets(st.integers(1, count)) if count else st.just(set[int]()))
    part = choose(whole, {"x": before}, (ChosenFile(path="x", hunks=tuple(numbers)),))
    if len(numbers) == count:
        assert part == whole
    elif not numbers:
        assert isinstance(part, EditRefused)
    else:
        assert isinstance(part, EditPlan)
        rest = set(range(1, count + 1)) - numbers
        shown = preview_parts(part.files[0], before)[1]
        all_shown = preview_parts(whole.files[0], before)[1]
        assert [hunk.lines for hunk in shown] == [one.lines for one in all_shown if one.number not in rest]


@st.composite
def spread_edits(draw: st.DrawFn) -> tuple[bytes, bytes, set[int]]:
    """Edits far enough apart to be hunks of their own; no line stands twice."""
    lines = [b"%d\n" % number for number in range(120)]
    places = draw(st.lists(st.integers(0, 11), unique=True, min_size=1, max_size=6))
    for place in sorted(places, reverse=True):
        new = [b"new %d %d\n" % (place, at) for at in range(draw(st.integers(0, 3)))]
        gone = draw(st.integers(0 if new else 1, 2))
        lines[place * 10 : place * 10 + gone] = new
    chosen = draw(st.sets(st.integers(1, len(places))))
    return b"".join(b"%d\n" % number for number in range(120)), b"".join(lines), chosen


@settings(max_examples=4 * settings().max_examples, deadline=None)
@given(spread_edits())
def test_a_part_and_then_the_rest_is_the_whole(case: tuple[bytes, bytes, set[int]]) -> None:
    before, after, numbers = case
    hunks = hunks_between(before, after)
    rest = tuple(hunk for number, hunk in enumerate(hunks, 1) if number not in numbers)
    middle = after_of(before, after, *numbers) if numbers else before
    assert middle is not None
    if not rest:
        assert middle == after
        return
    done = plan_edits(Diff((FileDiff(kind="update", path="x", hunks=rest),)), lambda _: middle)
    assert isinstance(done, EditPlan)
    assert done.files[0].after == after
