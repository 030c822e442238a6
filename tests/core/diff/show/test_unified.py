"""Unified diffs, file by file."""

from hypothesis import given
from hypothesis import strategies as st

from bascule.core.diff.show.unified import added, deleted, split_files, updated
from bascule.model.blocks import FileEdit
from bascule.model.edits import HunkSpan

TWO_FILES = """\
diff --git a/src/a.py b/src/a.py
index 111..222 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1,2 +1,3 @@
 one
-two
+TWO
+three
diff --git a/b.txt b/b.txt
new file mode 100644
index 000..333
--- /dev/null
+++ b/b.txt
@@ -0,0 +1 @@
+hello
"""


def test_each_file_has_its_hunks_and_counts() -> None:
    assert split_files(TWO_FILES) == (
        FileEdit(
            path="src/a.py",
            change="update",
            diff="@@ -1,2 +1,3 @@\n one\n-two\n+TWO\n+three\n",
            spans=(HunkSpan(first=1, count=4, old_start=1, new_start=1),),
            additions=2,
            deletions=1,
        ),
        FileEdit(
            path="b.txt",
            change="add",
            diff="@@ -0,0 +1 @@\n+hello\n",
            additions=1,
            spans=(HunkSpan(first=1, count=1, old_start=0, new_start=1),),
        ),
    )


def test_a_deleted_file() -> None:
    diff = "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n"
    assert split_files(diff) == (
        FileEdit(
            path="x",
            change="delete",
            diff="@@ -1 +0,0 @@\n-gone\n",
            deletions=1,
            spans=(HunkSpan(first=1, count=1, old_start=1, new_start=0),),
        ),
    )


def test_a_rename_without_a_change_inside() -> None:
    diff = "diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n"
    assert split_files(diff) == (FileEdit(path="old", change="update", moved_to="new"),)


def test_an_empty_new_file_and_a_new_mode() -> None:
    empty = "diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n"
    diff = empty + "diff --git a/m b/m\nold mode 100644\nnew mode 100755\n"
    assert split_files(diff) == (FileEdit(path="e", change="add"), FileEdit(path="m", change="update"))


def test_lines_that_look_like_headers_inside_a_hunk_are_content() -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/not\n-+++ b/not\n+++ b/new\n+diff --git a/y b/y\n"
    (edit,) = split_files(diff)
    assert (edit.path, edit.additions, edit.deletions) == ("x", 2, 2)


def test_files_without_git_headers_are_with_code() -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n"
    assert [edit.path for edit in split_files(diff)] == ["x", "y"]


def test_quoted_names_and_dates_after_a_tab_are_read() -> None:
    diff = '--- "a/caf\\303\\251 \\"x\\".txt"\n+++ "b/caf\\303\\251 \\"x\\".txt"\n@@ -1 +1 @@\n-a\n+b\n'
    assert split_files(diff)[0].path == 'café "x".txt'
    assert split_files("--- a/x\t2025-01-01\n+++ b/x\t2025-01-02\n@@ -1 +1 @@\n-a\n+b\n")[0].path == "x"


def test_the_mark_of_a_missing_newline_counts_for_nothing() -> None:
    mark = "\\ No newline at end of file"
    diff = f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n{mark}\n+b\n{mark}\n"
    (edit,) = split_files(diff)
    assert (edit.additions, edit.deletions) == (1, 1)
    assert edit.diff.endswith(f"+b\n{mark}\n")


def test_text_that_is_no_diff_gives_no_files() -> None:
    assert split_files("") == ()
    assert split_files("hello\nworld") == ()


def test_a_hunk_that_claims_an_absurd_length_is_no_trouble() -> None:
    diff = f"--- a/x\n+++ b/x\n@@ -1,{'9' * 5000} +1 @@\n-a\n"
    assert [edit.path for edit in split_files(diff)] == ["x"]


def test_a_new_file_is_shown_by_its_content() -> None:
    assert added("a", "x\ny\n") == FileEdit(
        path="a",
        change="add",
        diff="@@ -0,0 +1,2 @@\n+x\n+y\n",
        additions=2,
        spans=(HunkSpan(first=1, count=2, old_start=0, new_start=1),),
    )
    assert added("a", "") == FileEdit(path="a", change="add")
    unended = "@@ -0,0 +1,1 @@\n+x\n\\ No newline at end of file\n"
    assert added("a", "x") == FileEdit(
        path="a",
        change="add",
        diff=unended,
        additions=1,
        spans=(HunkSpan(first=1, count=2, old_start=0, new_start=1),),
    )


def test_a_deleted_file_is_shown_by_its_content() -> None:
    expected = FileEdit(
        path="a",
        change="delete",
        diff="@@ -1,1 +0,0 @@\n-x\n",
        deletions=1,
        spans=(HunkSpan(first=1, count=1, old_start=1, new_start=0),),
    )
    assert deleted("a", "x\n") == expected


def test_an_update_counts_its_hunks() -> None:
    hunks = "@@ -1 +1,2 @@\n-a\n+b\n+c\n@@ -9,2 +10 @@\n x\n-y\n"
    assert updated("a", hunks, "b") == FileEdit(
        path="a",
        change="update",
        moved_to="b",
        diff=hunks,
        additions=2,
        deletions=2,
        spans=(
            HunkSpan(first=1, count=3, old_start=1, new_start=1),
            HunkSpan(first=5, count=2, old_start=9, new_start=10),
        ),
    )


def test_a_form_feed_or_a_line_separator_ends_no_line() -> None:
    assert added("a", "x\fy\u2028z\n").additions == 1


@given(st.text(alphabet='abc+-\\ @\n\t"0123456789', max_size=200))
def test_any_text_is_taken(text: str) -> None:
    split_files(text)
    split_files(f"--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n{text}")


@given(st.lists(st.text(alphabet="ab+- ", max_size=5), min_size=1, max_size=20))
def test_an_added_file_read_back_as_a_diff_is_the_same(lines: list[str]) -> None:
    edit = added("x", "\n".join(lines) + "\n")
    assert split_files(f"--- /dev/null\n+++ b/x\n{edit.diff}") == (edit,)


def test_a_span_is_where_the_lines_of_a_hunk_are() -> None:
    (edit,) = split_files("--- a/x\n+++ b/x\n@@ -1 +1 @@ here\n-a\n+b\n\\ No newline at end of file\n")
    (span,) = edit.spans
    lines = edit.diff.split("\n")
    assert lines[span.first : span.first + span.count] == ["-a", "+b", "\\ No newline at end of file"]
    assert lines[span.first - 1] == "@@ -1 +1 @@ here"


def test_what_is_not_as_long_as_it_says_has_no_spans() -> None:
    for hunks in ("@@ -1,9 +1 @@\n-a\n+b\n", "@@\n-a\n+b\n", "no diff"):
        edit = updated("a", hunks)
        assert (edit.diff, edit.spans) == (hunks, ())
