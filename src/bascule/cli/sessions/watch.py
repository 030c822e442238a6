"""`bascule watch`: every agent session on this machine, live; those that wait for you first."""

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import complain
from bascule.cli.connect.start_options import add_place, run_async
from bascule.core.text.plain import escape_controls
from bascule.model.protocol.board import BoardNotify, BoardParams
from bascule.model.watch import WatchedSession

if TYPE_CHECKING:
    from msgspec import Raw

    from bascule.cli.connect.join_daemon import Joined

EXAMPLES = """\
examples:
  bascule watch                              updates itself until Ctrl+C
  bascule watch --once                       print the board and exit
  bascule watch --json | jq .title           a line for each session and change"""
REFRESH_S = 10.0  # of "since", while nothing changes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON line per change")
    parser.add_argument("--once", action="store_true", help="print the board and exit")
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    return run_async(_run(args))


async def _run(args: argparse.Namespace) -> int:
    from bascule.cli.connect.join_daemon import joined

    async with joined(args, "watch", scope="look") as link:
        board = WatchedBoard()
        link.on_notified = board.take
        await link.call("board.watch", BoardParams())
        await (_print_lines(link, board, args.once) if args.json else _show(link, board, args.once))
    return 0


class GoneSession(msgspec.Struct, frozen=True):
    """A line about a session that has left the board."""

    key: str
    gone: bool = True


class WatchedBoard:
    """The board as the daemon tells it."""

    def __init__(self) -> None:
        self.sessions: dict[str, WatchedSession] = {}
        self.changed: list[WatchedSession | GoneSession] = []  # not printed yet
        self._faults: set[str] = set()
        self.news = asyncio.Event()

    def take(self, method: str, params: "Raw") -> None:
        if method != "board.changed":
            return
        news = msgspec.json.decode(params, type=BoardNotify)
        for fault in news.faults or ():
            if fault not in self._faults:
                complain(f"Not watched as it should be: {fault}")
        self._faults.update(news.faults or ())
        listed = {one.key for one in news.sessions}
        left = [key for key in self.sessions if key not in listed] if news.whole else news.gone
        for key in left:
            if self.sessions.pop(key, None) is not None:
                self.changed.append(GoneSession(key))
        for one in news.sessions:
            if self.sessions.get(one.key) != one:
                self.changed.append(one)
            self.sessions[one.key] = one
        self.news.set()

    async def next(self, link: "Joined") -> None:
        """Waits for news, or for the end of the link."""
        await link.wait_for(self.news)


async def _print_lines(link: "Joined", board: WatchedBoard, once: bool) -> None:
    while True:
        await board.next(link)
        for one in board.changed:
            sys.stdout.buffer.write(escape_controls(msgspec.json.encode(one)) + b"\n")
        board.changed.clear()
        sys.stdout.buffer.flush()
        if once:
            return


async def _show(link: "Joined", board: WatchedBoard, once: bool) -> None:
    from rich.live import Live

    from bascule.cli.plain_console import PlainConsole
    from bascule.cli.terminal.board_table import make_table

    console = PlainConsole()
    await board.next(link)
    if once or not sys.stdout.isatty():
        console.print(make_table(board.sessions.values()))
        return
    with Live(make_table(board.sessions.values()), console=console, auto_refresh=False) as live:
        while True:
            board.changed.clear()
            live.update(make_table(board.sessions.values()), refresh=True)
            try:
                await asyncio.wait_for(board.next(link), REFRESH_S)
            except TimeoutError:
                continue
