"""`bascule orders`: Orders from a pipe, one JSON object a line, and each one's outcome back."""

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import complain
from bascule.cli.connect.start_options import add_place, add_workspace, run_async
from bascule.core.faults import DaemonGone, UserError
from bascule.core.session.growing_text import shorten
from bascule.core.text.plain import plain_line
from bascule.core.wire.lines import OverlongLine
from bascule.core.wire.rpc import MAX_FRAME
from bascule.model.consent.orders import Order, OrderOutcome
from bascule.model.protocol.orders import CancelOrderParams, TakeOrderParams

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined
    from bascule.serve.stdio import Stdio

EXAMPLES = """\
examples:
  my-bot | bascule orders --workspace ~/site
  bascule orders --cancel c-1                stop one, also while it waits"""
ON_TERMINAL = (
    "Waiting for orders on standard input, one JSON object per line. They usually come from a pipe; "
    "docs/guide/orders.md describes them. What needs your yes is asked on the page, which `bascule up` "
    "opens, and not here. Ctrl+D ends it."
)
SEND_AGAIN = "Send the orders that have no outcome again: each is carried out once."
MAX_SHOWN = 80  # characters of a line that cannot be read
MAX_OPEN = 64  # lines that are being carried out; the next ones wait unread

ORDER = msgspec.json.Decoder(Order)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_workspace(parser)
    add_place(parser)
    parser.add_argument("--cancel", metavar="ID", help="stop the order with that commandId, and take none")


def run(args: argparse.Namespace) -> int:
    return run_async(_run(args))


async def _run(args: argparse.Namespace) -> int:
    from bascule.cli.connect.join_daemon import joined
    from bascule.serve.stdio import take_stdio

    if args.cancel:
        return await _cancel(args)
    if sys.stdin.isatty():
        complain(ON_TERMINAL)
    with take_stdio() as stdio:
        async with joined(args, "orders", "orders") as link:
            await Pipe(stdio, link).run()
    return 0


async def _cancel(args: argparse.Namespace) -> int:
    from bascule.cli.connect.join_daemon import joined

    async with joined(args, "orders", "orders") as link:
        await link.call("order.cancel", CancelOrderParams(command_id=args.cancel))
    return 0


class Pipe:
    """It knows Orders and no other word: nobody at its other end can say a yes."""

    def __init__(self, stdio: "Stdio", link: "Joined") -> None:
        self._stdio = stdio
        self._link = link
        self._room = asyncio.Semaphore(MAX_OPEN)
        self._gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()  # with the daemon

    async def run(self) -> None:
        """Until the other side has said its last, and every Order has its outcome."""
        reading = self._link.tasks.start("orders from the pipe", self._take_all())
        try:
            await asyncio.wait((reading, self._gone), return_when=asyncio.FIRST_COMPLETED)
            await (self._gone if self._gone.done() else reading)
        finally:
            reading.cancel()

    async def _take_all(self) -> None:
        while (frames := await self._stdio.read()) is not None:
            for frame in frames:
                await self._take(frame)
        for _ in range(MAX_OPEN):
            await self._room.acquire()

    async def _take(self, frame: "bytes | OverlongLine") -> None:
        if not isinstance(frame, bytes):
            await self._say(
                _unread(f"A line of more than {MAX_FRAME} bytes is not an order and was skipped.")
            )
            return
        await self._room.acquire()
        self._link.tasks.start("an order from the pipe", self._carry_out(frame))

    async def _carry_out(self, frame: bytes) -> None:
        from bascule.client.link import LinkRefused

        try:
            try:
                order = ORDER.decode(frame)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
                begin = shorten(plain_line(frame[:MAX_SHOWN].decode(errors="replace")), MAX_SHOWN)
                await self._say(_unread(f"This line is not an order ({wrong}): {begin}"))
                return
            try:
                await self._say(await self._link.call("order.take", TakeOrderParams(order=order)))
            except LinkRefused as refused:
                await self._say(_unread(refused.message, order))
            except DaemonGone as gone:
                if not self._gone.done():
                    self._gone.set_exception(UserError(f"{gone} {SEND_AGAIN}"))
        finally:
            self._room.release()

    async def _say(self, outcome: OrderOutcome) -> None:
        await self._stdio.write([msgspec.json.encode(outcome)])


def _unread(why: str, order: Order | None = None) -> OrderOutcome:
    """Nothing was done; what can be said of it is said."""
    from bascule.host.clock import now_ms, utc_text

    return OrderOutcome(
        command_id=order.command_id if order else "",
        machine_id=order.machine_id if order else "",
        status="rejected",
        summary=why,
        created_at=utc_text(now_ms()),
    )
