"""From a diff and the files to the bytes that would be written, or to the reason why not."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.diff.plan.edit_plan import MAX_BYTES, MAX_GONE, hash_plan, plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import Diff, EditPlan, EditRefused, FileDiff, Hunk, HunkLine, Moved, PlannedFile

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


# -- where a hunk goes --


def test_at_its_stated_line_even_where_its_lines_stand_twice() -> None:
    twice = b"a\nb\na\nb\n"
    assert after(edit("@@ -3,2 +3,2 @@\n a\n-b\n+B\n"), twice) == b"a\nb\na\nB\n"


def test_elsewhere_where_there_is_one_such_place_and_the_offset_is_shown() -> None:
    (file,) = plan_of(edit("@@ -2,3 +2,3 @@\n 5\n-6\n+six\n 7\n", "@@ -9,2 +9,2 @@\n 9\n-10\n+ten\n"), x=TEN)
    assert file.after == TEN.replace(b"6\n", b"six\n").replace(b"10\n", b"ten\n")
    assert file.moved == (Moved(1, 3),)


def test_nowhere_if_there_are_two_such_places() -> None:
    answer = refused(edit("@@ -9,2 +9,3 @@\n a\n+c\n b\n"), x=b"a\nb\na\nb\n")
    assert answer == EditRefused(
        why="Edit refused: x, hunk 1: its lines are at line 1 and again at line 3, and nothing says "
        "which one to change. Ask for the diff again, with more context.",
        reason="its lines are at line 1 and again at line 3, and nothing says which one to change. "
        "Ask for the diff again, with more context.",
        path="x",
        hunk=1,
        line=1,
    )


def test_after_a_hunk_that_moved_a_stated_line_is_no_evidence() -> None:
    shifted = b"new\n" + b"0\n1\n2\nsame\n\nsame\n\n3\n"
    text = edit("@@ -2,2 +2,2 @@\n-1\n+one\n 2\n", "@@ -6,2 +6,2 @@\n-same\n+other\n \n")
    assert "are at line 5 and again at line 7" in refused(text, x=shifted).why


def test_hunks_may_come_in_any_order_but_not_overlap() -> None:
    later, earlier = "@@ -9,2 +9,2 @@\n-9\n+nine\n 10\n", "@@ -2,2 +2,2 @@\n-2\n+two\n 3\n"
    both = TEN.replace(b"2\n", b"two\n").replace(b"9\n", b"nine\n")
    assert after(edit(later, earlier), TEN) == both
    answer = refused(
        edit("@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4\n", "@@ -3,3 +3,3 @@\n 3\n-4\n+four\n 5\n"), x=TEN
    )
    assert "overlaps hunk 1 at line 3" in answer.why
    assert (answer.hunk, answer.line) == (2, 3)


@pytest.mark.parametrize(
    ("hunk", "line", "why"),
    [
        ("@@ -2,3 +2,3 @@\n 2\n three\n-4\n+four\n", 3, 'line 3 should be "three", and is "3".'),
        ("@@ -9,4 +9,3 @@\n 9\n 10\n-11\n 12\n", 11, 'line 11 should be "11", and the file ends before it.'),
        ("@@ -2 +2 @@\n-2 \n+two\n", 2, 'should be "2 ", and is "2". They differ only in white space.'),
        ("@@\n-\t2\n+two\n", 2, 'should be "\\t2", and is "2". They differ only in white space.'),
        ("@@ -2,2 +2,2 @@\n-two\n+2\n 3\n", 2, "its result is at line 2. If that is what it should do"),
        ("@@ -2 +2 @@\n-\u202etwo\u200b\n+x\n", 2, 'should be "\\u202etwo\\u200b"'),
        ("@@ -99 +99 @@\n-two\n+x\n", 11, "the file ends before it"),
        (
            f"@@ -10 +10 @@\n-10\n{END}+ten\n",
            10,
            "line 10 is said to end without a newline, and ends with one",
        ),
        (f"@@\n-2\n+two\n{END}", 2, "says that the file ends with line 2, and the file goes on"),
        (f"@@ -2,2 +2 @@\n-2\n{END}-3\n+x\n", None, "goes on after a line that ends the file"),
        ("@@ -3,0 +4 @@\n+new\n", None, "it only adds lines"),
        ("@@ -0,0 +1 @@\n+new\n", None, "it only adds lines"),
    ],
)
def test_the_refusal_names_what_differs(hunk: str, line: int | None, why: str) -> None:
    answer = refused(edit(hunk), x=TEN)
    assert why in answer.why
    assert (answer.path, answer.hunk, answer.line) == ("x", 1, line)


def test_a_long_line_is_shortened() -> None:
    answer = refused(edit("@@ -1 +1 @@\n-" + "a" * 5_000 + "\n+b\n"), x=b"c" * 5_000)
    assert len(answer.why) < 500


def test_many_equal_lines_are_searched_quickly() -> None:
    """Every second line the same: a search that begins anew at each would take minutes."""
    size = 60_000
    content = b"a\nb\n" * size
    hunk = f"@@ -1,{size + 2} +1,{size + 2} @@\n" + " a\n b\n" * (size // 2) + " a\n-a\n+c\n"
    assert f"line {size + 2} should be" in refused(edit(hunk), x=content).why


def test_many_added_lines_are_looked_for_quickly_around_a_place_that_repeats() -> None:
    """Blank lines on both sides: a look at all of them for each added line would take minutes."""
    size = 120_000
    added = "".join(f"+new {number}\n" for number in range(size))
    text = edit(f"@@ ... @@\n \n{added} end\n")
    result = after(text, b"top\n" + b"\n" * size + b"end\n")
    assert result is not None
    assert result.count(b"new") == size


# -- bytes that are not spoken of --


@pytest.mark.parametrize(
    ("hunk", "before", "result"),
    [
        ("@@ -2,2 +2,3 @@\n-b\n+B\n+BB\n c\n", b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nBB\r\nc\r\n"),
        ("@@ -1,3 +1,4 @@\n a\n-b\n+B\n+BB\n c\n", b"a\nb\r\nc\n", b"a\nB\r\nBB\r\nc\n"),
        ("@@ -1,3 +1,4 @@\n a\n-b\n-c\n+B\n+C\n+D\n", b"a\r\nb\nc\r\n", b"a\r\nB\nC\r\nD\r\n"),
        ("@@ -1 +1,2 @@\n+z\n a\n", b"a\r\n", b"z\r\na\r\n"),
        ("@@ -2,0 +3 @@\n+c\n", b"a\r\nb\r\n", b"a\r\nb\r\nc\r\n"),
        ("@@ -1,2 +1,2 @@\n a\r\n-b\r\n+b\n", b"a\r\nb\r\n", b"a\r\nb\n"),
        ("@@ -1 +1 @@\n-a\n+a\r\n", b"a\n", b"a\r\n"),
        ("@@ -1,2 +1,2 @@\n-a\r\n+b\r\n z\r\n", b"a\nz\n", b"b\nz\n"),
        ("@@\n-a\n+b\n", b"a\n\xff\xfe\x00\r\r\n\x0c", b"b\n\xff\xfe\x00\r\r\n\x0c"),
        ("@@ -1 +1 @@\n-caf\udce9\n+caf\udce8\n", b"caf\xe9\n", b"caf\xe8\n"),
        ("@@ -1 +1 @@\n-a\n+b\n", b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfb\n"),
        ("@@ -1 +1 @@\n-\ufeffa\n+a\n", b"\xef\xbb\xbfa\n", b"a\n"),
        ("@@ -1 +1 @@\n-a\n+\ufeffa\n", b"a\n", b"\xef\xbb\xbfa\n"),
        (f"@@ -1 +1 @@\n-a\n{END}+b\n{END}", b"a", b"b"),
        (f"@@ -1 +1 @@\n-a\n{END}+a\n", b"a", b"a\n"),
        (f"@@ -1 +1 @@\n-a\n+a\n{END}", b"a\n", b"a"),
        ("@@ -1 +1 @@\n-a\n+b\n", b"a", b"b\n"),
        ("@@ -1,2 +1,3 @@\n a\n b\n+c\n", b"a\nb", b"a\nb\nc\n"),
        ("@@ -1,2 +1,2 @@\n-a\n+A\n b\n", b"a\nb", b"A\nb"),
        ("@@ -1,2 +1,3 @@\n a\n b\n+c\n", b"a\r\nb", b"a\r\nb\r\nc\r\n"),
        ("@@ -0,0 +1 @@\n+a\n", b"", b"a\n"),
        ("@@ -1 +0,0 @@\n-a\n", b"a\n", b""),
    ],
)
def test_every_other_byte_stays(hunk: str, before: bytes, result: bytes) -> None:
    assert after(edit(hunk), before) == result


# -- whole files --


def test_everything_that_can_happen_to_a_file() -> None:
    text = (
        "diff --git a/new b/new\nnew file mode 100755\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+n\n"
        "diff --git a/empty b/empty\nnew file mode 100644\n"
        "diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n"
        "diff --git a/o b/n\nrename from o\nrename to n\n--- a/o\n+++ b/n\n@@ -1 +1 @@\n-o\n+n\n"
        "diff --git a/s b/t\nsimilarity index 100%\ncopy from s\ncopy to t\n"
        "diff --git a/s b/s\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-s\n+S\n"
        "diff --git a/m b/m\nold mode 100755\nnew mode 100644\n"
    )
    assert plan_of(text, gone=b"g\n", o=b"o\n", s=b"s\n", m=b"m") == (
        PlannedFile(path="new", kind="add", before_hash=None, after=b"n\n", mode_after=0o755, additions=1),
        PlannedFile(path="empty", kind="add", before_hash=None, after=b""),
        PlannedFile(path="gone", kind="delete", before_hash=sha(b"g\n"), after=None, deletions=1),
        PlannedFile(
            path="n",
            kind="rename",
            before_hash=None,
            after=b"n\n",
            source="o",
            source_hash=sha(b"o\n"),
            additions=1,
            deletions=1,
        ),
        PlannedFile(
            path="t", kind="copy", before_hash=None, after=b"s\n", source="s", source_hash=sha(b"s\n")
        ),
        PlannedFile(path="s", kind="update", before_hash=sha(b"s\n"), after=b"S\n", additions=1, deletions=1),
        PlannedFile(
            path="m", kind="update", before_hash=sha(b"m"), after=b"m", mode_before=0o755, mode_after=0o644
        ),
    )


def test_a_file_goes_by_its_name_only_where_it_can_be_shown() -> None:
    delete = "*** Begin Patch\n*** Delete File: x\n*** End Patch\n"
    assert plan_of(delete, x=b"a\n" * 1_000)[0].deletions == 1_000
    assert "x is a binary file" in refused(delete, x=b"\0").why
    assert f"larger than {MAX_GONE} bytes" in refused(delete, x=b"a" * (MAX_GONE + 1)).why


def test_a_diff_from_nothing_makes_a_file_that_is_not_there() -> None:
    (file,) = plan_of(edit("@@ -0,0 +1,2 @@\n+a\n+b\n"))
    assert (file.kind, file.after) == ("add", b"a\nb\n")


def test_a_file_in_two_sections() -> None:
    assert after(
        edit("@@ -1,2 +1,3 @@\n-1\n+one\n+more\n 2\n") + edit("@@ -10,2 +10,2 @@\n-9\n+nine\n 10\n"), TEN
    ) == TEN.replace(b"1\n", b"one\nmore\n", 1).replace(b"9\n", b"nine\n")


def test_a_rename_may_change_only_the_case() -> None:
    text = "diff --git a/x b/X\nsimilarity index 100%\nrename from x\nrename to X\n"
    assert [file.path for file in plan_of(text, x=b"")] == ["X"]


FIRST = "@@ -1,2 +1,2 @@\n-1\n+one\n 2\n"
NEW = "--- /dev/null\n+++ b/{}\n@@ -0,0 +1 @@\n+a\n"
RENAME = "diff --git a/{0} b/{1}\nrename from {0}\nrename to {1}\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (edit("@@ -1 +1 @@\n-a\n+b\n", path="no"), "no does not exist"),
        (RENAME.format("no", "yes"), "no does not exist"),
        (NEW.format("x"), "x is already there"),
        (RENAME.format("x", "y"), "y is already there"),
        (NEW.format("d").replace("-0,0 +1 @@\n", "-1 +1,2 @@\n a\n"), "its line 1 is not added"),
        (
            NEW.format("d").replace("+a\n", f"+a\n{END}+b\n").replace("+1 @", "+1,2 @"),
            "its line 1 is said to end the file",
        ),
        ("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", "so it ends the file, and the file goes on"),
        ("diff --git a/x b/x\ndeleted file mode 100644\n", "holds more than the diff shows (10 lines)"),
        (NEW.format("d") + NEW.format("d"), "d is made or changed by an earlier part"),
        (
            RENAME.format("x", "d") + "diff --git a/x b/x\n" + edit(FIRST),
            "x was renamed or deleted by an earlier part",
        ),
        (RENAME.format("x", "d") + RENAME.format("x", "e"), "x was renamed or deleted by an earlier"),
        (NEW.format("d") + NEW.format("D"), "d and D differ only in case"),
        (NEW.format("X") + edit(FIRST), "X and x differ only in case"),
        ("diff --git a/x b/X\ncopy from x\ncopy to X\n", "X and x differ only in case"),
        (NEW.format("d") + NEW.format("d/e"), "d/e needs it as a folder"),
        (NEW.format("../d"), "leaves its folder"),
        (NEW.format(".git/hooks/post-checkout"), "belongs to Git"),
        (RENAME.format(".git/config", "d"), "belongs to Git"),
        (
            "diff --git a/d b/d\nnew file mode 120000\n--- /dev/null\n+++ b/d\n@@ -0,0 +1 @@\n+/etc\n",
            "a symbolic link",
        ),
        (
            "diff --git a/x b/x\nindex 1..2 120000\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+/etc\n",
            "a symbolic link",
        ),
        ("diff --git a/x b/x\nindex 1..2 160000\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n", "a submodule"),
        ("diff --git a/x b/x\nold mode 100644\nnew mode 104755x\n", "names no file mode"),
        ("diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n", "x is a binary file"),
        (edit("@@ -1 +1 @@\n-1\n+\ud800\n"), "half of a character"),
        (edit("@@ -40 +40 @@\n-10\n+ten\n"), "not where its numbers say, and it shows no line around"),
    ],
)
def test_what_cannot_be_done_is_refused(text: str, why: str) -> None:
    answer = refused(text, x=TEN, y=b"y\n")
    assert why in answer.why
    answer.why.encode()


def test_a_file_that_cannot_be_read_is_said_as_the_reader_says_it() -> None:
    answer = EditRefused(why="Edit refused: x is a folder.", path="x")
    diff = parse_diff(edit("@@ -1 +1 @@\n-1\n+2\n"))
    assert isinstance(diff, Diff)
    assert plan_edits(diff, lambda _path: answer) == answer


def test_a_plan_has_a_ceiling() -> None:
    big = b"x" * (MAX_BYTES // 4)
    text = "".join(f"diff --git a/x b/{n}\ncopy from x\ncopy to {n}\n" for n in range(4))
    assert "hold more than" in refused(text, x=big).why


# -- the hash --


def test_the_hash_does_not_depend_on_the_order_of_the_files() -> None:
    one, other = edit(FIRST), NEW.format("d")
    plans = [planned(text, x=TEN) for text in (one + other, other + one)]
    assert all(isinstance(plan, EditPlan) for plan in plans)
    assert len({plan.hash for plan in plans if isinstance(plan, EditPlan)}) == 1


planned_files = st.builds(
    PlannedFile,
    path=st.sampled_from(["a", "b", "ab", ""]),
    kind=st.sampled_from(["add", "update", "rename"]),
    before_hash=st.sampled_from([None, "", "a", "b"]),
    after=st.sampled_from([None, b"", b"a", b"-", b"+1:a"]),
    source=st.sampled_from([None, "", "a"]),
    source_hash=st.sampled_from([None, "a"]),
    mode_after=st.sampled_from([None, 0o644, 0o755]),
    additions=st.integers(0, 2),
    moved=st.sampled_from([(), (Moved(1, 2),), (Moved(1, -2),), (Moved(1, 2), Moved(2, 2))]),
)
FILES = st.lists(planned_files, max_size=2, unique_by=lambda file: file.path).map(tuple)


@given(FILES, FILES)
def test_two_plans_with_one_hash_are_one_plan(
    one: tuple[PlannedFile, ...], other: tuple[PlannedFile, ...]
) -> None:
    def by_path(files: tuple[PlannedFile, ...]) -> list[PlannedFile]:
        return sorted(files, key=lambda file: file.path)

    assert (hash_plan(one) == hash_plan(other)) == (by_path(one) == by_path(other))


def test_a_path_that_no_plan_may_have_still_has_a_hash_of_its_own() -> None:
    one, other = (
        PlannedFile(path=path, kind="add", before_hash=None, after=b"") for path in ("\ud800", "\ud801")
    )
    assert hash_plan((one,)) != hash_plan((other,))


# -- whatever comes --

lines = st.builds(
    HunkLine,
    st.sampled_from([" ", "+", "-"]),
    st.sampled_from(["a", "b", "", "\ufeffa", "\udcff"]),
    st.sampled_from(["\n", "\n", "\r\n", ""]),
)
hunks = st.builds(
    Hunk,
    old_start=st.integers(0, 5),
    new_start=st.integers(0, 2),
    lines=st.lists(lines, max_size=4).map(tuple),
    anchors=st.sampled_from([(), ("a",), ("a", "b")]),
    at_end=st.booleans(),
)
file_diffs = st.builds(
    FileDiff,
    kind=st.sampled_from(["add", "delete", "update", "rename", "copy"]),
    path=st.sampled_from(["x", "y", "X", "x/z", "../x", ""]),
    source=st.sampled_from([None, None, "x", "y"]),
    hunks=st.lists(hunks, max_size=3).map(tuple),
    mode_after=st.sampled_from([None, "100755", "120000", "zzz"]),
)


@given(
    st.lists(file_diffs, max_size=3), st.sampled_from([b"", b"a\nb\na\n", b"a\r\nb", b"\xef\xbb\xbfa\n\xff"])
)
def test_no_diff_breaks_the_planner(files: list[FileDiff], x: bytes) -> None:
    answer = plan_edits(Diff(tuple(files)), {"x": x}.get)
    if isinstance(answer, EditPlan):
        assert answer.hash == hash_plan(answer.files)
    else:
        assert answer.why.startswith("Edit refused: ")
