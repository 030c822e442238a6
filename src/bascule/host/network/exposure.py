"""What of ours others could reach: sockets that a process listens on, and files that are not closed."""

import ipaddress
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import psutil

from bascule.host.files.data_folder import Folder
from bascule.host.network.registration import registration_path

MAX_LOG = 64 * 1024 * 1024


class Listening(NamedTuple):
    address: str
    port: int

    @property
    def is_loopback(self) -> bool:
        return ipaddress.ip_address(self.address.partition("%")[0]).is_loopback


def find_listening(pid: int) -> list[Listening]:
    connections = psutil.Process(pid).net_connections(kind="tcp")
    return [
        Listening(one.laddr.ip, one.laddr.port) for one in connections if one.status == psutil.CONN_LISTEN
    ]


def find_open_files(folder: Folder) -> Iterator[str]:
    """Those of the data folder that others may read or write; on Windows the profile keeps them out."""
    if sys.platform == "win32":
        return
    for path in (folder.root, folder.log.parent):
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            yield f"{path} is open to others"
    databases = sorted(folder.root.glob("*.db*"))
    for path in (registration_path(folder), folder.lock, *databases, folder.log):
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o177:
            yield f"{path} is open to others"


def find_open_socket(path: str) -> Iterator[str]:
    """The local socket and its folder: closed to others, and ours."""
    if sys.platform == "win32":
        return
    for one, closed in ((Path(path).parent, 0o077), (Path(path), 0o177)):
        state = one.lstat()
        if stat.S_IMODE(state.st_mode) & closed or stat.S_ISLNK(state.st_mode):
            yield f"{one} is open to others"
        if state.st_uid != os.geteuid():
            yield f"{one} belongs to uid {state.st_uid}"


def find_token(folder: Folder) -> Iterator[str]:
    """What in the registration file could be used as one."""
    said = msgspec.json.decode(registration_path(folder).read_bytes())
    if said.get("token"):
        yield f"{registration_path(folder)} holds a token"


def find_in_logs(folder: Folder, secrets: tuple[str, ...]) -> Iterator[str]:
    """Log files that hold one of these."""
    for path in sorted(folder.log.parent.glob("*")):
        if any(secret.encode() in _read(path) for secret in secrets):
            yield f"{path} holds a key"


def find_in_processes(pid: int, secrets: tuple[str, ...]) -> Iterator[str]:
    """Processes that show one of these: in arguments, which everybody can read, or, started by this
    process, in their environment."""
    for process in psutil.process_iter():
        if _has_one(secrets, process.cmdline):
            yield f"the arguments of process {process.pid} hold a key"
    for child in psutil.Process(pid).children(recursive=True):
        if _has_one(secrets, child.environ):
            yield f"the environment of process {child.pid} holds a key"


def _has_one(secrets: tuple[str, ...], look: Callable[[], list[str] | dict[str, str]]) -> bool:
    """Not where it has ended, or is another user's."""
    try:
        shown = "\0".join(found.values() if isinstance(found := look(), dict) else found)
        return any(secret in shown for secret in secrets)
    except (psutil.Error, OSError):
        return False


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_LOG)
