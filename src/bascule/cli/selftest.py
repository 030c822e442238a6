"""`bascule selftest security`: the table of attacks, carried out on your own running daemon."""

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import say
from bascule.cli.opening import add_place, open_data_folder
from bascule.core.faults import CannotGoOn

if TYPE_CHECKING:
    from bascule.host.folder import Folder
    from bascule.host.registration import Registration
    from bascule.serve.siege import Keyring, Verdict

MARKS = {True: "✓", False: "✗"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=["security"], help="what is tried")
    parser.add_argument("--json", action="store_true", help="one JSON line a row")
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    from bascule.host.registration import find_daemon

    folder = open_data_folder(demo=args.demo)
    daemon = find_daemon(folder)
    if daemon is None:
        raise CannotGoOn("Bascule is not running, so there is nothing to attack. `bascule up` starts it.")
    failed = total = 0
    for verdict in run_all(daemon, folder):
        total += 1
        failed += bool(verdict.failures)
        say(msgspec.json.encode(verdict).decode() if args.json else _line(verdict))
    if not args.json:
        say(f"\n{total - failed} of {total} hold." if failed else f"\nAll {total} hold.")
    return 1 if failed else 0


def run_all(daemon: "Registration", folder: "Folder") -> Iterator["Verdict"]:
    """Every attack on every route that the daemon names, then what must hold of it as a whole."""
    from bascule.serve.attacks import ATTACKS
    from bascule.serve.inspection import CHECKS, NotAnswered, inspect, read_routes, sign_in, sign_out
    from bascule.serve.siege import carry_out, find_aims

    try:
        aims = find_aims(read_routes(daemon.port, daemon.token))
        keys = sign_in(daemon.port, daemon.token)
        for attack in ATTACKS:
            yield carry_out(attack, aims, keys)
        for name, incident, check in CHECKS:
            yield inspect(name, incident, check, keys)
        yield from _look_at_the_machine(daemon, folder, keys)
        sign_out(keys)
    except (NotAnswered, OSError) as fault:
        raise CannotGoOn(
            f"The daemon (pid {daemon.pid}) stopped answering: {fault}. See `bascule logs`."
        ) from None


def _look_at_the_machine(daemon: "Registration", folder: "Folder", keys: "Keyring") -> Iterator["Verdict"]:
    from bascule.host.openness import find_in_logs, find_listening, find_open_files
    from bascule.serve.siege import Verdict

    sockets = find_listening(daemon.pid)
    far = [one for one in sockets if not one.is_loopback]
    yield Verdict(
        "every socket is on loopback, or speaks TLS only",
        "CVE-2026-112346",
        len(sockets),
        tuple(f"{one.address}:{one.port} speaks plain HTTP" for one in far if _knock(*one, "/")),
    )
    yield Verdict(
        "every socket refuses who has no key",
        "CVE-2026-59723",
        len(sockets),
        tuple(
            f"{one.address}:{one.port} answered GET {target}"
            for one in sockets
            for target in ("/", "/status", "/v1/models")
            if 0 < _knock(*one, target) < 400
        ),
    )
    yield Verdict("files are closed to others", "CVE-2026-46406", 1, tuple(find_open_files(folder)))
    secrets = (keys.bearer, keys.cookie.partition("=")[2])
    yield Verdict("no key stands in the log", "CVE-2026-25253", 1, tuple(find_in_logs(folder, secrets)))


def _knock(address: str, port: int, target: str) -> int:
    """The status that somebody without a key gets; 0 where there is no answer."""
    from bascule.serve.probe import ask, make_request

    return ask(port, make_request("GET", target, [("Host", f"{address}:{port}")]), address=address).status


def _line(verdict: "Verdict") -> str:
    tried = f"{verdict.tried} tried" if verdict.tried > 1 else ""
    head = f"{MARKS[not verdict.failures]} {verdict.name:<62} {tried:<9} {verdict.incident}"
    return "\n".join([head.rstrip(), *(f"    {failure}" for failure in verdict.failures)])
