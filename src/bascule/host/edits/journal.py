"""Undo journals: what an edit found, kept on the disk before it writes anything, and for a while after."""

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from bascule.host.edits.survey import EmptiedFolder, OldContent, Survey, sha256
from bascule.host.files.atomic_file import sync_folder
from bascule.host.files.dir_handle import write_all

MAX_JOURNALS = 200
MAX_BYTES = 512 * 1024 * 1024  # of all journals; the latest is kept whatever its size
MAX_WAITING = 1024 * 1024  # bytes that are written together
MAX_ENTRIES = 100_000  # in the folder of journals

BYTES, SHEET, TEMPORARY, GONE = "before", "journal.json", "journal.new", ".gone"

# left: what could be put back was, and the rest is reported once.
State = Literal["unfinished", "done", "left"]


class JournalRecord(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    path: str
    before: OldContent | None  # None: nothing was there
    after_hash: str | None  # None: nothing is there after it


class Journal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    workspace: str
    hash: str  # of the plan
    at_ms: int
    records: tuple[JournalRecord, ...]
    makes: tuple[str, ...] = ()  # folders, outer ones first
    empties: tuple[EmptiedFolder, ...] = ()  # folders that went with their last file
    undoes: str = ""  # the journal whose edit this one took back


SHEETS = msgspec.json.Decoder(Journal)


class JournalDamaged(Exception):
    """A journal does not hold what it should."""


class UndoJournals:
    """All journals of a data folder. The caller that changes them holds the lock."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def lock(self) -> Path:
        return self._folder / "lock"

    def prepare(self) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def path(self, journal_id: str) -> Path:
        return self._folder / journal_id

    def ids(self) -> list[str]:
        """The oldest first."""
        try:
            names = [path.name for path in islice(self._folder.iterdir(), MAX_ENTRIES)]
        except FileNotFoundError:
            return []
        return sorted(name for name in names if name.startswith("edit_") and "." not in name)

    def all(self) -> list[Journal]:
        journals = (self.find(journal_id) for journal_id in self.ids())
        return [journal for journal in journals if journal is not None]

    def find(self, journal_id: str) -> Journal | None:
        """None: there is none of that id, or it was cut off before anything was written to the workspace."""
        try:
            return SHEETS.decode((self.path(journal_id) / SHEET).read_bytes())
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None

    def state(self, journal_id: str) -> State:
        for state in ("done", "left"):
            if (self.path(journal_id) / state).exists():
                return state
        return "unfinished"

    def mark(self, journal_id: str, state: Literal["done", "left"]) -> None:
        """From this moment on the edit counts as finished."""
        os.close(os.open(self.path(journal_id) / state, os.O_WRONLY | os.O_CREAT, 0o600))
        sync_folder(self.path(journal_id))

    def unmark(self, journal_id: str) -> bool:
        """Whether the edit counts as unfinished again."""
        with suppress(OSError):
            (self.path(journal_id) / "done").unlink(missing_ok=True)
        return self.state(journal_id) != "done"

    def read_before(self, journal: Journal, kept: OldContent) -> bytes:
        with (self.path(journal.id) / BYTES).open("rb") as file:
            file.seek(kept.at)
            data = file.read(kept.size)
        if sha256(data) != kept.hash:
            raise JournalDamaged(f"the journal {journal.id} is damaged")
        return data

    def forget(self, journal_id: str) -> None:
        """Renamed first: half a journal must never be taken for an edit to put back."""
        gone = self._folder / (journal_id + GONE)
        with suppress(FileNotFoundError):
            self.path(journal_id).rename(gone)
        shutil.rmtree(gone, ignore_errors=True)

    def sweep(self) -> None:
        """What a kill left of journals that were being begun or forgotten."""
        for gone in self._folder.glob("edit_*" + GONE):
            shutil.rmtree(gone, ignore_errors=True)
        for journal_id in self.ids():
            if not (self.path(journal_id) / SHEET).exists():
                self.forget(journal_id)

    def prune(self, *, most: int = MAX_JOURNALS, most_bytes: int = MAX_BYTES) -> None:
        """The oldest go; what is unfinished stays, and so does the latest."""
        finished = [one for one in self.ids() if self.state(one) != "unfinished"]
        total = 0
        for kept, journal_id in enumerate(reversed(finished), 1):
            total += _size(self.path(journal_id))
            if kept > 1 and (kept > most or total > most_bytes):
                self.forget(journal_id)


class JournalDraft:
    """A journal that is being written: first the bytes, then the sheet that makes it count."""

    def __init__(self, journals: UndoJournals, journal_id: str) -> None:
        self._path = journals.path(journal_id)
        self._path.mkdir(mode=0o700)
        self._fd = os.open(self._path / BYTES, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        self._at = 0
        self._waiting: list[bytes] = []
        self._waiting_size = 0

    def keep(self, data: bytes) -> int:
        at = self._at
        self._at += len(data)
        self._waiting.append(data)
        self._waiting_size += len(data)
        if self._waiting_size > MAX_WAITING:
            self._write()
        return at

    def _write(self) -> None:
        write_all(self._fd, b"".join(self._waiting))
        self._waiting.clear()
        self._waiting_size = 0

    def close(self) -> None:
        os.close(self._fd)

    def seal(self, journal: Journal) -> None:
        self._write()
        os.fsync(self._fd)
        temporary = self._path / TEMPORARY
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        try:
            write_all(fd, msgspec.json.encode(journal))
            os.fsync(fd)
        finally:
            os.close(fd)
        temporary.rename(self._path / SHEET)
        sync_folder(self._path)
        sync_folder(self._path.parent)


def records_of(survey: Survey) -> Iterator[JournalRecord]:
    for one in survey.files:
        after = one.step.after
        after_hash = None if after is None else sha256(after)
        yield JournalRecord(path=one.step.path, before=one.before, after_hash=after_hash)


def is_undone(journal: Journal, journals: list[Journal]) -> bool:
    """Undone, and that not undone in turn."""
    return any(one.undoes == journal.id and not is_undone(one, journals) for one in journals)


def _size(path: Path) -> int:
    return sum(one.stat().st_size for one in path.iterdir())


def journals_in(root: Path) -> Path:
    """Where a data folder keeps its undo journals."""
    return root / "edits"
