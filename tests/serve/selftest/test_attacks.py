"""Every attack on every route that the application names; each incident of the field has its row."""

import asyncio
import time
from collections.abc import AsyncIterator
from itertools import count

import pytest
import pytest_asyncio
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route
from starlette.types import ASGIApp
from tests.serve.local_server import LocalServer, make_front, open_server

from bascule.serve.http import Front, describe_routes
from bascule.serve.keys import Keys
from bascule.serve.rules import LOOPBACK_NAMES
from bascule.serve.selftest.attack_runner import MADE_UP, Keyring, Target, carry_out, find_aims
from bascule.serve.selftest.attacks import ATTACKS, Attack
from bascule.serve.selftest.inspection import read_routes
from bascule.serve.slow_down import FORGOTTEN_S, SlowDown

pytestmark = pytest.mark.asyncio(loop_scope="module")


class AttackedServer:
    def __init__(self, server: LocalServer, keys: Keyring, aims: tuple[Target, ...]) -> None:
        self.server, self.keys, self.aims = server, keys, aims


def forget_misses(front: Front, port: int) -> ASGIApp:
    """The gate, with a clock on which each wrong credential is long after the one before: none waits."""
    front.slowing = SlowDown(now_s=count(step=2 * FORGOTTEN_S).__next__)
    return front.behind_gate("http", LOOPBACK_NAMES, port)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def attacked() -> AsyncIterator[AttackedServer]:
    async with open_server(forget_misses) as server:
        keys = await server.sign_in()
        routes = await asyncio.to_thread(read_routes, keys)
        yield AttackedServer(server, keys, find_aims(routes))


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
async def test_every_route_refuses(attacked: AttackedServer, attack: Attack) -> None:
    verdict = await asyncio.to_thread(carry_out, attack, attacked.aims, attacked.keys)
    assert verdict.tried > 0
    assert verdict.failures == ()
    assert not attacked.server.front.asked_to_stop.is_set()


async def test_the_aims_are_the_routes_of_the_application(attacked: AttackedServer) -> None:
    assert sorted(aim.shown for aim in attacked.aims) == [
        "GET /",
        f"GET /assets/{MADE_UP}",
        f"GET /files/{MADE_UP}",
        "GET /icon.svg",
        "GET /status",
        "HEAD /",
        f"HEAD /assets/{MADE_UP}",
        f"HEAD /files/{MADE_UP}",
        "HEAD /icon.svg",
        "HEAD /status",
        "POST /link",
        "POST /shutdown",
        "POST /signin",
        "POST /signout",
        "WEBSOCKET /ws",
    ]


async def test_names_are_with_code() -> None:
    names = [attack.name for attack in ATTACKS]
    assert len(names) == len(set(names))


async def hello(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("hello")


async def test_a_route_that_is_added_later_is_attacked_and_refuses() -> None:
    """A route cannot be forgotten: the list comes from the application, the gate is around all of it."""
    async with open_server(forget_misses) as server:
        server.front.app.router.routes.append(Route("/new", hello, methods=["GET", "PUT", "POST"]))
        keys = await server.sign_in()
        routes = await asyncio.to_thread(read_routes, keys)
        aims = tuple(aim for aim in find_aims(routes) if aim.path == "/new")
        assert [aim.method for aim in aims] == ["GET", "HEAD", "POST", "PUT"]
        assert (await server.ask("GET", "/new", await server.browser())).body == b"hello"
        verdicts = [await asyncio.to_thread(carry_out, attack, aims, keys) for attack in ATTACKS]
        odd = [verdict for verdict in verdicts if any("PUT" not in failure for failure in verdict.failures)]
        assert odd == []


async def test_a_kind_of_route_that_nobody_attacks_is_an_error() -> None:
    front = make_front(Keys(now_s=time.monotonic), 0)
    front.app.router.routes.append(Mount("/files", routes=[Route("/x", hello)]))
    with pytest.raises(TypeError, match="teach it first"):
        describe_routes(front.app)


async def test_without_the_gate_the_same_table_fails() -> None:
    """The attacks can succeed, so their refusal says something."""
    async with open_server(lambda front, _port: front.app) as server:
        keys = Keyring(server.port, f"bascule_{server.port}=anything", "key")
        aims = (Target("/", "GET", False),)
        verdicts = {
            a.name: await asyncio.to_thread(carry_out, a, aims, keys) for a in ATTACKS if a.on == "all"
        }
    fine = [name for name, verdict in verdicts.items() if not verdict.failures]
    assert fine == ["two Host headers"]  # which the HTTP parser refuses by itself
