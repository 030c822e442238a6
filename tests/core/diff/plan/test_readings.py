"""Diffs with several parts for one file: what a refusal says of them, and what could mean two things."""

import pytest
from tests.core.diff.judged import RENAME, TEN
from tests.core.diff.plan.test_edit_plan import edit, plan_of, planned, refused

from bascule.model.edits import EditRefused


def changed(line: int, text: str) -> str:
    return edit(f"@@ -{line - 1},3 +{line - 1},3 @@\n {line - 1}\n-{line}\n+{text}\n {line + 1}\n")


@pytest.mark.parametrize("second", [changed(5, "FIVE"), changed(6, "six")])
def test_a_part_that_only_fits_the_file_as_it_is_now_is_said_to_come_after_others(second: str) -> None:
    """Line 5 of the file is what the diff says it is: to look there would mislead."""
    answer = refused(changed(5, "five") + second, x=TEN)
    assert answer.why == (
        "Edit refused: x is in the diff several times, and its part 2 does not fit the file as the earlier "
        'parts leave it: x, hunk 1: line 5 should be "5", and is "five". '
        "Ask for one diff with all changes to x, made from the file as it is."
    )
    assert (answer.path, answer.hunk, answer.line) == ("x", 1, 5)
    assert "five" not in answer.remote
    assert "its part 2" in answer.remote


def test_the_third_part_is_counted_and_keeps_its_own_advice() -> None:
    twice = b"".join(b"%d\n" % n for n in range(1, 11)) * 2
    third = "```diff\n--- a/x\n+++ b/x\n@@ ... @@\n 7\n-8\n+eight\n 9\n```\n"
    parts = [f"```diff\n{changed(n, 'new')}```\n" for n in (2, 5)]
    answer = refused("\n".join([*parts, third]), x=twice)
    assert "its part 3 does not fit the file as the earlier parts leave it: x, hunk 1: its lines are at" in (
        answer.why
    )
    assert "with more context" in answer.why


def test_a_deletion_after_a_change_says_so_as_well() -> None:
    gone = "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    answer = refused("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n" + gone, x=b"a\n")
    assert "its part 2 does not fit the file as the earlier parts leave it" in answer.why


DELETED = "diff --git a/{0} b/{0}\ndeleted file mode 100644\n--- a/{0}\n+++ /dev/null\n@@ -1 +0,0 @@\n-{0}\n"
ADDED = "diff --git a/{0} b/{0}\nnew file mode 100644\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+new\n"
COPY = RENAME.replace("rename", "copy")
SWAPPED = RENAME.format("x", "y") + RENAME.format("y", "x")


@pytest.mark.parametrize(
    "text",
    [
        SWAPPED + RENAME.format("x", "z"),
        SWAPPED + RENAME.format("y", "z"),
        RENAME.format("x", "z") + ADDED.format("x") + COPY.format("x", "w"),
        DELETED.format("x") + COPY.format("y", "x") + RENAME.format("x", "z"),
    ],
    ids=["swapped, x renamed", "swapped, y renamed", "renamed, made again, copied", "deleted, copied"],
)
def test_what_is_taken_from_a_name_twice_may_be_either_content(text: str) -> None:
    """No diff of one commit does so: the second time it means the later content, and Git takes the first."""
    answer = refused(text, x=b"x\n", y=b"y\n")
    assert "makes a difference whether the later parts speak of the file before or after" in answer.why


def test_names_that_change_places_are_taken_once_each() -> None:
    assert plan_of(SWAPPED, x=b"x\n", y=b"y\n")
    assert not isinstance(planned(RENAME.format("x", "z") + COPY.format("x", "w"), x=b"x\n"), EditRefused)
