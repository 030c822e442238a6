"""Sessions leave memory and come back: nothing is lost on the way, and nothing changes its place."""

import asyncio
import sqlite3
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.daemon.hubs import NOW_MS, ONE, make_session, open_hub
from tests.daemon.sessions.test_session_saver import CHANGES, Failing, read_back
from tests.patience import PATIENCE_S

from bascule.core.session.fold import Fold
from bascule.core.session.residency import MAX_IDLE_SESSIONS, Idle
from bascule.daemon.agents.roster import Roster
from bascule.daemon.app import open_app
from bascule.daemon.sessions import hub as hub_module
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.session_saver import PART, SessionSaver
from bascule.daemon.sessions.watchers import SessionSnapshot
from bascule.host.files.data_folder import open_folder
from bascule.host.storage.store import LogPart, Saved, Store
from bascule.host.storage.store_faults import SessionUnreadable
from bascule.model.asks import Ask, CommandSubject, Refuse
from bascule.model.blocks import SystemBlock, UserBlock
from bascule.model.changes import (
    AskClosed,
    AskOpened,
    BlockGone,
    BlockPut,
    Change,
    QueueSet,
    StatusSet,
    TitleSet,
)
from bascule.model.ids import AskId, BlockId, PromptKey, RunId, SessionId
from bascule.model.session import Prompt, Run, Session

TWO = SessionId("s_two")


def put(name: str) -> BlockPut:
    return BlockPut(SystemBlock(id=BlockId(name), text=name))


def store_one(path: Path, *names: str) -> None:
    store = Store(path)
    blocks = tuple(SystemBlock(id=BlockId(name), text=name) for name in names)
    store.save([Saved(head=make_session(), blocks=tuple(enumerate(blocks)), whole=True)])
    store.close()


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever may leave leaves at once."""
    monkeypatch.setattr(hub_module, "choose_leaving", leave_all)


def leave_all(idle: Iterable[Idle]) -> list[SessionId]:
    return [one.session for one in idle]


async def settle(hub: Hub) -> None:
    """All that is unsaved is on the disk, and who may leave has left."""
    written = asyncio.Event()
    sweep, hub._saver.on_written = hub._saver.on_written, written.set
    hub._saver.mark_head(make_session("s_other"))
    hub._saver.flush()
    await asyncio.wait_for(written.wait(), PATIENCE_S)
    hub._saver.on_written = sweep
    hub._sweep()


# -- leaving and coming back --


async def test_of_many_sessions_only_those_used_last_stay(tmp_path: Path) -> None:
    many = [SessionId(f"s_{number}") for number in range(MAX_IDLE_SESSIONS + 5)]
    with open_hub(tmp_path / "db") as hub:
        for session in many:
            hub.add(make_session(session))
            hub.apply(session, [put(f"of {session}")])
        before = {session: hub.session(session) for session in many}
        await settle(hub)
        assert [session for session in many if not hub.is_loaded(session)] == many[:5]
        assert {head.id: head for head in hub.heads()} == {
            session: replace(seen, blocks=()) for session, seen in before.items()
        }
        assert {session: await hub.read(session) for session in many} == before
        await settle(hub)
        assert len(hub._residents) == MAX_IDLE_SESSIONS


async def test_what_is_watched_held_or_at_work_stays(tmp_path: Path, strict: None) -> None:
    ask = Ask(id=AskId("a"), title="?", subject=CommandSubject(command="x", original="x"), choices=())
    with open_hub(tmp_path / "db") as hub:
        names = [SessionId(name) for name in ("watched", "held", "asked", "working", "busy", "idle")]
        for name in names:
            hub.add(make_session(name))
        hub.is_busy = lambda session: session == "busy"
        watcher = hub.watch(SessionId("watched"))
        hub.apply(SessionId("asked"), [AskOpened(ask)])
        hub.apply(SessionId("working"), [StatusSet("working")])
        async with hub.held(SessionId("held")):
            await settle(hub)
            assert [name for name in names if hub.is_loaded(name)] == names[:-1]
        watcher.close()
        hub.apply(SessionId("asked"), [AskClosed(ask.id, "answered")])
        hub.apply(SessionId("working"), [StatusSet("completed")])
        await settle(hub)
        assert [name for name in names if hub.is_loaded(name)] == ["busy"]


async def test_what_cannot_be_stored_stays(tmp_path: Path, strict: None) -> None:
    store = Failing(tmp_path / "db")
    saver = SessionSaver(store)
    hub = Hub(saver, [], lambda: NOW_MS)
    hub.add(make_session())
    store.is_full = True
    await settle(hub)
    assert hub.is_loaded(ONE)
    store.is_full = False
    await settle(hub)
    assert not hub.is_loaded(ONE)
    saver.close()
    assert read_back_one(tmp_path / "db") == make_session()


def read_back_one(path: Path) -> Session:
    store = Store(path)
    heads = {head.id: head for head in store.read_heads()}
    store.close()
    return heads[ONE]


async def test_a_lane_comes_back_with_its_queue_and_its_keys(tmp_path: Path, strict: None) -> None:
    said = Prompt(key=PromptKey("k1"), text="raise it")
    with open_hub(tmp_path / "db") as hub:
        roster = Roster(hub)
        hub.add(make_session(runs=(Run(id=RunId("r"), outcome="completed"),)))
        lane = roster.lane(ONE)
        lane.remember(said.key, said.text)
        hub.keep_keys(ONE, lane.keys)
        hub.apply(ONE, [QueueSet((said,), True)])
        await settle(hub)
        assert not hub.is_loaded(ONE)
        await roster.open(ONE)
        again = roster.lane(ONE)
        assert again is not lane
        assert (again.queue, again.held, again.keys) == ([said], True, lane.keys)
        assert isinstance(again.submit(replace(said, text="other"), "queue"), Refuse)
        assert again.started(RunId("r")) == []  # reported late, it does not begin again
        assert again.idle


async def test_a_new_block_is_the_last_one_also_where_others_are_gone(tmp_path: Path) -> None:
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session())
        hub.apply(ONE, [put("x"), put("y"), put("z"), BlockGone(BlockId("x"))])
        hub._saver.flush()
        hub.apply(ONE, [BlockGone(BlockId("y")), put("y")])
    for name in ("c", "b", "a"):  # by name they would come first
        with open_hub(tmp_path / "db") as hub:
            hub.apply(ONE, [put(name)])
    assert [block.id for block in read_back(tmp_path / "db").blocks] == ["z", "y", "c", "b", "a"]


# -- what happens meanwhile --


async def test_what_comes_while_it_is_loaded_keeps_its_order(tmp_path: Path) -> None:
    store_one(tmp_path / "db", "a", "b")
    with open_hub(tmp_path / "db") as hub:
        hub.apply(ONE, [put("c"), TitleSet("Soon", "person")])
        watcher = hub.watch(ONE)
        hub.apply(ONE, [put("d"), BlockGone(BlockId("a"))])
        assert (hub.is_loaded(ONE), watcher.take()) == (False, [])
        head = hub.find(ONE)
        assert head is not None
        assert head.title == "Soon"  # the head has it at once
        news = await asyncio.wait_for(watcher.next(), PATIENCE_S)
        assert isinstance(news, SessionSnapshot)
        assert [block.id for block in news.session.blocks] == ["b", "c", "d"]
        assert (news.seq, news.session) == (4, hub.session(ONE))
    assert [block.id for block in read_back(tmp_path / "db").blocks] == ["b", "c", "d"]


async def test_what_waits_for_a_log_is_stored_also_when_the_daemon_ends_before(tmp_path: Path) -> None:
    store_one(tmp_path / "db", "a")
    with open_hub(tmp_path / "db") as hub:
        hub.apply(ONE, [put("b")])
        assert not hub.is_loaded(ONE)
        await hub.close()
    assert [block.id for block in read_back(tmp_path / "db").blocks] == ["a", "b"]


async def test_who_waits_for_the_same_session_waits_for_one_reading(tmp_path: Path) -> None:
    names = [f"b{number:05}" for number in range(PART + 1)]
    store_one(tmp_path / "db", *names)
    reads: list[int] = []

    class Counting(Store):
        def read_part(self, session: SessionId, after: tuple[int, str], most: int) -> LogPart:
            reads.append(after[0])
            return super().read_part(session, after, most)

    store = Counting(tmp_path / "db")
    saver = SessionSaver(store)
    hub = Hub(saver, store.read_heads(), lambda: NOW_MS)
    seen = await asyncio.gather(*(hub.read(ONE) for _ in range(5)))
    assert [block.id for block in seen[0].blocks] == names
    assert (seen[1:], reads) == ([seen[0]] * 4, [-1, PART - 1])
    saver.close()


async def test_one_that_cannot_be_read_says_so_to_all_who_wait(tmp_path: Path) -> None:
    store_one(tmp_path / "db", "a")
    db = sqlite3.connect(tmp_path / "db")
    with db:
        db.execute("UPDATE blocks SET body = x'00'")
    db.close()
    with open_hub(tmp_path / "db") as hub:
        unreadable: list[SessionId] = []
        hub.on_unreadable = lambda head, _why: unreadable.append(head.id)
        faults = await asyncio.gather(hub.load(ONE), hub.load(ONE), return_exceptions=True)
        assert [type(fault) for fault in faults] == [SessionUnreadable] * 2
        assert (unreadable, hub.find(ONE)) == ([ONE], None)


async def test_a_change_of_the_head_needs_no_log(tmp_path: Path) -> None:
    store_one(tmp_path / "db", "a")
    with open_hub(tmp_path / "db") as hub:
        hub.apply(ONE, [TitleSet("Elsewhere", "person")])
        hub.keep_keys(ONE, {PromptKey("k"): "h"})
        assert hub._residents == {}
        await hub.load(ONE)
        assert (hub.session(ONE).title, hub.read_keys(ONE)) == ("Elsewhere", {"k": "h"})
    seen = read_back(tmp_path / "db")
    assert (seen.title, [block.id for block in seen.blocks]) == ("Elsewhere", ["a"])


STEPS = st.one_of(
    st.tuples(st.sampled_from([ONE, TWO]), st.lists(CHANGES, max_size=3)),
    st.sampled_from(["flush", "leave", "load", "pause"]),
)


@settings(max_examples=settings().max_examples, deadline=None)
@given(steps=st.lists(STEPS, max_size=12))
def test_whenever_they_leave_and_come_back_the_story_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[SessionId, list[Change]] | str]
) -> None:
    async def live(path: Path) -> dict[SessionId, Session]:
        store = Store(path)
        saver = SessionSaver(store)
        hub = Hub(saver, [], lambda: NOW_MS)
        folds: dict[SessionId, Fold] = {}
        for session in (ONE, TWO):
            hub.add(make_session(session))
            folds[session] = Fold(make_session(session))
        for step in steps:
            if isinstance(step, tuple):
                session, changes = step
                hub.apply(session, changes)
                folds[session].apply_all(changes)
            elif step == "flush":
                saver.flush()
            elif step == "leave":
                await settle(hub)
            elif step == "load":
                await hub.load(TWO)
            else:
                await asyncio.sleep(0)
        for session, fold in folds.items():
            seen = await hub.read(session)
            assert replace(seen, updated_at_ms=0) == replace(fold.session(), updated_at_ms=0)
        await hub.close()
        ended = {session: hub.session(session) for session in folds}
        saver.close()
        return ended

    path = tmp_path_factory.mktemp("memory") / "db"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(hub_module, "choose_leaving", leave_all)
        seen = asyncio.run(live(path))
    store = Store(path)
    stored = {head.id: replace(head, blocks=store.read_blocks(head.id)) for head in store.read_heads()}
    store.close()
    assert {session: stored[session] for session in seen} == seen


# -- lists --


async def test_the_last_prompt_is_known_without_the_log(tmp_path: Path) -> None:
    said = UserBlock(id=BlockId("u"), text="raise it " + "very " * 100 + "high")
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session())
        hub.apply(ONE, [BlockPut(UserBlock(id=BlockId("t"), text="look")), BlockPut(said), put("x")])
        assert await hub.find_last_prompt(ONE) == said.text[:200]
    with open_hub(tmp_path / "db") as hub:
        assert (await hub.find_last_prompt(ONE), hub.is_loaded(ONE)) == (said.text[:200], False)
        hub.apply(ONE, [BlockGone(said.id)])
        await hub.load(ONE)
        assert await hub.find_last_prompt(ONE) == "look"
    with open_hub(tmp_path / "db") as hub:
        assert await hub.find_last_prompt(ONE) == "look"


async def test_no_more_blocks_are_kept_or_stored_than_the_settings_say(tmp_path: Path) -> None:
    """`bascule.ui.maxMessages`, by the file that a person writes."""
    folder = open_folder(tmp_path / "data")
    folder.settings.write_text("[ui]\nmaxMessages = 50\n", encoding="utf-8")
    async with open_app(folder, command="tests", env={}) as app:
        app.hub.add(make_session())
        app.hub.apply(ONE, [BlockPut(UserBlock(id=BlockId(str(n)), text="hello")) for n in range(60)])
        assert app.hub.session(ONE).dropped_blocks == 10
    async with open_app(folder, command="tests", env={}) as app:
        blocks = (await app.hub.read(ONE)).blocks
        assert (len(blocks), blocks[0].id, blocks[-1].id) == (50, "10", "59")
