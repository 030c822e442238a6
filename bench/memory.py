"""Memory of a daemon after every stored session was looked at once, and how long a ping waits meanwhile."""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bascule.host.files.data_folder import Folder, open_folder
from bascule.host.storage.store import Saved, Store
from bascule.model.ids import SessionId, ThreadId
from bascule.model.session import Session
from bench.memory_probe import PATIENCE_S, Pings
from bench.plays import tell_until
from bench.scale import Figures, Scale, megabytes, milliseconds
from bench.surface_client import connect
from bench.up import bascule, weigh

LISTS = 10
SMALL = 20  # blocks of those that are only listed


def measure(scale: Scale) -> Figures:
    with tempfile.TemporaryDirectory() as root:
        folder = open_folder(Path(root, "data"))
        store_sessions(folder, scale)
        bascule(folder.root, "up", "--no-open")
        try:
            return _measure(folder, scale)
        finally:
            bascule(folder.root, "down")


def _measure(folder: Folder, scale: Scale) -> Figures:
    with _pinging(folder) as idle:
        time.sleep(0.5)
    before = weigh(folder)
    with _pinging(folder) as listing:
        list_s = asyncio.run(_list(folder, count_listed(scale)))
    listed = weigh(folder)
    with _pinging(folder) as opening:
        open_s = asyncio.run(_open_all(folder, scale.sessions))
    after = weigh(folder)
    return {
        "sessions": scale.sessions,
        "blocks_each": scale.blocks,
        "rss_before_mb": megabytes(before),
        "rss_listed_mb": megabytes(listed),
        "rss_after_mb": megabytes(after),
        "open_each_ms": milliseconds(open_s / scale.sessions),
        "list_each_ms": milliseconds(list_s / LISTS),
        **_delays("idle", idle),
        **_delays("opening", opening),
        **_delays("listing", listing),
    }


def count_listed(scale: Scale) -> int:
    """Sessions in one list: 1,000 beside 300 long ones."""
    return scale.sessions * 10 // 3


def store_sessions(folder: Folder, scale: Scale) -> None:
    """As a daemon would have left them."""
    long, small = tell_until(scale.blocks), tell_until(SMALL)
    store = Store(folder.database)
    for number in range(count_listed(scale)):
        session = long if number < scale.sessions else small
        store.save([_save(session, number)])
    store.close()


def _save(session: Session, number: int) -> Saved:
    name, thread = SessionId(f"s_{number}"), ThreadId(f"t_{number}")
    head = replace(session, id=name, thread=thread, status="completed", asks=())
    return Saved(head=head, blocks=tuple(enumerate(head.blocks)), whole=True)


async def _open_all(folder: Folder, sessions: int) -> float:
    """One after the other, each until its snapshot has come."""
    async with connect(folder, patience_s=PATIENCE_S) as client:
        start = time.monotonic()
        for number in range(sessions):
            await client.watch(f"s_{number}")
            await client.call("session.unwatch", session_id=f"s_{number}")
            client.forget(f"s_{number}")
        return time.monotonic() - start


async def _list(folder: Folder, listed: int) -> float:
    async with connect(folder) as client:
        start = time.monotonic()
        for _ in range(LISTS):
            assert len((await client.call("session.list", limit=listed)).sessions) == listed
        return time.monotonic() - start


@contextmanager
def _pinging(folder: Folder) -> Iterator[Pings]:
    """The seconds that each ping took, known when it is left; from a process of its own."""
    pings = Pings([], [])
    pipe = subprocess.PIPE
    words = [sys.executable, "-m", "bench.memory_probe", str(folder.root)]
    with subprocess.Popen(words, stdin=pipe, stdout=pipe) as probe:
        assert probe.stdout is not None
        assert probe.stdout.readline() == b"ready\n"
        yield pings
        said, _ = probe.communicate()
        heard = msgspec.json.decode(said, type=Pings)
        pings.daemon_s.extend(heard.daemon_s)
        pings.bare_s.extend(heard.bare_s)


def _delays(name: str, pings: Pings) -> Figures:
    ordered, bare = sorted(pings.daemon_s), sorted(pings.bare_s)
    return {
        f"ping_{name}_bare_p99_ms": milliseconds(bare[len(bare) * 99 // 100]),
        f"ping_{name}_p50_ms": milliseconds(ordered[len(ordered) // 2]),
        f"ping_{name}_p99_ms": milliseconds(ordered[len(ordered) * 99 // 100]),
        f"ping_{name}_max_ms": milliseconds(ordered[-1]),
    }
