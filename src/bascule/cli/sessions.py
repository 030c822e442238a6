"""`bascule sessions`: every session, the latest first."""

import argparse
import sys
from pathlib import PurePath

import msgspec

from bascule.cli.connect.start_options import add_place, open_data_folder
from bascule.core.session.growing_text import shorten
from bascule.core.session.status import shown_status
from bascule.core.session.usage import usage_text
from bascule.core.text.plain import plain_line
from bascule.model.session import Session

NO_SESSIONS = "No sessions yet. Start one with `bascule ask`, or try `bascule demo`."
NO_DELETED = "No deleted sessions."
SHORT_ID = 8  # characters of an id
UNCUT = 200  # columns
DOTS = {"working": ("●", "green"), "waiting_user": ("●", "dark_orange"), "completed": ("●", "blue")}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON line a session, without its blocks")
    parser.add_argument("--deleted", action="store_true", help="those that can still be restored")
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    heads = read_heads(demo=args.demo, deleted=args.deleted)
    if args.json:
        for head in heads:
            sys.stdout.buffer.write(msgspec.json.encode(head) + b"\n")
        return 0
    _print_table(heads, deleted=args.deleted)
    return 0


def read_heads(*, demo: bool, deleted: bool = False) -> list[Session]:
    """Read beside whoever owns the folder; nothing is written. The machine's own place is no session."""
    from bascule.host.storage.store import read_stored_heads

    heads = read_stored_heads(open_data_folder(demo=demo).database)
    return [head for head in heads if head.agent and (head.deleted_at_ms is not None) == deleted]


def short_id(head: Session) -> str:
    """Enough of its end to name it: ids begin with the time, so neighbours begin alike."""
    return head.id[-SHORT_ID:]


def _print_table(heads: list[Session], *, deleted: bool) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from bascule.host.clock import local_time

    width = None if sys.stdout.isatty() else UNCUT  # who reads a pipe wants whole titles
    console = Console(highlight=False, markup=False, emoji=False, width=width)
    if not heads:
        console.print(NO_DELETED if deleted else NO_SESSIONS)
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    agents = {head.agent for head in heads}
    named = ["agent"] if len(agents) > 1 else []  # of one, the header of each session says it
    for column in ("", "session", "title", *named, "folder", "changed", "context"):
        whole = SHORT_ID if column == "session" else None  # what names a session is never cut
        table.add_column(column, no_wrap=True, overflow="ellipsis", min_width=whole)
    for head in heads:
        dot, colour = DOTS.get(shown_status(head), (" ", ""))
        table.add_row(
            Text(dot, style=colour),
            Text(short_id(head)),
            Text(shorten(plain_line(head.title), 40) + (" (hidden)" if head.hidden else "")),
            *([Text(plain_line(head.agent))] if named else []),
            Text(shorten(plain_line(PurePath(head.workspace).name), 24)),
            Text(f"{local_time(head.updated_at_ms):%Y-%m-%d %H:%M}"),
            Text(usage_text(head.usage) if head.usage else ""),
        )
    console.print(table)
