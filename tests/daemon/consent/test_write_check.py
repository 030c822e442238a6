"""What is said when an agent's write went elsewhere than its question showed."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.daemon.hubs import NOW_MS, ONE, make_session, open_hub

from bascule.daemon.agents.pool import AgentPlace
from bascule.daemon.agents.roster import Roster
from bascule.daemon.app import open_app
from bascule.daemon.consent.ask_links import see_links
from bascule.daemon.consent.record import Record
from bascule.daemon.consent.write_check import TITLE, WriteCheck
from bascule.host.files.data_folder import open_folder
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.asks import Answer, Ask, Choice, FilesSubject
from bascule.model.blocks import FileChangeBlock, FileEdit, InfoBlock
from bascule.model.changes import BlockPut, Change
from bascule.model.consent.audit import Entry
from bascule.model.ids import AskId, BlockId

YES = Choice(id="accept", label="Yes, once", grants=True)
NO = Choice(id="decline", label="No", grants=False)
FILES = (FileEdit(path="docs/a.txt", change="update"),)
DONE = BlockPut(FileChangeBlock(id=BlockId("f"), files=FILES, status="completed"))


class Place:
    def __init__(self, root: Path, roster: Roster, record: Record) -> None:
        self.project, self.root = root / "project", root
        self.record = record
        self.check = WriteCheck(roster=roster, record=record, now_ms=lambda: NOW_MS)

    def answer(self, choice: str) -> None:
        subject = FilesSubject(files=FILES)
        ask = Ask(id=AskId("a"), title="Write these files?", subject=subject, choices=(YES, NO))
        self.check.note(ONE, see_links(ask, str(self.project)), Answer(ask=ask.id, choice=choice))

    def swap(self) -> None:
        """What an agent that may write in the folder could do after the yes."""
        (self.project / "docs").rename(self.project / "kept")
        (self.project / "docs").symlink_to(self.root / "elsewhere")

    async def entries(self) -> list[Entry]:
        await self.record.written()
        return [line.entry for line in Audit(audit_in(self.root)).last(10)]


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    (tmp_path / "project" / "docs").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session(workspace=str(tmp_path / "project")))
        record = Record(tmp_path, lambda: NOW_MS)
        yield Place(tmp_path, Roster(hub), record)
        await record.close()


async def test_a_write_that_went_where_it_was_shown_is_not_mentioned(place: Place) -> None:
    place.answer("accept")
    assert place.check.take(ONE, DONE) == [DONE]
    assert await place.entries() == []


async def test_a_link_that_changed_after_the_yes_is_said_and_recorded(place: Place) -> None:
    place.answer("accept")
    place.swap()
    began: Change = BlockPut(replace(DONE.block, status="inProgress"))
    assert place.check.take(ONE, began) == [began]
    same, said = place.check.take(ONE, DONE)
    assert same == DONE
    assert isinstance(said, BlockPut)
    assert isinstance(said.block, InfoBlock)
    moved = f"docs/a.txt is {place.root}/elsewhere/a.txt (was docs/a.txt)"
    assert (said.block.title, said.block.status, moved in said.block.text) == (TITLE, "failed", True)
    (entry,) = await place.entries()
    assert (entry.kind, entry.outcome, entry.asked) == ("apply", "done", "docs/a.txt")
    assert entry.why == f"{TITLE}: {moved}"


async def test_what_was_declined_or_never_asked_is_not_looked_at(place: Place) -> None:
    place.swap()
    assert place.check.take(ONE, DONE) == [DONE]
    place.answer("decline")
    assert place.check.take(ONE, DONE) == [DONE]


async def test_the_application_looks_after_every_yes(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "docs").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    async with open_app(open_folder(tmp_path / "data"), command="tests", env={}) as app:
        head = make_session(workspace=str(project))
        app.hub.add(head)
        assert head.thread is not None
        app.roster.bind("codex", head.thread, ONE)
        ask = Ask(id=AskId("a"), title="Write?", subject=FilesSubject(files=FILES), choices=(YES, NO))
        app.asks.on_answered(ONE, ask, Answer(ask=ask.id, choice="accept"))
        (project / "docs").rmdir()
        (project / "docs").symlink_to(tmp_path / "elsewhere")
        app.pool.on_events(AgentPlace("codex", str(project)), [(head.thread, [DONE])])
        assert [getattr(block, "title", "") for block in app.hub.session(ONE).blocks] == ["", TITLE]
