"""Folds Changes into sessions, numbers them, and hands them to their watchers.

All heads are in memory, and the logs of sessions in use: see core/session/residency.py."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from itertools import count

from msgspec.structs import replace

from bascule.core.faults import UserError
from bascule.core.session.fold import MAX_BLOCKS, Fold
from bascule.core.session.residency import Idle, choose_leaving, text_size
from bascule.daemon.sessions.session_saver import SessionSaver, StoredLog
from bascule.daemon.sessions.watchers import ListWatcher, ResidentSession, Watcher
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.store import MAX_LAST_PROMPT
from bascule.host.storage.store_faults import SessionUnreadable
from bascule.model.asks import Ask
from bascule.model.changes import (
    AskClosed,
    BlockGone,
    BlockPut,
    Change,
    Cleared,
    DeletedSet,
    DiffSet,
    HistoryPut,
    RunPut,
    TextGrew,
    UsageSet,
)
from bascule.model.ids import PromptKey, SessionId
from bascule.model.session import Session

log = logging.getLogger("bascule.hub")


MAX_CHANGES_WAITING = 10_000  # for one log; more of them and everything waits for it

# Of the log only: a list does not show them.
UNLISTED = (TextGrew, BlockPut, BlockGone, UsageSet, DiffSet)
# Others change the head alone, and need no log to be folded into.
LOGGED = (TextGrew, BlockPut, BlockGone, HistoryPut, RunPut, Cleared)


class Hub:
    def __init__(self, saver: SessionSaver, heads: Iterable[Session], now_ms: Callable[[], int]) -> None:
        self._saver = saver
        self._now_ms = now_ms
        self._heads = {head.id: head for head in heads}  # of sessions that are not in memory
        self._last_prompts = saver.read_last_prompts()  # of the same
        self._tasks = Tasks()
        self._residents: dict[SessionId, ResidentSession] = {}
        self._uses = count(1)
        self._list_watchers: set[ListWatcher] = set()
        self._is_sweeping = False
        self.on_unreadable: Callable[[Session, str], None] = lambda _head, _why: None
        self.find_aside: Callable[[SessionId], str | None] = lambda _session: None
        self.on_ask_closed: Callable[[Session, Ask, AskClosed], None] = lambda _session, _ask, _closed: None
        self.is_busy: Callable[[SessionId], bool] = lambda _session: False  # something is going on in it
        self.on_left: Callable[[SessionId], None] = lambda _session: None  # its log is no longer in memory
        self.max_blocks: Callable[[], int] = lambda: MAX_BLOCKS  # of a session that comes into memory
        saver.on_written = self._sweep_soon
        saver.on_closing = self._finish_loading

    def heads(self) -> list[Session]:
        """Every session without its blocks, the latest first; ids sort by when they were made."""
        heads = [*(resident.fold.head() for resident in self._residents.values()), *self._heads.values()]
        return sorted(heads, key=lambda head: (head.updated_at_ms, head.id), reverse=True)

    def conversations(self) -> list[Session]:
        """Those that have an agent and are not deleted: without the place where the machine itself asks."""
        return [head for head in self.heads() if head.agent and head.deleted_at_ms is None]

    def find(self, session: SessionId) -> Session | None:
        """Without blocks; in memory or not."""
        resident = self._residents.get(session)
        return resident.fold.head() if resident else self._heads.get(session)

    def add(self, session: Session) -> None:
        """A session that is new to us."""
        resident = self._residents[session.id] = self._make_resident(session)
        resident.is_loaded, resident.keys = True, {}
        self._use(resident)
        self._saver.watch(session.id, resident.fold, stored=False)
        self._mark_listed(session.id)

    def _make_resident(self, session: Session) -> ResidentSession:
        return ResidentSession(session, self._sweep_soon, self.max_blocks())

    # -- from the store into memory --

    def is_loaded(self, session: SessionId) -> bool:
        resident = self._residents.get(session)
        return resident is not None and resident.is_loaded

    async def load(self, session: SessionId) -> None:
        """Its log is in memory afterwards. Who waits for the same session waits for the same reading."""
        if not self.is_loaded(session):
            resident = self._begin_loading(session)
            assert resident.loading is not None
            resident.holds += 1  # it does not leave again before we come to our turn
            try:
                fault = await asyncio.shield(resident.loading)
            finally:
                resident.holds -= 1
                self._sweep_soon()
            if fault is not None:
                raise fault
        self._use(self._residents[session])

    def load_now(self, session: SessionId) -> None:
        """As `load`, while everything else waits: for the start and the end of the daemon."""
        if self.is_loaded(session):
            return
        resident = self._find_resident(session)
        try:
            self._take_log(session, resident, self._saver.read_log_now(session))
        except SessionUnreadable as broken:
            self._set_aside(session, broken.why)
            raise

    @asynccontextmanager
    async def held(self, session: SessionId) -> AsyncIterator[None]:
        """Its log is in memory, and stays."""
        await self.load(session)
        resident = self._residents[session]
        resident.holds += 1
        try:
            yield
        finally:
            resident.holds -= 1
            self._sweep_soon()

    def _find_resident(self, session: SessionId) -> ResidentSession:
        """In memory, with its head at least."""
        resident = self._residents.get(session)
        if resident is None:
            if (why := self.find_aside(session)) is not None:
                raise SessionUnreadable(session, why)
            resident = self._residents[session] = self._make_resident(self._heads.pop(session))
        return resident

    def _begin_loading(self, session: SessionId) -> ResidentSession:
        resident = self._find_resident(session)
        if resident.loading is None:
            resident.loading = asyncio.get_running_loop().create_future()
            self._tasks.start(f"load {session}", self._load(session, resident))
        return resident

    async def _load(self, session: SessionId, resident: ResidentSession) -> None:
        try:
            stored = await self._saver.read_log(session)
        except UserError as fault:
            self._not_loaded(session, resident, fault)
            return
        if not resident.is_loaded:  # by somebody who could not wait
            self._take_log(session, resident, stored)

    def _not_loaded(self, session: SessionId, resident: ResidentSession, fault: UserError) -> None:
        """It may be tried again where the data is not what is wrong."""
        loading, resident.loading = resident.loading, None
        if isinstance(fault, SessionUnreadable) and session in self._residents:
            self._set_aside(session, fault.why)
        if loading is not None and not loading.done():
            loading.set_result(fault)

    def _take_log(self, session: SessionId, resident: ResidentSession, stored: StoredLog) -> None:
        """What came while it was read is folded in now, in its order."""
        shown, waiting = resident.fold.head(), resident.waiting
        resident.fold = Fold(replace(resident.stored_head, blocks=stored.blocks), self.max_blocks())
        resident.text_size, resident.is_loaded, resident.waiting = stored.size, True, []
        resident.keys = stored.keys if resident.keys is None else resident.keys
        self._saver.watch(session, resident.fold, stored.position, stored=True)
        self._use(resident)
        for change in waiting:
            self._fold(session, resident, change)
        resident.fold.touch(shown.updated_at_ms)
        self._wake(resident)
        if resident.loading is not None and not resident.loading.done():
            resident.loading.set_result(None)
        self._sweep_soon()

    def _set_aside(self, session: SessionId, why: str) -> None:
        """Out of the list, and not written any more: what is stored of it stays as it is."""
        resident = self._residents.pop(session, None)
        head = resident.stored_head if resident else self._heads.pop(session)
        self.on_unreadable(head, why)
        self._mark_listed(session)
        if resident and resident.waiting:
            log.error("%d changes of %s are lost: it cannot be read", len(resident.waiting), session)
        if resident and resident.loading is not None and not resident.loading.done():
            resident.loading.set_result(SessionUnreadable(session, why))

    async def set_deleted(self, session: SessionId, at_ms: int | None) -> None:
        """In the store when this returns; otherwise it is as before, and `NotStored` says why."""
        head = self.find(session)
        before = head.deleted_at_ms if head else None
        self.apply(session, [DeletedSet(at_ms)])
        try:
            resident = self._residents.get(session)
            if resident is not None and not resident.is_loaded:
                await self.load(session)  # what waits for the log is handed to the saver with it
            await self._saver.save(session)
        except UserError:
            if self.find(session) is not None:
                self.apply(session, [DeletedSet(before)])
            raise

    async def purge(self, session: SessionId) -> None:
        """Out of memory and out of the store, for good."""
        resident = self._residents.pop(session, None)
        for watcher in resident.watchers if resident else ():
            watcher.wake()
        self._heads.pop(session, None)
        self._last_prompts.pop(session, None)
        self.on_left(session)
        await self._saver.delete(session)
        self._mark_listed(session)

    def _finish_loading(self) -> None:
        for session, resident in tuple(self._residents.items()):
            if resident.waiting:
                with suppress(SessionUnreadable):
                    self.load_now(session)

    async def close(self) -> None:
        await self._tasks.close()

    # -- out of memory again --

    def _use(self, resident: ResidentSession) -> None:
        resident.used = next(self._uses)

    def _sweep_soon(self) -> None:
        """Never at once: who has just loaded a session goes on with it without a pause."""
        if not self._is_sweeping:
            self._is_sweeping = True
            asyncio.get_running_loop().call_soon(self._sweep)

    def _sweep(self) -> None:
        self._is_sweeping = False
        idle = [
            Idle(session, resident.used, resident.fold.count_blocks(), resident.text_size)
            for session, resident in self._residents.items()
            if resident.is_free() and self._saver.is_saved(session) and not self.is_busy(session)
        ]
        for session in choose_leaving(idle):
            resident = self._residents.pop(session)
            self._heads[session] = resident.fold.head()
            self._last_prompts[session] = resident.fold.find_last_prompt()[:MAX_LAST_PROMPT]
            self._saver.forget(session)
            self.on_left(session)

    # -- what happens --

    def apply(self, session: SessionId, changes: Iterable[Change]) -> None:
        """At once in the head. In a log that is not in memory: as soon as it is, in the same order."""
        applied = tuple(changes)
        if not applied:
            return
        resident = self._residents.get(session)
        if resident is None and any(isinstance(change, LOGGED) for change in applied):
            resident = self._begin_loading(session)
        if resident is None:
            self._apply_to_head(session, applied)
        elif resident.is_loaded:
            self._apply_to_log(session, resident, applied)
        else:
            self._apply_later(session, resident, applied)
        if not all(isinstance(change, UNLISTED) for change in applied):
            self._mark_listed(session)

    def _apply_to_head(self, session: SessionId, changes: Iterable[Change]) -> None:
        fold = Fold(self._heads[session])
        self._fold_head(fold, changes)
        self._heads[session] = fold.head()
        self._saver.mark_head(fold.head())

    def _apply_later(
        self, session: SessionId, resident: ResidentSession, changes: tuple[Change, ...]
    ) -> None:
        self._fold_head(resident.fold, changes)
        resident.waiting += changes
        if resident.loading is None:
            self._begin_loading(session)
        if len(resident.waiting) > MAX_CHANGES_WAITING:
            self.load_now(session)

    def _fold_head(self, fold: Fold, changes: Iterable[Change]) -> None:
        for change in changes:
            if isinstance(change, AskClosed):
                self._tell_closed(fold.head(), change)
            fold.apply(change)
            fold.touch_after(change, self._now_ms())

    def _apply_to_log(self, session: SessionId, resident: ResidentSession, changes: Iterable[Change]) -> None:
        for change in changes:
            if isinstance(change, AskClosed):
                self._tell_closed(resident.fold.head(), change)
            self._fold(session, resident, change)
            resident.fold.touch_after(change, self._now_ms())
        self._use(resident)
        self._wake(resident)

    def _fold(self, session: SessionId, resident: ResidentSession, change: Change) -> None:
        resident.fold.apply(change)
        resident.seq += 1
        resident.text_size += text_size(change)
        self._saver.mark(session, change)
        for watcher in resident.watchers:
            watcher.put(resident.seq, change)

    def _wake(self, resident: ResidentSession) -> None:
        for watcher in resident.watchers:
            watcher.wake()

    def _tell_closed(self, session: Session, closed: AskClosed) -> None:
        """Each Ask once, however often its end is reported."""
        ask = next((ask for ask in session.asks if ask.id == closed.ask), None)
        if ask is not None:
            self.on_ask_closed(session, ask, closed)

    def _mark_listed(self, session: SessionId) -> None:
        for watcher in self._list_watchers:
            watcher.mark(session)

    # -- looking --

    def session(self, session: SessionId) -> Session:
        """The whole of it. Who may wait uses `read`: a log that is not in memory holds up everything here."""
        self.load_now(session)
        return self._residents[session].fold.session()

    async def read(self, session: SessionId) -> Session:
        """The whole of it."""
        await self.load(session)
        return self._residents[session].fold.session()

    async def find_diff(self, diff: str) -> SessionId | None:
        """The session in whose log that diff is offered."""
        found = await self._saver.find_diff(diff)
        return found if found is not None and self.find(found) is not None else None

    def read_keys(self, session: SessionId) -> Mapping[PromptKey, str]:
        resident = self._residents.get(session)
        if resident is not None and resident.keys is not None:
            return resident.keys
        try:
            return self._saver.read_keys(session)
        except SessionUnreadable as broken:
            log.warning("the prompt keys of %s cannot be read: %s", session, broken.why)
            return {}

    def keep_keys(self, session: SessionId, keys: Mapping[PromptKey, str]) -> None:
        resident = self._residents.get(session)
        if resident is not None:
            resident.keys = keys
        if resident is not None and resident.is_loaded:
            self._saver.mark_keys(session, keys)
        elif (head := self.find(session)) is not None:
            self._saver.mark_head(head, keys)

    async def find_last_prompt(self, session: SessionId) -> str:
        """The beginning of what was said last in it, in memory or not. No log is read for it."""
        resident = self._residents.get(session)
        said = resident.fold.find_last_prompt() if resident else ""
        if said or (resident and resident.is_loaded):
            return said[:MAX_LAST_PROMPT]
        if session not in self._last_prompts:  # an older version stored it
            await self._learn_last_prompt(session)
        return self._last_prompts.get(session, "")

    async def _learn_last_prompt(self, session: SessionId) -> None:
        try:
            said = await self._saver.read_last_prompt(session)
            self._last_prompts.setdefault(session, said)
        except SessionUnreadable as broken:
            if self.find(session) is not None and not self.is_loaded(session):
                self._set_aside(session, broken.why)
        except UserError as fault:
            log.warning("the last prompt of %s is unknown: %s", session, fault)

    def watch(self, session: SessionId, news: asyncio.Event | None = None) -> Watcher:
        """It hears nothing before the log is in memory."""
        resident = self._residents.get(session)
        if resident is None or not resident.is_loaded:
            resident = self._begin_loading(session)
        watcher = Watcher(resident, news or asyncio.Event())
        resident.watchers.add(watcher)
        self._use(resident)
        return watcher

    def watch_list(self, news: asyncio.Event) -> ListWatcher:
        watcher = ListWatcher(self._list_watchers, news)
        self._list_watchers.add(watcher)
        return watcher
