"""Sockets: loopback or nothing, and no connection that holds on to us."""

import asyncio
import contextlib
import socket
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from tests.patience import FOREVER_S, PATIENCE_S

from bascule.host.network import listener
from bascule.host.network.listener import LOOPBACK, Exposure, Listener, ListenRefused, bind

EXPOSURE = Exposure("c" * 32, Path("cert.pem"), Path("key.pem"))
REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


async def hello(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("hello")


def make_app() -> Starlette:
    return Starlette(routes=[Route("/", hello)])


@pytest.mark.parametrize("address", ["192.0.2.1", "8.8.8.8", "fe80::1", "10.0.0.1"])
def test_another_address_takes_a_credential_and_tls(address: str) -> None:
    """opencode #38857 and CVE-2026-112346: nothing listens on a network by a flag alone."""
    with pytest.raises(ListenRefused, match="a credential and TLS"):
        bind(address, 0)


@pytest.mark.parametrize("credential", ["", "short", "c" * 31])
def test_an_empty_or_short_credential_is_refused(credential: str) -> None:
    """CVE-2026-112346: an empty list of keys must not open a door."""
    with pytest.raises(ListenRefused, match="at least 32 characters"):
        bind("192.0.2.1", 0, Exposure(credential, Path("cert.pem"), Path("key.pem")))


@pytest.mark.parametrize("address", ["0.0.0.0", "::"])
@pytest.mark.parametrize("exposure", [None, EXPOSURE])
def test_every_address_at_once_is_never_bound(address: str, exposure: Exposure | None) -> None:
    """CVE-2025-49596, GHSA-79wm-x847-7cvg."""
    with pytest.raises(ListenRefused, match="every network at once"):
        bind(address, 0, exposure)


@pytest.mark.parametrize("address", ["localhost", "", "example.com", "127.1", "0"])
def test_names_are_not_resolved(address: str) -> None:
    with pytest.raises(ListenRefused, match="is not an IP address"):
        bind(address, 0)


def test_a_port_in_use_is_one_sentence() -> None:
    with bind(LOOPBACK, 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(ListenRefused, match=f"Port {port} on 127.0.0.1 is in use") as refused:
            bind(LOOPBACK, port)
    assert "\n" not in str(refused.value)


def test_a_port_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ListenRefused, match="no port 70000"):
        bind(LOOPBACK, 70000)


def test_a_certificate_that_is_not_there_is_one_sentence() -> None:
    with bind(LOOPBACK, 0) as sock, pytest.raises(ListenRefused, match="cannot be used: No such file"):
        Listener(make_app(), sock, exposure=EXPOSURE)


async def connect(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(LOOPBACK, port)


async def close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()


async def test_it_serves_on_loopback_and_is_gone_afterwards() -> None:
    async with Listener(make_app(), bind(LOOPBACK, 0)) as served:
        assert served.address == LOOPBACK
        reader, writer = await connect(served.port)
        writer.write(REQUEST)
        assert (await reader.readuntil(b"hello")).startswith(b"HTTP/1.1 200 OK")
        await close(writer)
        port = served.port
    with pytest.raises(ConnectionRefusedError):
        await connect(port)


async def test_one_that_says_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "HEAD_TIMEOUT_S", 0.05)
    async with Listener(make_app(), bind(LOOPBACK, 0)) as served:
        for beginning in (b"", b"GET / HTTP/1.1\r\nHost:"):
            reader, writer = await connect(served.port)
            writer.write(beginning)
            assert await asyncio.wait_for(reader.read(), PATIENCE_S) == b""
            await close(writer)


async def test_one_that_has_asked_may_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "HEAD_TIMEOUT_S", 0.05)
    async with Listener(make_app(), bind(LOOPBACK, 0)) as served:
        reader, writer = await connect(served.port)
        for _ in range(3):
            writer.write(REQUEST)
            await reader.readuntil(b"hello")
            await asyncio.sleep(0.05)
        await close(writer)


async def test_a_head_without_end_is_refused() -> None:
    async with Listener(make_app(), bind(LOOPBACK, 0)) as served:
        reader, writer = await connect(served.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * (listener.MAX_HEAD + 1))
        assert (await reader.read()).startswith(b"HTTP/1.1 400 ")
        await close(writer)


async def test_an_upgrade_that_cannot_be_read_gets_an_answer() -> None:
    head = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Long: %s\r\n\r\n"
    async with Listener(make_app(), bind(LOOPBACK, 0)) as served:
        reader, writer = await connect(served.port)
        writer.write(head % (b"x" * 9000))
        assert (await asyncio.wait_for(reader.read(), PATIENCE_S)).startswith(b"HTTP/1.1 400 ")
        await close(writer)


async def test_who_comes_last_gets_in_and_the_oldest_unknown_one_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listener, "MAX_CONNECTIONS", 3)
    monkeypatch.setattr(listener, "HEAD_TIMEOUT_S", FOREVER_S)
    async with Listener(make_app(), bind(LOOPBACK, 0)) as served:
        held = [await connect(served.port) for _ in range(4)]
        assert await asyncio.wait_for(held[0][0].read(), PATIENCE_S) == b""
        for reader, writer in held[1:]:
            writer.write(REQUEST)
            await reader.readuntil(b"hello")
        for _, writer in held:
            await close(writer)


async def test_it_ends_in_time_although_somebody_stays() -> None:
    async with Listener(make_app(), bind(LOOPBACK, 0)) as served:
        _, writer = await connect(served.port)
        sock: socket.socket = writer.get_extra_info("socket")
        assert sock.getpeername()[1] == served.port
        async with asyncio.timeout(PATIENCE_S):
            await served.__aexit__(None, None, None)
    await close(writer)


async def test_a_listener_that_nobody_is_connected_to_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command that hosts a daemon would wait for it a tenth of a second and more."""
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def count(delay: float, result: None = None) -> None:
        pauses.append(delay)
        await sleep(delay, result)

    async with Listener(make_app(), bind(LOOPBACK, 0)) as server:
        port = server.port
        monkeypatch.setattr(asyncio, "sleep", count)
    assert [delay for delay in pauses if delay] == []
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(LOOPBACK, port)
