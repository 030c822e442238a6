"""EditPlans of diffs whose names, anchors or counts say more or less than is there."""

import hashlib

import pytest

from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.hunks import MAX_HUNKS
from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import EditPlan, EditRefused, PlannedFile

END = "\\ No newline at end of file\n"


TEN = b"".join(b"%d\n" % n for n in range(1, 11))


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def edit(*hunks: str, path: str = "x") -> str:
    text = f"--- a/{path}\n+++ b/{path}\n" + "".join(hunks)
    return text if all(hunk.startswith("@@ -") for hunk in hunks) else f"```diff\n{text}```\n"


def planned(text: str, **files: bytes) -> EditPlan | EditRefused:
    diff = parse_diff(text)
    return diff if isinstance(diff, EditRefused) else plan_edits(diff, files.get)


def plan_of(text: str, **files: bytes) -> tuple[PlannedFile, ...]:
    plan = planned(text, **files)
    assert isinstance(plan, EditPlan), plan
    return plan.files


def after(text: str, x: bytes) -> bytes | None:
    (file,) = plan_of(text, x=x)
    return file.after


def refused(text: str, **files: bytes) -> EditRefused:
    answer = planned(text, **files)
    assert isinstance(answer, EditRefused), answer
    return answer


FIRST = "@@ -1,2 +1,2 @@\n-1\n+one\n 2\n"


NEW = "--- /dev/null\n+++ b/{}\n@@ -0,0 +1 @@\n+a\n"


RENAME = "diff --git a/{0} b/{1}\nrename from {0}\nrename to {1}\n"


# -- names that say more or less than the path --


def in_folders(text: str, strip: int | None, files: dict[str, bytes]) -> EditPlan | EditRefused:
    diff = parse_diff(text, strip)
    return diff if isinstance(diff, EditRefused) else plan_edits(diff, files.get)


def test_folders_above_the_workspace_are_left_out_where_that_is_asked_for() -> None:
    text = edit(FIRST, path="top/inner/x")
    advice = in_folders(text, None, {"x": TEN})
    assert isinstance(advice, EditRefused)
    assert advice.why == (
        "Edit refused: top/inner/x does not exist. "
        "The diff fits x: apply the diff with -p3, or name files relative to the workspace."
    )
    plan = in_folders(text, 3, {"x": TEN})
    assert isinstance(plan, EditPlan)
    assert [file.path for file in plan.files] == ["x"]


@pytest.mark.parametrize(
    ("old", "new", "path", "right"),
    [
        ("a/q/w/e/r/f", "b/q/w/e/r/f", "e/r/f", 3),
        ("q/w/e/r/f", "q/w/e/r/f", "f", 4),
        ("./q/w/f", "./q/w/f", "f", 3),
        ("x/old/f", "x/new/f", "f", 2),
        ("x/old/s/f", "x/new/s/f", "s/f", 2),
        ("../a/f", "../b/f", "f", 2),
        ("/tmp/a/f", "/tmp/b/f", "f", 3),
        ("/home/u/p/f", "/home/u/p/f", "f", 4),
    ],
)
def test_the_advice_names_the_number_of_folders_that_fits(old: str, new: str, path: str, right: int) -> None:
    """Whichever number was given before, and it counts from there."""
    text = f"--- {old}\n+++ {new}\n{FIRST}"
    for strip in (None, *range(1, right)):
        answer = in_folders(text, strip, {path: TEN})
        assert isinstance(answer, EditRefused)
        assert f" with -p{right}" in answer.why, (strip, answer.why)
    assert isinstance(in_folders(text, right, {path: TEN}), EditPlan)


def test_names_in_codexs_format_are_not_shortened_and_no_number_is_advised() -> None:
    patch = "*** Begin Patch\n*** Update File: q/w/x\n@@\n-2\n+two\n*** End Patch\n"
    answer = in_folders(patch, None, {"x": TEN})
    assert isinstance(answer, EditRefused)
    assert answer.why == (
        "Edit refused: q/w/x does not exist. The diff fits x: name files relative to the workspace."
    )


def test_too_many_hunks_are_refused_with_advice() -> None:
    hunks = "".join(f"@@ -{n} +{n} @@\n-{n}\n+x\n" for n in range(1, MAX_HUNKS + 2))
    assert refused(edit(hunks), x=TEN).why == (
        "Edit refused: x has more than 10000 hunks. Ask for it in parts, or use `git apply`."
    )


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        (edit(FIRST, path="d/x"), b"other\n"),
        (
            "diff --git a/d/x b/d/x\ndeleted file mode 100644\n--- a/d/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n",
            b"1\n",
        ),
        ("*** Begin Patch\n*** Delete File: d/x\n*** End Patch\n", b"1\n"),
        (RENAME.format("d/x", "d/y"), b"1\n"),
        ("diff --git a/d/x b/d/x\nold mode 100644\nnew mode 100755\n", b"1\n"),
        (edit("@@ -1,0 +2 @@\n+new\n", path="d/x"), b"1\n"),
    ],
    ids=["another file", "deleted", "deleted by name", "renamed", "mode", "only added"],
)
def test_a_missing_file_is_not_said_to_be_another_one(text: str, inner: bytes) -> None:
    answer = in_folders(text, None, {"x": inner})
    assert isinstance(answer, EditRefused)
    assert "d/x does not exist." in answer.why
    assert "-p" not in answer.why
    assert ("already applied" in answer.why) == ("elete" in text)


@pytest.mark.parametrize(
    ("rest", "inner"),
    [
        ("deleted file mode 100644\n--- old/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", b"1\n"),
        ("deleted file mode 100644\nindex e69de29..0000000\n", b""),
        ("old mode 100644\nnew mode 100755\n", b"1\n"),
    ],
    ids=["deleted", "empty and deleted", "mode"],
)
def test_a_name_without_a_prefix_is_advised_to_lose_its_folder(rest: str, inner: bytes) -> None:
    """As `git diff --no-index --no-prefix` writes it."""
    text = f"diff --git old/x old/x\n{rest}"
    answer = in_folders(text, None, {"x": inner})
    assert isinstance(answer, EditRefused)
    assert "The diff fits x: apply the diff with -p1" in answer.why
    assert isinstance(in_folders(text, 1, {"x": inner}), EditPlan)
    assert "does not exist" in getattr(in_folders(text, None, {}), "why", "")


@pytest.mark.parametrize("name", ["b\u200bc", "b\\\\c"])
def test_no_number_of_folders_is_advised_for_a_name_that_is_never_written(name: str) -> None:
    shown = f'"{{}}/{name}"' if "\\" in name else f"{{}}/{name}"
    text = f"--- {shown.format('x/old')}\n+++ {shown.format('x/new')}\n{FIRST}"
    assert " with -p" not in refused(text).why
    named = f"--- {shown.format('a')}\n+++ {shown.format('b')}\n{FIRST}"
    assert "Rename the file first, or use `git apply`." in refused(named).why


@pytest.mark.parametrize("header", ["@@", "@@ ... @@"])
def test_a_removal_that_is_made_already_is_said_to_be_maybe_applied(header: str) -> None:
    hunk = f"{header}\n 3\n 4\n-four and a half\n 5\n"
    assert "This change may be already applied: its result is at line 3." in refused(edit(hunk), x=TEN).why


def test_names_without_a_prefix_that_fit_two_files_are_refused() -> None:
    text = f"--- sub/x\n+++ sub/x\n{FIRST}"
    both = in_folders(text, None, {"x": TEN, "sub/x": TEN})
    assert isinstance(both, EditRefused)
    assert "Apply it with -p0 for sub/x, or with -p1 for x." in both.why
    for strip, path in ((0, "sub/x"), (1, "x")):
        plan = in_folders(text, strip, {"x": TEN, "sub/x": TEN})
        assert isinstance(plan, EditPlan)
        assert [file.path for file in plan.files] == [path]
    one = in_folders(text, None, {"x": b"other\n", "sub/x": TEN})
    assert isinstance(one, EditPlan)
    assert [file.path for file in one.files] == ["sub/x"]


# -- anchors and headings --

PYTHON = b"def a():\n    x = 1\n\n\ndef b():\n    y = 1\n    x = 2\n\n\nZ = 1\n"


@pytest.mark.parametrize(("anchor", "line"), [("def a():", "    y = 1"), ("def b():", "Z = 1")])
def test_an_anchor_ends_with_its_function(anchor: str, line: str) -> None:
    patch = f"*** Begin Patch\n*** Update File: x\n@@ {anchor}\n-{line}\n+changed\n*** End Patch\n"
    assert f'not in what "{anchor}" begins' in refused(patch, x=PYTHON).why
    assert plan_of(patch.replace(f"@@ {anchor}", "@@"), x=PYTHON)


def test_where_numbers_are_wrong_a_heading_tells_two_places_apart() -> None:
    twins = b"def f():\n    a\n    b\n    c\n\n\ndef g():\n    a\n    b\n    c\n"
    hunk = "```diff\n--- a/x\n+++ b/x\n@@ -2,9 +2,1 @@ {}\n     a\n-    b\n+    B\n     c\n```\n"
    assert after(hunk.format("def g():"), twins) == twins[::-1].replace(b"b", b"B", 1)[::-1]
    assert after(hunk.format("def f():"), twins) == twins.replace(b"    b", b"    B", 1)
    assert "are at line 2 and again at line 8" in refused(hunk.format("def h():"), x=twins).why


def test_text_after_a_complete_hunk_is_text() -> None:
    hunk = "@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n"
    for text in ("+1 from me, merged\n", "-- \nBob\n", "- done\n", "> ok?\n"):
        assert after(edit(hunk) + text, TEN) == TEN.replace(b"1\n", b"one\n", 1)
    more = edit(hunk.replace("1,4", "1,3")) + "-5\n+five\n"  # counts that are too small
    assert after(edit(hunk) + " 5\n 6\n", TEN) == TEN.replace(b"1\n", b"one\n", 1)  # the same either way
    assert isinstance(planned(more, x=TEN), EditRefused)
    assert "may be part of it" in refused(edit(hunk) + " 5\n-6\n", x=TEN).why


def test_a_file_that_is_made_executable_and_then_renamed_still_is() -> None:
    made = "diff --git a/d b/d\nnew file mode 100755\n" + NEW.format("d") + RENAME.format("d", "e")
    plan = planned(made)
    assert isinstance(plan, EditPlan)
    assert [(file.path, file.kind, file.source, file.mode_after) for file in plan.files] == [
        ("e", "add", None, 0o755)
    ]


def test_what_is_renamed_onto_a_file_that_goes_and_then_changed_leaves_its_old_name() -> None:
    gone = "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    changed = "diff --git a/x b/x\n" + edit(FIRST)
    plan = planned(gone + RENAME.format("y", "x") + changed, x=b"a\n", y=TEN)
    assert isinstance(plan, EditPlan)
    assert [(file.path, file.kind) for file in plan.files] == [("x", "update"), ("y", "delete")]


# -- lines after a hunk that is complete by its counts --


@pytest.mark.parametrize(
    ("before", "hunk", "line"),
    [
        (b"a\n\ndef beta():\n    x\n\n", "@@ -2,1 +2,2 @@\n \n+new()\n def beta():\n", '" def beta():"'),
        (b"a\n\ndef beta():\n    x\n\nnew()\n", "@@ -2,1 +2,2 @@\n \n+new()\n def beta():\n", ""),
        (b"a\na\na\nb\n", "@@ -1,1 +1,3 @@\n+n3\n+n9\n a\n b\n", '" b"'),
        (TEN, "@@ -2,3 +2,3 @@\n 5\n-6\n+six\n 7\n+1 from me\n", '"+1 from me"'),
    ],
    ids=["at the end without them", "the same again", "elsewhere with them", "moved"],
)
def test_counts_that_leave_out_lines_which_would_give_another_place(
    before: bytes, hunk: str, line: str
) -> None:
    answer = refused(edit(hunk), x=before)
    assert line in answer.why
    assert not line or "is complete by its numbers" in answer.why


@pytest.mark.parametrize("lines", ["+x\n", "-x\n", " 3\n+x\n", "-x\n+y\n 4\n"])
def test_changes_after_a_complete_hunk_in_a_block_are_not_dropped(lines: str) -> None:
    hunk = f"@@ -1,2 +1,3 @@\n+b\n 1\n 2\n{lines}"
    answer = refused(f"```diff\n{edit(hunk)}```\n", x=TEN)
    assert "hunk 1 is complete by its numbers" in answer.why
    assert f'"{lines.splitlines()[0]}"' in answer.why
    new = f"```diff\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+b\n{lines}```\n"
    assert "hunk 1 is complete by its numbers" in refused(new).why


def test_counts_that_leave_out_a_line_which_changes_nothing() -> None:
    assert after(edit("@@ -1,2 +1,2 @@\n-1\n+one\n 2\n 3\n"), TEN) == TEN.replace(b"1\n2", b"one\n2")


@pytest.mark.parametrize(
    ("before", "hunk", "result"),
    [
        (b"a\nb\n", "@@ -1,2 +0,0 @@\n-a\n-b\n", b""),
        (b"a", f"@@ -1 +0,0 @@\n-a\n{END}", b""),
        (b"", "@@ -0,0 +1,2 @@\n+a\n+b\n", b"a\nb\n"),
        (b"", f"@@ -0,0 +1 @@\n+a\n{END}", b"a"),
    ],
)
def test_a_file_that_is_emptied_or_filled_already(before: bytes, hunk: str, result: bytes) -> None:
    assert after(edit(hunk), before) == result
    assert "This change is already applied" in refused(edit(hunk), x=result).why
    assert "already applied" not in refused(edit(hunk), x=b"other\n").why
