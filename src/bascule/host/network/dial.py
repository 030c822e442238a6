"""A WebSocket to the daemon on this machine, as frames."""

import asyncio
import sys
from urllib.parse import quote

from websockets.asyncio.client import ClientConnection, connect, unix_connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from bascule.core.faults import DaemonGone, UserError
from bascule.host.network.local_socket import dial_local
from bascule.host.network.registration import SCOPE_HEADER, WORKSPACE_HEADER, Registration
from bascule.host.network.socket_link import SocketLink
from bascule.model.consent.origin import Scope

MAX_ANSWER = 256 * 1024 * 1024  # a snapshot of a very long session
DIAL_TIMEOUT_S = 10.0


class DialedSocket(SocketLink):
    """Both ways; one JSON-RPC message per frame."""

    async def send(self, frame: bytes) -> None:
        try:
            await self._socket.send(_as_text(frame))
        except ConnectionClosed:
            raise DaemonGone("The daemon has closed the connection.") from None


def _as_text(frame: bytes) -> str | bytes:
    """What is no text goes as it is, so that the daemon can say so."""
    try:
        return frame.decode()
    except UnicodeDecodeError:
        return frame


async def dial(registration: Registration, workspace: str = "", scope: Scope = "full") -> DialedSocket:
    """Over the local socket, where the system says who we are; else with the registration's token."""
    headers = {WORKSPACE_HEADER: quote(workspace)}
    if scope != "full":
        headers[SCOPE_HEADER] = scope
    try:
        socket = await _connect(registration, headers)
    except (OSError, TimeoutError, InvalidHandshake) as fault:
        if isinstance(fault, InvalidStatus) and fault.response.status_code < 500:
            why = (fault.response.body or b"").decode("utf-8", "replace").strip()
            raise UserError(f"The daemon (pid {registration.pid}) refused this command: {why}") from None
        raise DaemonGone(
            f"The daemon (pid {registration.pid}) does not answer {registration.where}: {fault}. "
            "Stop it with `bascule down`, then start it again."
        ) from None
    return DialedSocket(socket)


async def _connect(registration: Registration, headers: dict[str, str]) -> ClientConnection:
    if sys.platform == "win32":
        return await connect(
            f"ws://127.0.0.1:{registration.port}/ws",
            additional_headers={**headers, "Authorization": f"Bearer {registration.token}"},
            max_size=MAX_ANSWER,
            open_timeout=DIAL_TIMEOUT_S,
            proxy=None,
        )
    else:  # noqa: RET505  (mypy takes what follows a branch of one system for unreachable)
        return await unix_connect(
            uri="ws://localhost/ws",
            sock=await asyncio.to_thread(dial_local, registration.socket, DIAL_TIMEOUT_S, registration.pid),
            additional_headers=headers,
            max_size=MAX_ANSWER,
            open_timeout=DIAL_TIMEOUT_S,
        )
