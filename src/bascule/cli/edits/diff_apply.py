"""`bascule diff apply`: a diff reviewed in the terminal, and written only after a yes."""

import argparse
import asyncio
from typing import TYPE_CHECKING

from bascule.cli import complain, say
from bascule.cli.connect.start_options import open_data_folder, report_recovered, run_async
from bascule.model.ids import short_id
from bascule.model.protocol import edits

if TYPE_CHECKING:
    from bascule.host.terminal import Terminal


def run(args: argparse.Namespace) -> int:
    """No flag, setting or variable answers for the person."""
    from bascule.cli.edits.diff import read_diff
    from bascule.host.terminal import person_here

    diff = read_diff(args.file)
    report_recovered(open_data_folder(demo=args.demo))
    with person_here(stdin_is_taken=args.file == "-") as terminal:
        return run_async(_run(args, diff, terminal))


async def _run(args: argparse.Namespace, diff: str, terminal: "Terminal | None") -> int:
    from bascule.cli.connect.join_daemon import joined
    from bascule.cli.terminal.edit_confirmation import (
        NOT_CONFIRMED,
        NOTHING_CHOSEN,
        apply_here,
        choose_here,
        summary,
    )

    wanted = edits.PrepareParams(data=diff.encode("utf-8", "surrogateescape"), strip=args.strip)
    try:
        async with joined(args, "diff") as link:
            prepared: edits.Prepared | None = await link.call("edits.prepare", wanted)
            if terminal is not None and prepared is not None and not prepared.bar:
                prepared = await choose_here(link, terminal, prepared)
            if prepared is None:
                complain(NOTHING_CHOSEN)
                return 1
            written = await apply_here(link, terminal, prepared, link.workspace)
    except asyncio.CancelledError:
        complain(NOT_CONFIRMED)
        raise
    if written.status != "ok":
        complain(written.summary)
        return 1
    say(f"Written: {summary(prepared.files)}.\nUndo it with: bascule undo {short_id(written.undo_id)}")
    return 0
