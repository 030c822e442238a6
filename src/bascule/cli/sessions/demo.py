"""`bascule demo`: a tour in which a real Codex works offline, then it is yours."""

import argparse
import sys

from bascule.cli import say
from bascule.cli.connect.start_options import run_async

TOUR: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("It thinks, plans and runs the project's tests", ("reasoning", "plan", "command")),
    ("It edits files. Nothing is written without your yes", ("edit",)),
    ("It wants out of its sandbox, and has a question", ("approval", "question")),
    ("It searches, and calls a tool of an MCP server", ("search", "mcp")),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tour-only", action="store_true", help="exit after the tour")


def run(args: argparse.Namespace) -> int:
    args.demo, args.session, args.model, args.effort = True, None, "", ""
    return run_async(_run(args))


async def _run(args: argparse.Namespace) -> int:
    from bascule.cli.connect.join_daemon import joined
    from bascule.cli.sessions.ask import pick_session, stopping
    from bascule.cli.terminal.conversation import Conversation
    from bascule.demo.plays import KINDS

    async with joined(args, "demo") as link:
        say("A real Codex, a scripted model on this machine, no network and no keys.")
        say(f"The project it works in: {link.workspace}\n")
        conversation = await Conversation.begin(link, await pick_session(link, args), demo=True)
        with stopping(conversation):
            for title, kinds in TOUR:
                say(f"── {title} ──\n")
                await conversation.say("\n".join(KINDS[kind].says for kind in kinds))
                if conversation.was_stopped:
                    break
            say(_afterwards())
            if sys.stdin.isatty() and not args.tour_only:
                await conversation.talk()
    return 0


def _afterwards() -> str:
    from bascule.demo.plays import KINDS

    return (
        "That was the tour. Now try it yourself; these words each play something:\n"
        f"  {' '.join(f'demo:{kind}' for kind in KINDS)}\n"
        '  for example: bascule ask --demo "demo:edit"\n'
        "The same sessions in your browser: bascule up --demo\n"
        'With your own Codex: bascule ask "what does this project do?" (without --demo)\n'
    )
