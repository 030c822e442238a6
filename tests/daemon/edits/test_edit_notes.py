"""Edit notes: one block for one failure, and one that names what was written and how to undo it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.daemon.hubs import NOW_MS, ONE, make_session, open_hub

from bascule.daemon.agents.roster import Roster
from bascule.daemon.edits.edit_notes import MAX_NAMED, DoneEdit, EditNotes, summarise
from bascule.daemon.sessions.hub import Hub
from bascule.model.blocks import Block, ErrorBlock, SystemBlock
from bascule.model.edits import EditPlan, PlannedFile

DONE = DoneEdit(work="apply", undo_id="20261117-abcdefgh", diff_id="d-1", of="", undoes="", reverts="")


def plan_of(files: int) -> EditPlan:
    planned = [
        PlannedFile(path=f"f{number}", kind="update", before_hash="0", after=b"", additions=2, deletions=1)
        for number in range(files)
    ]
    return EditPlan(files=tuple(planned), hash="0123456789abcdef")


@pytest.fixture
async def hub(tmp_path: Path) -> AsyncIterator[Hub]:
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session())
        await hub.load(ONE)
        yield hub


def notes_in(hub: Hub) -> EditNotes:
    return EditNotes(hub=hub, roster=Roster(hub), now_ms=lambda: NOW_MS)


async def blocks(hub: Hub) -> tuple[Block, ...]:
    return (await hub.read(ONE)).blocks


async def test_a_failure_is_noted_once_however_often_it_is_tried(hub: Hub) -> None:
    notes = notes_in(hub)
    for why in ("a.py is gone.", "a.py is gone.", "b.py is gone."):
        notes.tell_failure(ONE, "apply", "d-1", why)
    notes.tell_failure(None, "apply", "d-1", "no session to note it in")
    failed = [(one.title, one.text) for one in await blocks(hub) if isinstance(one, ErrorBlock)]
    assert failed == [
        ("The diff was not applied", "a.py is gone."),
        ("The diff was not applied", "b.py is gone."),
    ]


async def test_a_written_edit_names_its_files_and_how_to_undo_it(hub: Hub) -> None:
    plan = plan_of(MAX_NAMED + 2)
    notes_in(hub).tell_done(ONE, DONE, plan)
    (block,) = await blocks(hub)
    assert isinstance(block, SystemBlock)
    assert block.title == "Written: 22 files, +44 −22"
    lines = block.text.splitlines()
    assert lines[0] == "- `f0` +2 −1"
    assert lines[MAX_NAMED] == "- and 2 more"
    assert lines[-1] == "`bascule undo abcdefgh` undoes it. (undo id `20261117-abcdefgh`)"
    assert block.edit is not None
    assert (block.edit.files, block.edit.additions, block.edit.deletions) == (22, 44, 22)


async def test_a_revert_is_called_one(hub: Hub) -> None:
    notes_in(hub).tell_done(ONE, replace(DONE, work="revert", of="run_1"), plan_of(1))
    (block,) = await blocks(hub)
    assert isinstance(block, SystemBlock)
    assert block.title.startswith("Reverted: 1 file, +2 −1")


def test_one_file_is_one_file() -> None:
    assert summarise(plan_of(1)) == "1 file, +2 −1"
