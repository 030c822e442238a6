"""Folds Changes into sessions, numbers them, and hands them to whoever watches."""

import asyncio
from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.fold import Fold
from bascule.core.outbox import Numbered, Outbox
from bascule.daemon.keeper import Keeper
from bascule.model.changes import Change
from bascule.model.ids import PromptKey, SessionId
from bascule.model.session import Session


class Snapshot(Struct, frozen=True):
    """The whole session as of `seq`: the first thing a watcher gets, and again when it fell behind."""

    seq: int
    session: Session


class Watcher:
    """One surface's view of one session: a snapshot, then Changes, in order, without gaps."""

    def __init__(self, seat: "Seat") -> None:
        self._seat = seat
        self._outbox = Outbox()
        self._outbox.behind = True  # the first thing it is told is everything
        self._news = asyncio.Event()
        self._news.set()

    def put(self, seq: int, change: Change) -> None:
        self._outbox.put(seq, change)

    def wake(self) -> None:
        self._news.set()

    async def next(self) -> Snapshot | list[Numbered]:
        """Waits until there is something to tell."""
        await self._news.wait()
        self._news.clear()
        if self._outbox.behind:
            self._outbox.restart()
            return Snapshot(self._seat.seq, self._seat.fold.session())
        return self._outbox.take()

    def close(self) -> None:
        self._seat.watchers.discard(self)


class Seat:
    """A session in memory."""

    def __init__(self, fold: Fold) -> None:
        self.fold = fold
        self.seq = 0
        self.watchers: set[Watcher] = set()


class Hub:
    def __init__(self, keeper: Keeper, heads: Iterable[Session], now_ms: Callable[[], int]) -> None:
        self._keeper = keeper
        self._now_ms = now_ms
        self._heads = {head.id: head for head in heads}  # of sessions that are not in memory
        self._seats: dict[SessionId, Seat] = {}

    def heads(self) -> list[Session]:
        """Every session without its blocks, the latest first."""
        live = [seat.fold.head() for seat in self._seats.values()]
        return sorted([*live, *self._heads.values()], key=lambda head: head.updated_at_ms, reverse=True)

    def find(self, session: SessionId) -> Session | None:
        """Without blocks; in memory or not."""
        seat = self._seats.get(session)
        return seat.fold.head() if seat else self._heads.get(session)

    def add(self, session: Session) -> None:
        """A session that is new to us."""
        self._seat(session, stored=False)

    def load(self, session: SessionId) -> None:
        """Bring a stored session into memory, with its blocks."""
        if session in self._seats:
            return
        head = self._heads.pop(session)
        self._seat(replace(head, blocks=self._keeper.read_blocks(session)), stored=True)

    def _seat(self, session: Session, *, stored: bool) -> None:
        fold = Fold(session)
        self._seats[session.id] = Seat(fold)
        self._keeper.watch(session.id, fold, stored=stored)

    def apply(self, session: SessionId, changes: Iterable[Change]) -> None:
        seat = self._seats[session]
        for change in changes:
            seat.fold.apply(change)
            seat.seq += 1
            self._keeper.mark(session, change)
            for watcher in seat.watchers:
                watcher.put(seat.seq, change)
        seat.fold.touch(self._now_ms())
        for watcher in seat.watchers:
            watcher.wake()

    def session(self, session: SessionId) -> Session:
        """The whole of it."""
        self.load(session)
        return self._seats[session].fold.session()

    def read_keys(self, session: SessionId) -> tuple[PromptKey, ...]:
        return self._keeper.read_keys(session)

    def keep_keys(self, session: SessionId, keys: tuple[PromptKey, ...]) -> None:
        self._keeper.mark_keys(session, keys)

    def watch(self, session: SessionId) -> Watcher:
        self.load(session)
        watcher = Watcher(self._seats[session])
        self._seats[session].watchers.add(watcher)
        return watcher
