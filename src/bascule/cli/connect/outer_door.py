"""`bascule up --bind`: what it takes to let other machines in, all of it or nothing."""

import argparse
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bascule.cli import WrongUse
from bascule.core.faults import UserError

if TYPE_CHECKING:
    from bascule.serve.serving import OuterDoor

MAX_CREDENTIAL = 1024
FLAGS = {"credential": "--credential", "tls_cert": "--tls-cert", "tls_key": "--tls-key"}


def add_outside(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("other machines", "over TLS; all but --name are needed")
    group.add_argument("--bind", metavar="ADDRESS:PORT", help="where to listen: one address, never all")
    group.add_argument(
        "--credential", metavar="FILE", help="the bearer token, in a file that only you can read"
    )
    group.add_argument("--tls-cert", metavar="FILE", help="its certificate chain (PEM)")
    group.add_argument("--tls-key", metavar="FILE", help="the certificate's key (PEM)")
    group.add_argument("--name", metavar="NAME", action="append", default=[], help="a host name for it")


def outside_words(args: argparse.Namespace) -> list[str]:
    """The same flags for the process in the background, whose folder is another."""
    files = [
        word
        for key, flag in FLAGS.items()
        if getattr(args, key)
        for word in (flag, str(Path(getattr(args, key)).absolute()))
    ]
    bind = ["--bind", args.bind] if args.bind else []
    return [*bind, *files, *(word for name in args.name for word in ("--name", name))]


def read_outside(args: argparse.Namespace) -> "OuterDoor | None":
    from bascule.host.network.listener import Exposure
    from bascule.serve.serving import OuterDoor

    missing = [flag for key, flag in FLAGS.items() if not getattr(args, key)]
    if args.bind is None:
        if len(missing) < len(FLAGS) or args.name:
            raise WrongUse("These flags are for --bind ADDRESS:PORT, which is missing.")
        return None
    if missing:
        raise WrongUse(
            f"--bind {args.bind} lets other machines in. That takes a credential and TLS: "
            f"{', '.join(missing)} missing."
        )
    address, port = _parse_place(args.bind)
    exposure = Exposure(_read_credential(Path(args.credential)), Path(args.tls_cert), Path(args.tls_key))
    return OuterDoor(address, port, tuple(name.lower() for name in args.name), exposure)


def secret_files(args: argparse.Namespace) -> tuple[Path, ...]:
    """What opens the outer door: kept from agents and surfaces."""
    return tuple(Path(name).absolute() for name in (args.credential, args.tls_key) if name)


def _parse_place(place: str) -> tuple[str, int]:
    address, _, port = place.rpartition(":")
    if not address or not port.isdecimal():
        raise WrongUse(f"--bind takes ADDRESS:PORT, such as 192.168.1.5:8443; {place!r} is not that.")
    return address.removeprefix("[").removesuffix("]"), int(port)


def _read_credential(path: Path) -> str:
    try:
        if sys.platform != "win32" and stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise UserError(f"Others can read the credential in {path}. Next: chmod 600 {path}")
        with path.open("rb") as file:
            text = file.read(MAX_CREDENTIAL).decode("ascii").strip()
    except OSError as fault:
        raise UserError(f"The credential in {path} cannot be read: {fault.strerror}.") from None
    except UnicodeDecodeError:
        raise UserError(f"The credential in {path} cannot be read: it is not plain ASCII.") from None
    if not text or any(not c.isprintable() or c == " " for c in text):
        raise UserError(f"{path} holds no credential: one line of letters, digits and signs, without spaces.")
    return text
