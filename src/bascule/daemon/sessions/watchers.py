"""Sessions in memory, and who watches them."""

import asyncio
from collections.abc import Callable, Mapping

from msgspec import Struct

from bascule.core.faults import UserError
from bascule.core.session.fold import Fold
from bascule.core.wire.outbox import Numbered, Outbox
from bascule.model.changes import Change
from bascule.model.ids import PromptKey, SessionId
from bascule.model.session import Session


class SessionSnapshot(Struct, frozen=True):
    """The whole session as of `seq`: the first thing a watcher gets, and again when it fell behind."""

    seq: int
    session: Session


class Watcher:
    """One surface's view of one session: a snapshot, then Changes, in order, without gaps."""

    def __init__(self, resident: "ResidentSession", news: asyncio.Event) -> None:
        self._resident = resident
        self._outbox = Outbox()
        self._outbox.behind = True  # the first thing it gets is everything
        self._news = news  # shared by all that one surface watches
        self._news.set()

    def put(self, seq: int, change: Change) -> None:
        self._outbox.put(seq, change)

    def wake(self) -> None:
        self._news.set()

    def take(self) -> SessionSnapshot | list[Numbered]:
        """All that is new; a snapshot where Changes were dropped. Nothing while the log is being loaded."""
        if not self._resident.is_loaded:
            return []
        if self._outbox.behind:
            self._outbox.restart()
            return SessionSnapshot(self._resident.seq, self._resident.fold.session())
        return self._outbox.take()

    async def next(self) -> SessionSnapshot | list[Numbered]:
        """Waits until there is something to tell."""
        while True:
            await self._news.wait()
            self._news.clear()
            if self._resident.is_loaded:
                return self.take()

    def close(self) -> None:
        self._resident.watchers.discard(self)
        self._resident.on_left()


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


class ResidentSession:
    """A session in memory: its head at once, its log as soon as that is loaded."""

    def __init__(self, session: Session, on_left: Callable[[], None], max_blocks: int) -> None:
        self.fold = Fold(session, max_blocks)
        self.on_left = on_left
        self.seq = 0
        self.watchers: set[Watcher] = set()
        self.holds = 0
        self.used = 0  # the larger, the later
        self.text_size = 0  # about
        self.keys: Mapping[PromptKey, str] | None = None  # of the prompts sent; None: not read yet
        self.is_loaded = False
        self.stored_head = session  # what the log belongs to, until it is loaded
        self.waiting: list[Change] = []  # for the log; the head has them already
        self.loading: asyncio.Future[UserError | None] | None = None  # why it could not be read

    def is_free(self) -> bool:
        """It may leave memory, as far as its watchers and its state are concerned."""
        return self.is_loaded and not self.watchers and not self.holds and self.fold.is_at_rest()
