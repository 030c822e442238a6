"""To a relay: one request to enrol, then a WebSocket. By TLS, unless the relay is on this machine."""

import asyncio
import ssl
from urllib.parse import SplitResult

import msgspec

from bascule.core.addresses import is_protected, parse_address
from bascule.core.faults import UserError
from bascule.host.network.socket_link import LinkFailed, SocketLink, dial_server
from bascule.model.relay_frames import EnrollRequest

MAX_FRAME = 256 * 1024  # bytes of what a relay sends; an Order is far smaller
TIMEOUT_S = 15.0


class RelayAway(Exception):
    """It cannot be reached now; the text says why."""


def check_relay_url(url: str) -> SplitResult:
    """`UserError` where an Order could be read or forged on its way."""
    parts = parse_address(url)
    if parts is None or parts.path.strip("/") or parts.query:
        raise UserError(f"{url!r} is not a relay's address. One looks like https://relay.example.")
    if not is_protected(parts, "http"):
        raise UserError(f"{url!r} is not encrypted. A relay on another machine needs https://.")
    return parts


async def enroll(url: str, request: EnrollRequest) -> None:
    """`UserError` where the relay does not take it."""
    parts = check_relay_url(url)
    status = await asyncio.to_thread(_post, parts, msgspec.json.encode(request))
    if status != 200:
        raise UserError(
            "The relay refused the code. It is for one use, within 15 minutes: ask for a new one."
        )


def _post(parts: SplitResult, body: bytes) -> int:
    import http.client  # with all of `email`: for a machine that joins a relay, and nobody else

    host = parts.hostname or ""
    connection: http.client.HTTPConnection
    if parts.scheme == "https":
        context = ssl.create_default_context()
        connection = http.client.HTTPSConnection(host, parts.port, timeout=TIMEOUT_S, context=context)
    else:
        connection = http.client.HTTPConnection(host, parts.port, timeout=TIMEOUT_S)
    try:
        connection.request("POST", "/machine/enroll", body, {"Content-Type": "application/json"})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException) as fault:
        raise UserError(f"The relay at {host} did not answer: {fault}.") from None
    finally:
        connection.close()


async def dial_relay(url: str) -> SocketLink:
    parts = check_relay_url(url)
    scheme = "wss" if parts.scheme == "https" else "ws"
    try:
        return await dial_server(
            f"{scheme}://{parts.netloc}/machine", most_bytes=MAX_FRAME, timeout_s=TIMEOUT_S
        )
    except LinkFailed as fault:
        raise RelayAway(f"{parts.hostname} cannot be reached: {fault}") from None
