"""Stores what has changed, at most 250 ms after it did and a question at once, on a thread of its own."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from sqlite3 import Error as StoreError
from typing import TypeVar

from msgspec import Struct

from bascule.core.faults import UserError
from bascule.core.session.fold import Fold
from bascule.daemon.sessions.unsaved_session import UnsavedSession, merge_saved
from bascule.host.storage.search_index import IndexedText, SearchIndex
from bascule.host.storage.store import ALL, BEGINNING, LogPart, Saved, Store
from bascule.host.storage.store_faults import NotStored, is_outer
from bascule.model.blocks import Block
from bascule.model.changes import AskOpened, Change, RunPut
from bascule.model.ids import BlockId, PromptKey, SessionId
from bascule.model.session import Session

DELAY_S = 0.25
AT_ONCE = (AskOpened, RunPut)  # a crash loses no question that may have been answered by then
LONGEST_DELAY_S = 30.0  # between two tries of a store that fails
PART = 500  # blocks that are read at once
INDEXED_PART = 100  # blocks that are indexed at once: many times as slow as reading them

T = TypeVar("T")

log = logging.getLogger("bascule.saver")


def _end(parts: list[LogPart]) -> tuple[int, str]:
    if not parts:
        return BEGINNING
    at, block = parts[-1].blocks[-1]
    return at, block.id


class StoredLog(Struct, frozen=True):
    """What is stored of a session beside its head."""

    blocks: tuple[Block, ...]
    position: dict[BlockId, int]
    keys: Mapping[PromptKey, str]
    size: int  # of the blocks, in bytes


class SessionSaver:
    """Owns the store and its thread. What could not be written is tried again, later and later.

    `on_trouble` hears what is wrong, and None when everything is stored again."""

    def __init__(self, store: Store, index: SearchIndex | None = None) -> None:
        self._store = store
        self._index = index  # kept in step, on the same thread
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="bascule-store")
        self._unsaved: dict[SessionId, UnsavedSession] = {}  # of sessions in memory
        self._unsaved_heads: dict[SessionId, Saved] = {}  # of sessions whose blocks are not in memory
        self._written_by: dict[SessionId, int] = {}  # the flush that is on its way to the disk with it
        self._flushes = 0
        self._failed: dict[SessionId, Saved] = {}  # the thread's own
        self._failures = 0  # in a row
        self._reads = 0  # logs that somebody waits for
        self._no_reads = asyncio.Event()
        self._no_reads.set()
        self._timer: asyncio.TimerHandle | None = None
        self.on_trouble: Callable[[StoreError | None], None] = lambda _fault: None
        self.on_written: Callable[[], None] = lambda: None
        self.on_closing: Callable[[], None] = lambda: None

    # -- what has changed --

    def watch(
        self, session: SessionId, fold: Fold, position: dict[BlockId, int] | None = None, *, stored: bool
    ) -> None:
        """`position`: of its blocks in the store, where it comes from there."""
        placed = {block: at for at, block in enumerate(fold.block_ids())} if position is None else position
        self._unsaved[session] = UnsavedSession(fold, placed, stored=stored)
        if not stored:
            self._soon()

    def forget(self, session: SessionId) -> None:
        """It leaves memory. Only after `is_saved`."""
        del self._unsaved[session]

    async def delete(self, session: SessionId) -> None:
        """From the disk, after what is on its way there."""
        self.flush()
        self._unsaved.pop(session, None)
        await self._ask(self._delete, session)

    def _delete(self, session: SessionId) -> None:
        self._failed.pop(session, None)
        self._store.delete(session)
        if self._index is not None:
            self._index.delete(session)

    def is_saved(self, session: SessionId) -> bool:
        """The disk has all of it, and nothing of it is on its way there."""
        unsaved = self._unsaved.get(session)
        is_clean = unsaved is None or not unsaved.is_dirty
        return is_clean and session not in self._unsaved_heads and session not in self._written_by

    async def settle(self, session: SessionId) -> None:
        """Wait for what is on its way to the disk. Not where the store fails: it is tried again."""
        if not self.is_saved(session) and not self._failures:
            self.flush()
            await self._ask(lambda: None)

    async def save(self, session: SessionId) -> None:
        """The store has all of it when this returns, or `NotStored`; it is then tried again as ever."""
        self.flush()
        if await self._ask(self._has_failed, session):
            raise NotStored(session)

    def _has_failed(self, session: SessionId) -> bool:
        return session in self._failed

    def mark(self, session: SessionId, change: Change) -> None:
        self._unsaved[session].mark(change)
        self._soon(at_once=isinstance(change, AT_ONCE))

    def mark_head(self, head: Session, keys: Mapping[PromptKey, str] | None = None) -> None:
        """Of a session whose blocks are not in memory."""
        saved, before = Saved(head=head, keys=keys), self._unsaved_heads.get(head.id)
        self._unsaved_heads[head.id] = merge_saved(before, saved) if before else saved
        self._soon(at_once=bool(head.asks))

    def mark_keys(self, session: SessionId, keys: Mapping[PromptKey, str]) -> None:
        self._unsaved[session].mark_keys(keys)
        self._soon()

    # -- reading --

    async def read_log(self, session: SessionId) -> StoredLog:
        """In parts, so that neither the loop nor those who also need the thread wait for a long one."""
        self._flush_head(session)
        parts: list[LogPart] = []
        with self._reading():
            while not parts or len(parts[-1].blocks) == PART:
                parts.append(await self._ask(self._store.read_part, session, _end(parts), PART))
            return _make_log(parts, await self._ask(self._store.read_keys, session))

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Nothing is indexed meanwhile."""
        self._reads += 1
        self._no_reads.clear()
        try:
            yield
        finally:
            self._reads -= 1
            if not self._reads:
                self._no_reads.set()

    async def _ask(self, read: Callable[..., T], *words: object) -> T:
        return await asyncio.wrap_future(self._thread.submit(read, *words))

    def read_log_now(self, session: SessionId) -> StoredLog:
        """Everything waits for it: at the start and at the end, when nobody is served."""
        self._flush_head(session)
        part = self._thread.submit(self._store.read_part, session, BEGINNING, ALL).result()
        return _make_log([part], self.read_keys(session))

    def _flush_head(self, session: SessionId) -> None:
        """What is read has it already."""
        if session in self._unsaved_heads:
            self.flush()

    def read_keys(self, session: SessionId) -> Mapping[PromptKey, str]:
        self._flush_head(session)
        return self._thread.submit(self._store.read_keys, session).result()

    def read_last_prompts(self) -> dict[SessionId, str]:
        return self._thread.submit(self._store.read_last_prompts).result()

    async def read_last_prompt(self, session: SessionId) -> str:
        return await self._ask(self._store.read_last_prompt, session)

    async def find_diff(self, diff: str) -> SessionId | None:
        """None also where the store cannot tell."""
        self.flush()
        try:
            for session in await self._ask(self._store.find_unindexed):
                with suppress(UserError):  # who opens that session hears of it
                    await self._ask(self._store.index_diffs, session)
            return await self._ask(self._store.find_diff, diff)
        except StoreError as fault:
            log.warning("the session of the diff %s is unknown: %s", diff, fault)
            return None

    # -- searching --

    async def search(self, query: str) -> list[IndexedText]:
        self.flush()
        return await self._ask(self._index.find, query) if self._index is not None else []

    async def find_unindexed(self, sessions: list[SessionId]) -> list[SessionId]:
        return await self._ask(self._index.find_unindexed, sessions) if self._index is not None else []

    async def index(self, head: Session) -> None:
        """All that is stored of it, part by part, while nobody waits for a log."""
        after: tuple[int, str] | None = BEGINNING
        while after is not None:
            await self._no_reads.wait()
            after = await self._ask(self._index_part, head, after)

    def _index_part(self, head: Session, after: tuple[int, str]) -> tuple[int, str] | None:
        """Where the next part begins; None after the last one."""
        if self._index is None:
            return None
        with suppress(UserError, StoreError):  # who opens that session hears of it
            blocks = self._store.read_part(head.id, after, INDEXED_PART).blocks
            self._index.save([Saved(head=head, blocks=tuple(blocks))])
            if len(blocks) == INDEXED_PART:
                at, last = blocks[-1]
                return at, last.id
            self._index.mark_indexed(head.id)
        return None

    # -- writing --

    def flush(self) -> None:
        """Hand all differences to the thread; the loop does not wait for the disk."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        taken = (unsaved.take() for unsaved in self._unsaved.values())
        fresh = [*self._unsaved_heads.values(), *(saved for saved in taken if saved is not None)]
        self._unsaved_heads = {}
        if fresh or self._failed:
            self._flushes += 1
            self._written_by.update(dict.fromkeys((saved.head.id for saved in fresh), self._flushes))
            self._thread.submit(self._write, self._flushes, fresh, asyncio.get_running_loop())

    def _write(self, number: int, fresh: list[Saved], loop: asyncio.AbstractEventLoop) -> None:
        todo = dict(self._failed)
        for saved in fresh:
            before = todo.get(saved.head.id)
            todo[saved.head.id] = merge_saved(before, saved) if before else saved
        self._failed, fault = self._try_to_save(todo)
        if fault is not None:
            log.error("the store could not be written: %s", fault)
        if self._index is not None:
            self._index.save(saved for name, saved in todo.items() if name not in self._failed)
        loop.call_soon_threadsafe(self._wrote, number, frozenset(self._failed), fault)

    def _try_to_save(self, todo: dict[SessionId, Saved]) -> tuple[dict[SessionId, Saved], StoreError | None]:
        """What is left to do, and why."""
        try:
            self._store.save(todo.values())
        except StoreError as fault:
            if is_outer(fault) or len(todo) == 1:
                return todo, fault
            return self._save_one_by_one(todo)
        return {}, None

    def _save_one_by_one(
        self, todo: dict[SessionId, Saved]
    ) -> tuple[dict[SessionId, Saved], StoreError | None]:
        """One session whose place in the file is damaged does not keep the others from theirs."""
        left: dict[SessionId, Saved] = {}
        why: StoreError | None = None
        for session, saved in todo.items():
            try:
                self._store.save([saved])
            except StoreError as fault:
                left[session], why = saved, fault
        return left, why

    def _wrote(self, number: int, failed: frozenset[SessionId], fault: StoreError | None) -> None:
        on_their_way = self._written_by.items()
        self._written_by = {id_: by for id_, by in on_their_way if by > number or id_ in failed}
        was_failing = self._failures > 0
        self._failures = self._failures + 1 if fault is not None else 0
        if fault is not None or was_failing:
            self.on_trouble(fault)
        if fault is not None:
            self._soon()
        self.on_written()

    def _soon(self, *, at_once: bool = False) -> None:
        if self._timer is not None and at_once and not self._failures:
            self._timer.cancel()
            self._timer = None
        if self._timer is None:
            delay_s = 0 if at_once and not self._failures else DELAY_S * 2**self._failures
            self._timer = asyncio.get_running_loop().call_later(min(LONGEST_DELAY_S, delay_s), self.flush)

    def close(self) -> None:
        """Tries a last time."""
        self.on_closing()
        self.flush()
        self._thread.shutdown(wait=True)
        if self._failed:
            log.error("the last changes of %d sessions could not be stored", len(self._failed))
        self._store.close()
        if self._index is not None:
            self._index.close()


def _make_log(parts: list[LogPart], keys: Mapping[PromptKey, str]) -> StoredLog:
    placed = [one for part in parts for one in part.blocks]
    position = {block.id: at for at, block in placed}
    return StoredLog(tuple(block for _, block in placed), position, keys, sum(part.size for part in parts))
