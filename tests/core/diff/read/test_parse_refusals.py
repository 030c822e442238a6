"""Diffs that are refused, made to take long, or made at random."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bascule.core.diff.read.parse import MAX_FILES, MAX_LINES, parse_diff
from bascule.core.text.visible import is_hidden
from bascule.model.edits import Diff, EditRefused, FileDiff, Hunk, HunkLine

END = "\\ No newline at end of file"


BODY = (HunkLine(" ", "one"), HunkLine("-", "two"), HunkLine("+", "TWO"))


EDIT = "@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n"


X = FileDiff(kind="update", path="x", hunks=(Hunk(old_start=1, new_start=1, lines=BODY, numbers="right"),))


def files_of(text: str) -> tuple[FileDiff, ...]:
    diff = parse_diff(text)
    assert isinstance(diff, Diff), diff
    return tuple(replace(file, stripped=None) for file in diff.files)  # which only advice speaks of


def lines_of(text: str) -> list[str]:
    return [line.sign + line.text for file in files_of(text) for hunk in file.hunks for line in hunk.lines]


def refusal_of(text: str) -> str:
    refused = parse_diff(text)
    assert isinstance(refused, EditRefused), refused
    assert refused.why.startswith("Edit refused: ")
    return refused.why


# -- what is refused --


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no diff"),
        ("I could not find the bug, sorry.\n- really\n+ no\n", "no diff"),
        ("---\ntitle: x\n---\n", "no diff"),
        ("```python\nprint('+++')\n```\n", "no diff"),
        (f"{EDIT}", "belongs to no file"),
        ("```diff\n-a\n+b\n```\n", "names no file"),
        ("--- a/x\n+++ b/y\n" + EDIT, 'names "a/x" and "b/y"'),
        ("--- /dev/null\n+++ /dev/null\n" + EDIT, "names"),
        ("diff --git a/x b/x\n--- a/y\n+++ b/y\n" + EDIT, "disagree"),
        ("diff --git a/x b/x\n--- a/x\n+++ b/etc\n" + EDIT, "does not say"),
        ("diff --git a/x b/x\nrename from o\nrename to n\n", "disagree"),
        ("--- a/x\n+++ b/x\n", "has no hunk"),
        ("diff --git a/x b/x\nindex 1..2 100644\n", "has no hunk"),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n", "is empty"),
        ("diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n- a\n", "merge"),
        (
            "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n one\nlost its blank\n-two\n",
            'line 5 of the diff, "lost its blank"',
        ),
        ("--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-one\n\nprose?\n\n- a list?\n", "line 6"),
        ("*** Begin Patch\n*** Delete File: x\n", "cut off"),
        ("\n" * (MAX_LINES + 1), "longer than"),
        ("--- a/x\n+++ b/x\n@@ -1 +1,200001 @@\n-a\n" + "+\n" * 200_001, "more than 200000 lines"),
        (
            "".join(f"Binary files a/{n} and b/{n} differ\n" for n in range(MAX_FILES + 1)),
            "more than 5000 files",
        ),
    ],
)
def test_what_is_refused_is_refused_in_a_sentence(text: str, why: str) -> None:
    assert why in refusal_of(text)


# -- texts made to take long --


@pytest.mark.parametrize(
    "text",
    [
        f"--- a/x\n+++ b/x\n{EDIT}" + "\n" * 400_000 + "@@ -9 +9 @@\n-a\n+b\n",
        "```" + "a" * 5_000_000 + "`\n",
        "Binary files " + " and " * 1_000_000 + "\n",
        f"--- a/{' ' * 2_000_000}x\n+++ b/x\n{EDIT}",
        f'--- "a/{chr(92) * 2_000_001}\n+++ b/x\n{EDIT}',
        "@@ -1" + " " * 2_000_000 + "x\n",
        f"--- a/x\n+++ b/x\n{EDIT}" * 20_000,
        f"--- a/x\n+++ b/x\n{EDIT}" + "@@ -1,999999999 +1,999999999 @@\n-a\n" * 9_000,
        "diff --git " + "a " * 2_000_000 + "\n",
    ],
    ids=range(9),
)
def test_no_text_takes_long(text: str) -> None:
    start_s = time.process_time()  # of this process alone: the machine may be busy
    assert isinstance(parse_diff(text), Diff | EditRefused)
    assert time.process_time() - start_s < 20


# -- whatever comes --

PIECES = st.sampled_from(
    [
        *(
            "--- a/x",
            "+++ b/x",
            "--- /dev/null",
            "+++ /dev/null",
            "diff --git a/x b/x",
            "@@ -1 +1 @@",
            "@@",
            "@@ -0,0 +1,3 @@",
        ),
        *(
            "rename from x",
            "rename to y",
            "new file mode 100644",
            "GIT binary patch",
            "index 1..2 120000",
            "-- ",
            "2.39",
        ),
        *("*** Begin Patch", "*** End Patch", "*** Add File: x", "*** Update File: x", "*** Move to: y"),
        *(
            "*** Delete File: x",
            "*** End of File",
            "```diff",
            "```",
            "  ```",
            "@@ def f():",
            '--- "a/\\303',
            END,
            "\\",
        ),
        *(
            " a",
            "-a",
            "+a",
            "-",
            "+",
            " ",
            "",
            "\r",
            "prose",
            "\ud800",
            "-\udcff",
            "@@@ -1 -1 +1 @@@",
            "diff --cc x",
        ),
    ]
)


@settings(max_examples=10 * settings().max_examples, deadline=None)
@given(st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=40), st.sampled_from(["\n", "\r\n"]))
def test_no_text_breaks_the_parser(pieces: list[str], newline: str) -> None:
    found = parse_diff(newline.join(pieces))
    if isinstance(found, EditRefused):
        assert not any(map(is_hidden, found.why))
        found.why.encode()
        found.path.encode()
    else:
        assert found.files


@pytest.mark.parametrize(("strip", "left"), [(0, "two different names"), (2, "no name")])
def test_what_is_left_of_the_names(strip: int, left: str) -> None:
    refused = parse_diff("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n", strip)
    assert isinstance(refused, EditRefused)
    assert f"-p{strip} leaves {left}." in refused.why


def test_a_name_with_an_unknown_escape() -> None:
    refused = parse_diff('--- "a/x\\q"\n+++ "b/x\\q"\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n')
    assert isinstance(refused, EditRefused)
    assert "escape" in refused.why


@pytest.mark.parametrize("header", ["+++ b/x", "+++ x", "--- a/x"])
def test_a_header_among_the_lines_of_its_own_hunk_is_refused(header: str) -> None:
    """With counts that say that it belongs there it is a line like any other."""

    def written(numbers: str, line: str) -> str:
        return f"```diff\n--- a/x\n+++ b/x\n{numbers}\n one\n{line}\n-two\n+TWO\n three\n```\n"

    for numbers in ("@@ -1,2 +1,7 @@", "@@"):
        assert f'holds "{header}", which is a header of the same file' in refusal_of(written(numbers, header))
        assert "--- drop x" in lines_of(written(numbers, "--- drop x"))
    counts = "@@ -1,3 +1,4 @@" if header[0] == "+" else "@@ -1,4 +1,3 @@"
    assert header in lines_of(written(counts, header))


def test_many_blocks_are_read_quickly() -> None:
    """A look at the rest of the text, or at all before it, for each of them would take minutes."""
    hunk = "--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n-a\n" + "".join(f"+{letter}\n" for letter in "bcdefghijk")
    many = parse_diff(f"```diff\n{hunk}```\n" * 30_000)
    assert isinstance(many, EditRefused)
    assert "more than 5000 files" in many.why
    empty = parse_diff("```\n```\n" * 450_000)
    assert isinstance(empty, EditRefused)
    assert "no diff in this text" in empty.why
