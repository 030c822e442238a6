"""The gate: how a browser and a program come in, and what the answer to everybody else holds."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator

import msgspec
import pytest
from tests.serve.local_server import LocalServer, open_server

from bascule.model.consent.origin import Scope
from bascule.serve import auth
from bascule.serve.auth import SECURITY_HEADERS
from bascule.serve.http import SignedIn
from bascule.serve.rules import KEY_HEADER
from bascule.serve.selftest.inspection import open_link
from bascule.serve.selftest.probe import ProbeResponse, RawWebSocket
from bascule.serve.slow_down import FREE


@pytest.fixture
async def server() -> AsyncIterator[LocalServer]:
    async with open_server() as server:
        yield server


async def follow(url: str, cookie: str = "", **changes: str) -> ProbeResponse:
    return await asyncio.to_thread(open_link, url, cookie, **changes)


def cookie_of(answer: ProbeResponse) -> str:
    return answer.find("set-cookie").partition(";")[0]


async def test_a_link_becomes_a_cookie_and_a_key(server: LocalServer) -> None:
    answer = await follow(await server.new_link())
    assert answer.status == 200
    key = msgspec.json.decode(answer.body, type=SignedIn)
    cookie = answer.find("set-cookie")
    assert cookie.partition("; ")[2] == "Path=/; HttpOnly; SameSite=Strict"
    assert cookie.startswith(f"bascule_{server.port}=")
    assert key.key not in cookie
    headers = {"Host": server.host, "Cookie": f"other=1; {cookie_of(answer)}"}
    for more, status in (({KEY_HEADER: key.key}, 200), ({}, 401), ({KEY_HEADER: "A" * 43}, 401)):
        assert (await server.ask("GET", "/status", {**headers, **more})).status == status


async def test_a_used_link_is_refused_also_for_a_browser_that_is_in(server: LocalServer) -> None:
    url = await server.new_link()
    first = await follow(url)
    for again in (await follow(url), await follow(url, cookie_of(first))):
        assert (again.status, again.find("set-cookie")) == (401, "")
        assert again.body.startswith(b"This link was used or is older than five minutes.")


async def test_a_browser_that_is_in_keeps_its_pass_when_it_follows_another_link(server: LocalServer) -> None:
    """Its other tabs go on; a tab that has lost the key gets the same one."""
    first = await follow(await server.new_link())
    second = await follow(await server.new_link(), cookie_of(first))
    assert (second.status, second.find("set-cookie"), second.body) == (200, "", first.body)
    third = await follow(await server.new_link(), f"bascule_{server.port}=made-up")
    assert (third.status, cookie_of(third) != cookie_of(first)) == (200, True)


@pytest.mark.parametrize(("first_scope", "second_scope"), [("full", "look"), ("look", "full")])
async def test_a_link_of_another_scope_never_gives_the_key_of_the_pass_that_a_browser_has(
    server: LocalServer, first_scope: Scope, second_scope: Scope
) -> None:
    """Who holds a link to look, and a cookie that every server of this host is sent, gets to look."""
    page = f"http://{server.host}/#token="
    first = await follow(page + server.keys.new_link(scope=first_scope))
    second = await follow(page + server.keys.new_link(scope=second_scope), cookie_of(first))
    kept, given = (msgspec.json.decode(answer.body, type=SignedIn).key for answer in (first, second))
    cookie = cookie_of(second).partition("=")[2]
    found = server.keys.find_browser(cookie, given)
    assert (found and found.scope, given != kept) == (second_scope, True)


@pytest.mark.parametrize(
    "changes",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://evil.test"},
        {"Content-Type": "text/plain"},
        {"Host": "evil.test"},
    ],
)
async def test_only_our_own_page_spends_a_link(server: LocalServer, changes: dict[str, str]) -> None:
    url = await server.new_link()
    refused = await follow(url, **changes)
    assert (refused.status in (403, 415, 421), refused.find("set-cookie")) == (True, "")
    assert (await follow(url)).status == 200


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b'{"token":1}', b'{"token":""}', b"\xff"])
async def test_what_is_no_link_opens_nothing(server: LocalServer, body: bytes) -> None:
    headers = {"Host": server.host, "Origin": f"http://{server.host}", "Content-Type": "application/json"}
    whole = {**headers, "Content-Length": str(len(body))}
    assert (await server.ask("POST", "/signin", whole, body)).status == 401


async def test_another_server_of_this_machine_gets_the_cookie_and_can_do_nothing_with_it(
    server: LocalServer,
) -> None:
    """A browser sends cookies to every port of a host: what they open alone is open to every local server."""
    keys = await server.sign_in()
    forged = {"Host": server.host, "Cookie": keys.cookie, "Origin": f"http://{server.host}"}
    upgrade = {**forged, "Sec-WebSocket-Protocol": "bascule"}
    sockets = [await asyncio.to_thread(RawWebSocket, server.port, one) for one in (forged, upgrade)]
    assert [socket.status for socket in sockets] == [401, 401]
    for socket in sockets:
        socket.close()
    assert (await server.ask("GET", "/status", forged)).status == 401
    assert server.front.surfaces.all() == []


async def test_a_link_from_elsewhere_opens_the_page_and_nothing_else(server: LocalServer) -> None:
    """The file that hands a link to the browser is another site, to the browser."""
    opens = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    headers = await server.browser()
    del headers["Origin"]
    assert (await server.ask("GET", "/", {"Host": server.host, **opens})).status == 200
    assert (
        await server.ask("GET", "/", {"Host": server.host, **opens, "Sec-Fetch-Dest": "iframe"})
    ).status == 403
    for target in ("/status", "/icon.svg", "/files/x"):
        assert (await server.ask("GET", target, {**headers, **opens})).status == 403


async def test_a_refusal_is_a_sentence_and_nothing_more(server: LocalServer) -> None:
    answer = await server.ask("GET", "/status", {"Host": server.host})
    assert answer.body == b"This needs a key. `bascule up` prints a link that opens it.\n"
    assert answer.find("www-authenticate") == "Bearer"
    nowhere = await server.ask("GET", "/no-such-route", {"Host": server.host})
    assert (nowhere.status, nowhere.body) == (answer.status, answer.body)  # routes cannot be guessed


async def test_wrong_keys_are_answered_late_and_right_ones_at_once(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    headers = await server.browser()
    monkeypatch.setattr("bascule.serve.auth.asyncio.sleep", wait)
    for _ in range(FREE + 3):
        assert (await server.ask("GET", "/status", {**headers, KEY_HEADER: "wrong"})).status == 401
    assert waited == [0.0] * FREE + [0.05, 0.1, 0.2]
    assert (await server.ask("GET", "/status", headers)).status == 200
    no_key = {name: value for name, value in headers.items() if name != KEY_HEADER}
    assert (await server.ask("GET", "/status", no_key)).status == 401  # none is not a wrong one
    assert len(waited) == FREE + 3


@pytest.mark.parametrize("target", ["/", "/status", "/nothing-here"])
async def test_every_answer_carries_the_security_headers(server: LocalServer, target: str) -> None:
    for headers in (await server.browser(), {"Host": server.host}, {"Host": "evil.test"}):
        headers_sent = dict((await server.ask("GET", target, headers)).headers)
        assert {name: headers_sent.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS
        assert headers_sent["cache-control"] == "no-store"
        assert not any(name.startswith("access-control") or name == "server" for name in headers_sent)


async def test_a_body_is_read_to_its_ceiling_and_not_for_ever(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = {**await server.browser(), "Content-Type": "application/json"}
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    large = await server.ask(
        "POST", "/link", {**post, "Transfer-Encoding": "chunked"}, chunk * 2 + b"0\r\n\r\n"
    )
    assert large.status in (413, 0)  # 0: the rest was still on its way when the socket closed
    monkeypatch.setattr(auth, "BODY_TIMEOUT_S", 0.05)
    slow = await server.ask("POST", "/link", {**post, "Content-Length": "10"}, b"{")
    assert slow.status == 408


async def test_the_log_says_who_asked_what_and_the_answer_but_no_key(
    server: LocalServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bascule.http")
    url = await server.new_link()
    key = msgspec.json.decode((await follow(url)).body, type=SignedIn).key
    await server.ask("GET", "/status?token=abc", {"Host": server.host})
    await server.tell("GET", "/status")
    said = [
        record.getMessage().partition(" ")[2] for record in caplog.records if record.name == "bascule.http"
    ]
    ours = f"(pid {os.getpid()})"
    assert said[0] == f"{ours} POST /link -> 200"
    assert said[1].endswith("came in by a link")
    assert said[2:] == [
        "(nobody) POST /signin -> 200",
        "(nobody) GET /status -> 401",
        f"{ours} GET /status -> 200",
    ]
    assert not any(secret in caplog.text for secret in (url.partition("=")[2], "abc", key))
