"""What one surface is sent of panes: the list as it changes, and a pane's bytes as fast as it shows them."""

import asyncio
from collections.abc import Callable

from bascule.core.wire import rpc
from bascule.daemon.panes.pane_terminal import MAX_BEHIND, PaneReader, PaneTerminal
from bascule.model.protocol.panes import Pane, PaneOutputNotify, PanesNotify

MAX_PIECE = 64 * 1024
MAX_PIECES = 4  # at a time, so that answers to what was typed come in between


class PanesView:
    """The list; of several changes to one pane the last."""

    def __init__(
        self, news: asyncio.Event, *, may_see: Callable[[], bool], on_closed: Callable[["PanesView"], None]
    ) -> None:
        self._news = news
        self._may_see = may_see
        self._on_closed = on_closed
        self._changed: dict[str, Pane | None] = {}

    def put(self, pane_id: str, pane: Pane | None) -> None:
        """None: it is gone."""
        self._changed[pane_id] = pane
        self._news.set()

    def frames(self) -> list[bytes]:
        if not self._changed or not self._may_see():
            return []
        changed, self._changed = self._changed, {}
        panes = tuple(pane for pane in changed.values() if pane is not None)
        gone = tuple(pane_id for pane_id, pane in changed.items() if pane is None)
        return [rpc.notification("pane.changed", PanesNotify(panes=panes, gone=gone))]

    def close(self) -> None:
        self._on_closed(self)


class PaneView:
    """One pane's bytes. What it cannot follow it is not sent: it begins again with what is kept."""

    def __init__(
        self,
        pane: PaneTerminal,
        news: asyncio.Event,
        offset: int,
        *,
        may_see: Callable[[], bool] = lambda: True,
        on_closed: Callable[[], None] = lambda: None,
    ) -> None:
        self.pane = pane
        self._may_see = may_see
        self._on_closed = on_closed
        is_kept = pane.kept.start <= offset <= pane.kept.end
        self._sent = offset if is_kept else pane.kept.start
        self._is_reset = not is_kept
        self._live_from = pane.kept.end if pane.was_shown else 0  # what comes before is shown again
        pane.was_shown = True
        self._reader = PaneReader(news, self._sent)
        pane.add_reader(self._reader)
        news.set()

    def acknowledge(self, offset: int) -> None:
        self.pane.acknowledge(self._reader, min(offset, self._sent))

    def frames(self) -> list[bytes]:
        kept = self.pane.kept
        if (not self._is_reset and self._sent == kept.end) or not self._may_see():
            return []
        if self._sent < kept.start:
            if self._reader.shown < self._sent:
                return []  # it is still busy with what it got
            self._sent = self._reader.shown = kept.start
            self._is_reset, self._live_from = True, kept.end
        frames = []
        for _ in range(MAX_PIECES):
            room = self._reader.shown + MAX_BEHIND - self._sent
            old = self._live_from - self._sent  # never in one piece with what is new
            most = min(MAX_PIECE, room, old) if old > 0 else min(MAX_PIECE, room)
            data = kept.read(self._sent, most) if room > 0 else b""
            if not data and not self._is_reset:
                break
            frames.append(self._piece(data))
        if len(frames) == MAX_PIECES:
            self._reader.news.set()
        return frames

    def _piece(self, data: bytes) -> bytes:
        piece = PaneOutputNotify(
            pane_id=self.pane.id,
            offset=self._sent,
            data=data,
            reset=self._is_reset,
            before=self.pane.replay if self._is_reset else b"",
            is_old=self._sent < self._live_from,
        )
        self._is_reset = False
        self._sent += len(data)
        return rpc.notification("pane.output", piece)

    def close(self) -> None:
        self.pane.remove_reader(self._reader)
        self._on_closed()
