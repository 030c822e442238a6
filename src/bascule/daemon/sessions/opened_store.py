"""The store as the daemon opens it: what is damaged is set aside and said, what fails is said and retried."""

import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from bascule.core.faults import UserError
from bascule.core.session.titles import name_by_prompt
from bascule.core.text.counts import counted
from bascule.daemon.sessions.session_saver import SessionSaver
from bascule.daemon.surfaces.notices import Notices
from bascule.host.clock import local_time
from bascule.host.storage.salvage import OpenedStore, mark_damaged, open_store
from bascule.host.storage.search_index import SearchIndex, read_titles, search_path
from bascule.host.storage.set_aside import SetAsideSession, aside_path, read_aside, write_aside
from bascule.host.storage.store import Saved
from bascule.host.storage.store_faults import SessionUnreadable, is_damage, is_full
from bascule.model.ids import SessionId
from bascule.model.protocol.sessions import DaemonNotice, DaemonNoticeKind
from bascule.model.session import Session

MAX_NAMED = 20  # sessions in one notice

log = logging.getLogger("bascule.storage")


class Storage:
    def __init__(self, path: Path, notices: Notices, now_ms: Callable[[], int]) -> None:
        self._path = path
        self._notices = notices
        self._now_ms = now_ms
        opened = open_store(path, stamp=f"{local_time(now_ms()):%Y%m%d-%H%M%S}")
        self.store = opened.store
        self.saver = SessionSaver(opened.store, SearchIndex(search_path(path)))
        self.saver.on_trouble = self._tell_trouble
        self._asides = read_aside(aside_path(path))
        self._take_over(opened)
        heads = self._name(opened.heads)
        for session, why in self.store.unreadable.items():
            if session not in self._asides:
                self._note(SetAsideSession(session=session, why=why, where=str(path)))
        self.heads = self._check_asides(heads)
        self._tell_asides()

    def _name(self, heads: list[Session]) -> list[Session]:
        """What an older version stored is named by its first prompt, once."""
        named = {head.id: head for head in map(self._named, heads) if head is not None}
        try:
            self.store.save(Saved(head=head) for head in named.values())
        except sqlite3.Error as fault:
            log.warning("the names of %d sessions could not be stored: %s", len(named), fault)
        return [named.get(head.id, head) for head in heads]

    def _named(self, head: Session) -> Session | None:
        if head.title_by != "default" or not head.runs:
            return None
        try:
            name = name_by_prompt(self.store.read_first_prompt(head.id))
        except UserError:
            return None  # noted by the store
        return replace(head, title=name, title_by="prompt") if name else None

    def _take_over(self, opened: OpenedStore) -> None:
        if opened.broken is None:
            return
        why = "its part of the damaged database can't be read"
        for session, title in opened.lost.items():
            self._note(SetAsideSession(session=session, title=title, why=why, where=str(opened.broken)))
        saved = counted(opened.saved, "session")
        text = (
            f"The database was damaged. It is kept as {opened.broken}, and a new one was begun with "
            f"the {saved} that can be read."
        )
        self._put("database", "database_replaced", text, str(opened.broken))

    def _check_asides(self, heads: list[Session]) -> list[Session]:
        """Those known to be unreadable are tried again: the file may have been restored since."""
        known = {head.id for head in heads}
        for session, aside in tuple(self._asides.items()):
            if session in known and self._is_well(SessionId(session)):
                log.info("session %s can be read again", session)
                del self._asides[session]
            elif aside.where == str(self._path) and session not in known | set(self.store.unreadable):
                del self._asides[session]  # it is not in the file any more
        return [head for head in heads if head.id not in self._asides]

    def _is_well(self, session: SessionId) -> bool:
        try:
            self.store.read_blocks(session)
        except SessionUnreadable:
            return False
        return True

    # -- while it runs --

    def find_aside(self, session: SessionId) -> str | None:
        """Why it is set aside, where it is."""
        aside = self._asides.get(session)
        return aside.why if aside else None

    def set_aside(self, head: Session, why: str) -> None:
        self._note(SetAsideSession(session=head.id, title=head.title, why=why, where=str(self._path)))
        self._tell_asides()

    def _note(self, aside: SetAsideSession) -> None:
        """Under the title that it had, wherever one is still known."""
        title = aside.title or self._find_title(SessionId(aside.session))
        self._asides[aside.session] = replace(aside, title=title)
        log.error("session %s is set aside: %s. It stays in %s.", aside.session, aside.why, aside.where)

    def _find_title(self, session: SessionId) -> str:
        known = self._asides.get(session)
        return known.title if known and known.title else read_titles(self._path, [session]).get(session, "")

    def _tell_asides(self) -> None:
        try:
            write_aside(aside_path(self._path), self._asides)
            if self.store.is_damaged:
                mark_damaged(self._path)
        except OSError as fault:
            log.error("the list of what is set aside could not be written: %s", fault)
        if self._asides:
            named = ", ".join([aside.title or aside.session for aside in self._asides.values()][:MAX_NAMED])
            are = "is" if len(self._asides) == 1 else "are"
            text = (
                f"{counted(len(self._asides), 'session')} can't be read and {are} set aside: {named}. "
                "Nothing was deleted. `bascule doctor` has details."
            )
            self._put("aside", "set_aside", text, named)

    def _tell_trouble(self, fault: sqlite3.Error | None) -> None:
        if fault is None:
            self._notices.withdraw("store", "Everything is stored again.")
            return
        if is_damage(fault):
            self.store.is_damaged = True
            self._tell_asides()
        full = is_full(fault)
        text = (
            f"The disk is full, so sessions cannot be stored in {self._path}. They are kept in memory and "
            "stored as soon as there is room. Free some space."
            if full
            else f"Sessions cannot be stored in {self._path} ({fault}). They are kept in memory, and it is "
            "tried again until it works."
        )
        self._put("store", "store_full" if full else "store_failed", text, str(self._path))

    def _put(self, name: str, kind: DaemonNoticeKind, text: str, detail: str) -> None:
        known = next((notice for notice in self._notices.all() if notice.id == name), None)
        since_ms = known.since_ms if known else self._now_ms()
        notice = DaemonNotice(id=name, kind=kind, text=text, detail=detail, since_ms=since_ms)
        self._notices.put(notice)
