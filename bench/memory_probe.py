"""How long a ping takes, again and again until stdin ends; in a process of its own."""

import asyncio
import sys
import time
from pathlib import Path

import msgspec

from bascule.host.files.data_folder import Folder
from bascule.host.processes.tasks import Tasks
from bench.surface_client import connect

EVERY_S = 0.005
PATIENCE_S = 600.0  # of all that is opened meanwhile: a busy machine is not a fault


async def probe(root: Path) -> list[float]:
    seconds: list[float] = []
    async with connect(Folder(root), patience_s=PATIENCE_S) as client, Tasks() as tasks:
        over = tasks.start("stdin", _wait_for_end())
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while not over.done() or not seconds:
            start = time.monotonic()
            await client.call("daemon.ping")
            seconds.append(time.monotonic() - start)
            await asyncio.sleep(EVERY_S)
    return seconds


async def _wait_for_end() -> None:
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(asyncio.run(probe(Path(sys.argv[1])))))
