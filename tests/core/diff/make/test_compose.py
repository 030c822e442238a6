"""Several edits of a file, combined into one."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.diff.trees import contents, edited

from bascule.core.diff.make.compare import hunks_between
from bascule.core.diff.make.compose import Composed, Edit, compose
from bascule.core.diff.make.reverse import reverse_file
from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.show.shown_diff import show_file
from bascule.model.edits import Diff, EditPlan, FileDiff, Hunk, HunkLine


def edit(before: bytes, after: bytes, path: str = "x", **more: object) -> Edit:
    return Edit(path=path, change="update", hunks=hunks_between(before, after), **more)  # type: ignore[arg-type]


def added(content: bytes, path: str = "x") -> Edit:
    return Edit(path=path, change="add", hunks=hunks_between(b"", content))


def deleted(content: bytes, path: str = "x") -> Edit:
    return Edit(path=path, change="delete", hunks=hunks_between(content, b""))


def only(composed: list[Composed]) -> FileDiff:
    (one,) = composed
    assert not one.loose
    return one.file


def planned(file: FileDiff, **files: bytes) -> bytes | None:
    done = plan_edits(Diff((file,)), files.get)
    assert isinstance(done, EditPlan), done
    return done.files[0].after


@st.composite
def versions(draw: st.DrawFn) -> list[bytes]:
    states = [draw(contents())]
    for _ in range(draw(st.integers(1, 4))):
        states.append(draw(edited(states[-1])))
    return states


@settings(max_examples=5 * settings().max_examples, deadline=None)
@given(versions())
def test_all_edits_of_a_file_are_one_and_can_be_taken_back(states: list[bytes]) -> None:
    steps = [edit(before, after) for before, after in pairwise(states)]
    composed = compose(steps)
    first, last = states[0], states[-1]
    if not composed:
        assert first == last
        return
    file = only(composed)
    assert planned(file, x=first) == last
    assert planned(reverse_file(file), x=last) == first


@settings(max_examples=2 * settings().max_examples, deadline=None)
@given(versions())
def test_a_new_file_that_is_edited_is_a_new_file(states: list[bytes]) -> None:
    steps = [added(states[0]), *(edit(b, a) for b, a in pairwise(states))]
    file = only(compose(steps))
    assert (file.kind, planned(file)) == ("add", states[-1])


def test_a_file_that_comes_and_goes_is_nothing() -> None:
    assert compose([added(b"a\n"), edit(b"a\n", b"b\n"), deleted(b"b\n")]) == []


def test_an_edited_file_that_goes_is_deleted_as_it_was() -> None:
    file = only(compose([edit(b"a\nb\n", b"a\nB\n"), deleted(b"a\nB\n")]))
    assert file == FileDiff(kind="delete", path="x", hunks=hunks_between(b"a\nb\n", b""))


def test_a_file_that_goes_and_comes_is_edited() -> None:
    file = only(compose([deleted(b"a\nb\n"), added(b"a\nc\n")]))
    assert (file.kind, planned(file, x=b"a\nb\n")) == ("update", b"a\nc\n")


def test_what_is_taken_back_on_the_way_is_no_change() -> None:
    assert compose([edit(b"a\nb\n", b"a\nB\n"), edit(b"a\nB\n", b"a\nb\n")]) == []


def test_a_file_is_followed_to_its_new_name() -> None:
    before, after = b"1\n2\n3\n", b"1\nzwei\n3\n"
    steps = [
        edit(before, before + b"4\n", moved_to="y"),
        edit(before + b"4\n", after + b"4\n", path="y"),
    ]
    file = only(compose(steps))
    assert (file.kind, file.source, file.path) == ("rename", "x", "y")
    assert planned(file, x=before) == after + b"4\n"
    back = edit(after + b"4\n", after, path="y", moved_to="x")
    assert only(compose([*steps, back])) == FileDiff(
        kind="update", path="x", hunks=hunks_between(before, after)
    )


def test_lines_that_no_edit_tells_of_are_counted() -> None:
    """As Codex tells them: one line around each change."""
    one = Hunk(
        old_start=10,
        new_start=10,
        lines=(HunkLine(" ", "ten"), HunkLine("+", "new"), HunkLine(" ", "eleven")),
    )
    two = Hunk(
        old_start=30, new_start=30, lines=(HunkLine(" ", "t"), HunkLine("-", "old"), HunkLine(" ", "u"))
    )
    steps = [Edit(path="x", change="update", hunks=(hunk,)) for hunk in (one, two)]
    assert show_file(only(compose(steps))) == (
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n"
        "@@ -10,2 +10,3 @@\n ten\n+new\n eleven\n"
        "@@ -29,3 +30,2 @@\n t\n-old\n u\n"
    )


def test_an_edit_on_top_of_somebody_elses_is_shown_by_itself() -> None:
    before, after = b"a\nb\nc\n", b"a\nB\nc\n"
    (one,) = compose([edit(before, after), edit(b"x\nB\nc\n", b"x\nB2\nc\n")])
    assert one.loose
    assert [[line.sign + line.text for line in hunk.lines] for hunk in one.file.hunks] == [
        [" a", "-b", "+B", " c"],
        [" x", "-B", "+B2", " c"],
    ]
    assert {(hunk.old_start, hunk.new_start) for hunk in one.file.hunks} == {(0, 0)}


def test_who_edited_it_is_shown() -> None:
    steps = [edit(b"a\n", b"b\n"), edit(b"b\n", b"c\n", by="command")]
    (one,) = compose(steps)
    assert one.by == ("agent", "command")
