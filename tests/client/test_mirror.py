"""A mirror: one snapshot, Changes after it, and a new snapshot where something was missed."""

import asyncio

import msgspec
import pytest
from msgspec import Raw

from bascule.client.mirror import Mirror
from bascule.core.session.fold import Fold
from bascule.core.wire.outbox import MAX_WAITING
from bascule.model.blocks import AssistantBlock
from bascule.model.changes import BlockPut, Change, HiddenSet, StatusSet, TextGrew, TitleSet
from bascule.model.ids import BlockId, SessionId
from bascule.model.protocol.sessions import ChangedNotify, SnapshotNotify
from bascule.model.session import Session

BEGIN = Session(id=SessionId("s"), workspace="/w")
GREW = TextGrew(BlockId("a"), "text", "It ")
MORE = TextGrew(BlockId("a"), "text", "rises.")
WHOLE = BlockPut(AssistantBlock(id=BlockId("a"), text="It rises.", status="completed"))


class Watching:
    def __init__(self) -> None:
        self.gaps = 0
        self.mirror = Mirror("s", on_gap=self._notice)

    def _notice(self) -> None:
        self.gaps += 1

    def snapshot(self, seq: int, session: Session = BEGIN) -> None:
        notice = SnapshotNotify(session_id=session.id, seq=seq, session=session)
        self.mirror.feed("session.snapshot", Raw(msgspec.json.encode(notice)))

    def changed(self, after: int, *changes: Change, session: str = "s") -> None:
        notice = ChangedNotify(session_id=session, after=after, seq=after + len(changes), changes=changes)
        self.mirror.feed("session.changed", Raw(msgspec.json.encode(notice)))


@pytest.fixture
def watching() -> Watching:
    return Watching()


def folded(*changes: Change) -> Session:
    fold = Fold(BEGIN)
    fold.apply_all(changes)
    return fold.session()


async def test_a_snapshot_and_the_changes_after_it(watching: Watching) -> None:
    watching.snapshot(3)
    assert await watching.mirror.news() == BEGIN
    watching.changed(3, GREW, MORE)
    watching.changed(5, WHOLE, StatusSet("completed"))
    assert await watching.mirror.news() == [
        TextGrew(BlockId("a"), "text", "It rises."),
        WHOLE,
        StatusSet("completed"),
    ]
    assert watching.mirror.session() == folded(GREW, MORE, WHOLE, StatusSet("completed"))
    assert (watching.mirror.seq, watching.gaps) == (7, 0)


async def test_changes_that_came_with_the_snapshot_are_in_it(watching: Watching) -> None:
    watching.snapshot(0)
    watching.changed(0, StatusSet("working"))
    assert await watching.mirror.news() == folded(StatusSet("working"))


async def test_a_gap_is_asked_about_once_and_ends_with_the_next_snapshot(watching: Watching) -> None:
    watching.snapshot(0)
    await watching.mirror.news()
    watching.changed(1, StatusSet("working"))
    watching.changed(2, StatusSet("completed"))
    assert watching.gaps == 1
    assert watching.mirror.session() == BEGIN  # the last that was known
    healed = folded(TitleSet("A bridge", "person"))
    watching.snapshot(7, healed)
    assert await watching.mirror.news() == healed
    watching.changed(7, HiddenSet(True))
    assert await watching.mirror.news() == [HiddenSet(True)]
    watching.changed(9, HiddenSet(False))
    assert watching.gaps == 2


async def test_changes_without_a_snapshot_are_a_gap(watching: Watching) -> None:
    watching.changed(0, StatusSet("working"))
    assert watching.gaps == 1


async def test_other_sessions_and_other_messages_are_not_its_business(watching: Watching) -> None:
    watching.snapshot(0)
    watching.snapshot(5, Session(id=SessionId("other"), workspace="/w"))
    watching.changed(9, StatusSet("working"), session="other")
    watching.mirror.feed("session.cards", Raw(b"{}"))
    assert (watching.mirror.session(), watching.mirror.seq, watching.gaps) == (BEGIN, 0, 0)


async def test_nothing_new_is_waited_for_and_waking_ends_the_wait(watching: Watching) -> None:
    watching.snapshot(0)
    await watching.mirror.news()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(watching.mirror.news(), 0.01)
    watching.mirror.wake()
    assert await watching.mirror.news() == []


async def test_who_does_not_ask_for_news_gets_the_whole_session_later(watching: Watching) -> None:
    watching.snapshot(0)
    await watching.mirror.news()
    for seq in range(MAX_WAITING + 1):
        watching.changed(seq, HiddenSet(seq % 2 == 0))
    assert await watching.mirror.news() == folded(HiddenSet(MAX_WAITING % 2 == 0))
    watching.changed(MAX_WAITING + 1, StatusSet("working"))
    assert await watching.mirror.news() == [StatusSet("working")]
