"""What it means when SQLite says no: the disk is full, the file is damaged, or it is out of reach."""

import sqlite3
from pathlib import Path

from bascule.core.faults import UserError
from bascule.model.ids import SessionId

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT)
# These pass, or a person can make them pass: they say nothing about the data.
OUTER = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_AUTH,
)


class StoreRefused(UserError):
    """The file cannot be used as it is; the text says why and what to do."""


class StoreDamaged(StoreRefused):
    """The file is no database any more."""


class NotStored(UserError):
    """A change of one session could not be written."""

    def __init__(self, session: SessionId) -> None:
        super().__init__(
            f"The change of session {session} could not be stored, so it was undone. "
            "Check that the disk has room and can be written, then try again."
        )


class SessionUnreadable(UserError):
    """One session's stored data cannot be read; it is set aside, and all others go on."""

    def __init__(self, session: SessionId, why: str) -> None:
        self.session, self.why = session, why
        super().__init__(
            f"Session {session} is set aside: its stored data cannot be read ({why}). Nothing of it was "
            "deleted. `bascule doctor` says where it is."
        )


def is_full(fault: sqlite3.Error) -> bool:
    return _code(fault) == sqlite3.SQLITE_FULL


def is_damage(fault: sqlite3.Error) -> bool:
    return _code(fault) in DAMAGED or "Could not decode" in str(fault)  # of text that is none any more


def is_outer(fault: sqlite3.Error) -> bool:
    return _code(fault) in OUTER


def refuse_to_open(path: Path, fault: sqlite3.Error) -> StoreRefused:
    """What, where, and what next."""
    code = _code(fault)
    if code in DAMAGED:
        return StoreDamaged(
            f"{path} cannot be read as Bascule's database ({fault}). When Bascule starts (`bascule up`), "
            "it keeps the file under another name and begins an empty database."
        )
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return StoreRefused(
            f"{path} cannot be written ({fault}). Free some space on that disk, or check its health, "
            "then try again."
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreRefused(f"{path} is locked by another program ({fault}). Close that, then try again.")
    if code in OUTER:
        return StoreRefused(
            f"{path} cannot be opened ({fault}). Check that you can read and write it and its folder."
        )
    return StoreRefused(
        f"{path} cannot be read as Bascule's database ({fault}). Move it away to begin with an empty one."
    )


def _code(fault: sqlite3.Error) -> int:
    """The primary one; 0 where Python itself complains."""
    code: int = getattr(fault, "sqlite_errorcode", None) or 0
    return code & 0xFF
