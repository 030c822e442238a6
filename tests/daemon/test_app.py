"""The application as a whole: what it takes, it gives back, however opening it ends."""

import logging
import sqlite3
from pathlib import Path

import pytest

from bascule.core.settings.reading import SettingsRefused
from bascule.daemon.app import open_app
from bascule.host.files.data_folder import Folder, open_folder
from bascule.host.locks.lockfile import Owned, find_owner
from bascule.host.storage.store_faults import StoreRefused


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return open_folder(tmp_path / "data")


async def open_once(folder: Folder) -> None:
    async with open_app(folder, command="test", env={}) as app:
        assert app.hub.heads() == []


def handlers() -> list[logging.Handler]:
    return logging.getLogger("bascule").handlers


async def test_it_is_opened_and_closed_and_opened_again(folder: Folder) -> None:
    before = list(handlers())
    for _ in range(2):
        await open_once(folder)
        assert find_owner(folder.lock) is None
        assert handlers() == before
    assert folder.log.read_text().count(f"owns {folder.root}") == 2


async def test_one_owner_at_a_time(folder: Folder) -> None:
    async with open_app(folder, command="first", env={}):
        with pytest.raises(Owned, match="in use by bascule"):
            await open_once(folder)
    await open_once(folder)


async def test_bad_settings_start_nothing(folder: Folder) -> None:
    folder.settings.write_text("[codex]\ncomand = 'codex'\n")
    with pytest.raises(SettingsRefused, match="line 2"):
        await open_once(folder)
    assert not folder.database.exists()
    assert find_owner(folder.lock) is None


async def test_a_database_that_is_refused_gives_the_folder_back(folder: Folder) -> None:
    before = list(handlers())
    db = sqlite3.connect(folder.database)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreRefused, match="by a newer Bascule"):
        await open_once(folder)
    assert (find_owner(folder.lock), handlers()) == (None, before)
    folder.database.unlink()
    await open_once(folder)
