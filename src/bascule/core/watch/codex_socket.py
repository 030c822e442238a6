"""What Codex's shared daemon tells anyone who listens: the status of each loaded thread."""

from typing import Any

import msgspec
from msgspec import Struct

from bascule.core.watch.labels import cut, cut_id, cut_path
from bascule.core.watch.merge import MEANINGS
from bascule.model.watch import Signal

MAX_THREADS = 5_000
TITLE_THREADS = {"thread_title"}
LOST = "connection lost"
TYPES = {"active", "idle", "notLoaded", LOST}
WAITING_FLAGS = {
    "waitingOnApproval": "an approval",
    "waitingOnUserInput": "an answer to a question",
}


class SeenStatus(Struct, frozen=True):
    type: str
    flags: tuple[str, ...] = msgspec.field(default=(), name="activeFlags")


class SeenThread(Struct, frozen=True, rename="camel"):
    id: str
    status: SeenStatus | None = None
    cwd: str | None = None
    preview: str | None = None
    name: str | None = None
    ephemeral: bool = False
    thread_source: str | None = None
    parent_thread_id: str | None = None
    updated_at: float | None = None
    git_info: dict[str, Any] | None = None


class SocketReader:
    """`feed` notifications and `take` threads; Signals come out. Threads made for titles stay hidden."""

    def __init__(self) -> None:
        self._threads: dict[str, SeenThread] = {}
        self._said: dict[str, Signal] = {}  # of each thread the last

    def take(self, raw: object) -> list[Signal]:
        """A thread as the daemon describes it."""
        try:
            thread = _bound(msgspec.convert(raw, SeenThread, strict=False))
        except (msgspec.ValidationError, RecursionError):
            return []
        if not thread.id or not self._has_room(thread.id):
            return []
        self._threads[thread.id] = thread
        return self._say(thread.id, thread.status or SeenStatus("notLoaded"), 0)

    def feed(self, method: str, params: object, now_ms: int) -> list[Signal]:
        given = params if isinstance(params, dict) else {}
        thread = cut_id(given.get("threadId"))
        match method:
            case "thread/started":
                return self.take(given.get("thread"))
            case "thread/status/changed" if thread:
                return self._take_status(thread, given.get("status"), now_ms)
            case "thread/closed" if thread in self._threads:
                return self._say(thread, SeenStatus("notLoaded"), now_ms)
            case "thread/name/updated" if thread in self._threads:
                return self._rename(thread, given.get("threadName") or given.get("name"))
            case _:
                return []

    def _has_room(self, thread: str) -> bool:
        """None is forgotten for another: a lost connection has to name every one."""
        return thread in self._threads or len(self._threads) < MAX_THREADS

    def lose(self) -> list[Signal]:
        """The connection is gone: nothing that it said counts any more."""
        lost = [self._signal(thread, SeenStatus(LOST), 0) for thread in self._threads]
        self._threads.clear()
        self._said.clear()
        return lost

    def is_loaded(self, thread: str) -> bool:
        known = self._threads.get(thread)
        return known is not None and known.status is not None and known.status.type in ("active", "idle")

    def needs_look(self, thread: str) -> bool:
        known = self._threads.get(thread)
        return known is None or known.cwd is None

    def _take_status(self, thread: str, status: object, now_ms: int) -> list[Signal]:
        try:
            now = _bound_status(msgspec.convert(status, SeenStatus, strict=False))
        except (msgspec.ValidationError, RecursionError):
            return []
        before = self._threads.get(thread) or SeenThread(thread)
        if not self._has_room(thread):
            return []
        self._threads[thread] = msgspec.structs.replace(before, status=now)
        return self._say(thread, now, now_ms)

    def _rename(self, thread: str, name: object) -> list[Signal]:
        if not isinstance(name, str):
            return []
        known = self._threads[thread] = msgspec.structs.replace(self._threads[thread], name=cut(name))
        return self._say(thread, known.status or SeenStatus("notLoaded"), 0)

    def _say(self, thread: str, status: SeenStatus, at_ms: int) -> list[Signal]:
        """Nothing where it would be what was said last."""
        now, before = self._signal(thread, status, at_ms), self._said.get(thread)
        self._said[thread] = now
        is_same = before is not None and msgspec.structs.replace(before, at_ms=at_ms) == now
        return [] if is_same else [now]

    def _signal(self, thread: str, status: SeenStatus, at_ms: int) -> Signal:
        known = self._threads.get(thread) or SeenThread(thread)
        evidence = "active, waiting" if status.type == "active" and status.flags else status.type
        evidence = evidence if status.type in TYPES else "systemError"
        return Signal(
            source="socket",
            agent="codex",
            session=thread,
            evidence=evidence,
            status=MEANINGS["socket", evidence] or "unknown",
            at_ms=at_ms,
            cwd=known.cwd or "",
            branch=(known.git_info or {}).get("branch", ""),
            title=known.name or known.preview or "",
            doing=WAITING_FLAGS.get(status.flags[0], "you") if status.flags else "",
            hidden=known.ephemeral
            or known.thread_source in TITLE_THREADS
            or known.parent_thread_id is not None,
        )


def _bound(thread: SeenThread) -> SeenThread:
    """Each text is cut here, once: it is looked at again with every change."""
    branch = (thread.git_info or {}).get("branch")
    return msgspec.structs.replace(
        thread,
        id=cut_id(thread.id),
        status=_bound_status(thread.status) if thread.status is not None else None,
        cwd=cut_path(thread.cwd) if thread.cwd is not None else None,
        preview=cut((thread.preview or "").lstrip().split("\n", 1)[0]),
        name=cut(thread.name),
        git_info={"branch": cut(branch)},
    )


def _bound_status(status: SeenStatus) -> SeenStatus:
    waits = [flag for flag in status.flags if flag.startswith("waitingOn")]
    return SeenStatus(cut_id(status.type), tuple(cut(flag) for flag in waits[:1]))
