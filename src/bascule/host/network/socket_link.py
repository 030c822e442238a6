"""A WebSocket to another server: frames out, frames in, and EOFError where it has ended."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection


class LinkFailed(Exception):
    """It could not be opened; the text says why."""


class SocketLink:
    def __init__(self, socket: "ClientConnection") -> None:
        self._socket = socket

    async def send(self, frame: bytes) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            await self._socket.send(frame.decode())
        except ConnectionClosed:
            raise EOFError from None

    async def receive(self) -> bytes:
        from websockets.exceptions import ConnectionClosed

        try:
            frame = await self._socket.recv()
        except ConnectionClosed:
            raise EOFError from None
        return frame if isinstance(frame, bytes) else frame.encode()

    async def close(self) -> None:
        await self._socket.close()


async def dial_server(
    url: str, *, most_bytes: int, timeout_s: float, ping_s: float | None = 20.0
) -> SocketLink:
    """No proxy and no compression: what a frame costs is what it says."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidHandshake, InvalidURI

    try:
        socket = await connect(
            url,
            max_size=most_bytes,
            open_timeout=timeout_s,
            ping_interval=ping_s,
            compression=None,
            proxy=None,
        )
    except (OSError, TimeoutError, InvalidHandshake, InvalidURI) as fault:
        raise LinkFailed(str(fault) or type(fault).__name__) from None
    return SocketLink(socket)
