"""The connections of one listener: those that have not shown who they are go first, the oldest first."""

from collections import Counter
from collections.abc import Callable

from msgspec import Struct

VISITOR = "bascule.visitor"  # in the ASGI scope: the connection that a request came on


class ConnectionLimits(Struct, frozen=True):
    """How many at once. `each` is of one source: an address, or a process."""

    unknown: int
    unknown_each: int
    known: int
    known_each: int  # of one pass
    message: int = 0  # bytes of one message of a WebSocket; 0: what the listener takes


class Visitor:
    """One connection. The check of its pass calls `know`."""

    def __init__(self, source: str, pid: int, cut_off: Callable[[], None], among: "Connections") -> None:
        self.source = source
        self.pid = pid  # of the peer, on a local socket
        self.cut_off = cut_off
        self.name = ""  # of its pass, once it is known
        self._among = among

    def know(self, name: str) -> bool:
        """It has shown who it is. False: that pass, or all of them together, have as many as may be."""
        return self._among.know(self, name)


class Connections:
    """A newcomer is never turned away: where there is no room, the oldest unknown one makes it."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self._unknown: dict[Visitor, None] = {}  # in the order in which they came
        self._known: Counter[str] = Counter()

    def enter(self, source: str, pid: int, cut_off: Callable[[], None]) -> Visitor:
        visitor = Visitor(source, pid, cut_off, self)
        self._unknown[visitor] = None
        alike = [one for one in self._unknown if one.source == source]
        if len(alike) > self._limits.unknown_each:
            self._drop(alike[0])
        elif len(self._unknown) > self._limits.unknown:
            self._drop(next(iter(self._unknown)))
        return visitor

    def know(self, visitor: Visitor, name: str) -> bool:
        if visitor.name:
            return True
        if self._known.total() >= self._limits.known or self._known[name] >= self._limits.known_each:
            return False
        self._unknown.pop(visitor, None)
        visitor.name = name
        self._known[name] += 1
        return True

    def leave(self, visitor: Visitor) -> None:
        self._unknown.pop(visitor, None)
        if visitor.name:
            self._known -= Counter([visitor.name])
            visitor.name = ""

    def _drop(self, visitor: Visitor) -> None:
        del self._unknown[visitor]
        visitor.cut_off()
