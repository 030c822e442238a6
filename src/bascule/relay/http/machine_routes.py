"""POST /machine/enroll and the WebSocket /machine."""

import asyncio
from collections.abc import Callable

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from bascule.core.relay.relay_ids import is_id
from bascule.host.network.connections import VISITOR
from bascule.model.relay_frames import EnrollRequest
from bascule.relay.http.bodies import read_body
from bascule.relay.machines.machine_hub import MachineHub
from bascule.relay.machines.machine_keys import hash_secret, proves_key
from bascule.relay.storage.machine_steps import Enroll
from bascule.relay.storage.relay_store import RelayStore

MAX_ENROLL = 4_096  # bytes
MAX_UNKNOWN = 256  # sockets that have not proved anything yet; after a restart all machines come at once

ENROLL = msgspec.json.Decoder(EnrollRequest)


class MachineRoutes:
    def __init__(self, *, store: RelayStore, hub: MachineHub, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._hub = hub
        self._now_ms = now_ms
        self._unknown: dict[asyncio.Timeout, None] = {}  # by which each can be ended, the oldest first

    async def enroll(self, request: Request) -> Response:
        """one answer to everything that is wrong, so that a guess teaches nothing."""
        refused = JSONResponse({"error": "refused"}, status_code=403)
        body = await read_body(request, MAX_ENROLL)
        try:
            wanted = ENROLL.decode(body or b"")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return refused
        if not is_id(wanted.machine_id) or not proves_key(wanted):
            return refused
        hashed = hash_secret(wanted.secret)
        enrolling = Enroll(
            machine=wanted.machine_id,
            hashed=hashed,
            public_key=wanted.public_key,
            now_ms=self._now_ms(),
        )
        if not await self._store.run(enrolling):
            return refused
        return JSONResponse({"machineId": wanted.machine_id})

    async def connect(self, socket: WebSocket) -> None:
        """Where too many prove nothing, the oldest of them makes room: a machine needs a moment only."""
        await socket.accept()
        if len(self._unknown) >= MAX_UNKNOWN:
            oldest = next(iter(self._unknown))
            del self._unknown[oldest]
            oldest.reschedule(asyncio.get_running_loop().time())
        unknown = asyncio.timeout(None)
        self._unknown[unknown] = None
        accepted = StarletteSocket(socket, lambda: self._unknown.pop(unknown, None))
        try:
            async with unknown:
                await self._hub.serve(accepted)
        except TimeoutError:
            await accepted.close("too many unknown connections")
        finally:
            self._unknown.pop(unknown, None)


class StarletteSocket:
    def __init__(self, socket: WebSocket, on_known: Callable[[], object]) -> None:
        self._socket = socket
        self._on_known = on_known

    async def send(self, frame: bytes) -> None:
        try:
            await self._socket.send_text(frame.decode())
        except (WebSocketDisconnect, RuntimeError):
            raise EOFError from None

    async def receive(self) -> bytes:
        message = await self._socket.receive()
        if message["type"] != "websocket.receive":
            raise EOFError
        text = message.get("text")
        return text.encode() if text is not None else message.get("bytes") or b""

    def know(self, machine: str) -> bool:
        self._on_known()
        visitor = self._socket.scope.get(VISITOR)
        return visitor is None or visitor.know(machine)

    async def close(self, why: str) -> None:
        if self._socket.application_state is WebSocketState.CONNECTED:
            try:
                await self._socket.close(reason=why)
            except (WebSocketDisconnect, RuntimeError):
                return  # the other side was first
