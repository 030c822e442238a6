"""`bascule ask`: prompt an agent, watch it work, answer what it asks."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bascule.cli.opening import add_place, add_workspace, run_async, running_app
from bascule.core.faults import CannotGoOn
from bascule.model.ids import SessionId
from bascule.model.session import Session

if TYPE_CHECKING:
    from bascule.cli.conversation import Conversation
    from bascule.daemon.app import App

SHORTEST_ID = 4  # characters that may stand for a whole id


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("prompt", nargs="?", help="what to say; without it you are asked, line by line")
    parser.add_argument(
        "--session", metavar="ID", help="go on in this session (`last`: the latest of this folder)"
    )
    parser.add_argument("--model", metavar="NAME", default="", help="the model for a new session")
    parser.add_argument("--effort", metavar="LEVEL", default="", help="its reasoning effort")
    parser.add_argument("--json", action="store_true", help="print Changes as JSON lines")
    add_workspace(parser)
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    return run_async(_run(args))


async def _run(args: argparse.Namespace) -> int:
    from bascule.cli.conversation import Conversation
    from bascule.host.tasks import Tasks

    if args.prompt is None and (args.json or not sys.stdin.isatty()):
        args.prompt = await asyncio.to_thread(sys.stdin.read)
    async with running_app(args) as (app, workspace), Tasks() as tasks:
        session = await pick_session(app, args, workspace)
        conversation = Conversation(app, session, tasks, json=args.json, known=bool(args.session))
        with stopping(conversation):
            if args.prompt is not None:
                return await conversation.say(args.prompt)
            return await conversation.talk()


async def pick_session(app: "App", args: argparse.Namespace, workspace: str) -> SessionId:
    if args.session is None:
        return await app.sessions.create(workspace, model=args.model, effort=args.effort)
    session = find_session(app, args.session, workspace)
    await app.sessions.open(session)
    return session


def find_session(app: "App", name: str, workspace: str) -> SessionId:
    """By its id, the beginning or the end of it, its thread, its title, or `last`."""
    heads = app.hub.heads()
    if name == "last":
        here = [head.id for head in heads if head.workspace == workspace]
        if not here:
            raise CannotGoOn(f"There is no session in {workspace} yet. Begin one with `bascule ask`.")
        return here[0]
    exact = [head.id for head in heads if name in (head.id, head.thread, head.title)]
    near = [head.id for head in heads if _is_near(name, head)]
    found = exact or near
    if len(found) != 1:
        what = "several sessions" if found else "no session"
        raise CannotGoOn(f"{name!r} names {what}. `bascule sessions` lists them.")
    return found[0]


def _is_near(name: str, head: Session) -> bool:
    begins = head.id.startswith(name) or (head.thread or "").startswith(name)
    return len(name) >= SHORTEST_ID and (begins or head.id.endswith(name))


@contextmanager
def stopping(conversation: "Conversation") -> Iterator[None]:
    """Ctrl+C stops the run; a second one leaves."""
    loop = asyncio.get_running_loop()
    main = asyncio.current_task()

    def stop() -> None:
        if not conversation.stop() and main is not None:
            main.cancel()

    before = signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(stop))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
