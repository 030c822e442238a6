"""SQLite: sessions, their blocks and their prompt keys; whole after any crash."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bascule.host.storage.heads import UNREADABLE, Heads, find_ids, read_all_heads
from bascule.host.storage.schema import check_known, migrate
from bascule.host.storage.store_faults import SessionUnreadable, is_damage, is_outer, refuse_to_open
from bascule.model.attachments import DiffAttachment
from bascule.model.blocks import Block, UserBlock
from bascule.model.ids import BlockId, PromptKey, SessionId
from bascule.model.session import Session

BLOCK: msgspec.json.Decoder[Block] = msgspec.json.Decoder(Block)
BUSY_TIMEOUT_S = 5.0
LAST_CHARACTER = chr(0x10FFFF)
BEGINNING = (-1, "")  # before every position
ALL = -1  # no limit
MAX_LAST_PROMPT = 200  # characters of it that are kept for lists
USER = UserBlock.__struct_config__.tag


T = TypeVar("T")
Placed = tuple[int, Block]  # a block with its position in the log


class Saved(Struct, frozen=True, kw_only=True):
    """What has become different about one session since it was last stored."""

    head: Session  # without blocks
    blocks: tuple[Placed, ...] = ()
    gone: tuple[BlockId, ...] = ()
    whole: bool = False  # `blocks` is all there is
    keys: Mapping[PromptKey, str] | None = None  # with a hash of what was said; None: as they were


class LogPart(Struct, frozen=True):
    """Some blocks of a log that follow each other."""

    blocks: list[Placed]
    size: int  # in bytes, as they are stored


class Store:
    """Used from one thread at a time; every write is one transaction.

    What cannot be read of one session costs that one alone; `unreadable` names those found so far."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.unreadable: dict[SessionId, str] = {}
        self.is_damaged = False  # a page of the file cannot be read
        self._db = _open(path)
        migrate(self._db, path)

    def close(self) -> None:
        self._db.close()

    def save(self, saved: Iterable[Saved]) -> None:
        with self._db:
            for one in saved:
                self._save_one(one)

    def delete(self, session: SessionId) -> None:
        """With its blocks, keys and diffs."""
        with self._db:
            self._db.execute("DELETE FROM sessions WHERE id = ?", (session,))

    def _save_one(self, one: Saved) -> None:
        head = replace(one.head, blocks=())
        self._db.execute(
            "INSERT INTO sessions (id, head, updated_at_ms, last_prompt, is_indexed) VALUES (?, ?, ?, '', 1) "
            "ON CONFLICT (id) DO UPDATE SET head = excluded.head, updated_at_ms = excluded.updated_at_ms",
            (head.id, msgspec.json.encode(head), head.updated_at_ms),
        )
        if one.whole:
            self._db.execute("DELETE FROM blocks WHERE session = ?", (head.id,))
            self._db.execute("UPDATE sessions SET is_indexed = 1 WHERE id = ?", (head.id,))
        self._db.executemany(
            "DELETE FROM blocks WHERE session = ? AND id = ?", [(head.id, block) for block in one.gone]
        )
        self._db.executemany(
            "INSERT INTO blocks (session, position, id, body, kind) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (session, id) DO UPDATE SET "
            "body = excluded.body, position = excluded.position, kind = excluded.kind",
            [
                (head.id, at, block.id, msgspec.json.encode(block), str(block.__struct_config__.tag))
                for at, block in one.blocks
            ],
        )
        self._save_diffs(head.id, one.blocks)
        if one.whole or one.gone or any(isinstance(block, UserBlock) for _, block in one.blocks):
            self._save_last_prompt(head.id)
        if one.keys is not None:
            self._save_keys(head.id, one.keys)

    def _save_diffs(self, session: SessionId, blocks: Iterable[Placed]) -> None:
        carried = [(diff, session, block.id) for _, block in blocks for diff in _diffs(block)]
        self._db.executemany("INSERT OR IGNORE INTO diffs (diff, session, block) VALUES (?, ?, ?)", carried)

    def _save_last_prompt(self, session: SessionId) -> str:
        """The beginning of it, with its session."""
        query = "SELECT body FROM blocks WHERE session = ? AND kind IN (?, '') ORDER BY position DESC"
        blocks = (BLOCK.decode(body) for (body,) in self._db.execute(query, (session, USER)))
        said = next((block.text for block in blocks if isinstance(block, UserBlock)), "")[:MAX_LAST_PROMPT]
        self._db.execute("UPDATE sessions SET last_prompt = ? WHERE id = ?", (said, session))
        return said

    def _save_keys(self, session: SessionId, keys: Mapping[PromptKey, str]) -> None:
        self._db.execute("DELETE FROM prompt_keys WHERE session = ?", (session,))
        self._db.executemany(
            "INSERT INTO prompt_keys (session, key, said) VALUES (?, ?, ?)",
            [(session, key, said) for key, said in keys.items()],
        )

    def read_heads(self) -> list[Session]:
        """All sessions without their blocks, the latest first."""
        found = read_all_heads(self._db)
        self.unreadable.update(found.unreadable)
        self.is_damaged = self.is_damaged or found.is_damaged
        return found.heads

    def read_blocks(self, session: SessionId) -> tuple[Block, ...]:
        query = "SELECT body FROM blocks WHERE session = ? ORDER BY position"
        return self._read(session, lambda: _decoded(self._db.execute(query, (session,))))

    def _read(self, session: SessionId, read: Callable[[], T]) -> T:
        """`SessionUnreadable` where it is the data that is wrong."""
        try:
            return read()
        except UNREADABLE as broken:
            why = str(broken)
        except sqlite3.Error as broken:
            if is_outer(broken):
                raise refuse_to_open(self._path, broken) from None
            self.is_damaged = self.is_damaged or is_damage(broken)
            why = str(broken)
        self.unreadable[session] = why
        raise SessionUnreadable(session, why)

    def read_named(self, prefix: str) -> list[tuple[SessionId, Block]]:
        """Blocks of all sessions whose ids begin so; one look into the index for each session."""
        query = (
            "SELECT session, body FROM sessions CROSS JOIN blocks "
            "ON session = sessions.id AND blocks.id >= ? AND blocks.id < ?"
        )
        try:
            rows = self._db.execute(query, (prefix, prefix + LAST_CHARACTER)).fetchall()
            return [(SessionId(session), BLOCK.decode(body)) for session, body in rows]
        except UNREADABLE:
            pass
        except sqlite3.Error as broken:
            if is_outer(broken):
                raise refuse_to_open(self._path, broken) from None
        return [found for session in find_ids(self._db) for found in self._read_named_in(session, prefix)]

    def _read_named_in(self, session: SessionId, prefix: str) -> list[tuple[SessionId, Block]]:
        query = "SELECT body FROM blocks WHERE session = ? AND id >= ? AND id < ?"
        words = (session, prefix, prefix + LAST_CHARACTER)
        try:
            found = self._read(session, lambda: _decoded(self._db.execute(query, words)))
        except SessionUnreadable:
            return []
        return [(session, block) for block in found]

    def read_part(self, session: SessionId, after: tuple[int, str], most: int) -> LogPart:
        """The next blocks of the log after that position and id."""
        query = (
            "SELECT position, body FROM blocks WHERE session = ? AND (position, id) > (?, ?) "
            "ORDER BY position, id LIMIT ?"
        )
        words = (session, *after, most)
        return self._read(session, lambda: _make_part(self._db.execute(query, words)))

    def read_last_prompts(self) -> dict[SessionId, str]:
        """The beginning of what was said last in each session, where it is known without reading its log."""
        query = "SELECT id, last_prompt FROM sessions WHERE last_prompt IS NOT NULL"
        try:
            return {SessionId(id_): text for id_, text in self._db.execute(query)}
        except sqlite3.DatabaseError as broken:
            if not is_damage(broken):
                raise
            return {}  # it is looked for in each session, when somebody asks

    def read_last_prompt(self, session: SessionId) -> str:
        """Of a session that an older version stored; from then on it is known."""
        with self._db:
            return self._read(session, lambda: self._save_last_prompt(session))

    def read_first_prompt(self, session: SessionId) -> str:
        """The first words of a person in its log."""
        query = "SELECT body FROM blocks WHERE session = ? AND kind IN (?, '') ORDER BY position"

        def find() -> str:
            blocks = (BLOCK.decode(body) for (body,) in self._db.execute(query, (session, USER)))
            return next((block.text for block in blocks if isinstance(block, UserBlock)), "")

        return self._read(session, find)

    def find_unindexed(self) -> list[SessionId]:
        """Sessions that an older version stored, and whose diffs cannot be found yet."""
        return [SessionId(id_) for (id_,) in self._db.execute("SELECT id FROM sessions WHERE NOT is_indexed")]

    def index_diffs(self, session: SessionId) -> None:
        with self._db:
            self._read(session, lambda: self._save_diffs(session, self._read_placed(session)))
            self._db.execute("UPDATE sessions SET is_indexed = 1 WHERE id = ?", (session,))

    def _read_placed(self, session: SessionId) -> Iterator[Placed]:
        query = "SELECT position, body FROM blocks WHERE session = ? ORDER BY position"
        return ((at, BLOCK.decode(body)) for at, body in self._db.execute(query, (session,)))

    def find_diff(self, diff: str) -> SessionId | None:
        """The session in whose log it is offered."""
        found = self._db.execute("SELECT session FROM diffs WHERE diff = ? LIMIT 1", (diff,)).fetchone()
        return SessionId(found[0]) if found else None

    def read_keys(self, session: SessionId) -> Mapping[PromptKey, str]:
        query = "SELECT key, said FROM prompt_keys WHERE session = ? ORDER BY rowid"
        rows = self._read(session, lambda: self._db.execute(query, (session,)).fetchall())
        return {PromptKey(key): said for key, said in rows}


def _make_part(rows: Iterable[tuple[int, bytes]]) -> LogPart:
    """Each row is decoded before the next one is read."""
    blocks: list[Placed] = []
    size = 0
    for at, body in rows:
        size += len(body)
        blocks.append((at, BLOCK.decode(body)))
    return LogPart(blocks, size)


def _diffs(block: Block) -> list[str]:
    return [one.diff_id for one in block.attachments if isinstance(one, DiffAttachment)]


def _decoded(rows: Iterable[tuple[bytes]]) -> tuple[Block, ...]:
    return tuple(BLOCK.decode(body) for (body,) in rows)


def _open(path: Path) -> sqlite3.Connection:
    db: sqlite3.Connection | None = None
    try:
        db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
        path.chmod(0o600)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA user_version").fetchone()
    except sqlite3.DatabaseError as broken:
        if db is not None:
            db.close()
        raise refuse_to_open(path, broken) from None
    except OSError:
        if db is not None:
            db.close()
        raise
    return db


def read_stored_heads(path: Path) -> list[Session]:
    """The sessions as they are on the disk, while another process may own the file; none without a file."""
    return _read_beside(path).heads


def read_unreadable(path: Path) -> dict[SessionId, str]:
    """The sessions whose heads cannot be read, and why."""
    return _read_beside(path).unreadable


def _read_beside(path: Path) -> Heads:
    if not path.exists():
        return Heads([], {}, False)
    db: sqlite3.Connection | None = None
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_S)
        check_known(db, path)
        return read_all_heads(db)
    except sqlite3.DatabaseError as broken:
        if "no such table" in str(broken):
            return Heads([], {}, False)  # made a moment ago, and nothing in it yet
        raise refuse_to_open(path, broken) from None
    finally:
        if db is not None:
            db.close()
