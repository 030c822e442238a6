"""`bascule replay`: fold a recorded wire (`<` is what the agent said) and print the session."""

import argparse
import sys
from pathlib import Path

import msgspec

from bascule.cli import say
from bascule.core.faults import UserError
from bascule.core.text.plain import escape_controls
from bascule.model.session import Session

MAX_RECORDING = 512 * 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="the recording; `-` reads standard input")
    parser.add_argument("--json", action="store_true", help="print each Session as one JSON line")


def run(args: argparse.Namespace) -> int:
    from bascule.daemon.agents.available_agents import find_available

    sessions, noted = find_available().default.replay(_read(args.file))
    if not sessions:
        raise UserError(f"{args.file} holds no session: no line begins with `< ` and names a thread.")
    for session in sessions:
        if args.json:
            sys.stdout.buffer.write(escape_controls(msgspec.json.encode(session)) + b"\n")
        else:
            _print(session)
    if noted and not args.json:
        sys.stderr.write(f"bascule: of the agent as a whole, under other events: {noted}\n")
    return 0


def _read(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(MAX_RECORDING)
    path = Path(name)
    try:
        if path.stat().st_size > MAX_RECORDING:
            raise UserError(f"{path} is larger than {MAX_RECORDING} bytes. Replay a part of it.")
        return path.read_bytes()
    except OSError as fault:
        raise UserError(f"{path} cannot be read: {fault.strerror}.") from None


def _print(session: Session) -> None:
    from bascule.cli.plain_console import PlainConsole
    from bascule.cli.terminal.render import render
    from bascule.core.session.usage import usage_text

    console = PlainConsole()
    for block in session.blocks:
        console.print(render(block))
        console.print()
    usage = usage_text(session.usage) if session.usage else "no usage reported"
    say(f"thread {session.thread}: {len(session.blocks)} blocks, status {session.status}, {usage}")
