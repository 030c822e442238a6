"""board.*: every session on this machine as it changes; joining, leaving and forking those of others."""

from msgspec import Struct

from bascule.model.watch import WatchedSession


class BoardParams(Struct, frozen=True, kw_only=True):
    pass


class BoardRef(Struct, frozen=True, kw_only=True):
    key: str  # of a session on the board


class BoardList(Struct, frozen=True, kw_only=True):
    """Those that wait for a person first."""

    sessions: tuple[WatchedSession, ...]


class BoardNotify(Struct, frozen=True, kw_only=True):
    """`whole` begins the list again; otherwise the sessions that changed, in order."""

    sessions: tuple[WatchedSession, ...]
    whole: bool = False
    gone: tuple[str, ...] = ()  # keys of sessions that left the board
    faults: tuple[str, ...] | None = None  # all that cannot be read now; null: as before
