"""`bascule session VERB ID`: what is done to a session as a whole."""

import argparse
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import WrongUse, say
from bascule.cli.connect.start_options import add_place, add_workspace, run_async
from bascule.cli.sessions.ask import find_session
from bascule.core.faults import UserError
from bascule.model.attachments import DiffAttachment
from bascule.model.ids import short_id
from bascule.model.protocol import sessions
from bascule.model.protocol.edits import DiffRef
from bascule.model.session import Session

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined

PIPED = 100  # columns, for who reads a pipe
EXAMPLES = """\
examples:
  bascule session print last                 the whole conversation, to read
  bascule session print last --json          the same as JSON
  bascule session rename last "The parser"   your name for it stays
  bascule session fork last                  a new session with the same past
  bascule session compact last               its agent sums up the conversation
  bascule session clear last                 the next prompt begins a new one
  bascule session delete 1a2b3c4d            asks; can be restored for some days
  bascule session restore 1a2b3c4d
  bascule session pin last                   above the others; unpin undoes it
  bascule session archive last               out of the list, until unarchive
  bascule session hide last                  closes its tab; show opens it again
  bascule session diff last | bascule diff apply -
  bascule session restart last               ends its agent; a prompt starts it"""
JSON_FOR_PRINT = "--json is for `bascule session print`. Leave it out."
Act = Callable[["Joined", str, argparse.Namespace], Awaitable[str]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("act", choices=sorted(ACTS), metavar="VERB", help=", ".join(sorted(ACTS)))
    parser.add_argument("session", help="an id, the end of an id, a title, or `last`")
    parser.add_argument("value", nargs="?", default="", help="rename: the title; fork: the run to fork at")
    parser.add_argument("--json", action="store_true", help="with print: the whole session as JSON")
    add_workspace(parser)
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    if args.json and args.act != "print":
        raise WrongUse(JSON_FOR_PRINT)
    return run_async(_run(args))


async def _run(args: argparse.Namespace) -> int:
    from bascule.cli.connect.join_daemon import joined

    async with joined(args, "session") as link:
        session = await find_session(link, args.session, deleted=args.act == "restore")
        said = await ACTS[args.act](link, session, args)
    say(said)
    return 0


async def _rename(link: "Joined", session: str, args: argparse.Namespace) -> str:
    await link.call("session.rename", sessions.RenameParams(session_id=session, title=args.value))
    return f"Renamed to {args.value}."


async def _hide(link: "Joined", session: str, _args: argparse.Namespace) -> str:
    await link.call("session.hide", sessions.HideParams(session_id=session))
    return f"Hidden from the tabs. To undo it: bascule session show {short_id(session)}"


async def _show(link: "Joined", session: str, _args: argparse.Namespace) -> str:
    await link.call("session.hide", sessions.HideParams(session_id=session, hidden=False))
    return "Shown among the tabs again."


async def _pin(link: "Joined", session: str, _args: argparse.Namespace) -> str:
    await link.call("session.place", sessions.PlaceParams(session_id=session, place="pinned"))
    return f"Pinned above the other sessions. To undo it: bascule session unpin {short_id(session)}"


async def _archive(link: "Joined", session: str, _args: argparse.Namespace) -> str:
    await link.call("session.place", sessions.PlaceParams(session_id=session, place="archived"))
    return f"Archived. To undo it: bascule session unarchive {short_id(session)}"


async def _put_back(link: "Joined", session: str, _args: argparse.Namespace) -> str:
    await link.call("session.place", sessions.PlaceParams(session_id=session))
    return "Back in its usual place in the list."


async def _delete(link: "Joined", session: str, _args: argparse.Namespace) -> str:
    from bascule.cli.terminal.confirmed_call import call_and_answer
    from bascule.client.link import LinkRefused
    from bascule.host.terminal import person_here

    with person_here(stdin_is_taken=False) as terminal:
        done = await call_and_answer(
            link, terminal, "session.delete", sessions.SessionRef(session_id=session)
        )
    if isinstance(done, LinkRefused):
        raise done
    return f"Deleted. To restore it: bascule session restore {short_id(session)}"


async def _restore(link: "Joined", session: str, _args: argparse.Namespace) -> str:
    await link.call("session.restore", sessions.SessionRef(session_id=session))
    return "Restored."


async def _fork(link: "Joined", session: str, args: argparse.Namespace) -> str:
    forked = await link.call("session.fork", sessions.ForkParams(session_id=session, run_id=args.value))
    to_continue = f"bascule ask --session {short_id(forked.session_id)}"
    return f"Forked as {forked.session_id}. To continue it: {to_continue}"


async def _clear(link: "Joined", session: str, _args: argparse.Namespace) -> str:
    await link.call("session.clear", sessions.SessionRef(session_id=session))
    return "Cleared. The next prompt starts a new conversation."


async def _compact(link: "Joined", session: str, _args: argparse.Namespace) -> str:
    mirror = await link.watch(session)
    await mirror.news()
    started = (await link.call("session.compact", sessions.SessionRef(session_id=session))).run_id
    while (outcome := _outcome_of(mirror.head(), started)) in (None, "running"):
        await mirror.news()
    if outcome != "completed":
        raise UserError(f"The context was not compacted: the run {outcome}.")
    return "Compacted."


def _outcome_of(head: Session, run: str) -> str | None:
    return next((one.outcome for one in head.runs if one.id == run), None)


async def _print(link: "Joined", session: str, args: argparse.Namespace) -> str:
    await link.call("session.open", sessions.SessionRef(session_id=session))
    while (await link.call("session.earlier", sessions.SessionRef(session_id=session))).more:
        pass
    whole = (await link.call("history.read", sessions.HistoryReadParams(session_id=session))).session
    if args.json:
        return msgspec.json.encode(whole).decode()
    from bascule.cli.plain_console import PlainConsole
    from bascule.cli.terminal.render import render
    from bascule.cli.terminal.status_words import count, status_word

    width = None if sys.stdout.isatty() else PIPED
    console = PlainConsole(width=width)
    for block in whole.blocks:
        console.print(render(block))
        console.print()
    return f"{count(len(whole.runs), 'run')}, {status_word(whole)}"


async def _diff(link: "Joined", session: str, _args: argparse.Namespace) -> str:
    """The latest patch answer's, whole, as `bascule diff apply -` takes it."""
    from bascule.daemon.edits.offered_diffs import MAX_SHOWN_DIFF

    await link.call("session.open", sessions.SessionRef(session_id=session))
    whole = (await link.call("history.read", sessions.HistoryReadParams(session_id=session))).session
    attached = [one for block in whole.blocks for one in block.attachments if isinstance(one, DiffAttachment)]
    if not attached:
        raise UserError("This session has no patch answer. Ask for one with: bascule ask '/patch …'")
    if len(attached[-1].unified_diff) < MAX_SHOWN_DIFF:
        return attached[-1].unified_diff.rstrip("\n")
    kept = await link.call("edits.prepared", DiffRef(diff_id=attached[-1].diff_id))
    return str(kept.preview).rstrip("\n")


async def _restart(link: "Joined", session: str, _args: argparse.Namespace) -> str:
    restarted = await link.call("agent.restart", sessions.RestartAgentParams(session_id=session))
    if restarted.was_running:
        return f"Restarted the agent of {restarted.workspace}."
    return f"No agent is running in {restarted.workspace}. The next prompt starts one."


ACTS: dict[str, Act] = {
    "diff": _diff,
    "rename": _rename,
    "hide": _hide,
    "show": _show,
    "pin": _pin,
    "unpin": _put_back,
    "archive": _archive,
    "unarchive": _put_back,
    "delete": _delete,
    "restore": _restore,
    "fork": _fork,
    "compact": _compact,
    "clear": _clear,
    "restart": _restart,
    "print": _print,
}
