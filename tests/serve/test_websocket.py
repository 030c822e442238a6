"""One WebSocket per surface: frames in, frames out, and an end that says why."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from tests.patience import PATIENCE_S, until
from tests.serve.local_server import LocalServer, open_server
from websockets.asyncio.client import ClientConnection, connect, unix_connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from bascule.core.wire import rpc
from bascule.host.network import listener
from bascule.serve import websocket
from bascule.serve.rules import KEY_HEADER, KEY_PROTOCOL, PROTOCOL

TOO_BIG = 1009
MiB = 1024 * 1024


@pytest.fixture
async def server() -> AsyncIterator[LocalServer]:
    async with open_server() as server:
        yield server


def dial(server: LocalServer, **more: Any) -> connect:
    return unix_connect(server.socket, "ws://localhost/ws", **more)


async def heard(socket: ClientConnection) -> Any:
    return msgspec.json.decode(await asyncio.wait_for(socket.recv(), PATIENCE_S))


async def code_after(socket: ClientConnection, message: str | list[str]) -> int | None:
    with contextlib.suppress(ConnectionClosed):
        await socket.send(message)
    await socket.wait_closed()
    return socket.close_code


async def test_a_request_is_answered(server: LocalServer) -> None:
    async with dial(server) as socket:
        await socket.send(rpc.request("1", "hello", {"a": "ü"}).decode())
        assert await heard(socket) == {
            "jsonrpc": "2.0",
            "id": "1",
            "result": {"method": "hello", "params": {"a": "ü"}},
        }


async def test_many_messages_at_once_are_each_answered(server: LocalServer) -> None:
    async with dial(server) as socket:
        for number in range(500):
            await socket.send(rpc.request(str(number), "hello", {}).decode())
        answered = {(await heard(socket))["id"] for _ in range(500)}
    assert answered == {str(number) for number in range(500)}


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b'{"id": 1, "method": "hello"}', rpc.INVALID_REQUEST),  # binary, whatever it holds
        ("not json", rpc.PARSE_ERROR),
        ("", rpc.PARSE_ERROR),
        ("[]", rpc.INVALID_REQUEST),
        ("{}", rpc.INVALID_REQUEST),
    ],
)
async def test_a_bad_frame_gets_an_error_and_the_connection_lives(
    server: LocalServer, frame: str | bytes, code: int
) -> None:
    async with dial(server) as socket:
        await socket.send(frame)
        assert (await heard(socket))["error"]["code"] == code
        await socket.send(rpc.request("2", "hello", {}).decode())
        assert (await heard(socket))["id"] == "2"


async def test_a_request_that_crashes_does_not_take_the_connection_along(server: LocalServer) -> None:
    async with dial(server) as socket:
        await socket.send(rpc.request("1", "crash", {}).decode())
        assert (await heard(socket))["error"]["code"] == rpc.INTERNAL_ERROR
        await socket.send(rpc.request("2", "hello", {}).decode())
        assert (await heard(socket))["id"] == "2"


async def test_a_frame_at_the_ceiling_passes_and_one_over_it_gets_an_error(server: LocalServer) -> None:
    async with dial(server, max_size=None) as socket:
        empty = rpc.request("1", "hello", {"a": ""})
        await socket.send(rpc.request("1", "hello", {"a": "x" * (rpc.MAX_FRAME - len(empty))}).decode())
        assert len((await heard(socket))["result"]["params"]["a"]) == rpc.MAX_FRAME - len(empty)
        for message in ("x" * (rpc.MAX_FRAME + 1), ["x" * MiB] * (rpc.MAX_FRAME // MiB + 1)):
            await socket.send(message)
            error = (await heard(socket))["error"]
            assert (error["code"], str(rpc.MAX_FRAME) in error["message"]) == (rpc.INVALID_REQUEST, True)
        await socket.send(rpc.request("2", "hello", {}).decode())
        assert (await heard(socket))["id"] == "2"


async def test_one_that_is_much_longer_closes(server: LocalServer) -> None:
    async with dial(server, max_size=None) as socket:
        assert await code_after(socket, "x" * (listener.MAX_MESSAGE + 1)) == TOO_BIG


async def test_in_pieces_it_has_the_same_ceiling(server: LocalServer) -> None:
    async with dial(server, max_size=None) as socket:
        assert await code_after(socket, ["x" * MiB] * (listener.MAX_MESSAGE // MiB + 1)) == TOO_BIG


async def test_when_we_stop_every_surface_hears_it(server: LocalServer) -> None:
    async with dial(server) as one, dial(server) as other:
        await server.front.close_sockets()
        for socket in (one, other):
            await socket.wait_closed()
            assert socket.close_code == websocket.GOING_AWAY
    late = await server.open_socket()
    late.close()
    assert late.status == 503
    assert server.front.surfaces.all() == []


async def test_a_surface_that_is_let_go_is_closed(server: LocalServer) -> None:
    async with dial(server) as socket:
        await until(server.front.surfaces.all, "the surface")
        server.front.surfaces.all()[0].close()
        await socket.wait_closed()
        assert socket.close_code == websocket.TOO_SLOW


async def test_what_a_signed_out_browser_has_open_closes_at_once(server: LocalServer) -> None:
    """GHSA-m8wm-r5vq-qjpg: a key that is taken back is worth nothing from that moment on."""
    headers = await server.browser()
    more = {"Cookie": headers["Cookie"], "Origin": headers["Origin"]}
    protocols = [Subprotocol(PROTOCOL), Subprotocol(KEY_PROTOCOL + headers[KEY_HEADER])]
    async with (
        connect(
            f"ws://{server.host}/ws", additional_headers=more, subprotocols=protocols, proxy=None
        ) as socket,
        dial(server) as other,
    ):
        assert socket.subprotocol == PROTOCOL
        browser = server.keys.find_browser(headers["Cookie"].partition("=")[2], headers[KEY_HEADER])
        assert browser is not None
        server.keys.revoke(browser)
        await asyncio.wait_for(socket.wait_closed(), 1)
        assert socket.close_code == websocket.REVOKED
        await other.send(rpc.request("1", "hello", {}).decode())
        assert (await heard(other))["id"] == "1"


async def test_who_leaves_is_forgotten(server: LocalServer) -> None:
    for leave in ("close", "abort"):
        socket = await dial(server)
        await socket.send(rpc.request("1", "hello", {}).decode())
        await heard(socket)
        assert len(server.front.surfaces.all()) == 1
        if leave == "close":
            await socket.close()
        else:
            socket.transport.abort()
        await until(lambda: not server.front.surfaces.all(), "its end")


async def test_a_surface_that_reads_nothing_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not waited for, and cut off when it answers no ping."""
    monkeypatch.setattr(listener, "PING_S", 0.2)
    monkeypatch.setattr(listener, "PONG_S", 0.5)
    async with open_server() as server:
        stuck = await server.open_socket()
        await until(server.front.surfaces.all, "the surface")
        surface = server.front.surfaces.all()[0]
        for _ in range(50):
            surface.say(b'"' + b"x" * 1_000_000 + b'"')
        async with dial(server) as other:
            await other.send(rpc.request("1", "hello", {}).decode())
            assert (await heard(other))["id"] == "1"
            await until(lambda: surface.closed, "its end")
            await other.send(rpc.request("2", "hello", {}).decode())
            assert (await heard(other))["id"] == "2"
        stuck.close()


async def test_one_that_never_says_who_it_is_is_closed(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "INITIALIZE_WITHIN_S", 0.05)
    async with dial(server) as silent:
        await silent.wait_closed()
        assert silent.close_code == websocket.TOO_SLOW
