"""`bascule runtime`: the protocol on stdin and stdout, for a client that starts its runtime itself."""

import argparse
import asyncio
from typing import TYPE_CHECKING

from bascule.cli.opening import add_place, add_workspace, find_workspace, open_data_folder, run_async

if TYPE_CHECKING:
    from bascule.host.dial import Dialled
    from bascule.serve.stdio import Stdio


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--approval-mode",
        metavar="MODE",
        help="taken and not used: what is asked follows your settings, never who asks",
    )
    add_workspace(parser)
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    return run_async(_run(args))


async def _run(args: argparse.Namespace) -> int:
    from contextlib import AsyncExitStack

    from bascule.cli.joining import Hosted, dial_daemon, find_or_host
    from bascule.serve.stdio import attend, take_stdio

    folder = open_data_folder(demo=args.demo)
    async with AsyncExitStack() as stack:
        stdio = stack.enter_context(take_stdio())
        daemon = await find_or_host(folder, args, "runtime", stack)
        if isinstance(daemon, Hosted):
            surface = daemon.app.surfaces.connect(transport="stdio", workspace=daemon.workspace)
            await attend(stdio, surface)
        else:
            workspace = str(folder.root / "project") if args.demo else find_workspace(args)
            await _relay(stdio, await dial_daemon(daemon, stack, workspace))
    return 0


async def _relay(stdio: "Stdio", daemon: "Dialled") -> None:
    """Frame by frame, both ways: the running daemon serves this client like any other."""
    from bascule.host.parent import wait_for_parent_to_go
    from bascule.host.tasks import Tasks

    async with Tasks() as tasks:
        ends = {
            tasks.start("from the client", _forward(stdio, daemon)),
            tasks.start("from the daemon", _back(daemon, stdio)),
            tasks.start("the client itself", wait_for_parent_to_go()),
        }
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)


async def _forward(stdio: "Stdio", daemon: "Dialled") -> None:
    from bascule.core import rpc
    from bascule.core.lines import Overlong

    while (frames := await stdio.read()) is not None:
        for frame in frames:
            if isinstance(frame, Overlong):
                refused = f"A frame has at most {rpc.MAX_FRAME} bytes; this one had {frame.size}."
                await stdio.write([rpc.error(None, rpc.INVALID_REQUEST, refused)])
            else:
                await daemon.send(frame)


async def _back(daemon: "Dialled", stdio: "Stdio") -> None:
    while True:
        try:
            await stdio.write([await daemon.receive()])
        except (EOFError, BrokenPipeError):
            return
