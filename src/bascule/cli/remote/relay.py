"""`bascule relay`: the server between a chat and the machines, its machines and its audit trail."""

import argparse
import asyncio
import secrets
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bascule.cli import WrongUse, say, say_for_elsewhere
from bascule.cli.connect.start_options import EXIT_INTERRUPTED, open_data_folder, run_async
from bascule.core.faults import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bascule.host.network.listener import Exposure
    from bascule.relay.config import RelayConfig
    from bascule.relay.storage.relay_store import RelayStore

EXAMPLES = """\
examples:
  bascule relay --demo                       try it: a chat, a desk, no network
  bascule relay                              run it; --config names another file
  bascule relay enroll desk                  a code to type at that machine
  bascule relay machines"""
DOES = {
    "serve": "run the relay until Ctrl+C (the default)",
    "enroll": "print a one-time code for a machine",
    "revoke": "end a machine's right to connect, at once",
    "machines": "list machines",
    "audit": "check the audit trail",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = "; ".join(f"{verb}: {does}" for verb, does in DOES.items())
    parser.add_argument("do", nargs="?", choices=list(DOES), default="serve", help=what)
    parser.add_argument("machine", nargs="?", default="", help="with enroll and revoke: the machine")
    parser.add_argument(
        "--config", metavar="FILE", help="the configuration (default: relay/relay.toml in the data folder)"
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        default="",
        help="postgresql://…, shared by several nodes (default: a file in the data folder)",
    )
    parser.add_argument("--tls-cert", metavar="FILE", help="with serve: a certificate (PEM)")
    parser.add_argument("--tls-key", metavar="FILE", help="with serve: its private key (PEM)")
    parser.add_argument(
        "--dev", action="store_true", help="with serve: take plain JSON from programs on this machine"
    )
    parser.add_argument(
        "--demo", action="store_true", help="with serve: relay, machine and chat on this computer, offline"
    )
    parser.add_argument(
        "--verify", action="store_true", help="with audit: check the hashes, as it does anyway"
    )


def run(args: argparse.Namespace) -> int:
    from bascule.relay.config import read_config

    if args.demo and args.do == "serve":
        from bascule.cli.remote.relay_demo import serve_demo

        return run_async(serve_demo(args))
    folder = open_data_folder(demo=args.demo).root / "relay"
    folder.mkdir(mode=0o700, exist_ok=True)
    file = Path(args.config) if args.config else folder / "relay.toml"
    needs_config = args.do in ("serve", "enroll") or (file.exists() and not args.database)
    config: RelayConfig | None = None
    if args.dev and not args.config and not file.exists():
        config = _make_dev_config(is_served=args.do == "serve")
    elif needs_config:
        config = read_config(file, dev=args.dev)
    database = args.database or (config.database if config else "") or str(folder / "relay.db")
    match args.do:
        case "revoke":
            return _revoke(database, args.machine)
        case "machines":
            return run_async(_list(database))
        case "audit":
            return _verify(database)
        case _:
            assert config is not None
    if args.do == "enroll":
        return _enroll(config, database, args.machine)
    from bascule.host.network.fast_loop import run_fast

    try:
        return run_fast(_serve(config, database, args))
    except asyncio.CancelledError:
        return EXIT_INTERRUPTED


def _make_dev_config(*, is_served: bool) -> "RelayConfig":
    """Its token counts as long as it is served."""
    from bascule.host.machine import host_name
    from bascule.relay.config import make_dev_config

    config = make_dev_config("dev", host_name(), secrets.token_urlsafe(24))
    if is_served:
        say(f"No relay.toml, so there is one person, dev, for {host_name()}.")
        say(f"The operations token is {config.operations_token}")
        say(f"A code to join: bascule relay enroll {host_name()} --dev")
    return config


async def _serve(config: "RelayConfig", database: str, args: argparse.Namespace) -> int:
    from bascule.host.network.listener import Listener, bind
    from bascule.relay.http.dev_chat import DevChat
    from bascule.relay.relay_app import LIMITS, open_relay

    exposure = _find_exposure(config, args)
    sock = bind(config.address, config.port, exposure)
    local_chat = DevChat(say) if args.dev else None
    async with (
        open_relay(config, database, local_chat=local_chat) as app,
        Listener(app, sock, exposure=exposure, limits=LIMITS) as listener,
    ):
        scheme = "https" if exposure else "http"
        url = f"{scheme}://{listener.address}:{listener.port}"
        say(f"The relay listens on {url}. Ctrl+C stops it.")
        if args.dev:
            say(f"Plain JSON: POST {url}/dev/message")
        await asyncio.Event().wait()
    return 0


def _find_exposure(config: "RelayConfig", args: argparse.Namespace) -> "Exposure | None":
    """TLS of its own; without it, only a proxy on the same machine can reach it."""
    from bascule.core.addresses import is_loopback
    from bascule.host.network.listener import MIN_CREDENTIAL, Exposure

    if bool(args.tls_cert) != bool(args.tls_key):
        raise WrongUse("TLS takes both: --tls-cert FILE and --tls-key FILE.")
    if is_loopback(config.address):
        token = config.operations_token.ljust(MIN_CREDENTIAL)  # nobody else can reach it
    elif args.dev:
        raise WrongUse("--dev is for this machine alone: address must be 127.0.0.1.")
    elif not args.tls_cert:
        raise UserError(
            f"{config.address} can be reached from other machines. Use --tls-cert and --tls-key, "
            "or 127.0.0.1 with a proxy that does TLS."
        )
    elif len(config.operations_token) < MIN_CREDENTIAL:
        raise UserError(
            f"operationsToken must have at least {MIN_CREDENTIAL} characters at {config.address}."
        )
    else:
        token = config.operations_token
    return Exposure(token, Path(args.tls_cert), Path(args.tls_key)) if args.tls_cert else None


@contextmanager
def _open_store(database: str) -> "Iterator[RelayStore]":
    from bascule.relay.storage.relay_store import RelayStore

    store = RelayStore(database)
    try:
        yield store
    finally:
        store.close()


def _enroll(config: "RelayConfig", database: str, machine: str) -> int:
    from bascule.core.orders import NAME
    from bascule.relay.machines.machine_keys import CODE_LASTS_MS

    if NAME.fullmatch(machine) is None:
        raise WrongUse("Name the machine: bascule relay enroll MACHINE, in visible ASCII without spaces.")
    code = make_join_code(config, database, machine)
    say_for_elsewhere(
        f"At {machine}, within {CODE_LASTS_MS // 60_000} minutes, run `bascule bridge join` and enter:\n\n"
        f"  {code}\n"
    )
    return 0


def make_join_code(config: "RelayConfig", database: str, machine: str) -> str:
    """Stored as a hash."""
    from bascule.host.clock import now_ms
    from bascule.relay.machines.machine_keys import CODE_LASTS_MS, make_code
    from bascule.relay.storage.machine_steps import AddCode

    code, hashed = make_code(config.public_url, machine)
    expires_ms = now_ms() + CODE_LASTS_MS
    with _open_store(database) as store:
        store.run_now(AddCode(machine=machine, hashed=hashed, expires_ms=expires_ms, now_ms=now_ms()))
    return code


def _revoke(database: str, machine: str) -> int:
    from bascule.host.clock import now_ms
    from bascule.relay.storage.machine_steps import Revoke

    with _open_store(database) as store:
        revoked = store.run_now(Revoke(machine=machine, now_ms=now_ms()))
    if not revoked:
        raise UserError(f"No machine {machine!r} is enrolled. `bascule relay machines` lists them.")
    say(f"{machine} is revoked, and disconnected within a second.")
    return 0


async def _list(database: str) -> int:
    from bascule.host.clock import utc_text

    with _open_store(database) as store:
        machines = await store.list_machines()
        if not machines:
            say("No machine is enrolled. `bascule relay enroll MACHINE` prints a code for one.")
        for one in machines:
            standing = "revoked" if one.revoked_ms is not None else f"since {utc_text(one.enrolled_ms)}"
            say(f"{one.machine}: {standing}{', connected' if one.node else ''}")
    return 0


def _verify(database: str) -> int:
    with _open_store(database) as store:
        head, broken = store.verify()
        unrecorded = store.find_unrecorded()
    if broken is not None:
        say(f"Line {broken} of the audit trail is not as it was written, or lines before it are gone.")
        return 1
    if unrecorded is not None:
        say(f"The audit trail lacks a step of {unrecorded}, which the relay stored: lines were removed.")
        return 1
    if not head.seq:
        say("The audit trail is empty.")
        return 0
    say(f"All {head.seq} lines of the audit trail are as they were written. Hash of the last: {head.hash}")
    return 0
