"""Hubs over a real store, for tests of what is around them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.session_saver import SessionSaver
from bascule.host.storage.store import Store
from bascule.model.ids import SessionId, ThreadId
from bascule.model.session import Session

ONE = SessionId("s_one")
NOW_MS = 1_700_000_000_000


def make_session(session: str = ONE, **more: object) -> Session:
    fields = {"workspace": "/home/ann/bridge", "thread": ThreadId(f"thread-of-{session}"), **more}
    return Session(id=SessionId(session), **fields)  # type: ignore[arg-type]


@contextmanager
def open_hub(path: Path) -> Iterator[Hub]:
    """One life over the database there; what it holds is stored when it ends."""
    store = Store(path)
    saver = SessionSaver(store)
    try:
        yield Hub(saver, store.read_heads(), lambda: NOW_MS)
    finally:
        saver.close()
