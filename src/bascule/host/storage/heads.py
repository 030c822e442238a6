"""The heads of all stored sessions, also out of a file with pages that cannot be read."""

import sqlite3
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from bascule.host.storage.store_faults import is_damage
from bascule.model.ids import SessionId
from bascule.model.session import Session

HEAD = msgspec.json.Decoder(Session)
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
MAX_ROWS = 100_000  # that are looked for one by one in a damaged file

Row = tuple[int, str, bytes]  # when it was updated, its id, its head


class Heads(Struct, frozen=True):
    heads: list[Session]  # those that can be read, the latest first
    unreadable: dict[SessionId, str]  # why the others cannot
    is_damaged: bool


def read_all_heads(db: sqlite3.Connection) -> Heads:
    try:
        return _decode(db.execute("SELECT updated_at_ms, id, head FROM sessions"))
    except sqlite3.DatabaseError as broken:
        if not is_damage(broken):
            raise
    rows, unreadable = _rows_one_by_one(db)
    read = _decode(rows)
    return Heads(read.heads, unreadable | read.unreadable, True)


def _decode(rows: Iterable[Row]) -> Heads:
    """Each is decoded before the next one is read: all of them as text take as much again."""
    unreadable: dict[SessionId, str] = {}
    heads: list[tuple[int, Session]] = []
    for updated_at_ms, session, body in rows:
        try:
            head = HEAD.decode(body)
        except UNREADABLE as broken:
            unreadable[SessionId(session)] = str(broken)
            continue
        if head.id == session:
            heads.append((updated_at_ms, head))
        else:
            unreadable[SessionId(session)] = f"it says that it is session {head.id}"
    heads.sort(key=lambda one: (-one[0], one[1].id))
    return Heads([head for _, head in heads], unreadable, False)


def _rows_one_by_one(db: sqlite3.Connection) -> tuple[list[Row], dict[SessionId, str]]:
    """Around the pages that cannot be read."""
    rows: list[Row] = []
    unreadable: dict[SessionId, str] = {}
    for session in find_ids(db):
        try:
            query = "SELECT updated_at_ms, id, head FROM sessions WHERE id = ?"
            rows += db.execute(query, (session,)).fetchall()
        except sqlite3.DatabaseError as broken:
            unreadable[session] = str(broken)
    return rows, unreadable


def find_ids(db: sqlite3.Connection) -> list[SessionId]:
    """Of all sessions: by their index, or one by one where a page of that cannot be read."""
    try:
        return [SessionId(id_) for (id_,) in db.execute("SELECT id FROM sessions ORDER BY id")]
    except sqlite3.DatabaseError as broken:
        if not is_damage(broken):
            raise
    found: set[SessionId] = set()
    for number in range(1, _last_row(db) + 1):
        try:
            query = "SELECT id FROM sessions NOT INDEXED WHERE rowid = ?"
            found.update(SessionId(id_) for (id_,) in db.execute(query, (number,)))
        except sqlite3.DatabaseError:
            continue
    return sorted(found)


def _last_row(db: sqlite3.Connection) -> int:
    try:
        return min(MAX_ROWS, db.execute("SELECT max(rowid) FROM sessions").fetchone()[0] or 0)
    except sqlite3.DatabaseError:
        return MAX_ROWS
