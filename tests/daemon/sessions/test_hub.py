"""The hub: joined at any moment, a watcher that folds what it is sent ends in the same session."""

import asyncio
from pathlib import Path

import pytest
from tests.daemon.hubs import NOW_MS, ONE, make_session, open_hub
from tests.patience import PATIENCE_S

from bascule.core.session.fold import Fold
from bascule.core.wire.outbox import MAX_WAITING, Numbered
from bascule.daemon.sessions.watchers import SessionSnapshot, Watcher
from bascule.model.asks import Ask, CommandSubject
from bascule.model.attachments import DiffAttachment
from bascule.model.blocks import AssistantBlock, SystemBlock, UserBlock
from bascule.model.changes import (
    AskClosed,
    AskOpened,
    BlockGone,
    BlockPut,
    Change,
    HiddenSet,
    PlaceSet,
    RunPut,
    StatusSet,
    TextGrew,
)
from bascule.model.ids import AskId, BlockId, RunId, SessionId
from bascule.model.session import Run

STORY: list[Change] = [
    StatusSet("working"),
    RunPut(Run(id=RunId("r"))),
    BlockPut(UserBlock(id=BlockId("u"), run=RunId("r"), text="raise it")),
    TextGrew(BlockId("a"), "text", "It ", run=RunId("r")),
    TextGrew(BlockId("a"), "text", "rises.", run=RunId("r")),
    BlockPut(AssistantBlock(id=BlockId("a"), run=RunId("r"), text="It rises.", status="completed")),
    RunPut(Run(id=RunId("r"), outcome="completed")),
    StatusSet("completed"),
]


async def catch_up(watcher: Watcher, fold: Fold | None) -> tuple[Fold, int]:
    """Everything that waits, folded as a surface folds it; and the number it has come to."""
    news = await asyncio.wait_for(watcher.next(), PATIENCE_S)
    if isinstance(news, SessionSnapshot):
        return Fold(news.session), news.seq
    assert fold is not None
    fold.apply_all(one.change for one in news)
    return fold, news[-1].seq


@pytest.mark.parametrize("joined_at", range(len(STORY) + 1))
async def test_joining_at_any_moment_ends_the_same(tmp_path: Path, joined_at: int) -> None:
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session())
        hub.apply(ONE, STORY[:joined_at])
        watcher = hub.watch(ONE)
        fold, seq = await catch_up(watcher, None)
        for change in STORY[joined_at:]:
            hub.apply(ONE, [change])
            fold, seq = await catch_up(watcher, fold)
        fold.touch(NOW_MS)  # a clock, not a Change
        assert (seq, fold.session()) == (len(STORY), hub.session(ONE))


async def test_a_watcher_that_falls_behind_gets_a_snapshot_and_others_do_not_notice(tmp_path: Path) -> None:
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session())
        slow, quick = hub.watch(ONE), hub.watch(ONE)
        await slow.next()
        await quick.next()
        for number in range(MAX_WAITING + 1):
            hub.apply(ONE, [BlockPut(SystemBlock(id=BlockId(f"b{number}"), text="x"))])
            heard = await quick.next()
            assert heard == [Numbered(number + 1, BlockPut(SystemBlock(id=BlockId(f"b{number}"), text="x")))]
        caught_up = await slow.next()
        assert isinstance(caught_up, SessionSnapshot)
        assert (caught_up.seq, caught_up.session) == (MAX_WAITING + 1, hub.session(ONE))


async def test_a_closed_watcher_gets_nothing(tmp_path: Path) -> None:
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session())
        watcher = hub.watch(ONE)
        await watcher.next()
        watcher.close()
        hub.apply(ONE, STORY)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(watcher.next(), 0.01)


async def test_a_stored_session_is_loaded_when_it_is_looked_at(tmp_path: Path) -> None:
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session())
        hub.add(make_session("s_two"))
        hub.apply(ONE, STORY)
        before = hub.session(ONE)
    with open_hub(tmp_path / "db") as hub:
        head = hub.find(ONE)
        assert head is not None
        assert (head.blocks, head.status) == ((), "completed")
        assert hub.session(ONE) == before
        assert {head.id for head in hub.heads()} == {ONE, "s_two"}
        assert hub.find(SessionId("s_three")) is None


async def test_heads_come_latest_first(tmp_path: Path) -> None:
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session("s_old", updated_at_ms=1))
        hub.add(make_session("s_new", updated_at_ms=2))
        hub.add(make_session("s_now"))
        hub.apply(SessionId("s_now"), [StatusSet("working")])
        assert [head.id for head in hub.heads()] == ["s_now", "s_new", "s_old"]


async def test_heads_of_one_moment_come_by_when_they_were_made(tmp_path: Path) -> None:
    with open_hub(tmp_path / "db") as hub:
        for name in ("s_01", "s_03", "s_02"):
            hub.add(make_session(name, updated_at_ms=NOW_MS))
        assert [head.id for head in hub.heads()] == ["s_03", "s_02", "s_01"]


async def test_a_session_that_is_hidden_or_pinned_stays_where_its_time_put_it(tmp_path: Path) -> None:
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session(updated_at_ms=7))
        hub.apply(ONE, [PlaceSet("pinned"), HiddenSet(True)])
        seen = hub.find(ONE)
        assert seen is not None
        assert (seen.place, seen.hidden, seen.updated_at_ms) == ("pinned", True, 7)
        hub.apply(ONE, [StatusSet("working")])
        assert [head.updated_at_ms for head in hub.heads()] == [NOW_MS]


async def test_an_ask_that_closes_is_reported_once_and_only_if_it_was_open(tmp_path: Path) -> None:
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session())
        ended: list[tuple[str, str]] = []
        hub.on_ask_closed = lambda _session, ask, closed: ended.append((ask.id, closed.end))
        ask = Ask(id=AskId("a"), title="?", subject=CommandSubject(command="x", original="x"), choices=())
        closed = AskClosed(ask.id, "withdrawn")
        hub.apply(ONE, [closed, AskOpened(ask), closed, closed])
        assert ended == [("a", "withdrawn")]


async def test_the_session_that_offers_a_diff_is_found_in_memory_or_not(tmp_path: Path) -> None:
    diff = DiffAttachment(title="1 file", diff_id="d1", unified_diff="+x", files=())
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session())
        hub.add(make_session("s_two"))
        hub.apply(SessionId("s_two"), [BlockPut(SystemBlock(id=BlockId("b"), attachments=(diff,)))])
        assert (await hub.find_diff("d1"), await hub.find_diff("d2")) == ("s_two", None)
    with open_hub(tmp_path / "db") as hub:
        assert (await hub.find_diff("d1"), hub.is_loaded(SessionId("s_two"))) == ("s_two", False)
        hub.apply(SessionId("s_two"), [BlockGone(BlockId("b"))])
        await hub.load(SessionId("s_two"))
        assert await hub.find_diff("d1") is None
