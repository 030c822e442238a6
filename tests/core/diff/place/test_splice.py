"""Hunks in files whose line endings differ from line to line."""

import pytest

from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import Diff, EditPlan, EditRefused


def plan(hunk: str, data: bytes) -> EditPlan | EditRefused:
    diff = parse_diff(f"--- a/x\n+++ b/x\n{hunk}")
    assert isinstance(diff, Diff)
    return plan_edits(diff, {"x": data}.get)


@pytest.mark.parametrize(
    ("data", "hunk"),
    [
        (b"a\r\na\na\n", "@@ -1,2 +1,1 @@\n-a\r\n a\n"),
        (b"a\r\na\r\na\n", "@@ -1,2 +1,1 @@\n-a\r\n a\r\n"),
        (b"\r\n", "@@ -1 +1,2 @@\n+\n \r\n"),
    ],
)
def test_line_endings_do_not_tell_whether_a_hunk_is_applied(data: bytes, hunk: str) -> None:
    """They don't decide its place either."""
    answer = plan(hunk, data)
    assert isinstance(answer, EditRefused)
    assert "it fits its own result again" in answer.why


def test_a_change_of_line_endings_is_applied_once() -> None:
    hunk = "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n"
    first = plan(hunk, b"a\r\nb\n")
    assert isinstance(first, EditPlan)
    assert first.files[0].after == b"a\nb\n"
    again = plan(hunk, b"a\nb\n")
    assert isinstance(again, EditRefused)
    assert "is already applied" in again.why


def test_a_hunk_that_takes_the_next_files_header_is_too_short() -> None:
    answer = plan("@@ -1,3 +1,3 @@\n-1\n+one\n 2\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n", b"1\n2\n3\n")
    assert isinstance(answer, EditRefused)
    assert answer.why == (
        "Edit refused: x, hunk 1: it has fewer lines than its numbers say, and the header of another file "
        'follows, "--- a/y". Ask for the diff again.'
    )


@pytest.mark.parametrize(
    ("hunk", "after"),
    [
        ("@@ -4,2 +4,3 @@\n 4\n 5\n+new\n 6\n 7\n", " 6"),
        ("@@ -6,1 +6,2 @@ 2\n 6\n+new\n 7\n", " 7"),
    ],
)
def test_a_hunk_that_shows_lines_past_its_counts_is_told_so(hunk: str, after: str) -> None:
    """Not that it shows none after its change."""
    answer = plan(hunk, b"".join(b"%d\n" % number for number in range(1, 10)))
    assert isinstance(answer, EditRefused)
    assert answer.why == (
        f'Edit refused: x, hunk 1 is complete by its numbers, and "{after}" after it may be part of it. '
        "Ask for the diff again, with right numbers or a blank line after the hunk."
    )


def test_a_blank_line_that_would_be_replaced_after_a_complete_hunk_is_no_text() -> None:
    hunk = "@@ -1,3 +1,4 @@\n a\n b\n+new\n c\n-\n+2\n\nThat is all.\n"
    answer = plan(hunk, b"a\nb\nc\n\n\nd\n")
    assert isinstance(answer, EditRefused)
    assert 'complete by its numbers, and "-" after it may be part of it' in answer.why
