"""Deleting sessions: after a yes, on record, undone for some days, then gone from the disk."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.daemon.hubs import make_session
from tests.e2e.live_app import LiveApp
from tests.e2e.peer import Peer
from tests.e2e.test_edits_over_protocol import open_peer

from bascule.core.wire import rpc
from bascule.daemon.app import open_app
from bascule.daemon.prompts.composer import TypedPrompt
from bascule.daemon.sessions import session_saver
from bascule.daemon.sessions.deletion import DAY_MS
from bascule.host.clock import now_ms
from bascule.host.files.data_folder import open_folder
from bascule.host.storage.audit import Audit, audit_in
from bascule.host.storage.store import Store
from bascule.model.asks import ActionSubject, Ask
from bascule.model.blocks import SystemBlock, UserBlock
from bascule.model.changes import AskOpened, BlockPut, DeletedSet
from bascule.model.consent.audit import Entry
from bascule.model.ids import AskId, BlockId, PromptKey, SessionId
from bascule.model.session import Run

ONE, TWO = SessionId("s_one"), SessionId("s_two")


@asynccontextmanager
async def open_life(root: Path) -> AsyncIterator[tuple[LiveApp, Peer]]:
    folder = open_folder(root / "data")
    (root / "work").mkdir(exist_ok=True)
    async with open_app(folder, command="tests", env={}) as app:
        live = LiveApp(app, root / "work")
        async with open_peer(live) as peer:
            yield live, peer


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[tuple[LiveApp, Peer]]:
    async with open_life(tmp_path) as (live, peer):
        for session in (ONE, TWO):
            live.app.hub.add(make_session(session, title=f"About {session}", updated_at_ms=now_ms()))
            live.app.hub.apply(session, [BlockPut(UserBlock(id=BlockId("b"), text="hello"))])
        yield live, peer


async def listed(peer: Peer, method: str = "session.list") -> set[str]:
    return {one["session_id"] for one in (await peer.call(method))["sessions"]}


def recorded(live: LiveApp) -> list[tuple[str, str, str, str]]:
    audit = Audit(audit_in(live.project.parent / "data"))
    assert audit.verify() == []
    lines = (line.entry for line in audit.last(100))
    return [(one.kind, one.answer, one.outcome, one.asked) for one in lines]


async def test_a_yes_deletes_and_a_restore_brings_it_back(scene: tuple[LiveApp, Peer]) -> None:
    live, peer = scene
    await peer.confirmed("session.delete", {"session_id": ONE})
    assert (await listed(peer), await listed(peer, "session.deleted")) == ({TWO}, {ONE})
    refused = await peer.refused("session.open", {"session_id": ONE})
    assert f"bascule session restore {ONE}" in refused.message
    await peer.call("session.restore", {"session_id": ONE})
    assert (await listed(peer), await listed(peer, "session.deleted")) == ({ONE, TWO}, set())
    assert [block.id for block in (await live.app.hub.read(ONE)).blocks] == ["b"]
    assert [line[:3] for line in recorded(live)] == [
        ("ask", "yes", "done"),
        ("delete", "yes", "started"),
        ("delete", "yes", "done"),
        ("delete", "none", "started"),
        ("delete", "none", "done"),
    ]


def stored_deleted(root: Path) -> set[str]:
    """As a daemon that starts now would find it."""
    store = Store(root / "data" / "bascule.db")
    deleted: set[str] = {head.id for head in store.read_heads() if head.deleted_at_ms is not None}
    store.close()
    return deleted


async def test_a_deletion_and_a_restore_are_stored_before_they_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed right after the answer, the daemon starts again with what it said."""
    monkeypatch.setattr(session_saver, "DELAY_S", 3600.0)
    async with open_life(tmp_path) as (live, peer):
        live.app.hub.add(make_session(ONE, title="One", updated_at_ms=now_ms()))
        live.app.hub.apply(ONE, [BlockPut(UserBlock(id=BlockId("b"), text="hello"))])
        await peer.confirmed("session.delete", {"session_id": ONE})
        assert stored_deleted(tmp_path) == {ONE}
        await peer.call("session.restore", {"session_id": ONE})
        assert stored_deleted(tmp_path) == set()


async def test_a_deletion_that_cannot_be_stored_is_taken_back_and_said(
    scene: tuple[LiveApp, Peer], monkeypatch: pytest.MonkeyPatch
) -> None:
    live, peer = scene

    def fail(_store: Store, _saved: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(Store, "save", fail)
        with pytest.raises(Exception, match="could not be stored, so it was undone"):
            await peer.confirmed("session.delete", {"session_id": ONE})
    assert (await listed(peer), await listed(peer, "session.deleted")) == ({ONE, TWO}, set())
    assert [line[:3] for line in recorded(live)][1:] == [
        ("delete", "yes", "started"),
        ("delete", "yes", "failed"),
    ]


async def test_a_no_deletes_nothing(scene: tuple[LiveApp, Peer]) -> None:
    live, peer = scene
    with pytest.raises(Exception, match="the answer was no"):
        await peer.confirmed("session.delete", {"session_id": ONE}, choice="decline")
    assert await listed(peer) == {ONE, TWO}
    assert [line[:3] for line in recorded(live)] == [("ask", "no", "done"), ("delete", "no", "rejected")]


async def test_the_place_where_the_machine_asks_is_no_session_to_delete(scene: tuple[LiveApp, Peer]) -> None:
    live, peer = scene
    refused = await peer.refused("session.delete", {"session_id": live.app.asks.open_machine()})
    assert (refused.code, "cannot be deleted" in refused.message) == (rpc.FAILED, True)


async def test_what_was_deleted_long_enough_ago_is_gone_from_the_disk(tmp_path: Path) -> None:
    async with open_life(tmp_path) as (live, _peer):
        for session in (ONE, TWO):
            live.app.hub.add(make_session(session, runs=(Run(id="r", outcome="completed"),)))  # type: ignore[arg-type]
            live.app.hub.apply(session, [BlockPut(UserBlock(id=BlockId("b"), text="hello"))])
        live.app.hub.apply(ONE, [DeletedSet(now_ms() - 8 * DAY_MS)])
        live.app.hub.apply(TWO, [DeletedSet(now_ms() - 6 * DAY_MS)])
        await live.app.deletion.sweep()
        assert [head.id for head in live.app.deletion.list()] == [TWO]
        assert [line[3] for line in recorded(live)] == ["Remove for good: (s_one)"]
    store = Store(tmp_path / "data" / "bascule.db")
    assert ([head.id for head in store.read_heads()], store.read_blocks(ONE)) == ([TWO], ())
    store.close()


async def test_unused_sessions_are_kept_unless_a_person_says_otherwise(scene: tuple[LiveApp, Peer]) -> None:
    live, peer = scene
    for name, place in (("s_old", ""), ("s_pinned", "pinned")):
        old = make_session(name, updated_at_ms=now_ms() - 100 * DAY_MS, place=place)
        live.app.hub._heads[SessionId(name)] = old
    await live.app.deletion.sweep()
    assert await listed(peer) == {ONE, TWO, "s_old", "s_pinned"}
    (live.project.parent / "data" / "settings.toml").write_text("[history]\nkeepDays = 90\n")
    await live.app.deletion.sweep()
    assert (await listed(peer), await listed(peer, "session.deleted")) == ({ONE, TWO, "s_pinned"}, {"s_old"})


async def test_resume_does_not_list_a_deleted_session(scene: tuple[LiveApp, Peer]) -> None:
    live, _peer = scene
    live.app.hub.apply(ONE, [DeletedSet(now_ms())])
    await live.app.composer.take(TWO, TypedPrompt(text="/resume", key=PromptKey("k")))
    (block,) = [block for block in live.see(TWO).blocks if isinstance(block, SystemBlock)]
    assert (f"`{TWO}`" in block.text, f"`{ONE}`" in block.text) == (True, False)


async def test_a_workspace_cannot_have_sessions_deleted(scene: tuple[LiveApp, Peer]) -> None:
    live, peer = scene
    (live.project / ".vscode").mkdir()
    (live.project / ".vscode" / "settings.json").write_text('{"bascule.history.keepDays": 1}')
    live.app.hub._heads[SessionId("s_old")] = make_session("s_old", updated_at_ms=now_ms() - 100 * DAY_MS)
    await live.app.deletion.sweep()
    assert await listed(peer) == {ONE, TWO, "s_old"}


async def test_what_began_while_the_question_was_open_is_refused_and_recorded_so(
    scene: tuple[LiveApp, Peer],
) -> None:
    live, peer = scene
    call = await peer.begin("session.delete", {"session_id": ONE})
    while not (asks := (await peer.call("ask.list"))["asks"]):
        pass
    asked = Ask(id=AskId("theirs"), title="?", subject=ActionSubject(text="x"), choices=())
    live.app.hub.apply(ONE, [AskOpened(asked)])
    given = {"session_id": ONE, "ask_id": asks[0]["ask"]["id"], "choice": "accept"}
    await peer.call("ask.answer", given)
    with pytest.raises(Exception, match="has an open question"):
        await peer.result(call)
    assert [line[:3] for line in recorded(live)] == [("ask", "yes", "done"), ("delete", "yes", "refused")]
    assert await listed(peer) == {ONE, TWO}


async def test_a_session_restored_while_its_removal_is_recorded_stays(
    scene: tuple[LiveApp, Peer], monkeypatch: pytest.MonkeyPatch
) -> None:
    live, peer = scene
    live.app.hub.apply(ONE, [DeletedSet(now_ms() - 8 * DAY_MS)])
    write = live.app.record.write

    async def restored_meanwhile(entry: Entry) -> None:
        await write(entry)
        live.app.hub.apply(ONE, [DeletedSet(None)])

    monkeypatch.setattr(live.app.record, "write", restored_meanwhile)
    await live.app.deletion.sweep()
    assert await listed(peer) == {ONE, TWO}


async def test_shortening_what_is_kept_asks_first(scene: tuple[LiveApp, Peer]) -> None:
    _, peer = scene
    for key, value in (("deletedDays", 0), ("keepDays", 1)):
        change = {"key": f"bascule.history.{key}", "value": value, "scope": "user"}
        with pytest.raises(Exception, match="no"):
            await peer.confirmed("settings.set", change, choice="decline")
