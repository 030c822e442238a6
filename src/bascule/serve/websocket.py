"""One WebSocket per surface: a text frame is one JSON-RPC message, in either direction."""

import asyncio
import contextlib

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from bascule.core.wire import rpc
from bascule.daemon.surfaces.surfaces import Surface, SurfaceClosed
from bascule.host.processes.tasks import Tasks

GOING_AWAY = 1001
REVOKED = 1008  # policy violation
TOO_SLOW = 1013  # try again later
CLOSE_TIMEOUT_S = 1.0
INITIALIZE_WITHIN_S = 10.0
LARGE = 100_000  # bytes of a frame
NO_BINARY = rpc.error(
    None, rpc.INVALID_REQUEST, "A message is one text frame of JSON; this one was binary. Send it as text."
)


async def attend(
    socket: WebSocket, surface: Surface, *, revoked: asyncio.Event, stopping: asyncio.Event
) -> None:
    """Until the peer leaves, the surface is dropped, its key is revoked, or we stop."""
    ends = {"stop": stopping, "revoke": revoked}
    async with Tasks() as tasks:
        running = {
            tasks.start(f"{surface.id} reader", _read(socket, surface)),
            tasks.start(f"{surface.id} writer", _write(socket, surface)),
            *(tasks.start(f"{surface.id} {name}", _wait(event)) for name, event in ends.items()),
            tasks.start(f"{surface.id} silence", _wait_for_silence(surface)),
        }
        await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
    surface.close()
    await surface.finish()
    await _say_goodbye(socket, REVOKED if revoked.is_set() else GOING_AWAY if stopping.is_set() else TOO_SLOW)


async def _read(socket: WebSocket, surface: Surface) -> None:
    """Awaiting feed() is what holds back a peer that asks faster than it is answered."""
    with contextlib.suppress(WebSocketDisconnect):
        while (message := await socket.receive())["type"] == "websocket.receive":
            text = message.get("text")
            if text is not None:
                await surface.feed(text.encode())
            else:
                await _send(socket, NO_BINARY)


async def _write(socket: WebSocket, surface: Surface) -> None:
    with contextlib.suppress(SurfaceClosed, WebSocketDisconnect):
        while True:
            for frame in await surface.frames():
                await _send(socket, frame)


async def _send(socket: WebSocket, frame: bytes) -> None:
    """A large frame in steps, between which others have their turn: making it, decoding it, encoding it."""
    is_large = len(frame) > LARGE
    if is_large:
        await asyncio.sleep(0)
    text = frame.decode()
    if is_large:
        await asyncio.sleep(0)
    try:
        await socket.send({"type": "websocket.send", "text": text})
    except RuntimeError:  # what uvicorn says once the closing has begun
        raise WebSocketDisconnect(1006) from None


async def _wait_for_silence(surface: Surface) -> None:
    """One that never says who it is keeps no place from others."""
    await asyncio.sleep(INITIALIZE_WITHIN_S)
    if surface.initialized:
        await asyncio.Event().wait()


async def _wait(event: asyncio.Event) -> None:
    await event.wait()


async def _say_goodbye(socket: WebSocket, code: int) -> None:
    """A peer that has left hears nothing; one that does not read is not waited for."""
    if socket.client_state is WebSocketState.DISCONNECTED:
        return
    with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
        async with asyncio.timeout(CLOSE_TIMEOUT_S):
            await socket.close(code)
