"""Sessions found by what was said in them: names, prompts and answers; now, stored before, and deleted."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.daemon.hubs import make_session

from bascule.core.consent.answer_check import STOPS
from bascule.daemon.app import open_app
from bascule.daemon.parts import App
from bascule.daemon.sessions.session_saver import PART, SessionSaver
from bascule.host.files.data_folder import Folder, open_folder
from bascule.host.storage.search_index import SearchIndex
from bascule.host.storage.store import Saved, Store
from bascule.model.asks import Answer
from bascule.model.blocks import AssistantBlock, Block, CommandBlock, FileChangeBlock, FileEdit, UserBlock
from bascule.model.changes import BlockPut, TitleSet
from bascule.model.ids import AskId, BlockId, SessionId
from bascule.model.protocol.search import FoundSession, SearchSessionsParams

OLD, NEW = SessionId("s_old"), SessionId("s_new")


def block(name: str, text: str, kind: type[UserBlock] | type[AssistantBlock]) -> Block:
    more = {"status": "completed"} if kind is AssistantBlock else {}
    return kind(id=BlockId(name), text=text, **more)  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """With two sessions that an older version stored."""
    folder = open_folder(tmp_path / "data")
    store = Store(folder.database)
    for at, (name, said) in enumerate([(OLD, "Paint the north leaf"), (NEW, "What is a 跳ね橋 in English?")]):
        head = replace(make_session(name, title=f"Title {at}", title_by="person"), updated_at_ms=at)
        reply = block("a", "The counterweight balances it.", AssistantBlock)
        made = CommandBlock(id=BlockId("c"), command="counterweight --dry-run")
        blocks = tuple(enumerate([block("u", said, UserBlock), reply, made]))
        store.save([Saved(head=head, blocks=blocks, whole=True)])
    store.close()
    return folder


async def find(app: App, query: str, limit: int = 30) -> tuple[FoundSession, ...]:
    await app.session_search.index_all()
    return (await app.session_search.search(SearchSessionsParams(query=query, limit=limit))).sessions


def texts(found: tuple[FoundSession, ...]) -> list[tuple[str, str, str]]:
    return [(one.session_id, hit.found_in, hit.text) for one in found for hit in one.hits]


async def test_what_was_said_is_found_in_any_case_and_in_part(folder: Folder) -> None:
    async with open_app(folder, command="test", env={}) as app:
        assert texts(await find(app, "NORTH lea")) == [(OLD, "prompt", "Paint the north leaf")]
        assert texts(await find(app, "跳ね橋")) == [(NEW, "prompt", "What is a 跳ね橋 in English?")]
        assert texts(await find(app, "橋")) == [(NEW, "prompt", "What is a 跳ね橋 in English?")]
        assert [one.session_id for one in await find(app, "counterweight")] == [NEW, OLD]  # the latest first
        assert [one.session_id for one in await find(app, "title 0")] == [OLD]
        for nothing in ("", "   ", "north counterweight", '"', "%", "dry-run", "NEAR(", "a*"):
            assert await find(app, nothing) == (), nothing
        assert len(await find(app, "counterweight", limit=1)) == 1


async def test_what_is_said_now_is_found_at_once_and_what_is_gone_is_not(folder: Folder) -> None:
    async with open_app(folder, command="test", env={}) as app:
        await app.hub.load(OLD)
        app.hub.apply(
            OLD, [BlockPut(block("u2", "Grease the trunnion", UserBlock)), TitleSet("Mine", "person")]
        )
        found = await find(app, "trunnion")
        assert [(one.title, one.hits[0].block_id) for one in found] == [("Mine", "u2")]
        app.hub.apply(OLD, [BlockPut(block("u2", "Never mind", UserBlock))])
        assert await find(app, "trunnion") == ()
        await app.hub.purge(OLD)
        assert [one.session_id for one in await find(app, "counterweight")] == [NEW]


async def test_changed_files_and_the_reason_of_a_no_are_found(folder: Folder) -> None:
    moved = FileEdit(path="src/leaf.py", change="update", moved_to="src/span.py")
    made = FileChangeBlock(id=BlockId("f"), files=(moved,), status="completed")
    refused = FileChangeBlock(
        id=BlockId("g"), files=(FileEdit(path="pier.py", change="add"),), status="declined"
    )
    async with open_app(folder, command="test", env={}) as app:
        await app.hub.load(OLD)
        app.hub.apply(OLD, [BlockPut(made), BlockPut(refused)])
        no = Answer(ask=AskId("k"), choice=STOPS, reason="Use py_compile instead")
        await app.prompts.say_reason(OLD, no)
        assert texts(await find(app, "span.py")) == [(OLD, "file", "src/leaf.py, src/span.py")]
        assert await find(app, "pier.py") == ()
        assert texts(await find(app, "py_compile")) == [
            (OLD, "prompt", "Your reason: Use py_compile instead")
        ]


async def test_an_index_that_is_damaged_or_lost_is_made_again(folder: Folder) -> None:
    async with open_app(folder, command="test", env={}) as app:
        assert await find(app, "north")
    (folder.root / "search.db").write_bytes(b"nonsense" * 1000)
    async with open_app(folder, command="test", env={}) as app:
        assert [one.session_id for one in await find(app, "north")] == [OLD]


async def test_a_long_text_is_cut_around_what_was_found(folder: Folder) -> None:
    async with open_app(folder, command="test", env={}) as app:
        await app.hub.load(OLD)
        app.hub.apply(OLD, [BlockPut(block("u3", "x " * 500 + "trunnion" + " y" * 500, UserBlock))])
        (hit,) = (await find(app, "trunnion"))[0].hits
        assert "trunnion" in hit.text
        assert len(hit.text) < 200
        assert (hit.text[0], hit.text[-1]) == ("…", "…")


async def test_others_reach_the_store_while_a_long_log_is_indexed(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "data")
    store, index = Store(folder.database), SearchIndex(tmp_path / "search.db")
    head = make_session(OLD)
    said = [block(f"u{number}", f"Prompt number {number}", UserBlock) for number in range(2 * PART + 1)]
    store.save([Saved(head=head, blocks=tuple(enumerate(said)), whole=True)])
    saver = SessionSaver(store, index)
    async with asyncio.TaskGroup() as group:
        indexing = group.create_task(saver.index(head))
        await asyncio.sleep(0)  # it has asked for its first part
        assert (await saver.find_unindexed([OLD]), indexing.done()) == ([OLD], False)
    assert await saver.find_unindexed([OLD]) == []
    assert [one.block for one in await saver.search(f"number {2 * PART}")] == [f"u{2 * PART}"]
    saver.close()


async def test_who_opens_a_session_does_not_wait_for_the_index(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "data")
    store, index = Store(folder.database), SearchIndex(tmp_path / "search.db")
    said = [block(f"u{number}", f"Prompt number {number}", UserBlock) for number in range(2 * PART + 1)]
    store.save([Saved(head=make_session(OLD), blocks=tuple(enumerate(said)), whole=True)])
    saver = SessionSaver(store, index)
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(saver.read_log(OLD))
        await group.create_task(saver.index(make_session(SessionId("s_other"))))  # one part of it
        assert reading.done()
    saver.close()
