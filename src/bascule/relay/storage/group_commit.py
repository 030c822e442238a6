"""Steps that wait together are one transaction: one write to the disk for many commands."""

import asyncio
import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from bascule.relay.storage.batch import Batch, Step
from bascule.relay.storage.database import Database, StoreAway

MAX_BATCH = 256  # steps
MAX_WAITING = 20_000
RETRY_S = 20.0  # so long a database may be away before its steps fail
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 1.0

T = TypeVar("T")
Waiting = tuple[Step[Any], "asyncio.Future[Any]"]
OnCommit = Callable[["Counter[tuple[str, str]]", int, float], None]
End = tuple["asyncio.Future[Any]", Any, Exception | None]

log = logging.getLogger("bascule.relay")


class GroupCommit:
    """Of one event loop. Everything touches the database on one thread, one after the other."""

    def __init__(self, db: Database, *, retry_s: float = RETRY_S) -> None:
        self._db = db
        self._retry_s = retry_s
        self._thread = ThreadPoolExecutor(1, "relay store")
        self._lock = threading.Lock()  # of what waits: the loop adds to it, the thread takes it
        self._waiting: deque[Waiting] = deque()
        self._reads: deque[tuple[Callable[[Database], Any], asyncio.Future[Any]]] = deque()
        self._is_running = False
        self._closing = threading.Event()
        self.on_commit: OnCommit = lambda _lines, _steps, _seconds: None  # on the store's thread

    async def run(self, step: Step[T]) -> T:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._add(self._waiting, (step, done), loop)
        return await done

    async def read(self, do: Callable[[Database], T]) -> T:
        """Between two transactions, before the steps that wait."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._add(self._reads, (do, done), loop)
        return await done

    def _add(self, queue: "deque[Any]", item: object, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            if len(queue) >= MAX_WAITING:
                raise StoreAway("too many steps wait for the database")
            queue.append(item)
            is_first, self._is_running = not self._is_running, True
        if is_first:
            loop.run_in_executor(self._thread, self._work, loop)

    def close(self) -> None:
        """What waits is still stored, where the database is there."""
        self._closing.set()
        self._thread.shutdown()

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        """On the store's own thread, until nothing waits."""
        while True:
            with self._lock:
                reads = list(self._reads)
                self._reads.clear()
                if not reads and not self._waiting:
                    self._is_running = False
                    return
                has_steps = bool(self._waiting)
            ends = [self._read(*one) for one in reads]
            if has_steps:
                ends += self._commit_waiting()
            try:
                loop.call_soon_threadsafe(_settle, ends)
            except RuntimeError:
                return  # the loop has ended, and nobody waits

    def _read(self, do: Callable[[Database], T], done: "asyncio.Future[T]") -> End:
        try:
            return done, self._retried(lambda: do(self._db)), None
        except Exception as fault:  # noqa: BLE001  # it is handed to who waits for it
            return done, None, fault

    def _commit_waiting(self) -> list[End]:
        picked: list[Waiting] = []
        try:
            return self._retried(lambda: self._commit(picked))
        except Exception as fault:  # noqa: BLE001  # it is handed to everybody who waits
            return [(done, None, fault) for _, done in self._pick(picked)]

    def _pick(self, picked: list[Waiting]) -> list[Waiting]:
        """With those that were picked before a fault."""
        with self._lock:
            while self._waiting and len(picked) < MAX_BATCH:
                picked.append(self._waiting.popleft())
        return picked

    def _commit(self, picked: list[Waiting]) -> list[End]:
        """The steps are picked once it is this node's turn: while others write, more come together."""
        began_s = time.perf_counter()
        try:
            ends, counts = commit_together(self._db, lambda: self._pick(picked))
        except StoreAway:
            raise
        except Exception as fault:  # noqa: BLE001  # a value that the database can't hold
            if len(picked) == 1:
                return [(picked[0][1], None, fault)]
            return [end for step in picked for end in self._commit_alone(step)]
        self.on_commit(counts, len(picked), time.perf_counter() - began_s)
        return ends

    def _commit_alone(self, step: Waiting) -> list[End]:
        try:
            return commit_together(self._db, lambda: [step])[0]
        except StoreAway:
            raise
        except Exception as fault:  # noqa: BLE001  # it is this one's
            return [(step[1], None, fault)]

    def _retried(self, do: Callable[[], T]) -> T:
        """Again, while the database is away; a step that was stored already finds itself."""
        until_s, pause_s = time.monotonic() + self._retry_s, FIRST_PAUSE_S
        while True:
            try:
                return do()
            except StoreAway as fault:
                if not self._db.is_shared or self._closing.is_set() or time.monotonic() > until_s:
                    raise
                log.warning("the database did not take it, and is tried again: %s", fault)
            self._closing.wait(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
            self._reconnect()

    def _reconnect(self) -> None:
        try:
            self._db.reconnect()
        except StoreAway as fault:
            log.warning("the database cannot be reached: %s", fault)


def commit_together(
    db: Database, pick: Callable[[], list[Waiting]]
) -> tuple[list[End], "Counter[tuple[str, str]]"]:
    """What one step raises is its own, and undoes no other: it raises before it changes anything."""
    batch = Batch(db)
    try:
        db.begin()
        steps = pick()
        batch.read(step for step, _ in steps)
        ends: list[End] = [(done, *_attempt(batch, step)) for step, done in steps]
        batch.commit()
    except BaseException:
        _undo(db)
        raise
    return ends, batch.counts


def run_now(db: Database, step: Step[T]) -> T:
    """From a command line, where nothing else runs."""
    batch = Batch(db)
    try:
        db.begin()
        batch.read([step])
        value = step.run(batch)
        batch.commit()
    except BaseException:
        _undo(db)
        raise
    return value


def _attempt(batch: Batch, step: Step[T]) -> tuple[T | None, Exception | None]:
    try:
        return step.run(batch), None
    except StoreAway:
        raise
    except Exception as raised:  # noqa: BLE001  # it is handed to who waits for this step
        return None, raised


def _undo(db: Database) -> None:
    try:
        db.rollback()
    except StoreAway:
        return  # the connection is gone, and with it what was begun


def _settle(ends: list[End]) -> None:
    """Who waited may have left."""
    for done, value, error in ends:
        if done.done():
            continue
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(value)
