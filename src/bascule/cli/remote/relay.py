"""`bascule relay`: the server between a chat and the machines, its machines and its audit trail."""

import argparse
import asyncio
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bascule.cli import say
from bascule.cli.connect.start_options import EXIT_INTERRUPTED, open_data_folder, run_async
from bascule.core.faults import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bascule.relay.config import RelayConfig
    from bascule.relay.storage.relay_store import RelayStore

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
    parser.add_argument("machine", nargs="?", default="", help="of enroll and revoke")
    parser.add_argument("--config", metavar="FILE", help="default: relay/relay.toml in the data folder")
    parser.add_argument(
        "--database", metavar="URL", default="", help="postgresql://… of several nodes; default: a file"
    )
    parser.add_argument("--verify", action="store_true", help="of audit: what it does anyway")


def run(args: argparse.Namespace) -> int:
    from bascule.relay.config import read_config

    folder = open_data_folder(demo=False).root / "relay"
    folder.mkdir(mode=0o700, exist_ok=True)
    file = Path(args.config) if args.config else folder / "relay.toml"
    needs_config = args.do in ("serve", "enroll") or (file.exists() and not args.database)
    config = read_config(file) if needs_config else None
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
        return run_fast(_serve(config, database))
    except asyncio.CancelledError:
        return EXIT_INTERRUPTED


async def _serve(config: "RelayConfig", database: str) -> int:
    from bascule.host.network.listener import Listener, bind
    from bascule.relay.relay_app import LIMITS, open_relay

    sock = bind(config.address, config.port)
    async with open_relay(config, database) as app, Listener(app, sock, limits=LIMITS) as listener:
        say(f"The relay listens on http://{listener.address}:{listener.port}. Ctrl+C stops it.")
        await asyncio.Event().wait()
    return 0


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
    from bascule.host.clock import now_ms
    from bascule.relay.machines.machine_keys import CODE_LASTS_MS, make_code
    from bascule.relay.storage.machine_steps import AddCode

    if NAME.fullmatch(machine) is None:
        raise UserError("Name the machine: bascule relay enroll MACHINE, in visible ASCII without spaces.")
    code, hashed = make_code(config.public_url, machine)
    expires_ms = now_ms() + CODE_LASTS_MS
    with _open_store(database) as store:
        store.run_now(AddCode(machine=machine, hashed=hashed, expires_ms=expires_ms, now_ms=now_ms()))
    say(f"At {machine}, within {CODE_LASTS_MS // 60_000} minutes:\n\n  bascule bridge join {code}\n")
    return 0


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
        for one in await store.list_machines():
            standing = "revoked" if one.revoked_ms is not None else f"since {utc_text(one.enrolled_ms)}"
            say(f"{one.machine}: {standing}{', connected' if one.node else ''}")
    return 0


def _verify(database: str) -> int:
    with _open_store(database) as store:
        head, broken = store.verify()
    if broken is not None:
        say(f"Line {broken} of the audit trail is not as it was written, or lines before it are gone.")
        return 1
    say(f"All {head.seq} lines of the audit trail are as they were written. Hash of the last: {head.hash}")
    return 0
