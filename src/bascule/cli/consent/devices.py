"""`bascule devices`: enrol a device at this machine, list devices and passes, revoke them, make a link."""

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING, get_args

import msgspec

from bascule.cli import WrongUse, say
from bascule.cli.connect.start_options import add_place, run_async
from bascule.core.consent.access import Need, find_may
from bascule.core.text.counts import counted
from bascule.core.text.visible import visible
from bascule.model.asks import Ask, DeviceSubject
from bascule.model.consent.devices import PassInfo
from bascule.model.consent.origin import Origin
from bascule.model.protocol import devices
from bascule.model.protocol.sessions import AnswerParams
from bascule.model.protocol.setup import InspectParams

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined
    from bascule.client.mirror import Mirror
    from bascule.host.terminal import Terminal

EXAMPLES = """\
examples:
  bascule devices list
  bascule devices add Phone                  prints a link and a code, then asks
  bascule devices revoke Phone               also closes its connections
  bascule devices link --look                for a browser that can only view"""
NO_YES = (
    "Its yes counts for nothing yet, its no does. `bascule.devices.answers` in settings.toml "
    "says for which kinds of questions it counts."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("act", choices=["add", "list", "revoke", "link"], help="what to do")
    parser.add_argument(
        "name", nargs="?", default="", help="add: its name; revoke: a name or id from the list"
    )
    parser.add_argument("--look", action="store_true", help="link: for looking only")
    parser.add_argument("--json", action="store_true", help="list: one JSON line")
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    if args.act in ("add", "revoke") and not args.name:
        raise WrongUse(f"`bascule devices {args.act}` takes a name.")
    return run_async(_run(args))


async def _run(args: argparse.Namespace) -> int:
    from bascule.cli.connect.join_daemon import joined

    async with joined(args, "devices") as link:
        match args.act:
            case "add":
                await _add(link, args.name)
            case "list":
                await _list(link, as_json=args.json)
            case "revoke":
                revoked = await link.call("device.revoke", devices.RevokeParams(name=args.name))
                closed = counted(revoked.closed, "connection")
                say(f"Revoked {visible(revoked.what)} and closed {closed}.")
            case _:
                await _link(link, look=args.look)
    return 0


async def _link(link: "Joined", *, look: bool) -> None:
    scope = devices.OuterLinkParams(scope="look" if look else "full")
    made = await link.call("device.link", scope)
    only = "can only look, and works" if look else "works"
    say(f"This link {only} once, within five minutes: {made.link}")


# -- add --


async def _add(link: "Joined", name: str) -> None:
    """Here the person compares two fingerprints; the same Ask is open on every surface of this machine."""
    from bascule.host.terminal import person_here

    invited = await link.call("device.invite", devices.InviteParams(name=name))
    mirror = await link.watch(invited.session_id)
    say(f"On the device, open this within five minutes:\n\n  {invited.link}\n")
    say(f"Or, where the page is open on it already, enter the code {invited.code}.\n")
    sys.stdout.flush()
    with person_here(stdin_is_taken=False) as terminal:
        asking: asyncio.Task[None] | None = None
        if terminal is not None:
            asking = link.tasks.start("the question", _confirm(link, mirror, terminal, name))
        try:
            device = await link.call("device.wait", devices.InviteRef(code=invited.code))
        finally:
            if asking is not None:
                asking.cancel()
                await asyncio.wait({asking})  # it gives the terminal back
    say(f"{visible(device.name)} is enrolled as {device.device_id}.")
    listed = await link.call("device.list", InspectParams())
    say(f"Its yes counts for: {', '.join(listed.yes_to)}." if listed.yes_to else NO_YES)


async def _confirm(link: "Joined", mirror: "Mirror", terminal: "Terminal", name: str) -> None:
    from bascule.cli.terminal.change_review import console_on
    from bascule.cli.terminal.yes_no import ask_yes_no
    from bascule.client.link import LinkRefused

    await mirror.news()
    while (ask := _find_ask(mirror, name)) is None:
        await mirror.news()
    assert isinstance(ask.subject, DeviceSubject)
    console_on(terminal).print(
        f"{visible(name)} wants to be enrolled. Its key, which it must show as well:\n\n"
        f"  {visible(ask.subject.fingerprint)}\n"
    )
    is_yes = await ask_yes_no(terminal, "Enrol it? ")
    chosen = next(choice for choice in ask.choices if choice.grants == is_yes)
    answer = AnswerParams(session_id=mirror.session_id, ask_id=ask.id, choice=chosen.id)
    try:
        await link.call("ask.answer", answer)
    except LinkRefused:
        console_on(terminal).print("It was answered elsewhere, or the device disconnected.")


def _find_ask(mirror: "Mirror", name: str) -> Ask | None:
    for ask in mirror.head().asks:
        if isinstance(ask.subject, DeviceSubject) and ask.subject.name == name:
            return ask
    return None


# -- list --


async def _list(link: "Joined", *, as_json: bool) -> None:
    """A block for each: a name that is cut could not be typed for `revoke`."""
    listed: devices.DeviceList = await link.call("device.list", InspectParams())
    if as_json:
        say(msgspec.json.encode(listed).decode())
        return
    blocks = [_device_lines(one, listed.yes_to) for one in listed.devices]
    blocks += [_pass_lines(way) for way in listed.passes]
    if not blocks:
        say("No devices, and no passes. Enrol a device with `bascule devices add NAME`.")
    for block in blocks:
        say("\n  ".join(block))


def _device_lines(one: devices.ListedDevice, yes_to: tuple[str, ...]) -> list[str]:
    yes = f"yes to {', '.join(yes_to)}; no to everything" if yes_to else "no only"
    may = _may(Origin(door="outside", device=one.device_id))
    return [
        visible(one.name),
        f"device {one.device_id}, outside",
        f"key: {one.fingerprint}",
        f"may: {may} ({yes})",
        f"since {_at(one.enrolled_at_ms)}, last seen {_at(one.seen_at_ms)}",
    ]


def _pass_lines(way: PassInfo) -> list[str]:
    may = _may(Origin(door=way.door, scope=way.scope))
    times = f"since {_at(way.since_ms)}, last seen {_at(way.seen_at_ms)}"
    return [visible(way.name), f"{way.kind}, {way.door}", f"may: {may}", times]


def _may(origin: Origin) -> str:
    allowed = find_may(origin)
    return ", ".join(need for need in get_args(Need) if need in allowed)


def _at(at_ms: int) -> str:
    from bascule.host.clock import local_time

    return f"{local_time(at_ms):%Y-%m-%d %H:%M}" if at_ms else "never"
