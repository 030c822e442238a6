"""`bascule bridge`: join a relay by a one-time code, or leave it."""

import argparse
import base64
import binascii
import sys
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import say
from bascule.cli.connect.start_options import add_place, open_data_folder, run_async
from bascule.core.faults import UserError
from bascule.model.relay_frames import EnrollRequest, JoinCode

if TYPE_CHECKING:
    from bascule.host.config.bridge_file import BridgeFile, JoinedRelay

EXAMPLES = """\
examples:
  bascule bridge join                        asks for the code from the relay
  bascule bridge leave"""
NO_CODE = "That is not a code. `bascule relay enroll MACHINE` at the relay prints one."
MAX_CODE = 2_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "do",
        choices=["join", "leave"],
        help="join: reads a code of the relay from standard input; leave: end it",
    )
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    return run_async(_join(args) if args.do == "join" else _leave(args))


async def _join(args: argparse.Namespace) -> int:
    from bascule.host.config.bridge_file import BridgeFile
    from bascule.host.config.settings_files import read_settings
    from bascule.host.machine import host_name
    from bascule.host.network.relay_link import check_relay_url

    code = parse_code(read_code())
    folder = open_data_folder(demo=args.demo)
    check_relay_url(code.url)
    here = read_settings(folder, None).machine_id or host_name()
    if code.machine != here:
        raise UserError(
            f"The code is for {code.machine}, and this machine is {here}. "
            f"Set bascule.machineId to {code.machine} first, or ask for a code for {here}."
        )
    file = BridgeFile(folder.root)
    if file.read() is not None:
        raise UserError("This machine has already joined a relay. Run `bascule bridge leave` first.")
    await join_relay(file, code)
    say(f"Joined {code.url} as {code.machine}. A running daemon connects; `bascule status` shows it.")
    return 0


async def join_relay(file: "BridgeFile", code: JoinCode) -> None:
    """With a new key pair."""
    from bascule.host.config.bridge_file import make_joined
    from bascule.host.network.relay_link import enroll

    joined = make_joined(code.url, code.machine)
    await enroll(
        code.url,
        EnrollRequest(
            machine_id=code.machine,
            secret=code.secret,
            public_key=joined.public_key,
            signature=joined.sign(code.secret),
        ),
    )
    file.write(joined)


def read_code() -> str:
    """Not from the command line: everybody can read a process's arguments."""
    if sys.stdin.isatty():
        say("The code that the relay printed:")
        sys.stdout.flush()
    return sys.stdin.readline(MAX_CODE + 1).strip()


def parse_code(text: str) -> JoinCode:
    try:
        if len(text) > MAX_CODE:
            raise ValueError
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        return msgspec.json.decode(data, type=JoinCode)
    except (binascii.Error, ValueError, msgspec.DecodeError):
        raise UserError(NO_CODE) from None


async def _leave(args: argparse.Namespace) -> int:
    from bascule.host.config.bridge_file import BridgeFile
    from bascule.host.config.settings_files import read_settings
    from bascule.host.network.relay_link import RelayAway

    folder = open_data_folder(demo=args.demo)
    file = BridgeFile(folder.root)
    joined, why = None, ""
    try:
        joined = file.read()
    except UserError as fault:  # that of a file which is removed all the same
        why = str(fault)
    if not file.remove():
        say("This machine has not joined a relay.")
        return 1
    say("Left the relay: no more orders come from it.")
    if joined is not None:
        try:
            await leave_relay(joined, read_settings(folder, None).relay_url or joined.url)
        except (RelayAway, UserError) as fault:
            why = str(fault)
    if why:
        name = joined.machine if joined is not None else "this machine"
        say(f"The relay doesn't know it yet: {why.rstrip('.')}. Ask the person who runs it to revoke {name}.")
    return 0


async def leave_relay(joined: "JoinedRelay", url: str) -> None:
    """Its orders for this machine end there, and the name is free."""
    from bascule.daemon.orders.relay_greeting import leave
    from bascule.host.network.relay_link import dial_relay

    link = await dial_relay(url)
    try:
        await leave(link, joined)
    finally:
        await link.close()
