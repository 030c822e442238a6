"""The schema of the sessions' database, version by version, and how an older file is brought to it."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from bascule.host.storage.narrow_prompts import Update, find_narrower_prompts
from bascule.host.storage.store_faults import StoreRefused, is_damage, is_outer, refuse_to_open

Migration = str | Callable[[sqlite3.Connection], list[Update]]  # SQL, or what reads the rows for it

# Each entry brings the schema one version further; what has been released is never edited.
MIGRATIONS: tuple[Migration, ...] = (
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
    "ALTER TABLE prompt_keys ADD COLUMN said TEXT NOT NULL DEFAULT '';",  # a short hash; empty: not known
    # What lists and searches need, so that they read no logs. Of what an older version stored, the last
    # prompt is NULL until it is needed, the kind empty until it is written, and the diffs are not indexed.
    """
    ALTER TABLE sessions ADD COLUMN last_prompt TEXT;
    ALTER TABLE sessions ADD COLUMN is_indexed INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE blocks ADD COLUMN kind TEXT NOT NULL DEFAULT '';
    CREATE TABLE diffs (
        diff TEXT NOT NULL,
        session TEXT NOT NULL,
        block TEXT NOT NULL,
        PRIMARY KEY (diff, session, block),
        FOREIGN KEY (session, block) REFERENCES blocks(session, id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX diffs_of_block ON diffs (session, block);
    """,
    find_narrower_prompts,
)


def migrate(db: sqlite3.Connection, path: Path) -> None:
    version = check_known(db, path)
    for number in range(version, len(MIGRATIONS)):
        try:
            _run_step(db, MIGRATIONS[number], number + 1)
        except sqlite3.DatabaseError as broken:
            db.close()  # which takes the step back
            if is_damage(broken) or is_outer(broken):
                raise refuse_to_open(path, broken) from None
            raise StoreRefused(
                f"{path} could not be brought to schema {number + 1} ({broken}). "
                "Nothing was changed. Move it away to begin with an empty one."
            ) from None


def _run_step(db: sqlite3.Connection, step: Migration, version: int) -> None:
    """In one transaction with the number that says that it was made."""
    # Read before: once a damaged page was met in a transaction, SQLite writes nothing more in it.
    updates = [] if isinstance(step, str) else step(db)
    db.executescript(f"BEGIN; {step if isinstance(step, str) else ''}")
    for sql, words in updates:
        db.execute(sql, words)
    db.execute(f"PRAGMA user_version = {version}")  # a script would commit first
    db.commit()


def check_known(db: sqlite3.Connection, path: Path) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        db.close()
        raise StoreRefused(
            f"{path} was written by a newer Bascule (schema {version}; this one knows {len(MIGRATIONS)}). "
            "Get the newer version, or set BASCULE_HOME to another folder."
        )
    return version
