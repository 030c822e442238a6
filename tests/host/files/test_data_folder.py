"""The data folder: where it is, what lies in it, and who may look inside."""

import os
import stat
from pathlib import Path

import platformdirs
import pytest
from tests.systems import posix

from bascule.host.files.data_folder import Folder, FolderRefused, find_home, find_root, open_folder


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_environment_names_it_or_the_system_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_root({"BASCULE_HOME": "here/../mine"}) == tmp_path.resolve() / "mine"
    assert find_root({}) == platformdirs.user_data_path("bascule", appauthor=False).resolve()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("empty", ["", "  "])
def test_an_empty_name_is_refused(empty: str) -> None:
    with pytest.raises(
        FolderRefused, match=r"BASCULE_HOME is set but empty\. Name a folder in it, or unset it\."
    ):
        find_root({"BASCULE_HOME": empty})


def test_what_lies_in_it_has_names(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    named = [folder.settings, folder.database, folder.lock, folder.children, folder.log, folder.demo]
    assert [path.relative_to(tmp_path).as_posix() for path in named] == [
        "settings.toml",
        "bascule.db",
        "bascule.lock",
        "children.json",
        "logs/bascule.log",
        "demo",
    ]


def test_its_id_is_its_own(tmp_path: Path) -> None:
    assert Folder(tmp_path).id == Folder(tmp_path).id != Folder(tmp_path / "b").id


@posix
def test_it_is_made_for_us_only(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "data"
    old = os.umask(0)
    try:
        folder = open_folder(root)
    finally:
        os.umask(old)
    assert (mode(root), mode(folder.log.parent)) == (0o700, 0o700)
    assert open_folder(root) == folder


@posix
@pytest.mark.parametrize("content", [None, "settings.toml", "bascule.db"])
def test_one_that_others_could_read_is_closed_to_them(tmp_path: Path, content: str | None) -> None:
    root = tmp_path / "data"
    root.mkdir()
    root.chmod(0o755)
    if content is not None:
        (root / content).touch()
    open_folder(root)
    assert mode(root) == 0o700


@posix
def test_a_folder_full_of_other_things_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir(mode=0o755)
    (tmp_path / "project" / "main.py").touch()
    (tmp_path / "project").chmod(0o755)
    with pytest.raises(FolderRefused, match="holds files that are not Bascule's"):
        open_folder(tmp_path / "project")
    assert mode(tmp_path / "project") == 0o755


@posix
def test_another_users_folder_is_refused(tmp_path: Path) -> None:
    root = Path("/")  # root's, unless we are root: then one is given away
    if os.geteuid() == 0:
        root = tmp_path / "theirs"
        root.mkdir()
        os.chown(root, 12345, -1)
    owner = root.stat().st_uid
    with pytest.raises(FolderRefused) as refused:
        open_folder(root)
    assert str(refused.value) == (
        f"The data folder {root} belongs to another user (uid {owner}). "
        "Set BASCULE_HOME to a folder of your own."
    )


def test_a_file_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderRefused, match=r"file is a file\. Set BASCULE_HOME"):
        open_folder(tmp_path / "file")
    with pytest.raises(FolderRefused, match="cannot be used"):
        open_folder(tmp_path / "file" / "under")


def test_the_home_is_the_one_that_is_named_or_the_systems_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    assert find_home({}) == str(tmp_path.resolve())
    assert find_home({"HOME": str(tmp_path / "other")}) == str((tmp_path / "other").resolve())
