"""A daemon for one flood, in a process of its own: it serves a WebSocket until its stdin ends."""

import asyncio
import sys
from pathlib import Path

from bascule.daemon.app import open_app
from bascule.host.files.data_folder import open_folder
from bascule.model.ids import SessionId
from bascule.model.session import Session
from bascule.serve.serving import serving
from bench.flood_once import point_to_server

QUIET = SessionId("s_quiet")  # a session beside the flood, with no agent of its own


async def serve(root: Path, deltas: int) -> None:
    folder = open_folder(root / "data")
    point_to_server(folder, deltas)
    async with open_app(folder, command="bench surface", env={}) as app, serving(app, folder):
        app.hub.add(Session(id=QUIET, workspace=str(root / "elsewhere")))
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), int(sys.argv[2])))
