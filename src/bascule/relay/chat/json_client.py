"""A small HTTP client for the APIs of chats: JSON in and out, connections kept open, no redirects."""

import asyncio
import json
import ssl
from collections import defaultdict, deque
from urllib.parse import urlsplit

import h11

TIMEOUT_S = 10.0
MAX_ANSWER = 64 * 1024  # bytes
MAX_IDLE = 8  # connections that wait for the next request, of one host
READ = 16 * 1024


class PushFailed(Exception):
    """The chat did not take it; the text is for the audit trail, and holds no secret."""


class HttpConnection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._state = h11.Connection(h11.CLIENT)

    async def call(self, request: h11.Request, body: bytes) -> tuple[int, bytes]:
        state = self._state
        parts = (state.send(request), state.send(h11.Data(body)), state.send(h11.EndOfMessage()))
        self._writer.write(b"".join(part for part in parts if part))
        status, answer = 0, bytearray()
        while not isinstance(event := await self._next(), h11.EndOfMessage):
            if isinstance(event, h11.Response):
                status = event.status_code
            elif isinstance(event, h11.Data):
                answer += event.data
            if isinstance(event, h11.ConnectionClosed) or len(answer) > MAX_ANSWER:
                raise OSError("the answer broke off, or is too long")
        return status, bytes(answer)

    async def _next(self) -> object:
        while (event := self._state.next_event()) is h11.NEED_DATA:
            self._state.receive_data(await self._reader.read(READ))
        return event

    def reuse(self) -> bool:
        """Whether another request can follow."""
        if self._state.our_state is not h11.DONE or self._state.their_state is not h11.DONE:
            return False
        self._state.start_next_cycle()
        return True

    def is_open(self) -> bool:
        return not self._reader.at_eof() and not self._writer.is_closing()

    def close(self) -> None:
        self._writer.close()


class JsonClient:
    """`PushFailed` says why without the URL, which can hold a secret."""

    def __init__(self) -> None:
        self._idle: dict[tuple[str, str], deque[HttpConnection]] = defaultdict(deque)

    async def call(self, method: str, url: str, body: bytes, headers: dict[str, str]) -> dict[str, object]:
        """An API, whose answer says whether it was taken."""
        data = await self.send(method, url, body, headers)
        try:
            read = json.loads(data or b"{}")
        except (ValueError, RecursionError) as fault:
            raise PushFailed(f"{urlsplit(url).hostname} did not take it: {type(fault).__name__}") from None
        return read if isinstance(read, dict) else {}

    async def send(self, method: str, url: str, body: bytes, headers: dict[str, str]) -> bytes:
        """Taken where the status is 2xx, whatever the answer is."""
        parts = urlsplit(url)
        host = parts.hostname or ""
        target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        fields = {"Host": parts.netloc.rpartition("@")[2], "Content-Type": "application/json", **headers}
        fields["Content-Length"] = str(len(body))
        request = h11.Request(method=method, target=target, headers=list(fields.items()))
        try:
            async with asyncio.timeout(TIMEOUT_S):
                status, data = await self._call(parts.scheme, parts.netloc, host, parts.port, request, body)
        except (OSError, h11.ProtocolError, ValueError) as fault:  # a time-out is an OSError
            raise PushFailed(f"{host} did not take it: {type(fault).__name__}") from None
        if status >= 300:
            raise PushFailed(f"{host} answered HTTP {status}")
        return data

    async def _call(
        self, scheme: str, netloc: str, host: str, port: int | None, request: h11.Request, body: bytes
    ) -> tuple[int, bytes]:
        idle = self._idle[scheme, netloc]
        connection = self._find_idle(idle) or await _connect(scheme, host, port)
        try:
            answer = await connection.call(request, body)
        except BaseException:
            connection.close()
            raise
        if len(idle) < MAX_IDLE and connection.reuse():
            idle.append(connection)
        else:
            connection.close()
        return answer

    def _find_idle(self, idle: deque[HttpConnection]) -> HttpConnection | None:
        while idle:
            connection = idle.pop()
            if connection.is_open():
                return connection
            connection.close()
        return None

    def close(self) -> None:
        for idle in self._idle.values():
            for connection in idle:
                connection.close()
        self._idle.clear()


async def _connect(scheme: str, host: str, port: int | None) -> HttpConnection:
    context = ssl.create_default_context() if scheme == "https" else None
    return HttpConnection(*await asyncio.open_connection(host, port or (443 if context else 80), ssl=context))
