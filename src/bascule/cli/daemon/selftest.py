"""`bascule selftest security`: the table of attacks, carried out on your own running daemon."""

import argparse
import asyncio
import os
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import say
from bascule.cli.connect.start_options import add_place, open_data_folder
from bascule.core.faults import UserError
from bascule.model.protocol.devices import OuterLinkParams
from bascule.model.protocol.setup import InspectParams

if TYPE_CHECKING:
    from bascule.host.files.data_folder import Folder
    from bascule.host.network.registration import Registration
    from bascule.serve.selftest.attack_runner import Keyring, Verdict

KNOCK = """
import socket, sys
with socket.socket(socket.AF_UNIX) as sock:
    sock.connect(sys.argv[1])
    sock.sendall(b"GET /status HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    print(sock.recv(4096).split()[1].decode())
"""

# What sandboxes are made of: no new privileges, and namespaces where this system lets us make one.
CONFINED = {
    "no new privileges": "import ctypes; ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)\n",
    "a user namespace": "import ctypes\nif ctypes.CDLL(None).unshare(0x10000000): raise SystemExit\n",
    "a mount namespace": "import ctypes\nif ctypes.CDLL(None).unshare(0x10020000): raise SystemExit\n",
}

MARKS = {True: "✓", False: "✗"}

# Made up: a text as it may come into the log, and what of it must not stay there.
SAID_SECRETS = {
    "AKIAQWERTYUIOP234567": "AKIAQWERTYUIOP234567",
    "password=correct-horse-7": "correct-horse-7",
    "sk-live0123456789abcdef": "live0123456789abcdef",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=["security"], help="what is tried")
    parser.add_argument("--json", action="store_true", help="one JSON line per row")
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    from bascule.host.network.registration import find_daemon

    folder = open_data_folder(demo=args.demo)
    daemon = find_daemon(folder)
    if daemon is None:
        raise UserError("Bascule is not running, so there is nothing to attack. `bascule up` starts it.")
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
    from bascule.cli.connect.consent_checks import inspect_consent
    from bascule.serve.selftest.attack_runner import Keyring, carry_out, find_aims
    from bascule.serve.selftest.attacks import ATTACKS
    from bascule.serve.selftest.inspection import CHECKS, NotAnswered, inspect, read_routes, sign_in, sign_out
    from bascule.serve.selftest.outer_inspection import inspect_outside

    program = Keyring(daemon.port, socket=daemon.socket, bearer=daemon.token)
    try:
        aims = find_aims(read_routes(program))
        keys = sign_in(program)
        for attack in ATTACKS:
            yield carry_out(attack, aims, keys)
        for name, incident, check in CHECKS:
            yield inspect(name, incident, check, keys)
        yield from _look_at_the_machine(daemon, folder, keys)
        if daemon.socket:
            yield from asyncio.run(inspect_consent(daemon, folder))
        links = asyncio.run(_find_outer_links(daemon))
        if links:
            yield from inspect_outside(*links)
        sign_out(keys)
    except (NotAnswered, OSError) as fault:
        raise UserError(
            f"The daemon (pid {daemon.pid}) stopped answering: {fault}. See `bascule logs`."
        ) from None


async def _find_outer_links(daemon: "Registration") -> tuple[str, str] | None:
    """By which a browser comes in at the outer door, and one that may only look; None without such a door."""
    from bascule.cli.connect.join_daemon import Joined
    from bascule.host.network.dial import dial
    from bascule.host.processes.tasks import Tasks

    wire = await dial(daemon)
    try:
        async with Tasks() as tasks:
            link = Joined(wire, "", tasks)
            await link.begin("selftest")
            listed = await link.call("device.list", InspectParams())
            if not listed.outside:
                return None
            full = await link.call("device.link", OuterLinkParams())
            look = await link.call("device.link", OuterLinkParams(scope="look"))
            return full.link, look.link
    finally:
        await wire.close()


def _look_at_the_machine(daemon: "Registration", folder: "Folder", keys: "Keyring") -> Iterator["Verdict"]:
    from bascule.host.network.exposure import (
        find_in_logs,
        find_in_processes,
        find_listening,
        find_open_files,
    )
    from bascule.serve.selftest.attack_runner import Verdict
    from bascule.serve.selftest.inspection import new_link

    sockets = find_listening(daemon.pid)
    far = [one for one in sockets if not one.is_loopback]
    yield Verdict(
        "every socket is on loopback, or speaks TLS only",
        "CVE-2026-112346",
        len(sockets),
        tuple(f"{one.address}:{one.port} speaks plain HTTP" for one in far if _knock(*one, "/")),
    )
    yield Verdict(
        "every port refuses requests without a key, except for the page itself",
        "CVE-2026-59723",
        len(sockets),
        tuple(
            f"{one.address}:{one.port} answered GET {target}"
            for one in sockets
            for target in ("/status", "/v1/models", "/files/x")
            if 0 < _knock(*one, target) < 400
        ),
    )
    yield from _look_at_the_socket(daemon, folder)
    yield Verdict("files are closed to others", "CVE-2026-46406", 1, tuple(find_open_files(folder)))
    for said in (*keys.secrets, *SAID_SECRETS):
        _knock("127.0.0.1", daemon.port, f"/{said}")  # so that each has been in a line of the log
    secrets = (*keys.secrets, *SAID_SECRETS.values())
    found = tuple(find_in_logs(folder, secrets))
    yield Verdict("the log contains no key", "CVE-2026-25253", len(secrets), found)
    link = new_link(keys)
    shown = tuple(find_in_processes(daemon.pid, (*keys.secrets, link.partition("#token=")[2])))
    yield Verdict("no process shows a key or a link", "CVE-2026-25253", 1, shown)
    yield _look_at_the_record(folder, keys)


def _look_at_the_record(folder: "Folder", keys: "Keyring") -> "Verdict":
    """Whole, and with the browser that has just come and gone."""
    from bascule.host.storage.audit import Audit, audit_in
    from bascule.serve.selftest.attack_runner import Verdict
    from bascule.serve.selftest.inspection import sign_in, sign_out

    record = Audit(audit_in(folder.root))
    known = {line.seq for line in record.last(1)}
    sign_out(sign_in(keys))
    passes = [line for line in record.last(2) if line.seq not in known and line.entry.kind == "pass"]
    missing = () if len(passes) == 2 else ("a browser that came and went is not in it",)
    problems = tuple(map(str, record.verify()))
    return Verdict("the record is complete and unchanged", "tampering", 1, problems + missing)


def _look_at_the_socket(daemon: "Registration", folder: "Folder") -> Iterator["Verdict"]:
    """Where the system has none, the registration must hold a token instead."""
    if not daemon.socket:
        return
    from bascule.host.network.exposure import find_open_socket, find_token
    from bascule.serve.selftest.attack_runner import Verdict

    yield Verdict("the registration file holds no token", "CVE-2026-46406", 1, tuple(find_token(folder)))
    yield Verdict(
        "the local socket is closed to other users",
        "CVE-2026-46406",
        1,
        tuple(find_open_socket(daemon.socket)),
    )
    yield Verdict(
        "the local socket refuses what an agent started",
        "confused deputy",
        1,
        tuple(_knock_as_agent(daemon, folder)),
    )
    if sys.platform == "linux":
        yield Verdict(
            "the local socket refuses what runs in a sandbox",
            "confused deputy",
            len(CONFINED),
            tuple(_knock_confined(daemon)),
        )


def _knock_as_agent(daemon: "Registration", folder: "Folder") -> Iterator[str]:
    """A process with the mark that every agent's child carries."""
    from bascule.host.processes.process_register import MARKER

    yield from _knock_from(daemon, KNOCK, {**os.environ, MARKER: f"{folder.id}:selftest"})


def _knock_confined(daemon: "Registration") -> Iterator[str]:
    """What a daemon cannot see in its place is said as the reason, instead of the answer that it gave."""
    from bascule.host.processes.confinement import find_blindness

    for kind, code in CONFINED.items():
        for failure in _knock_from(daemon, code + KNOCK, os.environ):
            yield find_blindness(daemon.pid) or f"{kind}: {failure}"


def _knock_from(daemon: "Registration", code: str, env: Mapping[str, str]) -> Iterator[str]:
    """A process of its own, which must be refused."""
    import subprocess

    words = [sys.executable, "-P", "-c", code, daemon.socket]
    done = subprocess.run(words, check=False, env=env, capture_output=True, text=True, timeout=30)
    if done.stdout.strip() != "403" and (done.stdout or done.returncode):  # else there is no such sandbox
        yield f"GET /status answered {done.stdout.strip() or done.stderr.strip()[-200:]}"


def _knock(address: str, port: int, target: str) -> int:
    """The status that somebody without a key gets; 0 where there is no answer."""
    from bascule.serve.selftest.probe import ask, make_request

    return ask(port, make_request("GET", target, [("Host", f"{address}:{port}")]), address=address).status


def _line(verdict: "Verdict") -> str:
    tried = f"{verdict.tried} tried" if verdict.tried > 1 else ""
    head = f"{MARKS[not verdict.failures]} {verdict.name:<62} {tried:<9} {verdict.incident}"
    return "\n".join([head.rstrip(), *(f"    {failure}" for failure in verdict.failures)])
