"""Milliseconds from `bascule up` to the first answered request, and memory of a daemon that has sessions."""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from msgspec import Struct
from msgspec.structs import replace

from bascule.host.files.data_folder import Folder, open_folder
from bascule.host.network.registration import find_daemon
from bascule.host.storage.store import Saved, Store
from bascule.model.ids import SessionId
from bench.plays import tell_until
from bench.scale import Figures, Scale, megabytes, milliseconds, spread_percent
from bench.surface_client import connect

STORED = 50  # sessions
BLOCKS = 200  # of each


class Started(Struct, frozen=True):
    command_s: float  # until `bascule up` has ended
    answered_s: float  # until the first request after it was answered
    rss: int  # of the daemon, when nothing goes on


def measure(scale: Scale) -> Figures:
    with tempfile.TemporaryDirectory() as root:
        filled = Path(root, "filled")
        _fill(filled)
        stored = [_start(filled, STORED) for _ in range(scale.rounds)]
        empty = [_start(Path(root, "empty"), 0) for _ in range(scale.rounds)]
    python = min(_time_python() for _ in range(scale.rounds))
    best = min(one.answered_s for one in empty)
    with_stored = min(one.answered_s for one in stored)
    rss = {"stored": min(one.rss for one in stored), "empty": min(one.rss for one in empty)}
    return {
        "up_to_first_answer_ms": milliseconds(best),
        "up_command_ms": milliseconds(min(one.command_s for one in empty)),
        "bare_python_ms": milliseconds(python),
        "ratio_to_bare_python": round(best / python, 1),
        f"up_to_first_answer_{STORED}_stored_ms": milliseconds(with_stored),
        "ratio_stored_to_empty": round(with_stored / best, 2),
        "stored_sessions": STORED,
        "stored_blocks": STORED * BLOCKS,
        f"rss_idle_{STORED}_stored_mb": megabytes(rss["stored"]),
        "rss_idle_empty_mb": megabytes(rss["empty"]),
        "rss_ratio_stored_to_empty": round(rss["stored"] / rss["empty"], 2),
        "rounds": scale.rounds,
        "spread_percent": spread_percent([one.answered_s for one in empty]),
    }


def _fill(root: Path) -> None:
    """As a daemon would have left them."""
    session = tell_until(BLOCKS)
    store = Store(open_folder(root).database)
    for number in range(STORED):
        head = replace(session, id=SessionId(f"s_{number}"), status="completed", asks=())
        store.save([Saved(head=head, blocks=tuple(enumerate(head.blocks)), whole=True)])
    store.close()


def _start(root: Path, sessions: int) -> Started:
    start = time.perf_counter()
    bascule(root, "up", "--no-open")
    command_s = time.perf_counter() - start
    try:
        listed = asyncio.run(_ask(Folder(root)))
        answered_s = time.perf_counter() - start
        assert listed == sessions
        return Started(command_s, answered_s, weigh(Folder(root)))
    finally:
        bascule(root, "down")


async def _ask(folder: Folder) -> int:
    async with connect(folder) as client:
        return len((await client.call("session.list")).sessions)


def weigh(folder: Folder) -> int:
    daemon = find_daemon(folder)
    assert daemon is not None
    return int(psutil.Process(daemon.pid).memory_info().rss)


def bascule(root: Path, *words: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "bascule", *words],
        env={**os.environ, "BASCULE_HOME": str(root)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        check=True,
    )


def _time_python() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - start
