"""`bascule trust`: which folders' own configuration agents obey; add one after a y/n, or revoke one."""

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import EXIT_FAILED, WrongUse, say
from bascule.cli.connect.start_options import add_place, run_async
from bascule.cli.wording import fit
from bascule.core.consent.ask_subjects import TRUST_MEANWHILE, TRUST_WHAT, finding_lines
from bascule.core.events.surface_text import visible_line
from bascule.core.faults import UserError
from bascule.core.text.counts import counted
from bascule.model.protocol.trust import FolderParams, TrustAddParams, TrustListParams

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined
    from bascule.model.protocol.trust import DecidedFolder, InspectedFolder, TrustList

EXAMPLES = """\
examples:
  bascule trust list                         what you decided, what changed
  bascule trust add                          shows what is here, then asks
  bascule trust revoke ~/project             its next use asks again"""
NO_TERMINAL = (
    "Trusting a folder needs a terminal, and there is none here. "
    "Run `bascule trust add FOLDER` in a terminal."
)
HOW_TO_CHANGE = (
    "\nChange a decision: `bascule trust add FOLDER` shows what is in a folder and lets you trust it, "
    "`bascule trust revoke FOLDER` forgets what you decided, so that its next use asks again."
)
STATES = {"trusted": "trusted", "refused": "not trusted"}
SINCE = {
    "same": "",
    "changed": ", changed since: its next use asks again",
    "gone": ", nothing left there to decide about",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("list", "add", "revoke"), help="what to do")
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="the folder (default: this one)")
    parser.add_argument("--json", action="store_true", help="with list: one JSON line per folder")
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    folder = Path(args.folder or ".").expanduser().absolute()
    if args.what == "add" and not folder.is_dir():
        raise UserError(f"{visible_line(str(folder))} is not a folder.")
    return run_async(_run(args, str(folder)))


async def _run(args: argparse.Namespace, folder: str) -> int:
    from bascule.cli.connect.join_daemon import joined

    async with joined(args, "trust") as link:
        match args.what:
            case "list":
                return await _list(link, as_json=args.json)
            case "add":
                return await _add(link, folder)
            case _:
                return await _revoke(link, folder)


async def _list(link: "Joined", *, as_json: bool) -> int:
    folders = await _decided(link)
    for one in folders:
        say(msgspec.json.encode(one).decode() if as_json else _line(one))
    if folders and not as_json:
        say(HOW_TO_CHANGE)
    if not folders and not as_json:
        say("No folder has been decided about yet. `bascule trust add FOLDER` trusts one.")
    return 0


async def _decided(link: "Joined") -> "tuple[DecidedFolder, ...]":
    listed: TrustList = await link.call("trust.list", TrustListParams())
    return listed.folders


async def _revoke(link: "Joined", folder: str) -> int:
    names = {folder, str(await asyncio.to_thread(Path(folder).resolve))}
    decided = next((one for one in await _decided(link) if one.folder in names), None)
    await link.call("trust.revoke", FolderParams(folder=folder))
    was_refused = decided is not None and decided.decision == "refused"
    what = "was not trusted, and this is forgotten" if was_refused else "is no longer trusted"
    say(f"{visible_line(folder)} {what}. Its next use asks again.")
    return 0


def _line(one: "DecidedFolder") -> str:
    from bascule.host.clock import local_time

    when = f"{local_time(one.decided_at_ms):%Y-%m-%d %H:%M}" if one.decided_at_ms else "-" * 16
    state = STATES[one.decision] if one.now == "same" else one.now
    then = "" if one.now == "same" else f"{STATES[one.decision]} then"
    files = counted(len(one.files), "file")
    about = ", ".join(filter(None, (files, then))) + SINCE[one.now]
    return f"{state:<11}  {when}  {visible_line(one.folder)} ({about})"


async def _add(link: "Joined", folder: str) -> int:
    from bascule.cli.terminal.yes_no import ask_yes_no
    from bascule.host.terminal import person_here

    seen: InspectedFolder = await link.call("trust.inspect", FolderParams(folder=folder))
    if seen.trusted or not seen.findings:
        why = "is trusted already" if seen.trusted else "holds nothing that an agent would run or follow"
        say(f"{visible_line(seen.folder)} {why}.")
        return 0
    with person_here(stdin_is_taken=False) as terminal:
        if terminal is None:
            raise WrongUse(NO_TERMINAL)
        terminal.screen.write(fit(f"{visible_line(seen.folder)}\n{TRUST_WHAT}\n", terminal.screen))
        shown = [line for finding in seen.findings for line in finding_lines(finding)]
        terminal.screen.writelines(f"  {line}\n" for line in shown)
        terminal.screen.write(fit(f"{TRUST_MEANWHILE}\n", terminal.screen))
        if not await ask_yes_no(terminal, "Trust this folder with this content? "):
            say("Not trusted.")
            return EXIT_FAILED
    await link.call("trust.add", TrustAddParams(folder=seen.folder, fingerprint=seen.fingerprint))
    say(f"{visible_line(seen.folder)} is trusted until this content changes.")
    return 0
