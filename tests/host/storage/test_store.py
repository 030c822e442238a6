"""The store: what was saved is read back, every write is whole, and foreign files are refused."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from bascule.host.storage import schema
from bascule.host.storage.schema import MIGRATIONS
from bascule.host.storage.store import ALL, BEGINNING, Saved, Store
from bascule.host.storage.store_faults import StoreRefused
from bascule.model.attachments import DiffAttachment
from bascule.model.blocks import AssistantBlock, Block, FileEdit, SystemBlock, UserBlock
from bascule.model.ids import BlockId, PromptKey, RunId, SessionId, ThreadId
from bascule.model.session import LatestDiff, Prompt, Run, Session, Usage

ONE = SessionId("s_one")


def make_session(session: str = ONE, **more: object) -> Session:
    return Session(id=SessionId(session), workspace="/home/ann/bridge", **more)  # type: ignore[arg-type]


def place(*blocks: Block) -> tuple[tuple[int, Block], ...]:
    return tuple(enumerate(blocks))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bascule.db"


def test_a_session_is_read_back_as_it_was(path: Path) -> None:
    blocks = (
        UserBlock(id=BlockId("u"), text="raise the leaf — 橋", images=("a.png",)),
        AssistantBlock(id=BlockId("a"), run=RunId("r"), text="Up.", status="completed"),
    )
    head = make_session(
        title="Bridge",
        agent="claude",
        runs=(Run(id=RunId("r"), outcome="failed", why="wind", started_at_ms=3, ended_at_ms=4),),
        usage=Usage(context_used=18_400, context_window=258_400),
        diff=LatestDiff(unified="+up\n", files=(FileEdit(path="a.py", change="add", diff="+up\n"),)),
        thread=ThreadId("t"),
        hidden=True,
        queue=(Prompt(key=PromptKey("k"), text="later"),),
        queue_held=True,
        updated_at_ms=5,
    )
    store = Store(path)
    store.save([Saved(head=replace(head, blocks=blocks), blocks=place(*blocks), keys={PromptKey("k"): "h"})])
    store.close()
    again = Store(path)
    assert again.read_heads() == [head]
    assert again.read_blocks(ONE) == blocks
    assert again.read_keys(ONE) == {"k": "h"}
    assert again.read_blocks(SessionId("s_other")) == ()
    again.close()


def test_heads_come_latest_first(path: Path) -> None:
    store = Store(path)
    store.save([Saved(head=make_session(f"s_{at}", updated_at_ms=at)) for at in (2, 3, 1)])
    assert [head.id for head in store.read_heads()] == ["s_3", "s_2", "s_1"]
    store.close()


def test_differences_are_laid_over_what_is_there(path: Path) -> None:
    a, b, c = (SystemBlock(id=BlockId(name)) for name in "abc")
    grown = SystemBlock(id=BlockId("b"), text="more")
    store = Store(path)
    store.save(
        [Saved(head=make_session(), blocks=place(a, b, c), keys={PromptKey("1"): "", PromptKey("2"): ""})]
    )
    store.save([Saved(head=make_session(), blocks=((1, grown),), gone=(BlockId("c"),))])
    assert (store.read_blocks(ONE), store.read_keys(ONE)) == ((a, grown), {"1": "", "2": ""})
    store.save([Saved(head=make_session(), blocks=place(c), whole=True, keys={PromptKey("2"): ""})])
    assert (store.read_blocks(ONE), store.read_keys(ONE)) == ((c,), {"2": ""})
    store.close()


def test_keys_keep_the_order_in_which_they_came(path: Path) -> None:
    keys = {PromptKey(name): name for name in ("z", "a", "m")}
    store = Store(path)
    store.save([Saved(head=make_session(), keys=keys)])
    assert list(store.read_keys(ONE).items()) == list(keys.items())
    store.close()


def test_a_write_that_fails_leaves_nothing_of_itself(path: Path) -> None:
    store = Store(path)
    store.save([Saved(head=make_session(title="before"))])
    twice: dict[PromptKey, Any] = {PromptKey("k"): None}
    with pytest.raises(sqlite3.IntegrityError):
        store.save([Saved(head=make_session(title="after")), Saved(head=make_session("s_two"), keys=twice)])
    assert [(head.id, head.title) for head in store.read_heads()] == [(ONE, "before")]
    store.close()


@pytest.mark.skipif(os.name == "nt", reason="there the folder's access list keeps others out")
def test_only_its_owner_can_read_it(path: Path) -> None:
    Store(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def set_version(path: Path, version: int) -> None:
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {version}")
    db.close()


def test_a_newer_schema_is_refused_and_left_alone(path: Path) -> None:
    Store(path).close()
    set_version(path, len(MIGRATIONS) + 1)
    before = path.read_bytes()
    with pytest.raises(StoreRefused) as refused:
        Store(path)
    assert str(refused.value) == (
        f"{path} was written by a newer Bascule "
        f"(schema {len(MIGRATIONS) + 1}; this one knows {len(MIGRATIONS)}). "
        "Get the newer version, or set BASCULE_HOME to another folder."
    )
    assert path.read_bytes() == before


def test_an_older_schema_is_brought_forward_with_what_it_holds(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(path)
    store.save([Saved(head=make_session(title="kept"))])
    store.close()
    steps = (
        *MIGRATIONS,
        "ALTER TABLE sessions ADD COLUMN starred INTEGER NOT NULL DEFAULT 0;",
        "UPDATE sessions SET starred = 1;",
    )
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    for _ in range(2):  # the second time there is nothing to do
        store = Store(path)
        assert [head.title for head in store.read_heads()] == ["kept"]
        store.close()
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (len(steps),)
    assert db.execute("SELECT starred FROM sessions").fetchall() == [(1,)]
    db.close()


def test_keys_of_an_older_store_are_kept_without_a_hash(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", MIGRATIONS[:1])
        Store(path).close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO sessions VALUES ('s_one', ?, 1)", (msgspec.json.encode(make_session()),))
        db.execute("INSERT INTO prompt_keys VALUES ('s_one', 'old')")
    store = Store(path)
    assert store.read_keys(ONE) == {"old": ""}
    store.close()


def test_what_an_older_store_does_not_know_is_found_when_it_is_needed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    diff = DiffAttachment(title="1 file", diff_id="d1", unified_diff="+x", files=())
    old: tuple[Block, ...] = (
        UserBlock(id=BlockId("u1"), text="first"),
        UserBlock(id=BlockId("u2"), text="last " * 100),
        AssistantBlock(id=BlockId("a"), text="done", attachments=(diff,)),
    )
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", MIGRATIONS[:2])
        Store(path).close()
    with closing(sqlite3.connect(path)) as db, db:
        for name in ("s_one", "s_two"):
            head = msgspec.json.encode(make_session(name))
            db.execute("INSERT INTO sessions VALUES (?, ?, 1)", (name, head))
            rows = [(name, at, block.id, msgspec.json.encode(block)) for at, block in enumerate(old)]
            db.executemany("INSERT INTO blocks VALUES (?, ?, ?, ?)", rows)
    store = Store(path)
    last = ("last " * 100)[:200]
    assert (store.read_last_prompts(), store.find_diff("d1")) == ({}, None)
    assert store.read_last_prompt(ONE) == last
    two = SessionId("s_two")
    store.save([Saved(head=make_session("s_two"), blocks=((3, SystemBlock(id=BlockId("s"))),))])
    assert store.read_last_prompts() == {ONE: last}
    new = UserBlock(id=BlockId("u3"), text="newest")
    store.save([Saved(head=make_session("s_two"), blocks=((4, new),))])
    assert store.read_last_prompts() == {ONE: last, two: "newest"}
    store.save([Saved(head=make_session("s_two"), gone=(new.id,))])
    assert store.read_last_prompts() == {ONE: last, two: last}
    assert sorted(store.find_unindexed()) == [ONE, two]
    store.index_diffs(ONE)
    assert (store.find_unindexed(), store.find_diff("d1"), store.read_blocks(ONE)) == ([two], ONE, old)
    store.save([Saved(head=make_session("s_two"), whole=True)])
    assert (store.find_unindexed(), store.read_last_prompts()) == ([], {ONE: last, two: ""})
    store.close()
    with closing(sqlite3.connect(path)) as db:
        kinds = "SELECT kind FROM blocks WHERE session = 's_one' ORDER BY position"
        assert db.execute(kinds).fetchall() == [("",)] * 3  # nothing is written again for it
    store = Store(path)
    store.save([Saved(head=make_session(), blocks=((2, old[2]),))])
    store.close()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute(kinds).fetchall() == [("",), ("",), ("assistant",)]


def test_a_log_is_read_in_parts_also_where_two_blocks_have_one_position(path: Path) -> None:
    """As versions before this one left them."""
    store = Store(path)
    blocks = [SystemBlock(id=BlockId(name), text=name) for name in "abcde"]
    placed = tuple(zip((0, 1, 1, 1, 2), blocks, strict=True))
    store.save([Saved(head=make_session(), blocks=placed, whole=True)])
    read, after = [], BEGINNING
    while (part := store.read_part(ONE, after, 2)).blocks:
        read += part.blocks
        after = (read[-1][0], read[-1][1].id)
    assert read == list(placed)
    assert store.read_part(ONE, BEGINNING, ALL).blocks == list(placed)
    store.close()


def test_a_step_that_fails_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(path).close()
    steps = (*MIGRATIONS, "CREATE TABLE fine (id TEXT); CREATE TABLE sessions (id TEXT);")
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    with pytest.raises(
        StoreRefused, match=r"could not be brought to schema 5 \(table sessions already exists\)"
    ):
        Store(path)
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    assert db.execute("SELECT name FROM sqlite_schema WHERE name = 'fine'").fetchall() == []
    db.close()


def test_somebody_elses_database_is_refused(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE sessions (theirs TEXT)")
    db.close()
    with pytest.raises(StoreRefused, match="could not be brought to schema 1"):
        Store(path)


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_bytes(b"a love letter, and a long one at that\n" * 100)
    why = r"cannot be read as Bascule's database \(file is not a database\)\. When Bascule starts"
    with pytest.raises(StoreRefused, match=why):
        Store(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreRefused, match=r"cannot be opened \(unable to open database file\)"):
        Store(path)


def test_blocks_are_found_by_how_their_ids_begin(path: Path) -> None:
    store = Store(path)
    named = {name: SystemBlock(id=BlockId(name), text=name) for name in ("test_1", "tess", "testament", "a")}
    store.save(
        [
            Saved(head=make_session(), blocks=place(named["a"], named["test_1"], named["tess"])),
            Saved(head=make_session("s_two"), blocks=place(named["testament"], named["test_1"])),
        ]
    )
    assert sorted(store.read_named("test_")) == [(ONE, named["test_1"]), ("s_two", named["test_1"])]
    assert store.read_named("none_") == []
    store.close()
