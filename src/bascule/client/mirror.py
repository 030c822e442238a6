"""A session as the daemon has it: folded from one snapshot and the Changes after it."""

import asyncio
from collections.abc import Callable

import msgspec
from msgspec import Raw

from bascule.core.session.fold import Fold
from bascule.core.wire.outbox import Outbox
from bascule.model.changes import Change
from bascule.model.protocol.sessions import ChangedNotify, SnapshotNotify
from bascule.model.session import Session

SNAPSHOT = msgspec.json.Decoder(SnapshotNotify)
CHANGED = msgspec.json.Decoder(ChangedNotify)


class Mirror:
    """Fed with a link's notifications. A gap is noticed, and a new snapshot is asked for."""

    def __init__(self, session_id: str, on_gap: Callable[[], None]) -> None:
        self.session_id = session_id
        self._on_gap = on_gap
        self._fold: Fold | None = None
        self._seq = 0
        self._lost = False  # something was missed: what comes next is the snapshot that was asked for
        self._news = asyncio.Event()
        self._unread = Outbox()  # a slow reader gets a snapshot

    def feed(self, method: str, params: Raw) -> None:
        if method == "session.snapshot":
            snapshot = SNAPSHOT.decode(params)
            if snapshot.session_id == self.session_id:
                self._restart(snapshot)
        elif method == "session.changed":
            changed = CHANGED.decode(params)
            if changed.session_id == self.session_id:
                self._advance(changed)

    def _restart(self, snapshot: SnapshotNotify) -> None:
        self._fold, self._seq, self._lost = Fold(snapshot.session), snapshot.seq, False
        self._unread.behind = True
        self._news.set()

    def _advance(self, changed: ChangedNotify) -> None:
        if self._lost:
            return
        if self._fold is None or changed.after != self._seq:
            self._lost = True
            self._on_gap()
            return
        self._seq = changed.seq
        for change in changed.changes:
            self._fold.apply(change)
            self._unread.put(changed.seq, change)
        self._news.set()

    @property
    def seq(self) -> int:
        """Of the last Change that is folded in."""
        return self._seq

    @property
    def is_known(self) -> bool:
        """Its first news has come."""
        return self._fold is not None

    def head(self) -> Session:
        """Without its blocks."""
        assert self._fold is not None, "wait for news() first"
        return self._fold.head()

    def session(self) -> Session:
        assert self._fold is not None, "wait for news() first"
        return self._fold.session()

    async def news(self) -> Session | list[Change]:
        """Waits; a Session where it began again, else the Changes since the last call."""
        await self._news.wait()
        self._news.clear()
        if self._unread.behind:
            self._unread.restart()
            return self.session()
        return [numbered.change for numbered in self._unread.take()]

    def wake(self) -> None:
        self._news.set()
