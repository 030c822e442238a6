"""Codex's own patch format."""

import pytest

from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import Diff, EditPlan, EditRefused, FileDiff, Hunk, HunkLine


def wrapped(*lines: str) -> str:
    return "\n".join(["*** Begin Patch", *lines, "*** End Patch", ""])


def after(before: dict[str, bytes], *lines: str) -> dict[str, bytes | None]:
    plan = planned(before, *lines)
    assert isinstance(plan, EditPlan), plan
    return {file.path: file.after for file in plan.files}


def planned(before: dict[str, bytes], *lines: str) -> EditPlan | EditRefused:
    diff = parse_diff(wrapped(*lines))
    return diff if isinstance(diff, EditRefused) else plan_edits(diff, before.get)


def test_everything_it_can_say() -> None:
    text = wrapped(
        *("*** Add File: new.py", "+a", "+", "*** Delete File: old.py"),
        *("*** Update File: x.py", "*** Move to: dir/y.py"),
        *("@@ class A:", "@@     def f(self):", " one", "-two", "+TWO", "@@", "-last", "*** End of File"),
        *("*** Update File: z", " no header", "+more"),
    )
    assert parse_diff(f"apply_patch <<'EOF'\n{text}EOF\n") == Diff(
        (
            FileDiff(
                kind="add",
                path="new.py",
                hunks=(
                    Hunk(
                        old_start=0,
                        new_start=1,
                        lines=(HunkLine("+", "a"), HunkLine("+", "")),
                        numbers="none",
                    ),
                ),
            ),
            FileDiff(kind="delete", path="old.py", by_name=True),
            FileDiff(
                kind="rename",
                path="dir/y.py",
                source="x.py",
                hunks=(
                    Hunk(
                        old_start=0,
                        new_start=0,
                        lines=(HunkLine(" ", "one"), HunkLine("-", "two"), HunkLine("+", "TWO")),
                        anchors=("class A:", "def f(self):"),
                        numbers="none",
                    ),
                    Hunk(
                        old_start=0, new_start=0, lines=(HunkLine("-", "last"),), at_end=True, numbers="none"
                    ),
                ),
            ),
            FileDiff(
                kind="update",
                path="z",
                hunks=(
                    Hunk(
                        old_start=0,
                        new_start=0,
                        lines=(HunkLine(" ", "no header"), HunkLine("+", "more")),
                        numbers="none",
                    ),
                ),
            ),
        )
    )


def test_in_a_fence_with_crlf() -> None:
    text = "Sure:\n\n```\n" + wrapped("*** Update File: x", "@@", "-a", "+b") + "```\n"
    diff = parse_diff(text.replace("\n", "\r\n"))
    assert isinstance(diff, Diff)
    assert diff.files[0].hunks[0].lines == (HunkLine("-", "a"), HunkLine("+", "b"))


TWICE = b"class A:\n    def f(self):\n        return 1\n\nclass B:\n    def f(self):\n        return 1\n"


def test_an_anchor_tells_two_places_apart() -> None:
    edit = ("-        return 1", "+        return 2")
    assert after({"x": TWICE}, "*** Update File: x", "@@ class B:", *edit) == {
        "x": TWICE[:-2] + b"2\n",
    }
    assert after({"x": TWICE}, "*** Update File: x", "@@ class A:", "@@ def f(self):", *edit) == {
        "x": TWICE.replace(b"1", b"2", 1),
    }


def test_an_anchor_that_stands_often_leads_to_one_place() -> None:
    """Also where it is the very line before: the place is named once."""
    assert after({"x": b"}\na\n}\nb\n"}, "*** Update File: x", "@@ }", "-b", "+c") == {"x": b"}\na\n}\nc\n"}


def test_many_anchored_hunks_in_a_long_file_are_placed_quickly() -> None:
    numbers = range(2_000)
    long = b"x\n" * 50_000
    hunks = [line for number in numbers for line in ("@@ x", "@@ x", f"-y{number}", f"+z{number}")]
    before = long + b"".join(b"y%d\n" % number for number in numbers)
    assert after({"x": before}, "*** Update File: x", *hunks) == {
        "x": long + b"".join(b"z%d\n" % number for number in numbers)
    }
    too_many = planned({"x": before}, "*** Update File: x", *["@@ x"] * 21, "-y1")
    assert isinstance(too_many, EditRefused)
    assert "more than 20 anchors" in too_many.why


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (("@@", "-        return 1"), "are at line 3 and again at line 7"),
        (("@@ def f(self):", "-        return 1"), "are at line 3 and again at line 7"),
        (("@@ class C:", "-        return 1"), 'its anchor "class C:" is not in the file'),
        (("@@ class A:", "+    x = 1"), "it only adds lines"),
        (("@@", " class A:", "*** End of File"), "said to be the last of the file"),
        (("@@", "-    return 1"), "They differ only in white space"),
    ],
)
def test_what_is_not_certain_is_refused(lines: tuple[str, ...], why: str) -> None:
    refused = planned({"x": TWICE}, "*** Update File: x", *lines)
    assert isinstance(refused, EditRefused)
    assert why in refused.why
    assert (refused.path, refused.hunk) == ("x", 1)


def test_lines_without_context_go_to_the_end_as_codex_puts_them() -> None:
    assert after({"x": b"a\n"}, "*** Update File: x", "@@", "+b") == {"x": b"a\nb\n"}
    assert after({"x": b"a"}, "*** Update File: x", "@@", "+b") == {"x": b"a\nb\n"}
    assert after({"x": b""}, "*** Update File: x", "@@", "+b") == {"x": b"b\n"}


def test_it_says_nothing_of_endings_so_the_files_own_are_kept() -> None:
    assert after({"x": b"a\r\nb\r\nc"}, "*** Update File: x", " a", "-b", "+B", "+BB", " c") == {
        "x": b"a\r\nB\r\nBB\r\nc",
    }


def test_a_file_is_deleted_by_its_name_and_bound_to_its_bytes() -> None:
    plan = planned({"x": b"1\n2\n3"}, "*** Delete File: x")
    assert isinstance(plan, EditPlan)
    (file,) = plan.files
    assert (file.after, file.deletions, file.before_hash is not None) == (None, 3, True)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (("*** Add File: x", "a"), "begins with neither"),
        (("*** Add File: x", "+a", " b"), "not every line begins with +"),
        (("*** Update File: x",), "has no hunk"),
        (("*** Update File: x", "@@ def f():"), "is empty"),
        (("*** Rename File: x",), "belongs to no file"),
        (("*** Update File: x", "@@", "lost"), 'line 4 of the patch, "lost"'),
        (("*** Add File: /etc/x", "+a"), "absolute"),
        (("*** Update File: x", "*** Move to: ../y", "@@", "-class A:"), "leaves its folder"),
    ],
)
def test_what_does_not_follow_the_format_is_refused(lines: tuple[str, ...], why: str) -> None:
    refused = planned({"x": TWICE}, *lines)
    assert isinstance(refused, EditRefused)
    assert why in refused.why
