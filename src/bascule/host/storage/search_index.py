"""An index of names, prompts, answers and changed files: it can be lost and is then made again."""

import logging
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Literal

from msgspec import Struct

from bascule.core.text.plain import plain_line
from bascule.host.storage.store import Saved
from bascule.model.blocks import AssistantBlock, Block, FileChangeBlock, InfoBlock, RemoteBlock, UserBlock
from bascule.model.ids import BlockId, SessionId
from bascule.model.said import Said

VERSION = 2  # of the schema, and of what is indexed
MAX_TEXT = 4_000  # characters of one block that are indexed
MAX_ROWS = 1_000  # that match; the newest ones
MIN_WORD = 3  # characters that the index has words of; shorter ones are looked for row by row
SCHEMA = """
    CREATE TABLE texts (
        id INTEGER PRIMARY KEY,
        session TEXT NOT NULL,
        block TEXT NOT NULL,
        kind TEXT NOT NULL,
        text TEXT NOT NULL,
        UNIQUE (session, block)
    ) STRICT;
    CREATE TABLE indexed (session TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE VIRTUAL TABLE words USING fts5(text, content='texts', content_rowid='id', tokenize='trigram');
    CREATE TRIGGER texts_put AFTER INSERT ON texts BEGIN
        INSERT INTO words (rowid, text) VALUES (new.id, new.text);
    END;
    CREATE TRIGGER texts_gone AFTER DELETE ON texts BEGIN
        INSERT INTO words (words, rowid, text) VALUES ('delete', old.id, old.text);
    END;
    PRAGMA user_version = 2;
"""
BY_INDEX = (
    "SELECT session, block, kind, texts.text FROM words JOIN texts ON texts.id = words.rowid "
    "WHERE words MATCH ? ORDER BY words.rowid DESC LIMIT ?"
)
ROW_BY_ROW = (
    "SELECT session, block, kind, text FROM texts WHERE text LIKE ? ESCAPE '\\' ORDER BY id DESC LIMIT ?"
)

INDEXED = "INSERT OR IGNORE INTO indexed (session) VALUES (?)"

FoundIn = Literal["title", "prompt", "answer", "file"]
NAME = BlockId("")  # the row of a session's name

log = logging.getLogger("bascule.search")


def search_path(database: Path) -> Path:
    return database.with_name("search.db")


def read_titles(database: Path, sessions: Iterable[SessionId]) -> dict[SessionId, str]:
    """The names of sessions as they were last indexed, for those whose own data can't be read."""
    path, titles = search_path(database), dict[SessionId, str]()
    if not path.exists():
        return titles
    query = "SELECT text FROM texts WHERE session = ? AND block = ?"
    with suppress(sqlite3.Error), closing(_open_beside(path)) as db:
        for session in sessions:
            if found := db.execute(query, (session, NAME)).fetchone():
                titles[session] = found[0]
    return titles


def _open_beside(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


class IndexedText(Struct, frozen=True):
    session: SessionId
    block: BlockId
    kind: FoundIn
    text: str


class SearchIndex:
    """Used from the store's thread. What goes wrong with it costs the search, and nothing else."""

    def __init__(self, path: Path) -> None:
        self._db: sqlite3.Connection | None = None
        try:
            self._db = _open(path)
        except (sqlite3.Error, OSError) as fault:
            log.warning("sessions cannot be searched: %s", fault)

    def close(self) -> None:
        if self._db is not None:
            self._db.close()

    def save(self, saved: Iterable[Saved]) -> None:
        if self._db is None:
            return
        try:
            with self._db:
                for one in saved:
                    _save_one(self._db, one)
        except sqlite3.Error as fault:
            log.warning("what was said is not indexed: %s", fault)

    def mark_indexed(self, session: SessionId) -> None:
        """All of its past is."""
        if self._db is not None:
            with suppress(sqlite3.Error), self._db:  # it is indexed once more after the next start
                self._db.execute(INDEXED, (session,))

    def delete(self, session: SessionId) -> None:
        if self._db is not None:
            try:
                with self._db:
                    self._db.execute("DELETE FROM texts WHERE session = ?", (session,))
                    self._db.execute("DELETE FROM indexed WHERE session = ?", (session,))
            except sqlite3.Error as fault:
                log.warning("%s stays in the index: %s", session, fault)

    def find_unindexed(self, sessions: Iterable[SessionId]) -> list[SessionId]:
        """Sessions whose past is not indexed yet."""
        if self._db is None:
            return []
        try:
            known = {session for (session,) in self._db.execute("SELECT session FROM indexed")}
        except sqlite3.Error:
            return []
        return [session for session in sessions if session not in known]

    def find(self, query: str) -> list[IndexedText]:
        """Texts that hold every word of the query, in any case, the newest first."""
        words = plain_line(query).split()
        if self._db is None or not words:
            return []
        long = [word for word in words if len(word) >= MIN_WORD]
        try:
            if long:
                quoted = " ".join('"' + word.replace('"', '""') + '"' for word in long)
                rows = self._db.execute(BY_INDEX, (quoted, MAX_ROWS)).fetchall()
            else:
                rows = self._db.execute(ROW_BY_ROW, (_like(words[0]), MAX_ROWS)).fetchall()
        except sqlite3.Error as fault:
            log.warning("the search failed: %s", fault)
            return []
        folded = [word.casefold() for word in words]
        found = (IndexedText(SessionId(s), BlockId(b), kind, text) for s, b, kind, text in rows)
        return [one for one in found if all(word in one.text.casefold() for word in folded)]


def _open(path: Path) -> sqlite3.Connection:
    """One that is of another version, or damaged, is begun again."""
    for _ in range(2):
        db = sqlite3.connect(path, check_same_thread=False)
        try:
            path.chmod(0o600)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = OFF")  # it can be made again
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                db.executescript(f"BEGIN; {SCHEMA} COMMIT;")
            if version in (0, VERSION):
                return db
        except sqlite3.DatabaseError as broken:
            if "no such module" in str(broken) or "no such tokenizer" in str(broken):
                raise
        db.close()
        for end in ("", "-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
    raise sqlite3.DatabaseError(f"{path} cannot be made")


def _save_one(db: sqlite3.Connection, one: Saved) -> None:
    session = one.head.id
    if one.whole:
        db.execute("DELETE FROM texts WHERE session = ?", (session,))
        db.execute(INDEXED, (session,))
    gone = [(session, block) for block in one.gone]
    texts = [text for _, block in one.blocks if (text := _text_of(session, block)) is not None]
    texts.append(IndexedText(session, NAME, "title", plain_line(one.head.title)))
    known = "SELECT 1 FROM texts WHERE session = ? AND block = ? AND text = ?"
    new = [text for text in texts if not db.execute(known, (session, text.block, text.text)).fetchone()]
    gone += [(session, text.block) for text in new]
    db.executemany("DELETE FROM texts WHERE session = ? AND block = ?", gone)
    db.executemany(
        "INSERT INTO texts (session, block, kind, text) VALUES (?, ?, ?, ?)",
        [(text.session, text.block, text.kind, text.text) for text in new],
    )


def _text_of(session: SessionId, block: Block) -> IndexedText | None:
    match block:
        case UserBlock(text=text) | RemoteBlock(text=text):
            return IndexedText(session, block.id, "prompt", text[:MAX_TEXT])
        case AssistantBlock(text=text) if block.status != "inProgress":
            return IndexedText(session, block.id, "answer", text[:MAX_TEXT])
        case FileChangeBlock(files=files) if files and block.status == "completed":
            paths = [path for file in files for path in (file.path, file.moved_to) if path]
            return IndexedText(session, block.id, "file", plain_line(", ".join(paths))[:MAX_TEXT])
        case InfoBlock(text=text, said=Said(code="run.declined")) if text:  # the reason of a person's no
            return IndexedText(session, block.id, "prompt", text[:MAX_TEXT])
        case _:
            return None


def _like(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"
