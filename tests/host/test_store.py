"""The store: what was saved is read back, every write is whole, and foreign files are refused."""

import os
import sqlite3
import stat
from pathlib import Path

import pytest
from msgspec.structs import replace

from bascule.host import store as store_module
from bascule.host.store import MIGRATIONS, Saved, Store, StoreRefused
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
    store.save([Saved(head=replace(head, blocks=blocks), blocks=place(*blocks), keys=(PromptKey("k"),))])
    store.close()
    again = Store(path)
    assert again.read_heads() == [head]
    assert again.read_blocks(ONE) == blocks
    assert again.read_keys(ONE) == ("k",)
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
    store.save([Saved(head=make_session(), blocks=place(a, b, c), keys=(PromptKey("1"), PromptKey("2")))])
    store.save([Saved(head=make_session(), blocks=((1, grown),), gone=(BlockId("c"),))])
    assert (store.read_blocks(ONE), store.read_keys(ONE)) == ((a, grown), ("1", "2"))
    store.save([Saved(head=make_session(), blocks=place(c), anew=True, keys=(PromptKey("2"),))])
    assert (store.read_blocks(ONE), store.read_keys(ONE)) == ((c,), ("2",))
    store.close()


def test_keys_keep_the_order_in_which_they_came(path: Path) -> None:
    keys = tuple(PromptKey(name) for name in ("z", "a", "m"))
    store = Store(path)
    store.save([Saved(head=make_session(), keys=keys)])
    assert store.read_keys(ONE) == keys
    store.close()


def test_a_write_that_fails_leaves_nothing_of_itself(path: Path) -> None:
    store = Store(path)
    store.save([Saved(head=make_session(title="before"))])
    twice = (PromptKey("same"), PromptKey("same"))
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
        f"{path} is of a newer Bascule (schema {len(MIGRATIONS) + 1}; this one knows {len(MIGRATIONS)}). "
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
    monkeypatch.setattr(store_module, "MIGRATIONS", steps)
    for _ in range(2):  # the second time there is nothing to do
        store = Store(path)
        assert [head.title for head in store.read_heads()] == ["kept"]
        store.close()
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (len(steps),)
    assert db.execute("SELECT starred FROM sessions").fetchall() == [(1,)]
    db.close()


def test_a_step_that_fails_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(path).close()
    steps = (*MIGRATIONS, "CREATE TABLE fine (id TEXT); CREATE TABLE sessions (id TEXT);")
    monkeypatch.setattr(store_module, "MIGRATIONS", steps)
    with pytest.raises(
        StoreRefused, match=r"could not be brought to schema 2 \(table sessions already exists\)"
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
    with pytest.raises(StoreRefused, match=r"cannot be read as Bascule's database .* Move it away"):
        Store(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreRefused, match="cannot be read as Bascule's database"):
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
