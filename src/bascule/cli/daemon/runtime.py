"""`bascule runtime`: the protocol on stdin and stdout, for a client that starts its runtime itself."""

import argparse
import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from bascule.cli.connect.start_options import add_place, add_workspace, open_data_folder, run_async
from bascule.core.wire import rpc
from bascule.model.consent.origin import Origin

if TYPE_CHECKING:
    from bascule.host.files.data_folder import Folder
    from bascule.host.network.dial import DialedSocket


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--approval-mode",
        metavar="MODE",
        help="accepted but ignored: your settings decide what is asked",
    )
    parser.add_argument(
        "--background",
        action="store_true",
        help="if no daemon is running, start one that keeps running afterwards",
    )
    add_workspace(parser)
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    return run_async(_run(args))


async def _run(args: argparse.Namespace) -> int:
    from bascule.cli.connect.join_daemon import Hosted, reach
    from bascule.serve.stdio import attend, take_stdio

    folder = open_data_folder(demo=args.demo)
    if args.background:
        await asyncio.to_thread(_start_daemon, folder, demo=args.demo)
    async with AsyncExitStack() as stack:
        stdio = stack.enter_context(take_stdio())
        daemon = await reach(folder, args, "runtime", stack)
        if isinstance(daemon, Hosted):
            surface = daemon.app.surfaces.connect(Origin(door="stdio"), workspace=daemon.workspace)
            await attend(stdio, surface)
        else:
            await attend(stdio, RelayedSurface(daemon))
    return 0


def _start_daemon(folder: "Folder", *, demo: bool) -> None:
    from bascule.cli.connect.background import start_background
    from bascule.host.network.registration import find_daemon

    if find_daemon(folder) is None:
        start_background(folder, demo=demo)


class RelayedSurface:
    """The running daemon serves this client like any other: frame by frame, both ways."""

    id = "relayed"

    def __init__(self, daemon: "DialedSocket") -> None:
        self._daemon = daemon
        self._open: Counter[rpc.Id] = Counter()  # asked, and not answered
        self._answered = asyncio.Event()

    async def feed(self, frame: bytes) -> None:
        message = rpc.parse_frame(frame)
        if isinstance(message, rpc.Request | rpc.Fault):
            self._open[message.id] += 1
        await self._daemon.send(frame)

    async def frames(self) -> list[bytes]:
        from bascule.daemon.surfaces.surfaces import SurfaceClosed

        try:
            frame = await self._daemon.receive()
        except EOFError:
            raise SurfaceClosed from None
        message = rpc.parse_frame(frame, most_bytes=None)
        if isinstance(message, rpc.Reply | rpc.Fault):
            self._open -= Counter([message.id])  # none goes below zero
            self._answered.set()
        return [frame]

    async def settle(self) -> None:
        while self._open:
            self._answered.clear()
            await self._answered.wait()

    def close(self) -> None:
        pass  # the connection ends with finish()

    async def finish(self) -> None:
        await self._daemon.close()
