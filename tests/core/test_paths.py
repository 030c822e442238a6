"""Which paths an edit may write."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.paths import check_path, find_nested, find_twins
from bascule.core.text.visible import is_hidden
from bascule.model.edits import EditRefused

GOOD = [
    *("a", "src/a.py", ".gitignore", ".github/workflows/x.yml", ".gitmodules", "gitk", "a b/c d.txt"),
    *(
        "é/日本語.md",
        "console.py",
        "com10.txt",
        "nullable.py",
        "aux_/x",
        "x..y",
        "...a",
        "-rf",
        "~x/y",
        "a~1",
    ),
    *("x" * 255, "é" * 127, "conference", "git", "a/git/b", "全角\u3000空白"),
]
BAD = {
    "leaves its folder": ["..", "../x", "a/../b", "a/.."],
    "is an absolute path": ["/etc/passwd", "\\windows"],
    "is on another machine": ["//server/share", "\\\\server\\share"],
    "begins with a drive": ["C:/x", "c:x", "C:\\x"],
    "is in the home folder": ["~", "~/.bashrc"],
    "cannot be written": [""],
    "has an empty part": ["a//b", "a/"],
    "has a part that is only a dot": ["./a", "a/./b"],
    "holds a backslash": ["a\\b", "a/..\\..\\b"],
    "holds a colon": ["notes.txt:stream", "dir/x::$DATA"],
    "ends with a dot or a blank": ["a.", "a ", "a./b", "dir /b", "a..."],
    "names a device": [
        "con",
        "NUL",
        "nul.txt",
        "a/COM1",
        "lpt9.tar.gz",
        "com¹",
        "CONIN$",
        "con .txt",
        "Aux.c",
    ],
    "belongs to Git": [
        *(".git", ".git/config", "a/.git/hooks/x", ".GIT/config", ".Git", "git~1", "GIT~1/x", "git~2"),
        *(
            ".git.",
            ".git ",
            ".git::$INDEX_ALLOCATION/x",
            ".g\u200cit/config",
            "\ufeff.git",
            ".gi\u200dt",
            "．git",
        ),
    ],
    "cannot be seen": [
        *(
            "a\0b",
            "a\nb",
            "a\x1b[31m",
            "a\x7f",
            "a\u202eb.txt",
            "a\u200bb",
            "a\u2066b",
            "x\u00ad",
            "a\u3164b",
        ),
        *("a\u00a0b", "a\u202fb", "a\u2009", "a\u2028b", "a\ufe0f", "a\U000e0041"),
    ],
    "no UTF-8": ["caf\udce9", "\ud800"],
    "more than 255 bytes": ["x" * 256, "é" * 128, "a/" + "x" * 300 + "/b"],
    "longer than 4096 bytes": ["a/" * 2048 + "ab"],
}


@pytest.mark.parametrize("path", GOOD)
def test_a_plain_path_may_be_written(path: str) -> None:
    assert check_path(path) is None


@pytest.mark.parametrize(("why", "path"), [(why, path) for why, paths in BAD.items() for path in paths])
def test_any_other_is_refused_with_its_reason(why: str, path: str) -> None:
    refused = check_path(path)
    assert isinstance(refused, EditRefused)
    assert why in refused.why
    assert refused.why.isprintable()
    refused.why.encode()


@given(st.text())
def test_whatever_is_accepted_is_one_plain_name_after_the_other(path: str) -> None:
    if check_path(path) is not None:
        return
    parts = path.split("/")
    assert all(part and part not in (".", "..") and not any(map(is_hidden, part)) for part in parts)
    assert not set(path) & set("\\:\0\n")
    assert all(part.casefold() != ".git" for part in parts)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("README.md", "readme.md"),
        ("src/É.py", "src/é.py"),
        (unicodedata.normalize("NFC", "é"), unicodedata.normalize("NFD", "é")),
        (unicodedata.normalize("NFC", "ÉÅ"), unicodedata.normalize("NFD", "éå")),
        ("straße", "STRASSE"),
        ("K", "k"),
        ("A/b", "a/B"),
    ],
)
def test_twins_are_found(one: str, other: str) -> None:
    assert find_twins(["x", one, "y", other]) == (one, other)


def test_different_files_and_one_spelling_twice_are_no_twins() -> None:
    assert find_twins(["a", "b", "a", "A/x", "a/y", "é", "e"]) is None


@pytest.mark.parametrize(
    ("paths", "nested"),
    [
        (["a", "a/b"], ("a", "a/b")),
        (["a/b/c", "x", "A"], ("A", "a/b/c")),
        (["a/b", "a/b/c/d"], ("a/b", "a/b/c/d")),
        (["a", "ab/c", "a.b"], None),
    ],
)
def test_a_file_that_another_needs_as_a_folder(paths: list[str], nested: tuple[str, str] | None) -> None:
    assert find_nested(paths) == nested
