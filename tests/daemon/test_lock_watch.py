"""The lock on the data folder: made again when its file is deleted, and a notice when the folder is gone."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bascule.daemon.lock_watch import LockWatch
from bascule.daemon.surfaces.notices import Notices
from bascule.host.files.data_folder import Folder
from bascule.host.locks.lockfile import Lock, acquire

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps a folder in use from moving")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "home").mkdir()
    return Folder(tmp_path / "home")


@pytest.fixture
def lock(folder: Folder) -> Iterator[Lock]:
    held = acquire(folder.lock, command="bascule up")
    yield held
    held.release()


def test_a_folder_that_went_away_is_one_notice_until_it_is_back(lock: Lock, folder: Folder) -> None:
    notices = Notices()
    watch = LockWatch(lock, folder, notices, now_ms=lambda: 5)
    watch()
    assert notices.all() == ()
    away = folder.root.with_name("away")
    folder.root.rename(away)
    watch()
    watch()
    (notice,) = notices.all()
    assert (notice.kind, notice.detail, notice.since_ms) == ("folder_gone", str(folder.root), 5)
    assert f"The data folder {folder.root} was removed or replaced" in notice.text
    away.rename(folder.root)
    watch()
    assert notices.all() == ()


def test_a_deleted_lock_file_is_made_again_without_a_notice(lock: Lock, folder: Folder) -> None:
    notices = Notices()
    watch = LockWatch(lock, folder, notices)
    folder.lock.unlink()
    watch()
    assert (folder.lock.exists(), notices.all()) == (True, ())
