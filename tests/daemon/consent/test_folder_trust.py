"""Trust: a folder is asked about when a person here uses it, and not because of an Order."""

from pathlib import Path
from typing import Any, cast

from tests.daemon.consent.answering import AnsweringAsks
from tests.daemon.hubs import NOW_MS, ONE, make_session, open_hub

from bascule.daemon.consent.folder_trust import TITLE, Trust
from bascule.daemon.consent.record import Record
from bascule.daemon.sessions.hub import Hub
from bascule.host.config.trust_store import TrustStore
from bascule.host.files.private_places import NOTHING_PRIVATE
from bascule.host.processes.tasks import Tasks

UNUSED = cast(Any, None)


class Effects:
    reload = note_ignored = begin = end = lambda *_: None


async def asked_in(root: Path, hub: Hub, sender: str) -> list[str]:
    """The titles of what was asked when a session of that sender is opened."""
    hub.add(make_session(workspace=str(root), sender=sender))
    asks, record = AnsweringAsks("refuse"), Record(root / "data", lambda: NOW_MS)
    async with Tasks() as tasks:
        trust = Trust(
            store=TrustStore(root / "data" / "trust.json"),
            private=NOTHING_PRIVATE,
            search_path=UNUSED,
            home="",
            hub=hub,
            asks=cast(Any, asks),
            effects=cast(Any, Effects),
            record=record,
            tasks=tasks,
            now_ms=lambda: NOW_MS,
        )
        trust.consider(ONE, await trust.look(str(root)))
        await trust.answered(str(root))
    await record.close()
    return [title for title, _ in asks.asked]


async def test_a_folder_is_asked_about_for_a_person_here_only(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Be kind.")
    (tmp_path / "data").mkdir()
    with open_hub(tmp_path / "db") as hub:
        assert await asked_in(tmp_path, hub, sender="eve") == []
    with open_hub(tmp_path / "db2") as hub:
        assert await asked_in(tmp_path, hub, sender="") == [TITLE]
