"""Paths inside a folder: which are none, where they lead, and links that change under one's hands."""

import os
from pathlib import Path

import pytest
from tests.systems import posix

from bascule.host.files.confined_path import (
    DEVICE_NAME,
    ConfinedPath,
    find_folder,
    find_inside,
    opened,
    parse_relative,
)
from bascule.model.asks import Refuse


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    for folder in ("ws/b/d", "ws/e", "outside"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "ws" / "a.txt").write_text("a")
    (tmp_path / "ws" / "e" / "secret.txt").write_text("mine")
    (tmp_path / "outside" / "secret.txt").write_text("secret")
    return tmp_path / "ws"


def why(answer: object) -> str:
    assert isinstance(answer, Refuse), answer
    return answer.why


@pytest.mark.parametrize(
    ("relative", "parts"),
    [("", ()), (".", ()), ("a", ("a",)), ("./a//b/./c/", ("a", "b", "c")), ("..a/b..", ("..a", "b.."))],
)
def test_a_relative_path_has_parts(relative: str, parts: tuple[str, ...]) -> None:
    assert parse_relative(relative) == parts


@pytest.mark.parametrize("name", ["NUL", "con", "aux.txt", "COM1", "lpt9.log", "nul .x", "CONIN$", "com1:"])
def test_names_of_devices_are_known_with_any_ending(name: str) -> None:
    assert DEVICE_NAME.fullmatch(name)


@pytest.mark.parametrize("name", ["console", "nullable.py", "com", "comma", "auxiliary", "com10"])
def test_names_that_only_begin_like_a_device_are_files(name: str) -> None:
    assert DEVICE_NAME.fullmatch(name) is None


def test_what_is_inside_has_its_place(workspace: Path) -> None:
    assert find_inside(workspace, "b/d") == ConfinedPath(workspace.resolve(), ("b", "d"))
    assert find_inside(workspace, "") == ConfinedPath(workspace.resolve(), ())


@posix
def test_a_link_put_in_its_place_before_it_is_opened_is_not_followed(workspace: Path) -> None:
    outside = workspace.parent / "outside"
    found = find_inside(workspace, "e/secret.txt")
    assert isinstance(found, ConfinedPath)
    with opened(found) as fd:
        assert isinstance(fd, int)
        assert os.read(fd, 10) == b"mine"

    (workspace / "e" / "secret.txt").unlink()
    (workspace / "e" / "secret.txt").symlink_to(outside / "secret.txt")
    with opened(found) as fd:
        assert why(fd) == "e/secret.txt cannot be opened: it is not a regular file."

    (workspace / "e").rename(workspace / "was")
    (workspace / "e").symlink_to(outside)
    with opened(found) as fd:
        assert why(fd) == "e/secret.txt cannot be opened: it changed while it was being opened."

    (workspace / "e").unlink()
    with opened(found) as fd:
        assert why(fd) == "e/secret.txt no longer exists."


def test_a_folder_for_a_command_lies_inside(workspace: Path) -> None:
    real = workspace.resolve()
    assert find_folder(workspace, "") == real
    assert find_folder(workspace, "b/d") == real / "b" / "d"
    assert find_folder(workspace, str(workspace / "b")) == real / "b"
    assert why(find_folder(workspace, "a.txt")) == "a.txt is not a folder."
    outside = str(workspace.parent / "outside")
    assert why(find_folder(workspace, outside)) == f"{outside} is not inside the workspace {workspace}."
    assert "leaves the workspace" in why(find_folder(workspace, f"{workspace}/../outside"))


@posix
def test_a_linked_workspace_has_two_names(workspace: Path) -> None:
    link = workspace.parent / "link"
    link.symlink_to(workspace)
    real = workspace.resolve()
    assert find_folder(link, str(link / "b")) == find_folder(link, str(real / "b")) == real / "b"
