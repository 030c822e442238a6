"""A WebSocket to the daemon on this machine, as frames."""

from urllib.parse import quote

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bascule.core.faults import DaemonGone
from bascule.host.registration import WORKSPACE_HEADER, Registration

MAX_ANSWER = 256 * 1024 * 1024  # a snapshot of a very long session
DIAL_TIMEOUT_S = 10.0


class Dialled:
    """Both ways; one JSON-RPC message per frame."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    async def send(self, frame: bytes) -> None:
        try:
            await self._socket.send(_as_text(frame))
        except ConnectionClosed:
            raise DaemonGone("The daemon has closed the connection.") from None

    async def receive(self) -> bytes:
        try:
            frame = await self._socket.recv()
        except ConnectionClosed:
            raise EOFError from None
        return frame if isinstance(frame, bytes) else frame.encode()

    async def close(self) -> None:
        await self._socket.close()


def _as_text(frame: bytes) -> str | bytes:
    """What is no text goes as it is, so that the daemon can say so."""
    try:
        return frame.decode()
    except UnicodeDecodeError:
        return frame


async def dial(registration: Registration, workspace: str = "") -> Dialled:
    """With the token of the registration file, which only this user can read."""
    try:
        socket = await connect(
            f"ws://127.0.0.1:{registration.port}/ws",
            additional_headers={
                "Authorization": f"Bearer {registration.token}",
                WORKSPACE_HEADER: quote(workspace),
            },
            max_size=MAX_ANSWER,
            open_timeout=DIAL_TIMEOUT_S,
            proxy=None,
        )
    except (OSError, TimeoutError, InvalidHandshake) as fault:
        raise DaemonGone(
            f"The daemon (pid {registration.pid}) does not answer on port {registration.port}: {fault}. "
            "Stop it with `bascule down` and start it anew."
        ) from None
    return Dialled(socket)
