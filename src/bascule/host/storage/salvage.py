"""A damaged database: moved aside whole, and all that can be read of it brought into a new one."""

import logging
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from bascule.host.storage.heads import HEAD, UNREADABLE, find_ids
from bascule.host.storage.store import Store
from bascule.host.storage.store_faults import StoreDamaged, is_damage, refuse_to_open
from bascule.model.ids import SessionId
from bascule.model.session import Session

BROKEN = ".broken-"
DAMAGED = ".damaged"  # beside the database: a page could not be read, so the next start makes it again
# Blocks by the index of their order, as the store reads them: a scan would run into its neighbours' pages.
QUERIES = {
    "sessions": "SELECT * FROM sessions WHERE id = ?",
    "blocks": "SELECT * FROM blocks WHERE session = ? ORDER BY position",
    "prompt_keys": "SELECT * FROM prompt_keys WHERE session = ? ORDER BY rowid",
}

log = logging.getLogger("bascule.store")


class OpenedStore(Struct, frozen=True):
    store: Store
    heads: list[Session]
    broken: Path | None = None  # where the damaged file is now
    lost: Mapping[SessionId, str] = {}  # what is only there, with its title as far as its head can be read
    saved: int = 0  # sessions that were brought over


def open_store(path: Path, *, stamp: str) -> OpenedStore:
    """The owner of the folder calls this: a damaged file is replaced, and never deleted."""
    try:
        return _open(path, stamp)
    except sqlite3.Error as fault:
        raise refuse_to_open(path, fault) from None


def _open(path: Path, stamp: str) -> OpenedStore:
    try:
        store = Store(path)
    except StoreDamaged as damaged:
        broken = _move_aside(path, stamp)
        log.error("%s Kept as %s.", damaged, broken)
        fresh = Store(path)
        return OpenedStore(fresh, fresh.read_heads(), broken)
    mark = path.with_name(path.name + DAMAGED)
    heads = store.read_heads()
    if not mark.exists() and not store.is_damaged:
        return OpenedStore(store, heads)
    store.close()
    opened = _rebuild(path, stamp)
    mark.unlink(missing_ok=True)
    return opened


def mark_damaged(path: Path) -> None:
    path.with_name(path.name + DAMAGED).touch()


def find_broken(path: Path) -> list[Path]:
    """Damaged files that were replaced earlier."""
    ends = ("-wal", "-shm")
    return sorted(
        found for found in path.parent.glob(path.name + BROKEN + "*") if not found.name.endswith(ends)
    )


def _move_aside(path: Path, stamp: str) -> Path:
    broken = path.with_name(f"{path.name}{BROKEN}{stamp}")
    for end in ("-wal", "-shm", ""):
        part = path.with_name(path.name + end)
        if part.exists():
            part.replace(broken.with_name(broken.name + end))
    return broken


def _rebuild(path: Path, stamp: str) -> OpenedStore:
    """Into a file beside it first: only a whole one takes its place."""
    fresh = path.with_name(path.name + ".new")
    for end in ("", "-wal", "-shm"):
        fresh.with_name(fresh.name + end).unlink(missing_ok=True)
    Store(fresh).close()
    saved, lost = _copy(path, fresh)
    broken = _move_aside(path, stamp)
    fresh.replace(path)
    log.error(
        "%s was damaged: %d sessions were brought into a new one, %d were lost: %s. It is kept as %s.",
        *(path, saved, len(lost), ", ".join(lost) or "none", broken),
    )
    store = Store(path)
    return OpenedStore(store, store.read_heads(), broken, lost, saved)


def _copy(path: Path, fresh: Path) -> tuple[int, dict[SessionId, str]]:
    old = sqlite3.connect(path)
    new = sqlite3.connect(fresh)
    try:
        with new:
            _copy_others(old, new)
            ids = find_ids(old)
            lost = [session for session in ids if not _copy_session(old, new, session)]
            titles = {session: _find_title(old, session) for session in lost}
        new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return len(ids) - len(lost), titles
    finally:
        new.close()
        old.close()


def _copy_session(old: sqlite3.Connection, new: sqlite3.Connection, session: SessionId) -> bool:
    """Its rows as they are, whether or not they can be decoded; False where a page is in the way."""
    try:
        rows = {table: old.execute(query, (session,)).fetchall() for table, query in QUERIES.items()}
    except sqlite3.DatabaseError as fault:
        if not is_damage(fault):
            raise
        return False
    if not rows["sessions"]:
        return False
    for table, found in rows.items():
        _insert(new, table, found)
    return True


def _find_title(old: sqlite3.Connection, session: SessionId) -> str:
    """Out of its head, where only its log can't be read."""
    try:
        row = old.execute("SELECT head FROM sessions WHERE id = ?", (session,)).fetchone()
        return HEAD.decode(row[0]).title if row else ""
    except (sqlite3.DatabaseError, *UNREADABLE):
        return ""


def _copy_others(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Tables that are no session's."""
    named = new.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (table,) in named:
        if table in QUERIES or table.startswith("sqlite_"):
            continue
        try:
            _insert(new, table, old.execute(f"SELECT * FROM {table}").fetchall())  # noqa: S608
        except sqlite3.DatabaseError as fault:
            if not is_damage(fault):
                raise
            log.error("the table %s could not be read", table)


def _insert(new: sqlite3.Connection, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    for row in rows:
        marks = ", ".join("?" * len(row))
        new.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", row)  # noqa: S608
