"""`bascule undo`: the edits that can be undone, and one of them undone after a yes."""

import argparse
import asyncio
from typing import TYPE_CHECKING

from bascule.cli import complain, say
from bascule.cli.connect.start_options import add_place, open_data_folder, report_recovered, run_async
from bascule.core.faults import UserError
from bascule.core.session.growing_text import shorten
from bascule.core.text.visible import visible
from bascule.model.ids import short_id
from bascule.model.protocol.edits import WrittenEdit, WrittenEdits
from bascule.model.protocol.setup import InspectParams

if TYPE_CHECKING:
    from bascule.host.terminal import Terminal

EXAMPLES = """\
examples:
  bascule undo                               list the edits that were made here
  bascule undo last                          undo the latest one; asks first"""
SHORTEST_ID = 4  # characters that may stand for a whole id
NOT_CONFIRMED = "Nothing was undone: it was not confirmed."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id",
        metavar="ID",
        nargs="?",
        help="an id, the end of an id, or `last`; without it, edits are listed",
    )
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    from bascule.host.terminal import person_here

    report_recovered(open_data_folder(demo=args.demo))
    with person_here(stdin_is_taken=False) as terminal:
        return run_async(_run(args, terminal))


async def _run(args: argparse.Namespace, terminal: "Terminal | None") -> int:
    from bascule.cli.connect.join_daemon import joined
    from bascule.cli.terminal.edit_confirmation import undo_here

    try:
        async with joined(args, "undo") as link:
            listed: WrittenEdits = await link.call("edits.list", InspectParams())
            if args.id is None:
                return _list(listed.edits)
            undone = await undo_here(link, terminal, pick(listed.edits, args.id))
    except asyncio.CancelledError:
        complain(NOT_CONFIRMED)
        raise
    if undone.status != "ok":
        complain(NOT_CONFIRMED if undone.declined else undone.summary)
        return 1
    say(f"Undone: {undone.summary}.\nDo it again with: bascule undo {short_id(undone.undo_id)}")
    return 0


def pick(past: tuple[WrittenEdit, ...], name: str) -> WrittenEdit:
    if name == "last":
        found = [one for one in past if not one.undone and not one.undoes][:1]
    else:
        near = [one for one in past if len(name) >= SHORTEST_ID and one.undo_id.endswith(name)]
        found = [one for one in past if one.undo_id == name] or near
    if len(found) != 1:
        if name == "last":
            raise UserError("There is no edit to undo.")
        what = "several edits" if found else "no edit"
        raise UserError(f"{name!r} names {what}. `bascule undo` lists them.")
    return found[0]


def _list(past: tuple[WrittenEdit, ...]) -> int:
    from bascule.host.clock import local_time

    if not past:
        say("No edits to undo.")
    for one in past:
        state = " (undone)" if one.undone else f" (undid {short_id(one.undoes)})" if one.undoes else ""
        files = shorten(", ".join(map(visible, one.files)), 60)
        say(f"{short_id(one.undo_id)}  {local_time(one.at_ms):%Y-%m-%d %H:%M}  {files}{state}")
        say(f"          {visible(one.workspace)}")
    return 0
