"""Diffs as models and Git write them."""

import pytest
from msgspec.structs import replace

from bascule.core.diff.read.parse import parse_diff
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


# -- one edit, written in many ways --


@pytest.mark.parametrize(
    "text",
    [
        f"--- a/x\n+++ b/x\n{EDIT}",
        f"--- x\n+++ x\n{EDIT}",
        f"\ufeff--- a/x\n+++ b/x\n{EDIT}",
        f"--- ./x\n+++ ./x\n{EDIT}",
        f"--- i/x\n+++ w/x\n{EDIT}",
        f"--- c/x\n+++ i/x\n{EDIT}",
        f"--- b/x\n+++ a/x\n{EDIT}",
        f"--- old/x\n+++ new/x\n{EDIT}",
        f'--- "a/x"\n+++ "b/x"\n{EDIT}',
        f"--- a/x\t2025-01-01 10:00:00.000000000 +0100\n+++ b/x\t2025-01-02\n{EDIT}",
        f"--- a/x 2025-01-01 10:00:00\n+++ b/x 2025-01-02 10:00:00\n{EDIT}",
        f"diff -u a/x b/x\n--- a/x\n+++ b/x\n{EDIT}",
        f"Index: x\n===================================\n--- x\t(revision 1)\n+++ x\t(working copy)\n{EDIT}",
        f"--- a/x\n+++ b/x\n{EDIT}\n\n\n",
        f"Here is the change:\n\n```diff\n--- a/x\n+++ b/x\n{EDIT}```\n\nIt makes two loud.\n",
        f"1. First:\n\n   ```diff\n   --- a/x\n   +++ b/x\n{EDIT.replace('@@ -', '   @@ -')}   ```\n".replace(
            "\n one", "\n    one"
        ),
        f"~~~patch\n--- a/x\n+++ b/x\n{EDIT}~~~\n",
        f"```\n--- a/x\n+++ b/x\n{EDIT}```",
        f"--- project-1.0/x\n+++ project-1.1/x\n{EDIT}",
        f"--- x.orig\n+++ x\n{EDIT}",
        f"--- a/x\tThu Jan 02 10:00:00 2025 +0000\n+++ b/x\tFri Jan 03 10:00:00 2025 +0000\n{EDIT}",
        f"--- a/x\n+++ b/x\n{EDIT}\nThis makes two loud, as asked.\n",
        f"```python\nx = 1\n```\n\n```diff\n--- a/x\n+++ b/x\n{EDIT}```\n",
        f"From 1234 Mon Sep 17\nSubject: x\n\n---\n x | 2 +-\n\n--- a/x\n+++ b/x\n{EDIT}-- \n2.39.5\n",
    ],
)
def test_one_edit_however_it_is_written(text: str) -> None:
    if "1. First" in text:
        text = text.replace("\n one\n-two\n+TWO\n", "\n    one\n   -two\n   +TWO\n")
    assert files_of(text) == (X,)


@pytest.mark.parametrize(
    "header",
    [
        *("@@ -1,9 +1,1 @@", "@@ -1,1 +1,1 @@", "@@ -1 +1,7 @@", "@@ -1,2 +1,1 @@", "@@ -1,0 +1,0 @@"),
        *("@@  -1,2  +1,2 @@", "@@ -1,2 +1,2", "@@ -1,2 +1,2 @@"),
    ],
)
def test_wrong_counts_are_not_believed_in_a_block_that_is_closed(header: str) -> None:
    one = "--- a/{0}\n+++ b/{0}\n" + f"{header}\n one\n-two\n+TWO\n"
    two = files_of("```diff\n" + one.format("x") + one.format("y") + "```\n")
    read = [(file.path, file.hunks[0].lines + file.hunks[0].extra) for file in two]
    assert read == [("x", BODY), ("y", BODY)]
    is_right = "-1,2" in header and "+1,2" in header
    assert all((file.hunks[0].numbers == "right" and not file.hunks[0].extra) == is_right for file in two)


@pytest.mark.parametrize("counts", ["-1,9 +1,9", "-1,3 +1,2", "-1,2 +1,3", "-1,3 +1,3"])
@pytest.mark.parametrize("after", ["", "\nThat is all.\n", "\n```sh\nls\n```\n"])
def test_a_last_hunk_that_is_shorter_than_its_counts_is_refused_in_a_closed_block_too(
    counts: str, after: str
) -> None:
    text = f"--- a/x\n+++ b/x\n@@ {counts} @@\n one\n-two\n+TWO\n"
    why = refusal_of(f"```diff\n{text}```\n{after}")
    assert "has fewer lines than the numbers at line 4 of the diff say" in why
    assert "and its block ends after it" in why


@pytest.mark.parametrize("counts", ["-1,9 +1,1", "-1,1 +1,9"])
def test_counts_that_no_missing_lines_explain_are_not_believed(counts: str) -> None:
    """One side has more lines than they say: then they are made up."""
    text = f"```diff\n--- a/x\n+++ b/x\n@@ {counts} @@\n one\n-two\n+TWO\n three\n```\n"
    assert lines_of(text) == [" one", "-two", "+TWO", " three"]


MARGINS = {
    "    ": "indented",
    "\t": "indented",
    "> ": "quoted with >",
    ">": "quoted with >",
    " > > ": "quoted",
}


@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("head", ["", "diff --git a/x b/x\n"])
def test_a_diff_behind_a_margin_is_named_as_such(margin: str, head: str) -> None:
    text = f"{head}--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n"
    for inner in (text, f"```diff\n{text}```\n"):
        if "```" in inner and ">" not in margin:
            continue  # read: only the fence's own indentation counts
        why = refusal_of("See:\n\n" + "".join(f"{margin}{line}\n" for line in inner.splitlines()))
        assert f"the diff at line {4 if '```' in inner else 3} of the text is {MARGINS[margin]}" in why
        assert "in a ```diff block without anything before its lines" in why
    assert "there is no diff in this text" in refusal_of(f"{margin}--- a/x\n{margin}and +++ b/x\n")


@pytest.mark.parametrize("margin", ["   ", "  ", "\t", "      "])
@pytest.mark.parametrize("close", [True, False])
@pytest.mark.parametrize("blank", ["", "\n"])
def test_a_body_at_the_left_of_an_indented_fence_keeps_its_blanks(
    margin: str, close: bool, blank: str
) -> None:
    text = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n       deep\n"
    end = margin if close else ""
    lines = lines_of(f"1. Do this:\n{margin}```diff\n{blank}{text}{end}```\n2. Done.\n")
    assert lines == [" one", "-two", "+TWO", "       deep"]


@pytest.mark.parametrize(("old", "new"), [("a/x", "b/x "), ("a/x ", "b/x"), ("x", "x  ")])
def test_a_blank_after_one_of_two_names_is_pointed_at(old: str, new: str) -> None:
    why = refusal_of(f"--- {old}\n+++ {new}\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n")
    assert "ends with a blank, which is part of a name. Ask for the diff again, without the blank." in why


@pytest.mark.parametrize("header", ["@@", "@@ @@", "@@ ... @@", "@@ def two(): @@", "@@ -,+ @@"])
def test_a_hunk_without_numbers(header: str) -> None:
    text = f"--- a/x\n+++ b/x\n{header}\n one\n-two\n+TWO\n"
    for whole in (f"```diff\n{text}```\n", f"{text}\nThat is all.\n"):
        (file,) = files_of(whole)
        assert (file.hunks[0].old_start, file.hunks[0].lines) == (0, BODY)
    assert "may have been cut off" in refusal_of(text)


def test_the_last_line_may_say_that_no_newline_follows_and_have_none() -> None:
    text = f"--- a/x\n+++ b/x\n{EDIT}{END}"
    (file,) = files_of(text)
    assert file.hunks[0].lines == (*BODY[:2], HunkLine("+", "TWO", ""))
    for at in range(len(text) - len(END) + 1, len(text)):
        assert "cut off" in refusal_of(text[:at])


@pytest.mark.parametrize("size", [2, 5, 11])
def test_half_a_mark_of_the_end_is_refused_wherever_it_is(size: int) -> None:
    """Git takes it for none at the end of a diff, for one before another file, and refuses it in a hunk."""
    header, half = "--- a/x\n+++ b/x\n", f"{END[:size]}\n"
    inside = f"@@ -1,2 +1,2 @@\n one\n-two\n{half}+TWO\n"
    fenced = f"```diff\n{header}{EDIT}{half}```\n"
    following = f"{header}{EDIT}{half}--- a/y\n+++ b/y\n{EDIT}"
    for text in (f"{header}{EDIT}{half}", f"{header}{inside}", fenced, following):
        assert "may be the beginning of `\\ No newline at end of file`" in refusal_of(text)


def test_an_empty_context_line_may_have_lost_its_blank() -> None:
    for counts in ("-1,3 +1,3", "-1,9 +1,1"):
        assert lines_of(f"```diff\n--- a/x\n+++ b/x\n@@ {counts} @@\n one\n\n-two\n+TWO\n```\n") == [
            " one",
            " ",
            "-two",
            "+TWO",
        ]


def test_a_backslash_without_a_blank_is_a_line_that_lost_its_own() -> None:
    tex = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old\n+new\n\\end{document}\n"
    assert "begins with neither a blank, + nor -" in refusal_of(tex)
    assert lines_of(tex.replace("\\end", " \\end")) == ["-old", "+new", " \\end{document}"]


def test_blank_lines_between_hunks() -> None:
    (file,) = files_of(f"--- a/x\n+++ b/x\n{EDIT}\n@@ -9 +9 @@\n-a\n+b\n")
    assert [hunk.old_start for hunk in file.hunks] == [1, 9]


def test_lines_that_look_like_headers_are_content_where_the_counts_agree() -> None:
    body = ["--- a/not", "+++ b/not", "-@@ -1 +1 @@", "+diff --git a/y b/y", "--- ", " -- "]
    text = "--- a/x\n+++ b/x\n@@ -1,4 +1,3 @@\n" + "\n".join(body) + "\n@@ -9 +9 @@\n-a\n+b\n"
    assert lines_of(text) == [*body, "-a", "+b"]


def test_fences_inside_an_unfenced_diff_are_content() -> None:
    body = [" ```diff", " --- a/y", " +++ b/y", " @@ -1 +1 @@", "-```", "+~~~"]
    assert lines_of("--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n" + "\n".join([*body, ""])) == body
    assert lines_of("```diff\n--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n" + "\n".join(body) + "\n```\n") == body


def test_other_characters_end_no_line() -> None:
    assert lines_of("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\x0cb\u2028c\x85\n+a\rb\n") == [
        "-a\x0cb\u2028c\x85",
        "+a\rb",
    ]


# -- endings --


def test_endings_are_each_lines_own() -> None:
    (file,) = files_of(f"--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n a\r\n-b\n-c\r\n{END}\n+d\r\n{END}\n")
    assert file.hunks[0].lines == (
        HunkLine(" ", "a", "\r\n"),
        HunkLine("-", "b"),
        HunkLine("-", "c\r", ""),
        HunkLine("+", "d\r", ""),
    )


def test_a_diff_that_came_with_crlf_says_so() -> None:
    (file,) = files_of(f"--- a/x\n+++ b/x\n{EDIT}".replace("\n", "\r\n"))
    (hunk,) = file.hunks
    assert hunk.is_crlf
    assert replace(file, hunks=(replace(hunk, is_crlf=False),)) == X


def test_a_diff_that_came_with_crlf_says_nothing_of_the_files_endings() -> None:
    text = f"--- a/x\r\n+++ b/x\r\n@@ -1,2 +1,2 @@\r\n a\r\r\n-b\r\n{END}\r\n+c\r\n"
    (file,) = files_of(text)
    assert file.path == "x"
    assert file.hunks[0].lines == (HunkLine(" ", "a", "\r\n"), HunkLine("-", "b", ""), HunkLine("+", "c"))


# -- what Git says besides hunks --


@pytest.mark.parametrize(
    ("text", "file"),
    [
        (
            "diff --git a/x b/x\nnew file mode 100755\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n",
            FileDiff(
                kind="add",
                path="x",
                mode_after="100755",
                hunks=(Hunk(old_start=0, new_start=1, lines=(HunkLine("+", "a"),), numbers="right"),),
            ),
        ),
        (
            "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n",
            FileDiff(kind="add", path="x", mode_after="100644"),
        ),
        (
            "diff --git a/x b/x\ndeleted file mode 100644\nindex e69de29..0000000\n",
            FileDiff(kind="delete", path="x", mode_before="100644"),
        ),
        (
            "diff --git a/x y b/x y\nold mode 100644\nnew mode 100755\n",
            FileDiff(kind="update", path="x y", mode_before="100644", mode_after="100755"),
        ),
        (
            "diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n",
            FileDiff(kind="rename", path="n", source="o"),
        ),
        (
            'diff --git "a/\\303\\251" b/n\nsimilarity index 100%\ncopy from "\\303\\251"\ncopy to n\n',
            FileDiff(kind="copy", path="n", source="é"),
        ),
        (
            "diff --git a/p b/p\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZQzWdH\n\n",
            FileDiff(kind="update", path="p", mode_before="100644", mode_after="100644", binary=True),
        ),
        (
            "diff --git a/p b/p\nnew file mode 100644\nindex 0..2\nBinary files /dev/null and b/p differ\n",
            FileDiff(kind="add", path="p", mode_after="100644", binary=True),
        ),
        ("Binary files a/p and b/p differ\n", FileDiff(kind="update", path="p", binary=True)),
    ],
)
def test_what_git_says_besides_hunks(text: str, file: FileDiff) -> None:
    assert files_of(text) == (file,)


@pytest.mark.parametrize(
    ("headers", "kind", "path"),
    [
        ("--- /dev/null\n+++ b/x", "add", "x"),
        ("--- a/dev/null\n+++ b/x", "add", "x"),
        ("--- /dev/null\t1970-01-01 00:00:00\n+++ x", "add", "x"),
        ("--- x\t1970-01-01 00:00:00.000000000 +0000\n+++ x\t2025-01-01 00:00:00 +0000", "add", "x"),
        ("--- x\t2025-01-01 00:00:00 +0000\n+++ x\t1969-12-31 16:00:00.000000000 -0800", "delete", "x"),
        ("--- a/x\n+++ /dev/null", "delete", "x"),
        ("diff --git b/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x", "add", "b/x"),
        ("diff --git i/x w/x\nnew file mode 100644\n--- /dev/null\n+++ w/x", "add", "x"),
        (
            '--- "a/caf\\303\\251 \\"x\\"\\t.txt"\n+++ "b/caf\\303\\251 \\"x\\"\\t.txt"',
            "update",
            'café "x"\t.txt',
        ),
        ("--- a/sp ace\t\n+++ b/sp ace\t", "update", "sp ace"),
        ("--- a/b/c\n+++ b/b/c", "update", "b/c"),
        ("--- a/x\n+++ a/x", "update", "a/x"),
    ],
)
def test_which_file_is_meant(headers: str, kind: str, path: str) -> None:
    (file,) = files_of(f"{headers}\n@@ -1 +1 @@\n-a\n+b\n")
    assert (file.kind, file.path) == (kind, path)


def test_several_blocks_and_several_files() -> None:
    y = EDIT.replace("two", "three")
    text = f"First:\n```diff\n--- a/x\n+++ b/x\n{EDIT}```\nand\n```diff\n--- a/y\n+++ b/y\n{y}```\n"
    assert [file.path for file in files_of(text)] == ["x", "y"]


@pytest.mark.parametrize("marker", ["- ", "* ", "1. ", "  12) "])
def test_blocks_indented_in_a_list(marker: str) -> None:
    def item(path: str) -> str:
        block = f"```diff\n--- a/{path}\n+++ b/{path}\n{EDIT}```\n"
        return marker + block.replace("\n", "\n" + " " * len(marker)).rstrip(" ")

    assert files_of(item("x") + item("y")) == (X, replace(X, path="y"))


def test_a_file_in_two_sections_is_two_sections() -> None:
    files = files_of(f"--- a/x\n+++ b/x\n{EDIT}--- a/x\n+++ b/x\n@@ -9 +9 @@\n-a\n+b\n")
    assert [(file.path, file.hunks[0].old_start) for file in files] == [("x", 1), ("x", 9)]
