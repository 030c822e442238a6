"""Every listening socket of ours, and the ASGI application behind it, inside the caller's event loop."""

import asyncio
import contextlib
import errno
import ipaddress
import logging
import socket
import ssl
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import uvicorn
from msgspec import Struct
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from bascule.core.faults import UserError
from bascule.core.wire.rpc import MAX_FRAME
from bascule.host.network.connections import VISITOR, ConnectionLimits, Connections, Visitor
from bascule.host.network.local_socket import find_own_uid, find_peer
from bascule.host.processes.tasks import Tasks

LOOPBACK = "127.0.0.1"
MIN_CREDENTIAL = 32  # characters; what opens a machine to its network is not guessed
MAX_CONNECTIONS = 128  # sockets of one listener whose application knows nobody by name
# Accepted in one turn of the loop. A connection is read a few turns later; those that come meanwhile must be
# fewer than may be unknown, or a flood would push it out before anybody has read what it wants.
AT_ONCE = 8
QUEUE = 1024  # that wait to be accepted; the system keeps them
MAX_HEAD = 16 * 1024  # bytes of a request before its body
TURNED_AWAY_S = 1.0  # to read why
HEAD_TIMEOUT_S = 10.0  # until a new connection has said what it wants
# Longer than a frame may be: up to here it is read, and answered with an error; beyond, the connection ends.
MAX_MESSAGE = 2 * MAX_FRAME
KEEP_ALIVE_S = 5
PING_S = 20.0
PONG_S = 60.0
STOP_TIMEOUT_S = 2

log = logging.getLogger("bascule.http")


class ListenRefused(UserError):
    """No socket is opened there; the text says why and what to do."""


class Exposure(Struct, frozen=True):
    """What it takes to listen beyond this machine: a credential of the user's own, and TLS."""

    credential: str
    certificate: Path
    key: Path


def bind(address: str, port: int, exposure: Exposure | None = None) -> socket.socket:
    """A bound socket, on loopback or, with all that an exposure asks for, elsewhere."""
    found = _check_address(address, exposure)
    family = socket.AF_INET6 if found.version == 6 else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        _claim(sock)
        sock.bind((address, port))
        sock.listen(QUEUE)
    except (OSError, OverflowError) as fault:
        sock.close()
        raise ListenRefused(_explain(address, port, fault)) from None
    return sock


def _check_address(address: str, exposure: Exposure | None) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        raise ListenRefused(f"{address!r} is not an IP address. Name one, such as {LOOPBACK}.") from None
    if found.is_unspecified:
        raise ListenRefused(f"{address} is every network at once. Name the one address to listen on.")
    if found.is_loopback:
        return found
    if exposure is None:
        raise ListenRefused(
            f"{address} can be reached from other machines. That takes a credential and TLS: "
            "--credential, --tls-cert and --tls-key."
        )
    if len(exposure.credential) < MIN_CREDENTIAL:
        raise ListenRefused(f"A credential has at least {MIN_CREDENTIAL} characters; this one has fewer.")
    return found


def _claim(sock: socket.socket) -> None:
    if sys.platform == "win32":
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)  # else others could share the port
    else:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # only past ones, not living ones


def _explain(address: str, port: int, fault: OSError | OverflowError) -> str:
    if isinstance(fault, OverflowError):
        return f"There is no port {port}. Ports go from 1 to 65535."
    if fault.errno == errno.EADDRINUSE:
        return f"Port {port} on {address} is in use by another program. Name another, or leave it out."
    return f"Port {port} on {address} cannot be used: {fault.strerror}. Name another."


# Why a process of this user may not come in by a local socket; None: it may.
Bar = Callable[[int], str | None]


class Listener:
    """`async with Listener(app, sock):` serves until it is left; the socket is closed then."""

    def __init__(
        self,
        app: Any,
        sock: socket.socket,
        *,
        exposure: Exposure | None = None,
        limits: ConnectionLimits | None = None,
        find_bar: Bar = lambda _pid: None,
    ) -> None:
        self._sock = sock
        alike = ConnectionLimits(MAX_CONNECTIONS, MAX_CONNECTIONS, MAX_CONNECTIONS, MAX_CONNECTIONS)
        limits = limits or alike
        config = _config(app, exposure, limits.message or MAX_MESSAGE)
        self._server = _QuietServer(config, Connections(limits), find_bar)
        self._tasks = Tasks()
        self._log = _IntoOurLog()

    @property
    def address(self) -> str:
        return str(self._sock.getsockname()[0])

    @property
    def port(self) -> int:
        return int(self._sock.getsockname()[1])

    async def __aenter__(self) -> Self:
        logging.getLogger("uvicorn").addHandler(self._log)
        name = f"listener {self._sock.getsockname()}"
        self._serving = self._tasks.start(name, self._server.serve(sockets=[self._sock]))
        try:
            await self._server.listening.wait()
        except asyncio.CancelledError:
            await self.__aexit__(None, None, None)
            raise
        self._sock.listen(QUEUE)  # asyncio has set it to what it accepts at once
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.stopping.set()
        try:
            await asyncio.wait({self._serving})
        finally:
            await self._tasks.close()
            self._server.cut_off()
            self._sock.close()
            logging.getLogger("uvicorn").removeHandler(self._log)


def _config(app: Any, exposure: Exposure | None, most_message: int) -> uvicorn.Config:
    config = uvicorn.Config(
        app,
        lifespan="off",
        http=_Http,
        ws=_WebSocket,
        ws_max_size=most_message,
        ws_ping_interval=PING_S,
        ws_ping_timeout=PONG_S,
        ws_per_message_deflate=False,  # on one machine it costs more than it saves
        h11_max_incomplete_event_size=MAX_HEAD,
        backlog=AT_ONCE,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=STOP_TIMEOUT_S,
        proxy_headers=False,  # nobody stands between us and who calls
        server_header=False,
        date_header=False,
        access_log=False,
        log_config=None,
        log_level="warning",
        ssl_certfile=exposure.certificate if exposure else None,
        ssl_keyfile=exposure.key if exposure else None,
    )
    try:
        config.load()
    except (OSError, ssl.SSLError) as fault:
        raise ListenRefused(
            f"The certificate and its key cannot be used: {fault.strerror or fault}. "
            "Give PEM files with --tls-cert and --tls-key."
        ) from None
    return config


class _QuietServer(uvicorn.Server):
    """uvicorn as a guest: it takes over no signals, wakes nobody while idle, and ends when asked."""

    def __init__(self, config: uvicorn.Config, connections: Connections, find_bar: Bar) -> None:
        super().__init__(config)
        self.server_state = _State(connections, find_bar)
        self.listening = asyncio.Event()
        self.stopping = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()

    async def main_loop(self) -> None:
        await self.stopping.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """uvicorn always pauses for its connections; where there are none, it ends at once."""
        if self.server_state.connections or self.server_state.tasks:
            await super().shutdown(sockets)
            return
        for one in (*self.servers, *(sockets or ())):
            one.close()

    def cut_off(self) -> None:
        """What did not want to go in time."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()


class _State(ServerState):
    """What the connections of one listener share."""

    def __init__(self, visitors: Connections, find_bar: Bar) -> None:
        super().__init__()
        self.visitors = visitors
        self.find_bar = find_bar


class _Http(H11Protocol):
    """Counted among its listener's, and with a limit on how long it may hold its tongue."""

    def __init__(self, *, server_state: _State, **more: Any) -> None:
        super().__init__(server_state=server_state, **more)
        self._state = server_state
        self._visitor: Visitor | None = None
        self._is_turned_away = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline = self.loop.call_later(HEAD_TIMEOUT_S, transport.abort)
        source, pid, bar = self._identify(transport)
        self._visitor = self._state.visitors.enter(source, pid, transport.abort)
        self.app = _attach(self.app, self._visitor)
        if bar is not None:
            log.warning("%s was turned away: %s", source, bar)
            self._turn_away(bar)

    def _identify(self, transport: asyncio.Transport) -> tuple[str, int, str | None]:
        """Source, process, and why it may not come in."""
        sock: socket.socket = transport.get_extra_info("socket")
        if self.client is not None:
            return self.client[0], 0, None
        peer = find_peer(sock)
        if peer is None or peer.pid <= 0:
            return "a process that the system does not name", 0, "The system does not say who you are."
        source = f"pid {peer.pid}"
        if peer.uid != find_own_uid():
            return source, peer.pid, "This socket is another user's."
        return source, peer.pid, self._state.find_bar(peer.pid)

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        if self._visitor is not None:
            self._state.visitors.leave(self._visitor)
        super().connection_lost(exc)

    def _turn_away(self, why: str) -> None:
        """What it says is read and dropped: closing at once would take our answer from it as well."""
        self._is_turned_away = True
        self.transport.write(make_refusal(b"403 Forbidden", why))
        self.transport.write_eof()
        self._deadline.cancel()
        self._deadline = self.loop.call_later(TURNED_AWAY_S, self.transport.abort)

    def data_received(self, data: bytes) -> None:
        if not self._is_turned_away:
            super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        if self.scope is not None:
            self._deadline.cancel()

    def handle_websocket_upgrade(self, event: Any) -> None:
        super().handle_websocket_upgrade(event)
        upgraded = self.transport.get_protocol()
        if not isinstance(upgraded, _WebSocket) or self._visitor is None:
            return
        upgraded.take_over(self._visitor, self._state.visitors)
        if not upgraded.handshake_initiated:
            # its parser gives up on some heads without a word, and would keep the connection
            self.transport.write(make_refusal(b"400 Bad Request", "This upgrade cannot be read."))
            self.transport.close()


def make_refusal(status: bytes, why: str) -> bytes:
    """An answer from outside of the application."""
    body = f"{why}\n".encode()
    head = b"HTTP/1.1 %s\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n" % status
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


def _attach(app: Any, visitor: Visitor) -> Any:
    """The application, with the connection in the scope of each request."""

    async def attached(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, VISITOR: visitor}, receive, send)

    return attached


class _WebSocket(WebSocketsSansIOProtocol):
    """One that answers no ping is cut off: closing would wait for it to read, for ever."""

    _visitor: Visitor | None = None

    def take_over(self, visitor: Visitor, among: Connections) -> None:
        """From the HTTP connection that it was. The application has not been called yet."""
        self._visitor, self._among = visitor, among
        self.app = _attach(self.app, visitor)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._visitor is not None:
            self._among.leave(self._visitor)
        super().connection_lost(exc)

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True  # by a refusal: else it is logged as one that was forgotten

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()


class _IntoOurLog(logging.Handler):
    """uvicorn's warnings, beside our own lines instead of on the terminal."""

    def emit(self, record: logging.LogRecord) -> None:
        log.handle(record)
