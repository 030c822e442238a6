"""Settings of a workspace: read when a file changes, kept while it is broken, listed by who set them."""

import os
from pathlib import Path

import pytest

from bascule.core.settings.reading import SettingsRefused
from bascule.daemon import workspace_settings
from bascule.daemon.workspace_settings import WorkspaceSettings
from bascule.host.config.settings_files import WORKSPACE_FILE
from bascule.host.config.trust_store import TrustStore
from bascule.host.files.data_folder import Folder


class Place:
    def __init__(self, root: Path) -> None:
        self.folder = Folder(root / "home")
        self.workspace = root / "bridge"
        for place in (self.folder.root, self.workspace):
            place.mkdir()
        self.settings = WorkspaceSettings(self.folder, TrustStore(self.folder.root / "trust.json"))
        self._written_at_s = 1_700_000_000

    def write(self, text: str) -> None:
        self.folder.settings.write_text(text)
        self._written_at_s += 10
        os.utime(self.folder.settings, (self._written_at_s, self._written_at_s))

    def max_files(self) -> int:
        return self.settings(str(self.workspace)).context_max_files


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_changed_file_counts_at_once(place: Place) -> None:
    default = place.max_files()
    place.write(f"contextMaxFiles = {default + 1}\n")
    assert place.max_files() == default + 1
    place.write("")
    assert place.max_files() == default


def test_while_a_file_is_broken_the_settings_before_it_count_and_no_permission_rests_on_them(
    place: Place,
) -> None:
    place.write("contextMaxFiles = 3\n")
    assert place.max_files() == 3
    place.write("contextMaxFiles = 'many'\n")
    assert place.max_files() == 3
    with pytest.raises(SettingsRefused):
        place.settings.get(str(place.workspace))
    place.write("contextMaxFiles = 4\n")
    assert place.settings.get(str(place.workspace)).context_max_files == 4


async def test_each_setting_is_listed_with_who_set_it(place: Place) -> None:
    place.write("contextMaxFiles = 3\n")
    listed = await place.settings.list(str(place.workspace))
    by = {row.key: (row.source, row.value) for row in listed.settings}
    assert by["bascule.contextMaxFiles"] == ("user", 3)
    assert {source for key, (source, _) in by.items() if key != "bascule.contextMaxFiles"} == {"default"}
    assert listed.workspace_file == str(place.workspace / WORKSPACE_FILE)
    place.write("contextMaxFiles = 'many'\n")
    broken = await place.settings.list(str(place.workspace))
    assert len(broken.problems) == 1
    assert "contextMaxFiles" in broken.problems[0]


def test_workspaces_that_were_not_used_for_longest_are_forgotten(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace_settings, "MAX_WORKSPACES", 2)
    for name in ("a", "b", "a", "c"):
        place.settings(str(place.workspace / name))
    assert [Path(name).name for name in place.settings._read] == ["a", "c"]
