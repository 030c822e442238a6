"""The board: every session that is known of, kept under a ceiling, and the order it is shown in."""

import heapq
from collections.abc import Iterable

from bascule.core.watch.merge import SessionEvidence, make_key
from bascule.model.session import Status
from bascule.model.watch import Signal, Source, WatchedSession

MAX_SESSIONS = 5_000
SPARE = 20  # of so many, one makes room at a time: looking for the oldest takes a look at all
ORDER: dict[Status, int] = {"waiting_user": 0, "working": 1, "completed": 2, "unknown": 3, "stopped": 4}


class Board:
    """`feed` Signals; what changed comes back. Those heard of longest ago leave first."""

    def __init__(self, *, max_sessions: int = MAX_SESSIONS) -> None:
        self._max = max_sessions
        self._known: dict[str, SessionEvidence] = {}
        self._left: list[str] = []

    def feed(self, signal: Signal, now_ms: int) -> WatchedSession | None:
        """The session's line, if it is now another."""
        key = make_key(signal.agent, signal.session)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = SessionEvidence()
            self._make_room()
        before = None if known.shown is None or known.hidden else known.shown
        known.feed(signal, now_ms)
        after = None if known.hidden else known.shown
        if before is not None and after is None:
            self._left.append(key)
        return after if after is not None and after != before else None

    def bind(self, key: str, pane: str, now_ms: int, *, is_still: bool = False) -> WatchedSession | None:
        """To a pane, or with an empty name to none. The session's line, if it is now another."""
        known = self._known.get(key)
        if known is None:
            return None
        before = known.shown
        known.bind(pane, now_ms, is_still=is_still)
        return known.shown if known.shown != before and not known.hidden else None

    def forget(self, source: Source, key: str, now_ms: int) -> WatchedSession | None:
        """That source knows it no longer. The session's line, if it is now another."""
        known = self._known.get(key)
        if known is None or source not in known.heard:
            return None
        before = None if known.hidden else known.shown
        known.forget(source, now_ms)
        if known.shown is None:
            del self._known[key]
            if before is not None:
                self._left.append(key)
        return known.shown if known.shown != before and not known.hidden else None

    def take_left(self) -> list[str]:
        """Keys of lines that made room for others since the last call."""
        left, self._left = self._left, []
        return left

    def find(self, key: str) -> WatchedSession | None:
        known = self._known.get(key)
        return known.shown if known is not None and not known.hidden else None

    def all(self) -> list[WatchedSession]:
        shown = (known.shown for known in self._known.values() if not known.hidden)
        return sort_sessions(one for one in shown if one is not None)

    def _make_room(self) -> None:
        if len(self._known) <= self._max:
            return
        too_many = len(self._known) - self._max + self._max // SPARE
        for oldest in heapq.nsmallest(too_many, self._known, key=self._age):
            left = self._known.pop(oldest)
            if left.shown is not None and not left.hidden:
                self._left.append(oldest)

    def _age(self, key: str) -> tuple[int, int]:
        """What is going on stays; of the rest the latest."""
        shown = self._known[key].shown
        if shown is None:
            return 9, 0  # just made
        return (1 if shown.status in ("working", "waiting_user") else 0), shown.activity_at_ms


def sort_sessions(sessions: Iterable[WatchedSession]) -> list[WatchedSession]:
    """Those that wait first, then those at work; of each kind the latest first."""
    return sorted(sessions, key=lambda one: (ORDER[one.status], -one.activity_at_ms, one.key))


def group_sessions(sessions: Iterable[WatchedSession]) -> list[tuple[str, list[WatchedSession]]]:
    """By folder; the folder of the first comes first."""
    groups: dict[str, list[WatchedSession]] = {}
    for one in sort_sessions(sessions):
        groups.setdefault(one.cwd, []).append(one)
    return list(groups.items())
