"""What a plan changes, as a person is shown it."""

from bascule.core.diff.make.compare import MAX_COMPARED
from bascule.core.diff.show.preview import preview
from bascule.model.edits import FileKind, PlannedFile


def file(after: bytes | None, kind: FileKind = "update", source: str | None = None) -> PlannedFile:
    return PlannedFile(path="x", kind=kind, before_hash=None, after=after, source=source)


def test_hidden_characters_are_spelt_out() -> None:
    shown = preview(file(b"a\tb\x1b[2J\xe2\x80\xae\xff\n"), b"a\n")
    assert shown == ("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+a\tb\\x1b[2J\\u202e\\xff\n")


def test_line_endings_are_shown_where_they_differ() -> None:
    assert "-a\\r\n+a\n" in preview(file(b"a\n"), b"a\r\n")
    assert preview(file(b"a\r\nb\r\n"), b"a\r\n").endswith("@@ -1 +1,2 @@\n a\n+b\n")
    assert preview(file(b"a"), b"a\n").endswith("-a\n+a\n\\ No newline at end of file\n")


def test_files_that_come_go_and_move() -> None:
    assert preview(file(b"a\n", "add"), b"") == (
        "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n"
    )
    assert preview(file(None, "delete"), b"a\n") == (
        "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    )
    assert preview(file(b"a\n", "rename", "o"), b"a\n") == "diff --git a/o b/x\nrename from o\nrename to x\n"


def test_only_what_changed_is_shown_of_a_long_file() -> None:
    before = b"".join(b"%d\n" % n for n in range(100_000))
    shown = preview(file(before.replace(b"\n50000\n", b"\nnew\n")), before)
    assert shown.splitlines()[3:] == [
        *(
            "@@ -49998,7 +49998,7 @@",
            " 49997",
            " 49998",
            " 49999",
            "-50000",
            "+new",
            " 50001",
            " 50002",
            " 50003",
        )
    ]


def test_files_too_different_to_compare_are_shown_as_one_piece() -> None:
    size = int(MAX_COMPARED**0.5) + 10
    shown = preview(file(b"new\n" * size), b"old\n" * size)
    assert shown.count("@@") == 2
    assert (shown.count("\n-old"), shown.count("\n+new")) == (size, size)
