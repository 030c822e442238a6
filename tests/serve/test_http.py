"""The routes, for who has the right."""

import asyncio
import gzip
import logging
import time
from collections.abc import AsyncIterator

import msgspec
import pytest
from tests.serve.local_server import LocalServer, make_front, open_server

from bascule.host.files.built_page import INDEX, read_page
from bascule.host.network.listener import LOOPBACK, Listener, bind
from bascule.host.network.registration import SCOPE_HEADER
from bascule.serve import http
from bascule.serve.http import LinkReport, StatusReport
from bascule.serve.keys import Keys
from bascule.serve.rules import LOOPBACK_NAMES
from bascule.serve.selftest.probe import RawWebSocket, ask, make_request
from bascule.serve.serving import OUTER_LIMITS

POST = {"Content-Type": "application/json", "Content-Length": "2"}


@pytest.fixture
async def server() -> AsyncIterator[LocalServer]:
    async with open_server() as server:
        yield server


async def test_the_page_and_each_of_its_parts_are_there(server: LocalServer) -> None:
    for name, sheet in read_page().items():
        answer = await server.ask("GET", "/" if name == INDEX else f"/{name}", {"Host": server.host})
        seen = (answer.status, answer.find("content-type"), answer.find("cache-control"), answer.body)
        assert seen == (200, sheet.media_type, sheet.cache, sheet.body)


async def test_a_browser_gets_the_page_packed_and_the_same_as_anybody(server: LocalServer) -> None:
    plain = await server.ask("GET", "/", {"Host": server.host})
    packed = await server.ask("GET", "/", {"Host": server.host, "Accept-Encoding": "gzip, br"})
    seen = {name: plain.find(name) for name in ("content-type", "vary", "content-security-policy")}
    assert {name: packed.find(name) for name in seen} == seen
    assert (plain.find("content-encoding"), packed.find("content-encoding")) == ("", "gzip")
    assert gzip.decompress(packed.body) == plain.body


@pytest.mark.parametrize("name", ["none.js", "..%2findex.html", ".built-from", "%2e%2e%2f%2e%2e%2fhttp.py"])
async def test_what_is_no_part_of_the_page_is_not_given(server: LocalServer, name: str) -> None:
    assert (await server.ask("GET", f"/assets/{name}", {"Host": server.host})).status in (400, 404)


async def test_the_status_names_every_route(server: LocalServer) -> None:
    answer = await server.tell("GET", "/status")
    report = msgspec.json.decode(answer.body, type=StatusReport)
    assert {route.path for route in report.routes} == {
        "/",
        "/icon.svg",
        "/assets/{name}",
        "/files/{id}",
        "/status",
        "/link",
        "/signin",
        "/signout",
        "/shutdown",
        "/ws",
    }
    assert [route.path for route in report.routes if route.websocket] == ["/ws"]


async def test_a_fresh_link_is_another_one_each_time(server: LocalServer) -> None:
    paths = {
        msgspec.json.decode((await server.tell("POST", "/link", POST, b"{}")).body, type=LinkReport)
        for _ in range(2)
    }
    assert len(paths) == 2


@pytest.mark.parametrize(("scope", "status"), [("orders", 403), ("look", 403), ("all", 400), ("", 400)])
async def test_a_program_that_asked_for_less_may_not(server: LocalServer, scope: str, status: int) -> None:
    answer = await server.tell("POST", "/shutdown", {**POST, SCOPE_HEADER: scope}, b"{}")
    assert (answer.status, server.front.asked_to_stop.is_set()) == (status, False)


async def test_a_program_of_this_user_may_stop_it(server: LocalServer) -> None:
    answer = await server.tell("POST", "/shutdown", POST, b"{}")
    assert (answer.status, answer.body) == (202, b"Stopping.\n")
    assert server.front.asked_to_stop.is_set()


@pytest.mark.parametrize("path", ["/link", "/shutdown"])
async def test_a_browser_may_not_stop_it_or_let_others_in(server: LocalServer, path: str) -> None:
    """GHSA-rqpp-rjj8-7wv8: what somebody may do hangs on the key, not on what they ask for."""
    answer = await server.ask("POST", path, {**await server.browser(), **POST}, b"{}")
    assert (answer.status, answer.body) == (
        403,
        b"Only a program with all rights can request this.\n",
    )
    assert not server.front.asked_to_stop.is_set()


@pytest.mark.parametrize("path", ["/link", "/shutdown"])
async def test_no_program_at_the_outer_door_may_stop_it_or_let_others_in(path: str) -> None:
    """Not with the credential either: what it made there would be in no record."""
    sock = bind(LOOPBACK, 0)
    port = sock.getsockname()[1]
    keys = Keys(now_s=time.monotonic, bearer="c" * 40)
    front = make_front(keys, port, is_outside=True)
    gate = front.behind_gate("http", LOOPBACK_NAMES, port)
    headers = {"Host": f"127.0.0.1:{port}", "Authorization": f"Bearer {keys.bearer}", **POST}
    async with Listener(gate, sock, limits=OUTER_LIMITS):
        answer = await asyncio.to_thread(ask, port, make_request("POST", path, headers.items(), b"{}"))
    assert (answer.status, answer.body) == (403, b"This is done at the machine.\n")
    assert (list(keys.secrets()), front.asked_to_stop.is_set()) == ([keys.bearer], False)


async def test_a_program_cannot_be_signed_out(server: LocalServer) -> None:
    assert (await server.tell("POST", "/signout", POST, b"{}")).status == 403


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [("GET", "/nowhere", 404), ("GET", "/status/", 404), ("GET", "/ws", 404), ("GET", "/link", 405)],
)
async def test_what_is_not_there(server: LocalServer, method: str, target: str, status: int) -> None:
    assert (await server.tell(method, target)).status == status


async def test_surfaces_have_a_ceiling(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_SURFACES", 2)
    held = [await server.open_socket() for _ in range(2)]
    third = await server.open_socket()
    assert [socket.status for socket in (*held, third)] == [101, 101, 503]
    for socket in (*held, third):
        socket.close()


async def test_a_surface_that_is_turned_away_is_no_error_of_ours(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(http, "MAX_SURFACES", 0)
    caplog.set_level(logging.INFO)
    socket = await server.open_socket()
    socket.close()
    unknown = await asyncio.to_thread(RawWebSocket, server.port, {"Host": server.host})
    unknown.close()
    assert [socket.status, unknown.status] == [503, 403]
    assert {record.levelname for record in caplog.records} == {"INFO"}


async def test_an_upgrade_elsewhere_is_refused(server: LocalServer) -> None:
    socket = await asyncio.to_thread(RawWebSocket, server.socket, {"Host": "localhost"}, target="/status")
    socket.close()
    assert socket.status in (403, 404)
