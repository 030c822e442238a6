"""`bascule sessions`: every session, the latest first."""

import argparse
import sys
from pathlib import PurePath

import msgspec

from bascule.cli import WrongUse, say
from bascule.cli.connect.start_options import (
    add_place,
    find_workspace,
    open_data_folder,
    refuse_both,
    run_async,
)
from bascule.core.session.growing_text import shorten
from bascule.core.text.plain import escape_controls, plain_line
from bascule.model.ids import short_id
from bascule.model.session import Session

EXAMPLES = """\
examples:
  bascule sessions
  bascule sessions --search "north leaf"
  bascule sessions --deleted                 those that can still be restored"""
NO_SESSIONS = "No sessions yet. Start one with `bascule ask`, or try `bascule demo`."
NO_DELETED = "No deleted sessions. Deleted ones can be restored for some days."
NOTHING_FOUND = "No session has these words in its name, prompts, answers or changed files: {words}"
SEARCH_LEAVES_OUT = "--search looks through sessions that are not deleted. Leave out --search, or --deleted."
MAX_FOUND = 50
UNCUT = 200  # columns
MAX_SHOWN = 60  # characters of a title
GAP = 2  # columns between two of the table's
LEAST_TITLE = 8  # columns
CUT = "title"  # where there is no room; the other columns are short


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON line per session, without its blocks")
    parser.add_argument(
        "--search", metavar="WORDS", help="only those in which all these words were said, in one place"
    )
    parser.add_argument("--deleted", action="store_true", help="deleted sessions that can be restored")
    parser.add_argument("--workspace", metavar="DIR", help="only the sessions of this folder")
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    refuse_both(args)
    if args.search is not None:
        if args.deleted:
            raise WrongUse(SEARCH_LEAVES_OUT)
        return run_async(_search(args))
    heads = read_heads(demo=args.demo, deleted=args.deleted)
    if args.workspace:
        workspace = find_workspace(args)
        heads = [head for head in heads if head.workspace == workspace]
    if args.json:
        for head in heads:
            sys.stdout.buffer.write(escape_controls(msgspec.json.encode(head)) + b"\n")
        return 0
    _print_table(heads, deleted=args.deleted)
    return 0


async def _search(args: argparse.Namespace) -> int:
    from bascule.cli.connect.join_daemon import joined
    from bascule.model.protocol.search import SearchSessionsParams

    async with joined(args, "sessions") as link:
        within = link.workspace if args.workspace else ""
        asked = SearchSessionsParams(query=args.search, workspace=within, limit=MAX_FOUND)
        found = await link.call("session.search", asked)
    if args.json:
        for one in found.sessions:
            sys.stdout.buffer.write(escape_controls(msgspec.json.encode(one)) + b"\n")
        return 0
    for one in found.sessions:
        say(f"{short_id(one.session_id)}  {plain_line(one.title)}  ({_when(one.updated_at_ms)})")
        for hit in one.hits:
            if hit.found_in != "title":
                say(f"          {hit.found_in}: {plain_line(hit.text)}")
    if not found.sessions:
        say(NOTHING_FOUND.format(words=plain_line(args.search)))
    return 0


def read_heads(*, demo: bool, deleted: bool = False) -> list[Session]:
    """Read only, while another process may own the folder. The machine's own place is no session."""
    from bascule.core.session.status import end_left
    from bascule.host.locks.lockfile import find_owner
    from bascule.host.storage.store import read_stored_heads

    folder = open_data_folder(demo=demo)
    heads = read_stored_heads(folder.database)
    if find_owner(folder.lock) is None:
        heads = [end_left(head) for head in heads]
    return [head for head in heads if head.agent and (head.deleted_at_ms is not None) == deleted]


def _print_table(heads: list[Session], *, deleted: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    from bascule.cli.plain_console import PlainConsole
    from bascule.cli.terminal.status_words import STYLES

    width = None if sys.stdout.isatty() else UNCUT  # who reads a pipe wants whole titles
    console = PlainConsole(width=width)
    if not heads:
        say(NO_DELETED if deleted else NO_SESSIONS)
        return
    rows = [_row(head) for head in heads]
    if len({head.agent for head in heads}) == 1:
        rows = [{name: text for name, text in row.items() if name != "agent"} for row in rows]
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column, columns in _widths(rows, console.width).items():
        table.add_column(column, no_wrap=True, overflow="ellipsis", width=columns)
    for row in rows:
        style = STYLES.get(row["status"], "")
        table.add_row(*(Text(text, style if name == "status" else "") for name, text in row.items()))
    console.print(table)


def _widths(rows: list[dict[str, str]], width: int) -> dict[str, int]:
    """Each column as wide as what it holds, the title as there is room."""
    from rich.cells import cell_len

    needed = {name: max(cell_len(text) for text in (name, *(row[name] for row in rows))) for name in rows[0]}
    others = sum(columns + GAP for name, columns in needed.items() if name != CUT)
    return needed | {CUT: max(LEAST_TITLE, min(needed[CUT], width - others))}


def _row(head: Session) -> dict[str, str]:
    from bascule.cli.terminal.status_words import status_word

    return {
        "session": short_id(head.id),
        "title": shorten(plain_line(head.title), MAX_SHOWN) + _about_place(head),
        "status": status_word(head),
        "folder": shorten(plain_line(PurePath(head.workspace).name), 20),
        "agent": plain_line(head.agent),
        "changed": _when(head.updated_at_ms),
    }


def _about_place(head: Session) -> str:
    """Where the page's list has it, if not in its usual place."""
    return f" ({head.place or 'hidden'})" if head.place or head.hidden else ""


def _when(at_ms: int) -> str:
    """Of today the time, of other days the date."""
    from bascule.host.clock import local_time, now_ms

    then, now = local_time(at_ms), local_time(now_ms())
    return f"{then:%H:%M}" if then.date() == now.date() else f"{then:%Y-%m-%d}"
