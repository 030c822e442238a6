"""`bascule ask`: prompt an agent, watch it work, answer what it asks."""

import argparse
import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bascule.cli import WrongUse
from bascule.cli.connect.start_options import add_place, add_workspace, run_async
from bascule.core.faults import UserError
from bascule.model.protocol.runs import ListedSession, SessionListParams
from bascule.model.protocol.sessions import CreateParams, SessionRef
from bascule.model.protocol.setup import InspectParams

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined
    from bascule.cli.terminal.conversation import Conversation

EXAMPLES = """\
examples:
  bascule ask "what does this project do?"
  bascule ask                                line by line; /help lists commands
  bascule ask --session last "and the tests"
  bascule ask "/plan split this module"      read-only: nothing is written
  git diff | bascule ask                     the prompt comes from a pipe"""
EMPTY = 'The prompt is empty. Type one, as in: bascule ask "what does this project do?"'
NO_SESSION = "There is no session in {folder} yet. Start one with `bascule ask`."
NO_DELETED = "There is no deleted session of {folder}. `bascule sessions --deleted` lists all of them."
SHORTEST_ID = 4  # characters that may stand for a whole id
MAX_LISTED = 1_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("prompt", nargs="?", help="what to say; without it you are asked, line by line")
    parser.add_argument(
        "--session", metavar="ID", help="continue this session (`last`: the latest one of this folder)"
    )
    parser.add_argument("--model", metavar="NAME", default="", help="the model for a new session")
    parser.add_argument("--effort", metavar="LEVEL", default="", help="its reasoning effort")
    parser.add_argument("--json", action="store_true", help="print Changes as JSON lines")
    add_workspace(parser)
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    from bascule.host.terminal import leave_nothing_typed

    try:
        return run_async(_run(args))
    finally:
        leave_nothing_typed()


async def _run(args: argparse.Namespace) -> int:
    from bascule.cli.connect.join_daemon import joined
    from bascule.cli.terminal.conversation import Conversation

    if args.prompt is None and (args.json or not sys.stdin.isatty()):
        args.prompt = await asyncio.to_thread(sys.stdin.read)
    if args.prompt is not None and not args.prompt.strip():
        raise WrongUse(EMPTY)
    async with joined(args, "ask") as link:
        session = await pick_session(link, args)
        conversation = await Conversation.begin(
            link, session, json=args.json, known=bool(args.session), demo=args.demo
        )
        with stopping(conversation):
            if args.prompt is not None:
                return await conversation.say(args.prompt)
            return await conversation.talk()


async def pick_session(link: "Joined", args: argparse.Namespace) -> str:
    if args.session is None:
        made = CreateParams(workspace=link.workspace, model=args.model, effort=args.effort)
        return str((await link.call("session.create", made)).session_id)
    session = await find_session(link, args.session)
    await link.call("session.open", SessionRef(session_id=session))
    return session


async def find_session(link: "Joined", name: str, *, deleted: bool = False) -> str:
    """By its id, the beginning or the end of it, its title, or `last`."""
    if deleted:
        listed = (await link.call("session.deleted", InspectParams())).sessions
    else:
        listed = (await link.call("session.list", SessionListParams(limit=MAX_LISTED))).sessions
    if name == "last":
        here = [one.session_id for one in listed if one.workspace_root == link.workspace]
        if not here:
            raise UserError((NO_DELETED if deleted else NO_SESSION).format(folder=link.workspace))
        return str(here[0])
    exact = [one.session_id for one in listed if name in (one.session_id, one.title)]
    found = exact or [one.session_id for one in listed if _is_near(name, one)]
    if len(found) != 1:
        kind = "deleted session" if deleted else "session"
        what = f"several {kind}s" if found else f"no {kind}"
        lists = "bascule sessions --deleted" if deleted else "bascule sessions"
        raise UserError(f"{name!r} names {what}. `{lists}` lists them.")
    return str(found[0])


def _is_near(name: str, one: ListedSession) -> bool:
    near = one.session_id.startswith(name) or one.session_id.endswith(name)
    return len(name) >= SHORTEST_ID and near


@contextmanager
def stopping(conversation: "Conversation") -> Iterator[None]:
    """Ctrl+C stops the run; a second one leaves."""
    from bascule.host.processes.signals import on_signals

    main = asyncio.current_task()

    def stop() -> None:
        if not conversation.stop() and main is not None:
            main.cancel()

    with on_signals(["SIGINT"], stop):
        yield
