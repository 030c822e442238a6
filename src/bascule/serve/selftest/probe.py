"""Requests as an attacker sends them: bytes on a socket, with no client in between to make them decent."""

import base64
import secrets
import socket
import struct
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Self

from msgspec import Struct

from bascule.host.network.local_socket import dial_local

TIMEOUT_S = 10.0
MAX_ANSWER = 1024 * 1024

Headers = Iterable[tuple[str, str]]

TEXT, BINARY, CLOSE = 1, 2, 8


class ProbeResponse(Struct, frozen=True):
    status: int  # 0 where the connection was closed without a word
    headers: tuple[tuple[str, str], ...] = ()  # names in lower case
    body: bytes = b""

    def find(self, name: str) -> str:
        return next((value for key, value in self.headers if key == name), "")


def make_request(
    method: str, target: str, headers: Headers, body: bytes = b"", version: str = "HTTP/1.1"
) -> bytes:
    lines = [f"{method} {target} {version}", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


# Where a daemon listens: a port on loopback, or the path of a local socket; or what is connected already.
Where = int | str | socket.socket


def connect(where: Where, address: str = "127.0.0.1") -> socket.socket:
    if isinstance(where, socket.socket):
        return where
    if isinstance(where, str):
        return dial_local(where, TIMEOUT_S)
    return socket.create_connection((address, where), TIMEOUT_S)


def ask(where: Where, request: bytes, *, address: str = "127.0.0.1") -> ProbeResponse:
    with connect(where, address) as sock:
        try:
            sock.sendall(request)
            return _read_answer(sock, has_body=not request.startswith(b"HEAD "))
        except ConnectionError:
            return ProbeResponse(0)


def _read_answer(sock: socket.socket, *, has_body: bool) -> ProbeResponse:
    """Up to the end of the body, or of the head where an upgrade was granted."""
    data = b""
    while b"\r\n\r\n" not in data and len(data) < MAX_ANSWER and (chunk := sock.recv(65536)):
        data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    if not head:
        return ProbeResponse(0)
    status, headers = parse_head(head)
    length_header = dict(headers).get("content-length")
    length = 0 if status == 101 or not has_body else int(length_header) if length_header else MAX_ANSWER
    while len(body) < length and (chunk := sock.recv(65536)):
        body += chunk
    return ProbeResponse(status, headers, body)


def parse_head(head: bytes) -> tuple[int, tuple[tuple[str, str], ...]]:
    first, *rest = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in rest)
    return int(first.split(" ")[1]), tuple((name.lower(), value.strip()) for name, _, value in pairs)


def upgrade_headers() -> dict[str, str]:
    return {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(secrets.token_bytes(16)).decode(),
    }


class RawWebSocket:
    """A WebSocket by hand, so that wrong frames can be sent as well."""

    def __init__(self, where: Where, headers: Mapping[str, str], *, target: str = "/ws") -> None:
        self._sock = connect(where)
        self._sock.sendall(make_request("GET", target, {**headers, **upgrade_headers()}.items()))
        self._unread = b""
        while b"\r\n\r\n" not in self._unread and (chunk := self._sock.recv(1)):
            self._unread += chunk
        self.status, _ = parse_head(self._unread.partition(b"\r\n\r\n")[0])
        self._unread = b""

    def send(
        self, opcode: int, payload: bytes, *, claimed_length: int | None = None, masked: bool = True
    ) -> None:
        """`claimed_length` may lie."""
        length = len(payload) if claimed_length is None else claimed_length
        mask = secrets.token_bytes(4)
        head = struct.pack("!BBQ", 0x80 | opcode, (0x80 if masked else 0) | 127, length)
        if masked:
            repeated = mask * (len(payload) // 4 + 1)
            payload = mask + bytes(a ^ b for a, b in zip(payload, repeated, strict=False))
        self._sock.sendall(head + payload)

    def receive(self) -> tuple[int, bytes]:
        """Opcode and payload of the next frame; CLOSE without payload where the connection just ended."""
        try:
            first, second = self._take(2)
            length = second & 0x7F
            if length >= 126:
                length = int.from_bytes(self._take(2 if length == 126 else 8))
            return first & 0x0F, self._take(length)
        except (EOFError, ConnectionError):
            return CLOSE, b""

    def receive_close(self) -> int:
        """Reads on until the end; its code, or 0 where none was given."""
        while (frame := self.receive())[0] != CLOSE:
            pass
        return int.from_bytes(frame[1][:2])

    def _take(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            chunk = self._sock.recv(size - len(data))
            if not chunk:
                raise EOFError
            data += chunk
        return data

    def close(self) -> None:
        self._sock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
