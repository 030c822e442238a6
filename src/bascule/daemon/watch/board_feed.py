"""What one surface is sent of the board: all of it, then each change; one that is slow begins again."""

import asyncio
from collections.abc import Callable

from bascule.core.wire import rpc
from bascule.model.protocol.board import BoardNotify
from bascule.model.watch import WatchedSession

MAX_WAITING = 1_000  # lines that were not taken yet


class BoardFeed:
    """A view of a surface. Changes that say no more than a later one are joined."""

    def __init__(
        self,
        news: asyncio.Event,
        list_all: Callable[[], BoardNotify],
        on_closed: Callable[["BoardFeed"], None],
    ) -> None:
        self._news = news
        self._list_all = list_all
        self._on_closed = on_closed
        self._behind = True  # the first thing it is sent is everything
        self._is_open = False
        self._waiting: list[WatchedSession] = []
        self._gone: list[str] = []
        self._faults: tuple[str, ...] | None = None  # not sent yet

    def open(self) -> None:
        """Nothing is sent before this: what is there already has to be read first."""
        self._is_open = True
        self._news.set()

    def put(self, line: WatchedSession) -> None:
        if self._behind:
            return
        if line.key in self._gone:
            self._gone.remove(line.key)  # it is back
        if self._waiting and _says_no_more(self._waiting[-1], line):
            self._waiting[-1] = line
        else:
            self._waiting.append(line)
        if len(self._waiting) > MAX_WAITING:
            self.begin_again()
        self._news.set()

    def remove(self, key: str) -> None:
        """A line has left the board."""
        if self._behind:
            return
        self._waiting = [line for line in self._waiting if line.key != key]
        self._gone.append(key)
        if len(self._gone) > MAX_WAITING:
            self.begin_again()
        self._news.set()

    def tell_faults(self, faults: tuple[str, ...]) -> None:
        """What cannot be read is something else now."""
        if self._behind:
            return
        self._faults = faults
        self._news.set()

    def begin_again(self) -> None:
        """The next thing it is sent is everything: too many wait."""
        self._waiting, self._gone, self._faults, self._behind = [], [], None, True
        self._news.set()

    def frames(self) -> list[bytes]:
        if not self._is_open:
            return []
        if self._behind:
            self._behind = False
            return [rpc.notification("board.changed", self._list_all())]
        if not self._waiting and not self._gone and self._faults is None:
            return []
        news = BoardNotify(sessions=tuple(self._waiting), gone=tuple(self._gone), faults=self._faults)
        self._waiting, self._gone, self._faults = [], [], None
        return [rpc.notification("board.changed", news)]

    def close(self) -> None:
        self._on_closed(self)


def _says_no_more(before: WatchedSession, now: WatchedSession) -> bool:
    return (before.key, before.status, before.evidence, before.pane) == (
        now.key,
        now.status,
        now.evidence,
        now.pane,
    )
