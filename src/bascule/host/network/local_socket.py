"""The local socket of a data folder: where it is, and which process is at its other end."""

import asyncio
import os
import socket
import stat
import struct
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from bascule.core.faults import UserError
from bascule.host.files.data_folder import Folder

INSIDE = "daemon.sock"
OURS_ONLY = 0o700
MAX_PATH = 100  # bytes; the system's own limit is 104 on macOS and 108 on Linux
FALLBACK = "/tmp"  # noqa: S108  (below it a folder that is checked before it is used)


class SocketRefused(UserError):
    """The local socket cannot be opened; the text says why and what to do."""


class Peer(Struct, frozen=True):
    """Who connected, in the words of the kernel."""

    uid: int
    pid: int


async def wait_for_caller(sock: socket.socket) -> None:
    """Until somebody waits there to be accepted."""
    loop, called = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sock, called.set)
    try:
        await called.wait()
    finally:
        loop.remove_reader(sock)


if (
    sys.platform == "win32"
):  # Python has no peer credentials there: a token in the registration takes their place

    def has_local_socket() -> bool:
        return False

    def bind_local(folder: Folder, environ: Mapping[str, str]) -> tuple[socket.socket, Path]:  # noqa: ARG001
        raise SocketRefused("There is no local socket on this system.")

    def dial_local(path: str, timeout_s: float, pid: int | None = None) -> socket.socket:  # noqa: ARG001
        raise SocketRefused("There is no local socket on this system.")

    def find_peer(sock: socket.socket) -> Peer | None:  # noqa: ARG001
        return None

    def find_own_uid() -> int:
        return 0

else:

    def has_local_socket() -> bool:
        return True

    def bind_local(folder: Folder, environ: Mapping[str, str]) -> tuple[socket.socket, Path]:
        """A bound socket, and its path. The caller owns the data folder, so what lies there is left over.

        In the data folder, where no agent's sandbox can write; elsewhere where that has no room for one."""
        inside = folder.root / INSIDE
        if len(os.fsencode(inside)) <= MAX_PATH:
            with suppress(OSError):  # a file system without sockets
                return _bind(inside), inside
        path = _prepare_folder(_find_folder(environ)) / f"{folder.id}.sock"
        try:
            return _bind(path), path
        except OSError as fault:
            raise SocketRefused(
                f"The socket {path} cannot be opened: {fault.strerror}. {_elsewhere()}"
            ) from None

    def _bind(path: Path) -> socket.socket:
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            path.unlink(missing_ok=True)
            sock.bind(str(path))
            path.chmod(0o600)
            sock.listen()
        except OSError:
            sock.close()
            raise
        return sock

    def dial_local(path: str, timeout_s: float, pid: int | None = None) -> socket.socket:
        """Waits where many are waiting to be accepted; one that does not block would be refused there.

        `SocketRefused` where another process than `pid` listens: somebody put theirs in its place."""
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            limit = struct.pack("ll", int(timeout_s), int(timeout_s % 1 * 1_000_000))
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
            sock.connect(path)
            sock.settimeout(timeout_s)
        except OSError:
            sock.close()
            raise
        peer = find_peer(sock)
        if pid is not None and peer is not None and peer != Peer(os.geteuid(), pid):
            sock.close()
            raise SocketRefused(
                f"Process {peer.pid} of user {peer.uid} listens at {path}, not the daemon (process {pid}). "
                "Something has replaced its socket. Stop the daemon with `bascule down` and start it again."
            )
        return sock

    def _find_folder(environ: Mapping[str, str]) -> Path:
        """The user's runtime folder where the system gives one, else a folder of our own in /tmp."""
        named = environ.get("XDG_RUNTIME_DIR", "")
        if named.startswith("/") and len(os.fsencode(named)) <= MAX_PATH - len(
            "/bascule/0123456789abcdef.sock"
        ):
            place = Path(named)
            if place.is_dir() and place.stat().st_uid == os.geteuid():
                return place / "bascule"
        return Path(FALLBACK) / f"bascule-{os.geteuid()}"

    def _prepare_folder(place: Path) -> Path:
        """Ours, closed to others and no link: in /tmp anybody may have made it before us."""
        try:
            place.mkdir(mode=OURS_ONLY, exist_ok=True)
            state = place.lstat()
        except OSError as fault:
            raise SocketRefused(
                f"The folder {place} cannot be used: {fault.strerror}. {_elsewhere()}"
            ) from None
        if not stat.S_ISDIR(state.st_mode):
            raise SocketRefused(f"{place} is not a folder, so no socket is opened in it. {_elsewhere()}")
        if state.st_uid != os.geteuid():
            raise SocketRefused(
                f"The folder {place} belongs to another user (uid {state.st_uid}). {_elsewhere()}"
            )
        if stat.S_IMODE(state.st_mode) & 0o077:
            raise SocketRefused(f"Others can open the folder {place}. Close it with: chmod 700 {place}")
        return place

    def _elsewhere() -> str:
        return "Set XDG_RUNTIME_DIR to a folder of your own."

    def find_own_uid() -> int:
        return os.geteuid()

    def find_peer(sock: socket.socket) -> Peer | None:
        """None where the system does not say, or the other end is gone."""
        try:
            return _read_peer(sock)
        except (OSError, struct.error):
            return None

    if sys.platform == "linux":

        def _read_peer(sock: socket.socket) -> Peer | None:
            pid, uid, _ = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
            return Peer(uid, pid)

    elif sys.platform == "darwin":
        SOL_LOCAL, LOCAL_PEERCRED, LOCAL_PEERPID = 0, 1, 2
        XUCRED = 76  # bytes: version, uid, number of groups, sixteen groups

        def _read_peer(sock: socket.socket) -> Peer | None:
            _, uid = struct.unpack_from("2I", sock.getsockopt(SOL_LOCAL, LOCAL_PEERCRED, XUCRED))
            (pid,) = struct.unpack("i", sock.getsockopt(SOL_LOCAL, LOCAL_PEERPID, 4))
            return Peer(uid, pid)

    else:

        def _read_peer(sock: socket.socket) -> Peer | None:  # noqa: ARG001
            return None
