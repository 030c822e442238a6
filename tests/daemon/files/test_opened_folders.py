"""Openings: a page can use the folders that somebody at this machine opened, and no others."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.daemon.hubs import NOW_MS, make_session, open_hub

from bascule.daemon.consent.record import Record
from bascule.daemon.files.opened_folders import OpenedFolders
from bascule.daemon.sessions.hub import Hub
from bascule.host.config.trust_store import TrustStore
from bascule.host.files.private_places import PrivatePaths
from bascule.host.processes.program import SearchPath
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.asks import Refuse
from bascule.model.consent.audit import Local
from bascule.model.consent.origin import Origin

PAGE, TERMINAL = Origin(door="page"), Origin(door="terminal")
WHO = Local(surface="page")


class Place:
    def __init__(self, root: Path, hub: Hub) -> None:
        self.root = root
        self.hub = hub
        self.secrets = root / "secrets"
        self.bridge = root / "bridge"
        for folder in (self.secrets, self.bridge, root / "data"):
            folder.mkdir()
        self.store = TrustStore(root / "data" / "trust.json")
        private = PrivatePaths((), (str(self.secrets),))
        self.record = Record(root / "data", lambda: NOW_MS)
        self.search_path = SearchPath({"PATH": os.pathsep.join([str(self.bridge / "bin"), os.defpath])})
        self.opened = OpenedFolders(
            hub=hub,
            store=self.store,
            private=private,
            record=self.record,
            search_path=self.search_path,
            home=str(root),
        )

    def may_begin(self, folder: Path, origin: Origin) -> bool:
        return self.opened.find_bar(str(folder), origin) is None


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    root = tmp_path.resolve()
    with open_hub(root / "db") as hub:
        yield Place(root, hub)


def test_a_page_begins_only_where_somebody_was(place: Place) -> None:
    assert (place.may_begin(place.bridge, TERMINAL), place.may_begin(place.bridge, PAGE)) == (True, False)
    refused = place.opened.find_bar(str(place.bridge), PAGE)
    assert refused is not None
    assert "was not opened at this machine" in refused.why
    place.opened.open(str(place.bridge))
    assert place.may_begin(place.bridge, PAGE)


def test_no_program_comes_from_an_opened_folder_whoever_asks_for_it(place: Place) -> None:
    place.opened.open(str(place.bridge))
    assert place.search_path.environ == {"PATH": os.defpath}


async def test_a_folder_with_a_session_is_open(place: Place) -> None:
    place.hub.add(make_session(workspace=str(place.bridge)))
    assert place.may_begin(place.bridge, PAGE)


def test_what_is_private_or_no_folder_is_never_opened(place: Place) -> None:
    for folder in (place.secrets, place.root / "gone"):
        place.opened.open(str(folder))
        assert not place.store.is_open(str(folder))
    assert not place.may_begin(place.secrets, TERMINAL)


async def test_a_folder_chosen_in_a_page_is_recorded_once(place: Place) -> None:
    assert await place.opened.choose(str(place.bridge), WHO) == str(place.bridge)
    assert await place.opened.choose("~/bridge", WHO) == str(place.bridge)
    assert isinstance(await place.opened.choose(str(place.secrets), WHO), Refuse)
    assert isinstance(await place.opened.choose(str(place.root / "gone"), WHO), Refuse)
    lines = Audit(audit_in(place.root / "data")).last(10)
    assert [(line.entry.kind, line.entry.asked) for line in lines] == [("folder", f"open {place.bridge}")]
    assert place.may_begin(place.bridge, PAGE)
