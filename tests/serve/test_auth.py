"""The gate: how a browser and a program come in, and what the answer to everybody else holds."""

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest
from tests.serve.house import House, open_house

from bascule.serve import auth
from bascule.serve.auth import SECURITY_HEADERS
from bascule.serve.inspection import new_link, open_link


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as house:
        yield house


async def link(house: House) -> str:
    return await asyncio.to_thread(new_link, house.port, house.keys.bearer)


async def test_a_link_becomes_a_cookie_and_a_clean_address(house: House) -> None:
    answer = await asyncio.to_thread(open_link, house.port, await link(house))
    cookie = answer.find("set-cookie")
    assert (answer.status, answer.find("location"), answer.body) == (303, "/", b"")
    assert cookie.partition("; ")[2] == "Path=/; HttpOnly; SameSite=Strict"
    assert cookie.startswith(f"bascule_{house.port}=")
    page = await house.ask("GET", "/", {"Host": house.host, "Cookie": f"other=1; {cookie.partition(';')[0]}"})
    assert page.status == 200


async def test_a_used_link_is_refused_but_a_browser_that_is_in_may_reload_it(house: House) -> None:
    path = await link(house)
    first = await asyncio.to_thread(open_link, house.port, path)
    assert (await asyncio.to_thread(open_link, house.port, path)).status == 401
    cookie = first.find("set-cookie").partition(";")[0]
    again = await house.ask("GET", path, {"Host": house.host, "Cookie": cookie})
    assert (again.status, again.find("location"), again.find("set-cookie")) == (303, "/", "")


@pytest.mark.parametrize(
    ("method", "target", "headers"),
    [
        ("HEAD", "{}", {}),
        ("GET", "{}", {"Sec-Purpose": "prefetch"}),
        ("GET", "/status{}", {}),
        ("GET", "{}&token=again", {}),
        ("GET", "{}", {"Sec-Fetch-Site": "cross-site"}),
    ],
)
async def test_only_a_persons_navigation_spends_a_link(
    house: House, method: str, target: str, headers: dict[str, str]
) -> None:
    path = await link(house)
    shown = target.format(path.removeprefix("/") if target.startswith("/") else path)
    refused = await house.ask(method, shown, {"Host": house.host, **headers})
    assert refused.status in (401, 403)
    assert (await asyncio.to_thread(open_link, house.port, path)).status == 303


async def test_a_refusal_is_a_sentence_and_nothing_more(house: House) -> None:
    answer = await house.ask("GET", "/status", {"Host": house.host})
    assert answer.body == b"This needs a key. `bascule up` prints a link that opens it.\n"
    assert answer.find("www-authenticate") == "Bearer"
    nowhere = await house.ask("GET", "/no-such-route", {"Host": house.host})
    assert (nowhere.status, nowhere.body) == (answer.status, answer.body)  # routes cannot be guessed


@pytest.mark.parametrize("target", ["/", "/status", "/nothing-here"])
async def test_every_answer_carries_the_security_headers(house: House, target: str) -> None:
    for headers in (house.bearer, {"Host": house.host}, {"Host": "evil.test"}):
        told = dict((await house.ask("GET", target, headers)).headers)
        assert {name: told.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS
        assert told["cache-control"] == "no-store"
        assert not any(name.startswith("access-control") or name == "server" for name in told)


async def test_a_body_is_read_to_its_ceiling_and_not_for_ever(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = {**house.bearer, "Content-Type": "application/json"}
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    large = await house.ask(
        "POST", "/link", {**post, "Transfer-Encoding": "chunked"}, chunk * 2 + b"0\r\n\r\n"
    )
    assert large.status in (413, 0)  # 0: the rest was still on its way when the socket closed
    monkeypatch.setattr(auth, "BODY_TIMEOUT_S", 0.05)
    slow = await house.ask("POST", "/link", {**post, "Content-Length": "10"}, b"{")
    assert slow.status == 408


async def test_the_log_says_who_asked_what_and_the_answer_but_no_key(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bascule.http")
    path = await link(house)
    await asyncio.to_thread(open_link, house.port, path)
    await house.ask("GET", "/status?token=abc", {"Host": house.host})
    await house.ask("GET", "/status", house.bearer)
    said = [
        record.getMessage().partition(" ")[2] for record in caplog.records if record.name == "bascule.http"
    ]
    assert said[0] == "(bearer) POST /link -> 200"
    assert said[1].endswith("came in by a link")
    assert said[2:] == [
        "(nobody) GET / -> 303",
        "(nobody) GET /status -> 401",
        "(bearer) GET /status -> 200",
    ]
    assert not any(secret in caplog.text for secret in (path, "abc", house.keys.bearer))
