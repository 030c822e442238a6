"""How long a small change takes to a surface, again and again until stdin ends; in a process of its own."""

import asyncio
import sys
import time
from pathlib import Path

import msgspec
from msgspec import Struct

from bascule.client.mirror import Mirror
from bascule.host.files.data_folder import Folder
from bascule.host.processes.tasks import Tasks
from bench.surface_client import Client, connect
from bench.surface_daemon import QUIET

EVERY_S = 0.002


class Delay(Struct, frozen=True):
    at_s: float  # of the clock that all processes of a machine share
    seconds: float


async def probe(root: Path) -> list[Delay]:
    delays: list[Delay] = []
    async with connect(Folder(root / "data")) as acting, connect(Folder(root / "data")) as watching:
        mirror = await watching.watch(QUIET)
        async with Tasks() as tasks:
            over = tasks.start("stdin", _wait_for_end())
            sys.stdout.write("ready\n")
            sys.stdout.flush()
            while not over.done():
                delays.append(await _once(acting, mirror, f"Title {len(delays)}"))
                await asyncio.sleep(EVERY_S)
    return delays


async def _once(acting: Client, mirror: Mirror, title: str) -> Delay:
    """From asking for it on one connection to having it folded on another."""
    async with Tasks() as tasks:
        start = time.monotonic()
        tasks.start("rename", _rename(acting, title))
        while mirror.head().title != title:
            await mirror.news()
        return Delay(start, time.monotonic() - start)


async def _rename(acting: Client, title: str) -> None:
    await acting.call("session.rename", session_id=QUIET, title=title)


async def _wait_for_end() -> None:
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    delays = asyncio.run(probe(Path(sys.argv[1])))
    sys.stdout.buffer.write(msgspec.json.encode(delays))
