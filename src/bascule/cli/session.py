"""`bascule session VERB ID`: what is done to a session as a whole."""

import argparse
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import complain, say
from bascule.cli.ask import find_session
from bascule.cli.opening import add_place, run_async, running_app
from bascule.model.asks import Refuse
from bascule.model.ids import RunId, SessionId

if TYPE_CHECKING:
    from bascule.daemon.app import App

Act = Callable[["App", SessionId, str], Awaitable[str | Refuse]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("act", choices=sorted(ACTS), help="what to do")
    parser.add_argument("session", help="its id or the end of it, its title, or `last`")
    parser.add_argument("value", nargs="?", default="", help="rename: the title; fork: the run to fork at")
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    return run_async(_run(args))


async def _run(args: argparse.Namespace) -> int:
    async with running_app(args) as (app, workspace):
        session = find_session(app, args.session, workspace)
        said = await ACTS[args.act](app, session, args.value)
    if isinstance(said, Refuse):
        complain(said.why)
        return 1
    say(said)
    return 0


async def _rename(app: "App", session: SessionId, title: str) -> str | Refuse:
    return await app.sessions.rename(session, title) or f"renamed to {title}"


async def _hide(app: "App", session: SessionId, _value: str) -> str | Refuse:
    app.sessions.hide(session)
    return "hidden from the tabs"


async def _show(app: "App", session: SessionId, _value: str) -> str | Refuse:
    app.sessions.hide(session, False)
    return "back among the tabs"


async def _fork(app: "App", session: SessionId, run_id: str) -> str | Refuse:
    return await app.sessions.fork(session, RunId(run_id) if run_id else None)


async def _clear(app: "App", session: SessionId, _value: str) -> str | Refuse:
    return await app.sessions.clear(session) or "cleared"


async def _compact(app: "App", session: SessionId, _value: str) -> str | Refuse:
    refused = await app.sessions.compact(session)
    if refused is not None:
        return refused
    await _until_rest(app, session)
    return "compacted"


async def _until_rest(app: "App", session: SessionId) -> None:
    runs = len(app.roster.get(session).runs)
    watcher = app.hub.watch(session)
    while len(app.roster.get(session).runs) == runs or not app.roster.lane(session).idle:
        await watcher.next()


async def _print(app: "App", session: SessionId, _value: str) -> str | Refuse:
    await app.sessions.open(session)
    while await app.sessions.load_earlier(session):
        pass
    whole = app.hub.session(session)
    if not sys.stdout.isatty():
        return msgspec.json.encode(whole).decode()
    from rich.console import Console

    from bascule.cli.render import render

    console = Console(highlight=False, markup=False, emoji=False)
    for block in whole.blocks:
        console.print(render(block))
        console.print()
    return f"{len(whole.runs)} runs, status {whole.status}"


ACTS: dict[str, Act] = {
    "rename": _rename,
    "hide": _hide,
    "show": _show,
    "fork": _fork,
    "compact": _compact,
    "clear": _clear,
    "print": _print,
}
