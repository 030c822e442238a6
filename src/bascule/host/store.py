"""SQLite: sessions, their blocks and their prompt keys; whole after any crash."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bascule.core.faults import CannotGoOn
from bascule.model.blocks import Block
from bascule.model.ids import BlockId, PromptKey, SessionId
from bascule.model.session import Session

# Each entry brings the schema one version further; what has been released is never edited.
MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        head BLOB NOT NULL,
        updated_at_ms INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE blocks (
        session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        id TEXT NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (session, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX blocks_in_order ON blocks (session, position);
    CREATE TABLE prompt_keys (
        session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
        key TEXT NOT NULL,
        PRIMARY KEY (session, key)
    ) STRICT;
    """,
)

HEAD = msgspec.json.Decoder(Session)
BLOCK: msgspec.json.Decoder[Block] = msgspec.json.Decoder(Block)
BUSY_TIMEOUT_S = 5.0
LAST_CHARACTER = chr(0x10FFFF)


class StoreRefused(CannotGoOn):
    """The file cannot be used as it is; the text says why and what to do."""


class Saved(Struct, frozen=True, kw_only=True):
    """What has become different about one session since it was last stored."""

    head: Session  # without blocks
    blocks: tuple[tuple[int, Block], ...] = ()  # with their positions
    gone: tuple[BlockId, ...] = ()
    anew: bool = False  # `blocks` is all there is
    keys: tuple[PromptKey, ...] | None = None  # None: as they were


class Store:
    """Used from one thread at a time; every write is one transaction."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db = _open(path)
        _migrate(self._db, path)

    def close(self) -> None:
        self._db.close()

    def save(self, saved: Iterable[Saved]) -> None:
        with self._db:
            for one in saved:
                self._save_one(one)

    def _save_one(self, one: Saved) -> None:
        head = replace(one.head, blocks=())
        self._db.execute(
            "INSERT INTO sessions (id, head, updated_at_ms) VALUES (?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET head = excluded.head, updated_at_ms = excluded.updated_at_ms",
            (head.id, msgspec.json.encode(head), head.updated_at_ms),
        )
        if one.anew:
            self._db.execute("DELETE FROM blocks WHERE session = ?", (head.id,))
        self._db.executemany(
            "DELETE FROM blocks WHERE session = ? AND id = ?", [(head.id, block) for block in one.gone]
        )
        self._db.executemany(
            "INSERT INTO blocks (session, position, id, body) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (session, id) DO UPDATE SET body = excluded.body, position = excluded.position",
            [(head.id, at, block.id, msgspec.json.encode(block)) for at, block in one.blocks],
        )
        if one.keys is not None:
            self._save_keys(head.id, one.keys)

    def _save_keys(self, session: SessionId, keys: tuple[PromptKey, ...]) -> None:
        self._db.execute("DELETE FROM prompt_keys WHERE session = ?", (session,))
        self._db.executemany(
            "INSERT INTO prompt_keys (session, key) VALUES (?, ?)", [(session, key) for key in keys]
        )

    def read_heads(self) -> list[Session]:
        """All sessions without their blocks, the latest first."""
        return _heads(self._db)

    def read_blocks(self, session: SessionId) -> tuple[Block, ...]:
        rows = self._db.execute("SELECT body FROM blocks WHERE session = ? ORDER BY position", (session,))
        return tuple(BLOCK.decode(body) for (body,) in rows)

    def read_named(self, prefix: str) -> list[tuple[SessionId, Block]]:
        """Blocks of all sessions whose ids begin so; one look into the index for each session."""
        rows = self._db.execute(
            "SELECT session, body FROM sessions CROSS JOIN blocks "
            "ON session = sessions.id AND blocks.id >= ? AND blocks.id < ?",
            (prefix, prefix + LAST_CHARACTER),
        )
        return [(SessionId(session), BLOCK.decode(body)) for session, body in rows]

    def read_last_prompts(self, session: SessionId) -> tuple[Block, ...]:
        """The last few things that a person said, without reading the rest."""
        rows = self._db.execute(
            "SELECT body FROM (SELECT position, body FROM blocks WHERE session = ? ORDER BY position DESC) "
            """WHERE CAST(body AS TEXT) LIKE '{"kind":"user"%' LIMIT 1""",
            (session,),
        )
        return tuple(BLOCK.decode(body) for (body,) in rows)

    def read_keys(self, session: SessionId) -> tuple[PromptKey, ...]:
        rows = self._db.execute("SELECT key FROM prompt_keys WHERE session = ? ORDER BY rowid", (session,))
        return tuple(PromptKey(key) for (key,) in rows)


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
        raise StoreRefused(
            f"{path} cannot be read as Bascule's database ({broken}). "
            "Move it away to begin with an empty one."
        ) from None
    return db


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    version = _check_known(db, path)
    for number in range(version, len(MIGRATIONS)):
        try:
            db.executescript(f"BEGIN; {MIGRATIONS[number]} PRAGMA user_version = {number + 1}; COMMIT;")
        except sqlite3.DatabaseError as broken:
            db.close()  # which takes the step back
            raise StoreRefused(
                f"{path} could not be brought to schema {number + 1} ({broken}). "
                "Nothing was changed. Move it away to begin with an empty one."
            ) from None


def _check_known(db: sqlite3.Connection, path: Path) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        db.close()
        raise StoreRefused(
            f"{path} is of a newer Bascule (schema {version}; this one knows {len(MIGRATIONS)}). "
            "Get the newer version, or set BASCULE_HOME to another folder."
        )
    return version


def read_stored_heads(path: Path) -> list[Session]:
    """The sessions as they lie on the disk, read beside whoever owns the file; none where there is none."""
    if not path.exists():
        return []
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_S)
    try:
        _check_known(db, path)
        return _heads(db)
    except sqlite3.OperationalError:
        return []  # made a moment ago, and nothing in it yet
    finally:
        db.close()


def _heads(db: sqlite3.Connection) -> list[Session]:
    rows = db.execute("SELECT head FROM sessions ORDER BY updated_at_ms DESC, id")
    return [HEAD.decode(head) for (head,) in rows]
