"""A store that fails or is damaged: said, retried, set aside; everything else goes on."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.daemon.hubs import make_session
from tests.patience import PATIENCE_S

from bascule.core.wire import rpc
from bascule.daemon.agents.roster import SessionMissing
from bascule.daemon.app import open_app
from bascule.daemon.parts import App
from bascule.daemon.sessions.session_saver import SessionSaver
from bascule.daemon.surfaces.surfaces import Surface
from bascule.host.files.data_folder import Folder, open_folder
from bascule.host.findings import HOLDS_SESSIONS, Finding, find_damage
from bascule.host.storage.store import Saved, Store, read_stored_heads
from bascule.host.storage.store_faults import SessionUnreadable
from bascule.model.blocks import SystemBlock, UserBlock
from bascule.model.changes import BlockPut, TitleSet
from bascule.model.consent.origin import Origin
from bascule.model.ids import BlockId, RunId, SessionId
from bascule.model.protocol.runs import UiCapabilities
from bascule.model.protocol.sessions import DaemonNotice
from bascule.model.session import Run

MANY = 40
TEXT = "words that fill a page " * 200


def name(number: int) -> SessionId:
    return SessionId(f"s_{number:03}")


async def test_what_an_older_version_stored_is_called_by_its_first_prompt(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "data")
    runs = (Run(id=RunId("r"), outcome="completed"),)
    blocks = (
        (0, SystemBlock(id=BlockId("b0"), text="before")),
        (1, UserBlock(id=BlockId("b1"), text="Fix the parser. It fails on tabs.")),
        (2, UserBlock(id=BlockId("b2"), text="And the tests")),
    )
    unnamed = make_session("s_unnamed", title="bridge (12345678)", runs=runs, updated_at_ms=5)
    named = make_session("s_named", title="Mine", title_by="person", runs=runs)
    store = Store(folder.database)
    store.save([Saved(head=head, blocks=blocks, whole=True) for head in (unnamed, named)])
    store.close()
    async with opened(folder) as app:
        titles = {head.id: (head.title, head.title_by, head.updated_at_ms) for head in app.hub.heads()}
    assert titles[SessionId("s_unnamed")] == ("Fix the parser", "prompt", 5)
    assert titles[SessionId("s_named")][:2] == ("Mine", "person")
    assert {head.title for head in read_stored_heads(folder.database)} == {"Fix the parser", "Mine"}


ALL = {name(number) for number in range(MANY)}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """With sessions of several pages each."""
    folder = open_folder(tmp_path / "data")
    store = Store(folder.database)
    for number in range(MANY):
        runs = tuple(Run(id=RunId(f"run-{at}"), outcome="completed", started_at_ms=at) for at in range(20))
        head = replace(
            make_session(name(number)), title=f"Title of {number:03}", updated_at_ms=number, runs=runs
        )
        blocks = tuple((at, SystemBlock(id=BlockId(f"b{at}"), text=mark(number, at))) for at in range(3))
        store.save([Saved(head=head, blocks=blocks, whole=True)])
    store.close()
    return folder


def mark(number: int, at: int) -> str:
    return f"<block {at} of {number:03}>{TEXT}"


def overwrite(path: Path, wanted: bytes, instead: bytes) -> None:
    """The bytes of the file itself, where they are the last time."""
    data = bytearray(path.read_bytes())
    at = data.rindex(wanted)
    data[at : at + len(instead)] = instead
    path.write_bytes(data)


def ruin_page(path: Path, wanted: bytes) -> None:
    """The whole page that holds these bytes."""
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    begin = data.rindex(wanted) // size * size
    data[begin : begin + size] = b"\xff" * size
    path.write_bytes(data)


@asynccontextmanager
async def opened(folder: Folder) -> AsyncIterator[App]:
    async with open_app(folder, command="test", env={}) as app:
        yield app


def listed(app: App) -> set[SessionId]:
    return {head.id for head in app.hub.heads()}


def kinds(app: App) -> list[str]:
    return [notice.kind for notice in app.notices.all()]


# -- damage --


async def test_a_head_that_cannot_be_decoded_costs_its_session_alone(folder: Folder) -> None:
    overwrite(folder.database, b'{"id":"s_007"', b'{"id":!s_007"')
    bad = SessionId("s_007")
    for _ in range(2):  # and it is the same after another start
        async with opened(folder) as app:
            assert listed(app) == ALL - {bad}
            assert kinds(app) == ["set_aside"]
            with pytest.raises(SessionUnreadable, match="Session s_007 is set aside"):
                await app.roster.open(bad)
            await app.hub.load(name(8))
            app.hub.apply(name(8), [TitleSet("Still written", "person")])
    (finding,) = find_damage(folder.database)
    assert (finding.what, finding.state, finding.then) == (
        "set aside",
        "missing",
        f"It is kept in {folder.database}.",
    )
    assert finding.detail.startswith("session s_007: JSON is malformed")
    assert "session s_007 is set aside" in folder.log.read_text()
    assert b'{"id":!s_007"' in folder.database.read_bytes()  # nothing of it was deleted


async def test_a_block_that_cannot_be_decoded_costs_its_session_alone(folder: Folder) -> None:
    overwrite(folder.database, b'"id":"b1","text":"<block 1 of 011>', b'"id":"b1","text":!<block 1 of 011>')
    bad = SessionId("s_011")
    async with opened(folder) as app:
        assert (listed(app), kinds(app)) == (ALL, [])  # nobody has looked at it yet
        with pytest.raises(SessionUnreadable):
            await app.roster.open(bad)
        assert (listed(app), kinds(app)) == (ALL - {bad}, ["set_aside"])
        with pytest.raises(SessionUnreadable):
            await app.roster.open(bad)
        with pytest.raises(SessionMissing):
            app.roster.get(SessionId("s_never"))
        assert len(app.hub.session(name(12)).blocks) == 3
    async with opened(folder) as app:
        assert (listed(app), kinds(app)) == (ALL - {bad}, ["set_aside"])
    (finding,) = find_damage(folder.database)
    assert finding.detail.startswith("session Title of 011 (s_011): JSON is malformed")


async def test_one_that_can_be_read_again_is_back(folder: Folder) -> None:
    whole = folder.database.read_bytes()
    overwrite(folder.database, b'"id":"b1","text":"<block 1 of 011>', b'"id":"b1","text":!<block 1 of 011>')
    async with opened(folder) as app:
        with pytest.raises(SessionUnreadable):
            await app.roster.open(name(11))
    folder.database.write_bytes(whole)
    async with opened(folder) as app:
        assert (listed(app), kinds(app)) == (ALL, [])
    assert find_damage(folder.database) == []


async def test_a_page_in_the_middle_costs_what_is_on_it_and_the_next_start_mends_the_file(
    folder: Folder,
) -> None:
    ruin_page(folder.database, b"<block 1 of 020>")
    bad = name(20)
    async with opened(folder) as app:
        with pytest.raises(SessionUnreadable, match="malformed"):
            await app.roster.open(bad)
        for session in sorted(ALL - {bad}):
            if session in listed(app):
                await try_to_load(app, session)
        lost = ALL - listed(app)
        assert bad in lost
        assert len(lost) <= 3  # neighbours share pages
        app.hub.add(make_session("s_new"))
    before = folder.database.read_bytes()
    async with opened(folder) as app:
        assert listed(app) == ALL - lost | {SessionId("s_new")}
        assert sorted(kinds(app)) == ["database_replaced", "set_aside"]
        assert [app.hub.session(session).blocks[2].id for session in sorted(ALL - lost)] == ["b2"] * (
            MANY - len(lost)
        )
    (broken,) = folder.root.glob("bascule.db.broken-*")
    assert broken.read_bytes() == before
    db = sqlite3.connect(folder.database)
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()
    said = find_damage(folder.database)
    assert [finding.what for finding in said] == [*["set aside"] * len(lost), "damaged database"]
    assert said[-1].then == HOLDS_SESSIONS  # and not: you can delete it
    assert {finding.then for finding in said[:-1]} == {f"What is left of it is kept in {broken}."}
    async with opened(folder) as app:  # and the start after that is an ordinary one
        assert listed(app) == ALL - lost | {SessionId("s_new")}
        assert kinds(app) == ["set_aside"]


async def try_to_load(app: App, session: SessionId) -> None:
    try:
        await app.roster.open(session)
    except SessionUnreadable:
        return


async def test_a_page_of_heads_is_found_at_the_start(folder: Folder) -> None:
    ruin_page(folder.database, b'{"id":"s_020"')
    async with opened(folder) as app:
        lost = ALL - listed(app)
        assert name(20) in lost
        assert len(lost) <= 3  # neighbours share pages
        assert sorted(kinds(app)) == ["database_replaced", "set_aside"]
        for session in ALL - lost:
            assert len(app.hub.session(session).blocks) == 3


async def test_a_destroyed_header_is_said_and_an_empty_database_begun(folder: Folder) -> None:
    overwrite(folder.database, b"SQLite format 3\0", b"\xff" * 100)
    before = folder.database.read_bytes()
    assert [finding.what for finding in find_damage(folder.database)] == ["database"]
    async with opened(folder) as app:
        assert (listed(app), kinds(app)) == (set(), ["database_replaced"])
        app.hub.add(make_session("s_new"))
    (broken,) = folder.root.glob("bascule.db.broken-*")
    assert broken.read_bytes() == before
    assert find_damage(folder.database) == [
        Finding(
            "damaged database",
            "note",
            str(broken),
            "It is no longer used. You can delete it.",
        )
    ]
    assert f"It is kept as {broken}" in folder.log.read_text()
    async with opened(folder) as app:
        assert (listed(app), kinds(app)) == ({SessionId("s_new")}, [])


# -- a disk that is full --


class NoticeSurface:
    def __init__(self, surface: Surface) -> None:
        self.surface = surface

    async def until(self, method: str) -> Any:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for frame in await self.surface.frames():
                    message = json.loads(frame)
                    if message.get("method") == method:
                        return message["params"]

    async def replies(self, count: int) -> list[Any]:
        """In the order in which they were asked for."""
        found: dict[int, Any] = {}
        async with asyncio.timeout(PATIENCE_S):
            while len(found) < count:
                messages = [json.loads(frame) for frame in await self.surface.frames()]
                found |= {int(message["id"]): message for message in messages if "id" in message}
        return [found[number] for number in sorted(found)]


def connect(app: App, *, mirrors: bool) -> NoticeSurface:
    surface = app.surfaces.connect(Origin(door="page"))
    surface.initialized = True
    surface.capabilities = UiCapabilities(supports_session_sync=mirrors)
    return NoticeSurface(surface)


def set_most_pages(app: App, most: int | None) -> None:
    """SQLite itself says that the disk is full; None: there is room again."""
    saver = app.hub._saver
    db = saver._store._db

    def limit() -> None:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages + most if most is not None else 1_000_000}")

    saver._thread.submit(limit).result()


async def test_a_full_disk_is_said_everywhere_and_mends_by_itself(folder: Folder) -> None:
    async with opened(folder) as app:
        page, plain = connect(app, mirrors=True), connect(app, mirrors=False)
        await app.hub.load(name(1))
        set_most_pages(app, 0)
        for number in range(3):  # one failure after the other
            app.hub.apply(name(1), [BlockPut(SystemBlock(id=BlockId(f"n{number}"), text=TEXT * 20))])
            app.hub.apply(name(1), [TitleSet(f"Title {number}", "person")])
            app.hub._saver.flush()
        (notice,) = (await page.until("daemon.state"))["notices"]
        assert (notice["id"], notice["kind"], notice["detail"]) == (
            "store",
            "store_full",
            str(folder.database),
        )
        text = (
            f"The disk is full, so sessions cannot be stored in {folder.database}. They are kept in memory "
            "and stored as soon as there is room. Free some space."
        )
        assert (await plain.until("ui.toast")) == {"level": "error", "message": text}
        late = connect(app, mirrors=True)
        await late.surface.feed(rpc.request("1", "session.watch", {"session_id": ""}))
        assert (await late.until("daemon.state"))["notices"] == [notice]
        assert len(app.hub.session(name(1)).blocks) == 6  # all of it is there to be looked at

        set_most_pages(app, None)
        while (await page.until("daemon.state"))["notices"]:
            pass
        assert await plain.until("ui.toast") == {"level": "info", "message": "Everything is stored again."}
        assert app.notices.all() == ()
    store = Store(folder.database)
    (head,) = (head for head in store.read_heads() if head.id == name(1))
    ids = [block.id for block in store.read_blocks(name(1))]
    store.close()
    assert (head.title, ids) == ("Title 2", ["b0", "b1", "b2", "n0", "n1", "n2"])


async def test_a_notice_says_since_when(folder: Folder) -> None:
    async with opened(folder) as app:
        first = DaemonNotice(id="store", kind="store_full", text="Full.", since_ms=7)
        app.notices.put(first)
        app.notices.put(first)
        assert app.notices.all() == (first,)
        app.notices.withdraw("store", "Well again.")
        app.notices.withdraw("store", "Well again.")
        assert app.notices.all() == ()


# -- lists --


async def test_no_list_reads_a_log(folder: Folder) -> None:
    """Nor does naming or hiding a session: SQLite itself says no to whoever tries to read a block."""
    async with opened(folder) as app:
        db = app.hub._saver._store._db
        tried: list[str] = []

        def allow(action: int, table: str | None, column: str | None, *_: object) -> int:
            if (action, table, column) == (sqlite3.SQLITE_READ, "blocks", "body"):
                tried.append(f"{table}.{column}")
                return sqlite3.SQLITE_DENY
            return sqlite3.SQLITE_OK

        app.hub._saver._thread.submit(db.set_authorizer, allow).result()
        page = connect(app, mirrors=True)
        calls: list[tuple[str, dict[str, Any]]] = [
            ("session.list", {"limit": 1_000, "scope": "all"}),
            ("session.watch", {"session_id": ""}),
            ("ask.list", {}),
            ("session.rename", {"session_id": name(3), "title": "Named"}),
            ("session.hide", {"session_id": name(4), "hidden": True}),
            ("session.drive", {"session_id": name(5)}),
        ]
        for number, (method, params) in enumerate(calls):
            await page.surface.feed(rpc.request(str(number), method, params))
        replies = await page.replies(len(calls))
        assert [reply.get("error") for reply in replies] == [None] * len(calls)
        assert len(replies[0]["result"]["sessions"]) == MANY
        app.hub._saver._thread.submit(db.set_authorizer, None).result()
        assert (tried, app.hub._residents) == ([], {})
        assert len((await app.hub.read(name(3))).blocks) == 3


async def test_no_request_makes_all_others_wait_for_the_disk(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them needs the log of a session that is not in memory."""
    waited: list[SessionId] = []
    async with opened(folder) as app:
        monkeypatch.setattr(SessionSaver, "read_log_now", lambda _saver, session: waited.append(session))
        monkeypatch.setattr(SessionSaver, "read_keys", lambda _saver, session: waited.append(session))
        page = connect(app, mirrors=True)
        calls: list[tuple[str, dict[str, Any]]] = [
            ("session.watch", {"session_id": name(1)}),
            ("history.read", {"session_id": name(2)}),
            ("artifact.read", {"artifact_id": f"{name(3)}/b1/text"}),
            ("history.export", {"session_id": name(4)}),
            ("todos.list", {"session_id": name(5)}),
            ("queue.release", {"session_id": name(6)}),
            ("session.interrupt", {"session_id": name(7)}),
        ]
        for number, (method, params) in enumerate(calls):
            await page.surface.feed(rpc.request(str(number), method, params))
        replies = await page.replies(len(calls))
        assert [reply.get("error") for reply in replies] == [None] * len(calls)
        assert replies[2]["result"]["text"] == mark(3, 1)
        assert {session for session in ALL if app.hub.is_loaded(session)} == {name(n) for n in range(1, 8)}
        assert waited == []
