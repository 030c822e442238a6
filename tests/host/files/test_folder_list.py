"""Folders to choose from: names alone, sorted, without what is hidden or private."""

from pathlib import Path

import pytest

from bascule.host.files.folder_list import find_named_folder, list_folders
from bascule.host.files.private_places import NOTHING_PRIVATE, PrivatePaths
from bascule.model.asks import Refuse
from bascule.model.protocol.trust import ListedFolder, ListedFolders


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in ("beta/.git", "Alpha", ".hidden", "data"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "file.txt").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "data")
    return tmp_path.resolve()


def test_folders_are_listed_by_name_and_a_repository_says_so(home: Path) -> None:
    private = PrivatePaths((str(home / "data"),), ())
    assert list_folders("", str(home), private) == ListedFolders(
        folder=str(home),
        parent=str(home.parent),
        folders=(
            ListedFolder(name="Alpha", folder=str(home / "Alpha")),
            ListedFolder(name="beta", folder=str(home / "beta"), is_repository=True),
        ),
    )


def test_the_home_is_a_tilde_and_a_relative_path_is_refused(home: Path) -> None:
    assert find_named_folder("~/beta", str(home)) == home / "beta"
    for named in ("beta", "../x", "a\0b", "~/nowhere"):
        assert isinstance(find_named_folder(named, str(home)), Refuse)


def test_the_top_has_no_parent_and_cannot_be_opened() -> None:
    listed = list_folders("/", "/nowhere", NOTHING_PRIVATE)
    assert isinstance(listed, ListedFolders)
    assert (listed.parent, listed.can_open) == ("", False)
