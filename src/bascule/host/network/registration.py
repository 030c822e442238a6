"""The registration file: where the running daemon listens. With a local socket it holds no secret."""

import os
from pathlib import Path

import msgspec
import psutil
from msgspec import Struct

from bascule import __version__
from bascule.host.clock import local_time
from bascule.host.files.atomic_file import replace_file
from bascule.host.files.data_folder import Folder
from bascule.host.locks.lockfile import find_owner

NAME = "daemon.json"
LAST_PORT = "port"  # where it listened last, in digits
WORKSPACE_HEADER = "X-Bascule-Workspace"  # the folder that a command was called in, percent-encoded
SCOPE_HEADER = "X-Bascule-Scope"  # what a command wants to be able to do, where that is less than everything
MAX_REGISTRATION = 64 * 1024
MAX_PORT_DIGITS = 5
SAME_START_S = 1.0  # two readings of one process's start differ by less, no matter who reads


class Registration(Struct, frozen=True, kw_only=True, omit_defaults=True):
    pid: int
    started_s: float  # when the process started: with the pid this names one process for ever
    port: int  # on 127.0.0.1; 0: no browser can connect
    socket: str = ""  # the local socket's path; empty where the system has none
    token: str = ""  # only where there is no local socket
    version: str
    started_at: str  # the same moment for people: ISO, with the offset

    @property
    def url(self) -> str:
        """Where browsers connect; empty where none can."""
        return f"http://127.0.0.1:{self.port}/" if self.port else ""

    @property
    def where(self) -> str:
        """For people: how a command reaches it."""
        return f"at {self.socket}" if self.socket else f"on port {self.port}"

    def __repr__(self) -> str:  # never into a log
        return f"Registration(pid={self.pid}, port={self.port}, version={self.version!r})"


def registration_path(folder: Folder) -> Path:
    return folder.root / NAME


def make_registration(*, port: int = 0, socket: str = "", token: str = "") -> Registration:
    """Of this process."""
    started_s = psutil.Process().create_time()
    return Registration(
        pid=os.getpid(),
        started_s=started_s,
        port=port,
        socket=socket,
        token=token,
        version=__version__,
        started_at=local_time(int(started_s * 1000)).isoformat(timespec="seconds"),
    )


def write_registration(folder: Folder, registration: Registration) -> None:
    """The caller owns the folder, and its socket listens already."""
    replace_file(registration_path(folder), msgspec.json.encode(registration), durable=False)


def remove_registration(folder: Folder, registration: Registration) -> None:
    """Remove the file where it is still this one."""
    if _read(registration_path(folder)) == registration:
        registration_path(folder).unlink(missing_ok=True)


def find_last_port(folder: Folder) -> int | None:
    """Where the folder's last daemon listened."""
    try:
        said = (folder.root / LAST_PORT).read_bytes()[:MAX_PORT_DIGITS]
    except OSError:
        return None
    return int(said) if said.isdigit() else None


def write_last_port(folder: Folder, port: int) -> None:
    replace_file(folder.root / LAST_PORT, str(port).encode(), durable=False)


def find_daemon(folder: Folder) -> Registration | None:
    """Who answers for this folder now. A file left by a process that is gone does not count."""
    registration = _read(registration_path(folder))
    if registration is None or not _is_alive(registration):
        return None
    owner = find_owner(folder.lock)
    return registration if owner is not None and owner.pid == registration.pid else None


def _is_alive(registration: Registration) -> bool:
    try:
        started_s = psutil.Process(registration.pid).create_time()
    except psutil.Error:
        return False
    return abs(started_s - registration.started_s) <= SAME_START_S


def _read(path: Path) -> Registration | None:
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(MAX_REGISTRATION), type=Registration)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
