"""A test is renamed, or its file moved, in one go: where it is and where the conformance page names it."""

from pathlib import Path

import pytest
from tools.rename_test import PAGE, move_file, rename_test

ROWS = "| a | tests/a.py::test_one, tests/a.py::test_one_more |\n| b | tests/a.py::test_one |\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / PAGE).write_text(ROWS)
    (tmp_path / "tests/a.py").write_text("def test_one(): ...\nasync def test_one_more(): ...\n")
    return tmp_path


def test_a_test_gets_its_new_name_everywhere_and_its_namesake_does_not(root: Path) -> None:
    assert rename_test(root, "tests/a.py", "test_one", "test_first") == 2
    assert (root / "tests/a.py").read_text() == "def test_first(): ...\nasync def test_one_more(): ...\n"
    assert (root / PAGE).read_text() == (
        "| a | tests/a.py::test_first, tests/a.py::test_one_more |\n| b | tests/a.py::test_first |\n"
    )


def test_a_file_moves_with_all_that_names_it(root: Path) -> None:
    assert move_file(root, "tests/a.py", "tests/room/b.py") == 3
    assert "tests/room/b.py::test_one_more" in (root / PAGE).read_text()
    assert (root / "tests/room/b.py").exists()
    assert not (root / "tests/a.py").exists()


@pytest.mark.parametrize(("old", "new"), [("test_none", "test_x"), ("test_one", "test_one_more")])
def test_what_is_not_there_or_is_taken_changes_nothing(root: Path, old: str, new: str) -> None:
    before = (root / "tests/a.py").read_text()
    with pytest.raises(ValueError, match="must have one"):
        rename_test(root, "tests/a.py", old, new)
    assert ((root / "tests/a.py").read_text(), (root / PAGE).read_text()) == (before, ROWS)
