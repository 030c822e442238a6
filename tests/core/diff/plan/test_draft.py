"""Modes, and several parts for one file: what they leave, and what of it is refused."""

import pytest
from msgspec.structs import replace
from tests.core.diff import judged
from tests.core.diff.judged import TEN, diff
from tests.core.diff.plan.test_edit_plan import FIRST, NEW, RENAME, plan_of, refused

from bascule.core.diff.plan.edit_plan import hash_plan, plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.core.diff.show.preview import preview_all
from bascule.model.edits import EditPlan, EditRefused

MODE = "diff --git a/x b/x\nold mode {0}\nnew mode {1}\n"


def plan_with_mode(text: str, *, runs: bool) -> EditPlan | EditRefused:
    read = parse_diff(text)
    return read if isinstance(read, EditRefused) else plan_edits(read, {"x": TEN}.get, {"x": runs}.get)


@pytest.mark.parametrize("hunk", ["", "--- a/x\n+++ b/x\n" + FIRST])
def test_a_new_mode_is_held_to_the_old_one(hunk: str) -> None:
    for before, after, was in (("100644", "100755", False), ("100755", "100644", True)):
        plan = plan_with_mode(MODE.format(before, after) + hunk, runs=was)
        assert isinstance(plan, EditPlan)
        assert (plan.files[0].mode_before, plan.files[0].mode_after) == (
            int(before[3:], 8),
            int(after[3:], 8),
        )
        again = plan_with_mode(MODE.format(before, after) + hunk, runs=not was)
        assert isinstance(again, EditRefused)
        assert ("already is" if hunk else "This change is already applied. Its mode is") in again.why
    for same in (("100644", "100644"), ("100644", "100664"), ("100755", "100775")):
        assert isinstance(plan_with_mode(MODE.format(*same) + hunk, runs=False), EditRefused)


def test_the_hash_of_a_plan_covers_the_mode_before() -> None:
    plan = plan_with_mode(MODE.format("100644", "100755"), runs=False)
    assert isinstance(plan, EditPlan)
    other = replace(plan.files[0], mode_before=None)
    assert hash_plan((other,)) != plan.hash


def test_modes_of_a_series_follow_each_other() -> None:
    on, off = MODE.format("100644", "100755"), MODE.format("100755", "100644")
    back = plan_with_mode(on + off, runs=False)
    assert isinstance(back, EditRefused)
    assert "cancel each other out" in back.why
    assert "already applied" in getattr(plan_with_mode(on + on, runs=False), "why", "")
    plan = plan_with_mode(on + off + on, runs=False)
    assert isinstance(plan, EditPlan)
    assert (plan.files[0].mode_before, plan.files[0].mode_after) == (0o644, 0o755)


def test_a_series_that_cancels_itself_out_is_refused_and_one_that_changes_is_counted_once() -> None:
    one, two = TEN.replace(b"1\n", b"one\n", 1), TEN.replace(b"1\n", b"uno\n", 1)
    there, back = diff(TEN, one), diff(one, TEN)
    assert "cancel each other out" in refused(there + back, x=TEN).why
    assert [file.path for file in plan_of(there + back + NEW.format("n"), x=TEN)] == ["n"]
    (file,) = plan_of(there + diff(one, two), x=TEN)
    assert (file.after, file.additions, file.deletions) == (two, 1, 1)


def test_what_a_series_edits_and_then_renames_or_deletes() -> None:
    one = TEN.replace(b"1\n", b"one\n", 1)
    gone = "".join(f"-{line}\n" for line in one.decode().splitlines())
    delete = f"diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1,10 +0,0 @@\n{gone}"
    (file,) = plan_of(diff(TEN, one) + delete, x=TEN)
    assert (file.path, file.kind, file.after, file.additions, file.deletions) == ("x", "delete", None, 0, 10)
    (file,) = plan_of(MODE.format("100644", "100755") + diff(TEN, one) + RENAME.format("x", "y"), x=TEN)
    assert (file.path, file.kind, file.source, file.after) == ("y", "rename", "x", one)
    assert (file.mode_after, file.additions, file.deletions) == (0o755, 1, 1)


def test_modes_in_a_cycle_of_renames_are_those_before_the_diff() -> None:
    text = RENAME.format("f", "d/f") + RENAME.format("z", "f")
    text += "diff --git a/d/f b/z\nold mode 100644\nnew mode 100755\nrename from d/f\nrename to z\n"
    files = {"f": b"1\n", "d/f": b"2\n", "z": b"3\n"}
    runs = {"f": True, "d/f": False, "z": False}
    read = parse_diff(text)
    assert not isinstance(read, EditRefused)
    plan = plan_edits(read, files.get, runs.get)
    assert isinstance(plan, EditPlan), plan
    assert {file.path: (file.after, file.mode_before, file.mode_after) for file in plan.files} == {
        "d/f": (b"1\n", None, None),
        "f": (b"3\n", None, None),
        "z": (b"2\n", 0o644, 0o755),
    }
    again = plan_edits(read, files.get, {**runs, "d/f": True}.get)
    assert isinstance(again, EditRefused)
    assert "z: This change is already applied. Its mode is 755." in again.why


@pytest.mark.parametrize(
    "first", [RENAME.format("d", "b"), "*** Begin Patch\n*** Delete File: d\n*** End Patch\n"]
)
def test_what_the_diff_makes_and_renames_is_not_executable_because_another_file_was(first: str) -> None:
    read = parse_diff(first + judged.NEW.format("c") + RENAME.format("c", "d"))
    assert not isinstance(read, EditRefused)
    plan = plan_edits(read, {"d": b"1\n"}.get, {"d": True}.get)
    assert isinstance(plan, EditPlan), plan
    file = next(one for one in plan.files if one.path == "d")
    assert (file.kind, file.mode_before, file.mode_after) == ("update", 0o755, 0o644)


@pytest.mark.parametrize("kind", ["rename", "copy"])
@pytest.mark.parametrize(("made", "mode"), [("100644", "100755"), ("100755", "100644")])
def test_what_the_diff_makes_and_moves_with_a_new_mode_has_that_mode(kind: str, made: str, mode: str) -> None:
    new = judged.NEW.format("t.sh").replace("100644", made)
    modes = f"b/run.sh\nold mode {made}\nnew mode {mode}\n"
    moved = RENAME.format("t.sh", "run.sh").replace("rename", kind).replace("b/run.sh\n", modes)
    file = next(one for one in plan_of(new + moved) if one.path == "run.sh")
    assert (file.kind, file.mode_before) == ("add", None)
    assert (file.mode_after or 0o644) == int(mode[3:], 8)


def test_what_a_rename_replaces_is_shown_to_go() -> None:
    gone = "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    read = parse_diff(gone + RENAME.format("y", "x"))
    assert not isinstance(read, EditRefused)
    before, runs = {"x": b"a\n", "y": b"1\n2\n"}, {"x": True, "y": False}
    plan = plan_edits(read, before.get, runs.get)
    assert isinstance(plan, EditPlan), plan
    assert [(one.path, one.kind, one.additions, one.deletions, one.mode_after) for one in plan.files] == [
        ("x", "update", 2, 1, 0o644),
        ("y", "delete", 0, 2, None),
    ]
    assert "\n-a\n+1\n+2\n" in preview_all(plan.files, before)


def test_lines_that_go_with_a_name_that_is_made_again_are_counted() -> None:
    _, file = plan_of(RENAME.format("x", "y") + judged.NEW.format("x"), x=b"a\nc\n")
    assert (file.path, file.kind, file.additions, file.deletions) == ("x", "update", 1, 2)


def test_what_goes_is_shown_where_a_rename_onto_it_changes_what_another_rename_replaces() -> None:
    gone = "diff --git a/z b/z\ndeleted file mode 100644\n--- a/z\n+++ /dev/null\n@@ -1 +0,0 @@\n-z\n"
    change = "--- a/y\n+++ b/z\n@@ -1 +1 @@\n-y\n+q\n"
    before = {"x": b"x\n", "y": b"y\n", "z": b"z\n"}
    files = plan_of(gone + RENAME.format("y", "z") + change + RENAME.format("x", "y"), **before)
    shown = preview_all(files, before)
    assert all(f"\n-{name}\n" in shown for name in "xyz")


def test_a_copy_in_a_series_of_a_file_that_an_earlier_part_changed_is_refused() -> None:
    """It may be a copy of the file before the diff, as Git has it, or of what the earlier part leaves."""
    one = TEN.replace(b"1\n", b"one\n", 1)
    two = one.replace(b"9\n", b"nine\n", 1)
    head = "diff --git a/x b/x\n"
    first, second, back = head + diff(TEN, one), head + diff(one, two), head + diff(one, TEN)
    copy = "diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n"
    for text in (first + copy + second, first + second + copy):
        assert "x is in the diff several times, and it makes a difference" in refused(text, x=TEN).why
    assert [file.path for file in plan_of(first + back + copy, x=TEN)] == ["y"]
    files = {file.path: file.after for file in plan_of(first + copy, x=TEN)}
    assert files == {"x": one, "y": TEN}  # as `git diff -C` writes it


def test_a_file_that_goes_is_shown_with_its_mode() -> None:
    gone = "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1,10 +0,0 @@\n"
    gone += "".join(f"-{line}\n" for line in TEN.decode().splitlines())
    for runs, mode in ((False, "100644"), (True, "100755")):
        plan = plan_with_mode(gone, runs=runs)
        assert isinstance(plan, EditPlan)
        assert f"\ndeleted file mode {mode}\n" in preview_all(plan.files, {"x": TEN})


def test_a_rename_onto_a_file_that_is_there_is_refused_as_one() -> None:
    assert refused(RENAME.format("x", "y"), x=TEN, y=b"1\n").why == (
        "Edit refused: y is already there, and the diff renames x to it. Move it away first, or ask for "
        "another name."
    )
