"""Settings changed over the protocol: a looser one is asked about, and nothing holds that is not recorded."""

from pathlib import Path
from typing import Any, cast

import pytest
from tests.daemon.consent.answering import AnsweringAsks, SurfaceHere
from tests.daemon.hubs import NOW_MS

from bascule.daemon.consent.record import Record
from bascule.daemon.consent.setting_changes import CHANGED, NOT_CONFIRMED, SettingChanges
from bascule.daemon.workspace_settings import WorkspaceSettings
from bascule.host.config.trust_store import TrustStore
from bascule.host.files.data_folder import Folder
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.asks import Refuse
from bascule.model.protocol.setup import ListedSettings, SetSettingParams


class Place:
    def __init__(self, root: Path) -> None:
        self.folder = Folder(root)
        self.settings = WorkspaceSettings(self.folder, TrustStore(root / "trust.json"))
        self.asks = AnsweringAsks("set")
        self.changes = SettingChanges(
            folder=self.folder,
            settings=self.settings,
            asks=cast(Any, self.asks),
            record=Record(root, lambda: NOW_MS),
        )

    async def set(self, key: str, value: object) -> ListedSettings | Refuse:
        return await self.changes.set("", SetSettingParams(key=key, value=value), cast(Any, SurfaceHere()))

    def recorded(self) -> list[tuple[str, str, str]]:
        lines = Audit(audit_in(self.folder.root)).last(10)
        return [(line.entry.kind, line.entry.answer, line.entry.outcome) for line in lines]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


async def test_one_that_loosens_nothing_is_written_and_recorded_without_a_question(place: Place) -> None:
    assert isinstance(await place.set("contextMaxFiles", 3), ListedSettings)
    assert place.settings("").context_max_files == 3
    assert place.asks.asked == []
    assert place.recorded() == [("setting", "none", "started"), ("setting", "none", "done")]


async def test_one_that_loosens_is_asked_about_with_both_values(place: Place) -> None:
    assert isinstance(await place.set("bascule.allowRunTerminal", value=True), ListedSettings)
    ((title, subject),) = place.asks.asked
    assert (title, getattr(subject, "old", ""), getattr(subject, "new", "")) == (
        "Change this setting?",
        "false",
        "true",
    )
    assert getattr(subject, "effect", "") == "Lets tests and typed commands run, each after your yes."
    assert place.settings("").allow_run_terminal
    assert place.recorded() == [("setting", "yes", "started"), ("setting", "yes", "done")]


async def test_its_line_says_for_how_long_the_yes_is(place: Place) -> None:
    """The same as the line of the answer."""
    await place.set("bascule.allowRunTerminal", value=True)
    lines = Audit(audit_in(place.folder.root)).last(10)
    assert {(line.entry.kind, line.entry.answer, line.entry.lasts) for line in lines} == {
        ("setting", "yes", "always")
    }


async def test_a_no_changes_nothing(place: Place) -> None:
    place.asks.choice = "decline"
    refused = await place.set("allowRunTerminal", value=True)
    assert isinstance(refused, Refuse)
    assert refused.why == NOT_CONFIRMED
    assert not place.settings("").allow_run_terminal
    assert place.recorded() == [("setting", "no", "rejected")]


async def test_a_yes_counts_only_for_the_value_that_it_was_asked_about(place: Place) -> None:
    place.asks.meanwhile = lambda: place.folder.settings.write_text("allowRunTerminal = true\n")
    refused = await place.set("allowRunTerminal", value=True)
    assert isinstance(refused, Refuse)
    assert refused.why == CHANGED
    assert place.recorded() == [("setting", "yes", "refused")]


async def test_a_yes_counts_only_for_the_file_that_was_shown(place: Place, tmp_path: Path) -> None:
    shown, other = tmp_path / "shown.toml", tmp_path / "other.toml"
    for file in (shown, other):
        file.write_text("# mine\n")
    link = place.folder.settings
    link.symlink_to(shown)

    def swap() -> None:
        link.unlink()
        link.symlink_to(other)

    place.asks.meanwhile = swap
    refused = await place.set("allowRunTerminal", value=True)
    assert isinstance(refused, Refuse)
    assert refused.why == CHANGED
    assert {shown.read_text(), other.read_text()} == {"# mine\n"}
    assert place.recorded() == [("setting", "yes", "refused")]


@pytest.mark.parametrize(("key", "value"), [("noSuchSetting", 1), ("contextMaxFiles", "many")])
async def test_what_is_no_setting_or_no_value_for_it_is_refused(
    place: Place, key: str, value: object
) -> None:
    assert isinstance(await place.set(key, value), Refuse)
    assert not place.folder.settings.exists()
    assert place.recorded() == [("setting", "none", "refused")]
