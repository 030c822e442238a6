"""`bascule hooks`: the hooks by which Claude reports its status, in its own settings file."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from bascule.cli import say
from bascule.cli.connect.start_options import add_place, run_async
from bascule.core.watch.places import find_claude_settings
from bascule.model.protocol.hooks import HooksParams, HooksStatus

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined

EXAMPLES = """\
examples:
  bascule hooks status
  bascule hooks install                      shows what it writes, then asks
  bascule hooks uninstall                    removes the hooks, and nothing else
  bascule hooks restore                      the settings from before, as saved"""
STATES = {
    "installed": "Bascule's hooks are installed",
    "partly": "Some of Bascule's hooks are installed (`bascule hooks install` adds the rest)",
    "absent": "Bascule's hooks are not installed",
}
APPLIES = (
    "Claude reads its hooks when it starts: sessions that are already running need a review with /hooks, "
    "or a restart."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("install", "status", "uninstall", "restore"), help="what to do")
    parser.add_argument(
        "--settings", metavar="FILE", help="Claude's settings.json (default: the one that Claude reads)"
    )
    parser.add_argument(
        "--panes-only", action="store_true", help="with install: only sessions in panes are reported"
    )
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    return run_async(_run(args, find_settings(args.settings)))


def find_settings(named: str | None) -> str:
    if named:
        return str(Path(named).expanduser().absolute())
    return str(Path(find_claude_settings(os.environ, str(Path.home()))).absolute())


async def _run(args: argparse.Namespace, settings: str) -> int:
    from bascule.cli.connect.join_daemon import joined
    from bascule.cli.terminal.confirmed_call import call_and_answer
    from bascule.client.link import LinkRefused
    from bascule.host.terminal import person_here

    params = HooksParams(settings=settings, outside=not args.panes_only)
    with person_here(stdin_is_taken=False) as terminal:
        async with joined(args, "hooks") as link:
            before = await _read_before(link, args.what, params)
            done = await call_and_answer(link, terminal, f"hooks.{args.what}", params)
    if isinstance(done, LinkRefused):
        raise done
    _print(args.what, done, is_changed=before != done)
    return 0


async def _read_before(link: "Joined", what: str, params: HooksParams) -> HooksStatus | None:
    """None where it cannot be known: what is broken can still be restored."""
    from bascule.client.link import LinkRefused

    if what == "restore":
        return None
    try:
        status: HooksStatus = await link.call("hooks.status", params)
    except LinkRefused:
        return None
    return status


def _print(what: str, status: HooksStatus, *, is_changed: bool) -> None:
    from bascule.core.events.surface_text import visible_line

    said = "The settings were restored" if what == "restore" else STATES[status.state]
    say(f"{said}: {visible_line(status.settings)}")
    if status.backup:
        say(f"Backup from before the first change: {visible_line(status.backup)}")
    if what == "status" and status.state != "absent":
        say("Sessions outside panes are reported too." if status.outside else "Only panes are reported.")
    if status.is_off and status.state != "absent":
        say("Claude runs no hooks at all while `disableAllHooks` is true in that file.")
    elif is_changed and what != "status":
        say(APPLIES)
