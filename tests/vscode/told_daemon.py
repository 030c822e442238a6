"""A daemon in a process of its own, with one session; a test says what happens in it, line by line."""

import asyncio
import sys
from pathlib import Path

import msgspec
from tests.e2e.live_app import open_setup

from bascule.model.changes import Change
from bascule.serve.serving import serving


async def serve(root: Path) -> None:
    """Says the session's id and folder first; each line that comes is a list of Changes."""
    async with open_setup(root) as setup, setup.run() as live, serving(live.app, setup.folder):
        session = await live.create()
        sys.stdout.write(f"{session} {setup.project}\n")
        sys.stdout.flush()
        while line := await asyncio.to_thread(sys.stdin.readline):
            live.app.hub.apply(session, msgspec.json.decode(line, type=list[Change]))


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
