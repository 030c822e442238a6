"""Folds Changes into sessions, numbers them, and hands them to whoever watches."""

import asyncio
from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.fold import Fold
from bascule.core.outbox import Numbered, Outbox
from bascule.daemon.keeper import Keeper
from bascule.model.asks import Ask
from bascule.model.blocks import Block, UserBlock
from bascule.model.changes import (
    AskClosed,
    BlockGone,
    BlockPut,
    Change,
    DiffSet,
    HistoryPut,
    RunPut,
    TextGrew,
    UsageSet,
)
from bascule.model.ids import PromptKey, SessionId
from bascule.model.session import Session


class Snapshot(Struct, frozen=True):
    """The whole session as of `seq`: the first thing a watcher gets, and again when it fell behind."""

    seq: int
    session: Session


class Watcher:
    """One surface's view of one session: a snapshot, then Changes, in order, without gaps."""

    def __init__(self, seat: "Seat", news: asyncio.Event) -> None:
        self._seat = seat
        self._outbox = Outbox()
        self._outbox.behind = True  # the first thing it is told is everything
        self._news = news  # shared by all that one surface watches
        self._news.set()

    def put(self, seq: int, change: Change) -> None:
        self._outbox.put(seq, change)

    def wake(self) -> None:
        self._news.set()

    def take(self) -> Snapshot | list[Numbered]:
        """All that is new; a snapshot where Changes were let go."""
        if self._outbox.behind:
            self._outbox.restart()
            return Snapshot(self._seat.seq, self._seat.fold.session())
        return self._outbox.take()

    async def next(self) -> Snapshot | list[Numbered]:
        """Waits until there is something to tell."""
        await self._news.wait()
        self._news.clear()
        return self.take()

    def close(self) -> None:
        self._seat.watchers.discard(self)


class ListWatcher:
    """One surface's view of the list: which sessions have changed as a list shows them."""

    def __init__(self, owner: "set[ListWatcher]", news: asyncio.Event) -> None:
        self._owner = owner
        self._news = news
        self._changed: set[SessionId] = set()

    def mark(self, session: SessionId) -> None:
        self._changed.add(session)
        self._news.set()

    def take(self) -> set[SessionId]:
        changed, self._changed = self._changed, set()
        return changed

    def close(self) -> None:
        self._owner.discard(self)


class Seat:
    """A session in memory."""

    def __init__(self, fold: Fold) -> None:
        self.fold = fold
        self.seq = 0
        self.watchers: set[Watcher] = set()


# Of the log only: a list does not show them.
UNLISTED = (TextGrew, BlockPut, BlockGone, UsageSet, DiffSet, HistoryPut, RunPut)


class Hub:
    def __init__(self, keeper: Keeper, heads: Iterable[Session], now_ms: Callable[[], int]) -> None:
        self._keeper = keeper
        self._now_ms = now_ms
        self._heads = {head.id: head for head in heads}  # of sessions that are not in memory
        self._seats: dict[SessionId, Seat] = {}
        self._list_watchers: set[ListWatcher] = set()
        self.on_ask_closed: Callable[[Session, Ask, AskClosed], None] = lambda _session, _ask, _closed: None

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
        self._mark_listed(session.id)

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
        listed = False
        for change in changes:
            if isinstance(change, AskClosed):
                self._tell_closed(seat.fold.head(), change)
            seat.fold.apply(change)
            seat.seq += 1
            listed = listed or not isinstance(change, UNLISTED)
            self._keeper.mark(session, change)
            for watcher in seat.watchers:
                watcher.put(seat.seq, change)
        seat.fold.touch(self._now_ms())
        for watcher in seat.watchers:
            watcher.wake()
        if listed:
            self._mark_listed(session)

    def _tell_closed(self, session: Session, closed: AskClosed) -> None:
        """Each Ask once, however often its end is told."""
        ask = next((ask for ask in session.asks if ask.id == closed.ask), None)
        if ask is not None:
            self.on_ask_closed(session, ask, closed)

    def _mark_listed(self, session: SessionId) -> None:
        for watcher in self._list_watchers:
            watcher.mark(session)

    def session(self, session: SessionId) -> Session:
        """The whole of it."""
        self.load(session)
        return self._seats[session].fold.session()

    def find_holder(self, holds: Callable[[Block], bool]) -> SessionId | None:
        """The session in memory that has such a block."""
        seats = self._seats.items()
        return next((id_ for id_, seat in seats if any(map(holds, seat.fold.session().blocks))), None)

    def read_keys(self, session: SessionId) -> tuple[PromptKey, ...]:
        return self._keeper.read_keys(session)

    def keep_keys(self, session: SessionId, keys: tuple[PromptKey, ...]) -> None:
        self._keeper.mark_keys(session, keys)

    def find_last_prompt(self, session: SessionId) -> str:
        """What was said last in it, in memory or not."""
        seat = self._seats.get(session)
        blocks = seat.fold.session().blocks if seat else self._keeper.read_last_prompts(session)
        return next((block.text for block in reversed(blocks) if isinstance(block, UserBlock)), "")

    def watch(self, session: SessionId, news: asyncio.Event | None = None) -> Watcher:
        self.load(session)
        watcher = Watcher(self._seats[session], news or asyncio.Event())
        self._seats[session].watchers.add(watcher)
        return watcher

    def watch_list(self, news: asyncio.Event) -> ListWatcher:
        watcher = ListWatcher(self._list_watchers, news)
        self._list_watchers.add(watcher)
        return watcher
