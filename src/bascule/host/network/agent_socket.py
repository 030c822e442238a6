"""A connection to an agent that somebody else started: a WebSocket on its Unix socket, under ceilings."""

import asyncio
import os
import stat
from typing import TYPE_CHECKING

from bascule.core.faults import AgentGone
from bascule.host.network.local_socket import find_peer
from bascule.host.processes.child_stdio import Unsent
from bascule.host.processes.tasks import Tasks

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection
    from websockets.exceptions import ConnectionClosed

OPEN_TIMEOUT_S = 5.0
CLOSE_TIMEOUT_S = 1.0
MAX_FRAME = 64 * 1024 * 1024  # a page of history carries whole outputs


class AgentSocket:
    """Closing it ends nothing: the agent goes on for the others."""

    def __init__(self, subject: str, path: str, socket: "ClientConnection", tasks: Tasks) -> None:
        self.name = f"{subject}[{path}]"
        self._socket = socket
        self._unsent = Unsent(subject)
        self._writer = tasks.start(f"write to {self.name}", self._unsent.write_by(self._write))
        self._how = ""

    @classmethod
    async def open(cls, subject: str, path: str, tasks: Tasks) -> "AgentSocket":
        """`AgentGone` where nobody listens there, or somebody who is not this user."""
        from websockets.asyncio.client import unix_connect
        from websockets.exceptions import ConnectionClosed, InvalidHandshake

        try:
            await asyncio.to_thread(_check_owner, path)
            socket = await unix_connect(
                path,
                uri="ws://localhost/",
                compression=None,
                max_size=MAX_FRAME,
                open_timeout=OPEN_TIMEOUT_S,
                close_timeout=CLOSE_TIMEOUT_S,
                ping_interval=None,
            )
        except (OSError, TimeoutError, InvalidHandshake, ConnectionClosed) as fault:
            why = getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
            raise AgentGone(
                f"{subject}'s shared daemon does not answer at {path}: {why}. "
                f"Leave the session here, or start {subject} in a terminal again."
            ) from None
        return cls(subject, path, socket, tasks)

    @property
    def pid(self) -> int:
        """Of the process that listens there; 0 where the system does not say."""
        peer = find_peer(self._socket.transport.get_extra_info("socket"))
        return peer.pid if peer is not None else 0

    @property
    def is_open(self) -> bool:
        return not self._how

    def find_programs(self) -> tuple[str, ...]:
        return ()

    def send(self, message: bytes) -> None:
        self._unsent.put(message)

    async def _write(self, data: bytes) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            await self._socket.send(data.rstrip(b"\n").decode())
        except ConnectionClosed:
            raise BrokenPipeError(f"{self.name} no longer reads") from None

    async def receive(self) -> bytes:
        from websockets.exceptions import ConnectionClosed

        try:
            frame = await self._socket.recv(decode=False)
        except ConnectionClosed as closed:
            self._how = self._how or _describe(closed)
            return b""
        return bytes(frame) + b"\n"

    async def end(self, grace_s: float | None = None) -> str:  # noqa: ARG002  # nothing is waited for
        self._how = self._how or "was left"
        self._writer.cancel()
        await self._socket.close()
        return self._how


def _check_owner(path: str) -> None:
    """The owner of the socket hears every prompt, so it must be this user."""
    state = os.stat(path)  # noqa: PTH116
    if not stat.S_ISSOCK(state.st_mode):
        raise OSError(0, "it is not a socket")
    if hasattr(os, "getuid") and state.st_uid != os.getuid():
        raise PermissionError(0, "it belongs to another user")


def _describe(closed: "ConnectionClosed") -> str:
    sent = closed.sent.code if closed.sent is not None else None
    if sent == 1009:  # too big
        return f"sent a message over the ceiling of {MAX_FRAME} bytes"
    return "closed the connection"
