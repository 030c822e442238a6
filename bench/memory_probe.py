"""How long a ping takes, to the daemon and to a bare loop, until stdin ends; in a process of its own."""

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from bascule.host.files.data_folder import Folder
from bascule.host.processes.tasks import Tasks
from bench.surface_client import connect

EVERY_S = 0.005
PATIENCE_S = 600.0  # of all that is opened meanwhile: a busy machine is not a fault


class Pings(msgspec.Struct, frozen=True):
    daemon_s: list[float]
    bare_s: list[float]  # to a loop with nothing else to do, at the same moments


async def probe(root: Path) -> Pings:
    pings = Pings([], [])
    async with (
        connect(Folder(root), patience_s=PATIENCE_S) as client,
        _bare_loop() as (reader, writer),
        Tasks() as tasks,
    ):
        over = tasks.start("stdin", _wait_for_end())
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while not over.done() or not pings.bare_s:
            start = time.monotonic()
            await client.call("daemon.ping")
            pings.daemon_s.append(time.monotonic() - start)
            await asyncio.sleep(EVERY_S)
            start = time.monotonic()
            writer.write(b"ping\n")
            assert await reader.readline() == b"ping\n"
            pings.bare_s.append(time.monotonic() - start)
            await asyncio.sleep(EVERY_S)
    return pings


@asynccontextmanager
async def _bare_loop() -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "socket"))
        words = (sys.executable, "-m", "bench.bare_loop", path)
        process = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
        assert process.stdout is not None
        await process.stdout.readline()
        reader, writer = await asyncio.open_unix_connection(path)
        yield reader, writer
        writer.close()
        await process.wait()


async def _wait_for_end() -> None:
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(asyncio.run(probe(Path(sys.argv[1])))))
