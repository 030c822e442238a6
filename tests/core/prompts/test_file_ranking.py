"""Which files come first for a few letters, and that case matters only when it is typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.prompts.file_ranking import MAX_QUERY, PathIndex

PATHS = [
    "docs/guide/README.md",
    "README.md",
    "src/readme",
    "src/deep/er/README",
    "src/main.py",
    "src/domain.py",
    "main/setup.cfg",
    "tests/test_main.py",
    "Makefile",
    "lib/makeup.txt",
    "m/a/i/n.txt",
]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        # equal, begins with, each shallow before deep
        ("readme", ["src/readme", "src/deep/er/README", "README.md", "docs/guide/README.md"]),
        ("README", ["src/deep/er/README", "README.md", "docs/guide/README.md"]),
        ("Readme", []),
        # begins with, name contains, path contains, letters in order
        (
            "main",
            ["src/main.py", "src/domain.py", "tests/test_main.py", "main/setup.cfg", "m/a/i/n.txt"],
        ),
        ("make", ["Makefile", "lib/makeup.txt"]),
        ("Make", ["Makefile"]),
        ("src/ma", ["src/main.py", "src/domain.py"]),
        ("er/README", ["src/deep/er/README"]),
        ("src\\main", ["src/main.py", "src/domain.py"]),
        ("./src/main", ["src/main.py", "src/domain.py"]),
        ("tmpy", ["tests/test_main.py"]),
        ("[", []),
        ("^-]\\", []),
        ("x" * (MAX_QUERY + 1), []),
    ],
)
def test_the_likeliest_comes_first(query: str, found: list[str]) -> None:
    assert PathIndex(PATHS).find(query, 20) == found


def test_nothing_typed_gives_the_shallow_and_short() -> None:
    assert PathIndex(PATHS).find("", 4) == ["Makefile", "README.md", "src/readme", "src/main.py"]


def test_letters_within_the_name_come_before_letters_across_folders() -> None:
    assert PathIndex(["a/b/c", "x/y/aXbXc"]).find("abc", 5) == ["x/y/aXbXc", "a/b/c"]


@given(st.lists(st.text("ab/.", min_size=1, max_size=8), unique=True), st.text("abA/.[", max_size=4))
def test_a_shorter_list_is_the_beginning_of_a_longer_one(paths: list[str], query: str) -> None:
    index = PathIndex(paths)
    every = index.find(query, len(paths) + 1)
    assert len(set(every)) == len(every)
    assert set(every) <= set(paths)
    for limit in range(len(every)):
        assert index.find(query, limit) == every[:limit]
    assert PathIndex(reversed(paths)).find(query, len(paths) + 1) == every


def test_no_query_is_tried_in_every_way_that_it_might_fit() -> None:
    """Letters that fit in very many ways and then not at all: a search that went back would never end."""
    paths = ["a" * 150 + str(number) for number in range(20_000)]
    assert PathIndex(paths).find("a" * (MAX_QUERY // 2) + "b", 20) == []
