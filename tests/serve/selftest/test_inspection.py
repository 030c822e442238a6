"""What must hold of a running daemon holds, and is missed where it does not."""

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.serve.local_server import LocalServer, open_server

from bascule.serve.auth import PASS
from bascule.serve.http import Front
from bascule.serve.keys import Pass
from bascule.serve.selftest import probe
from bascule.serve.selftest.attack_runner import Keyring
from bascule.serve.selftest.inspection import CHECKS, Check, NotAnswered, inspect, sign_in

pytestmark = pytest.mark.asyncio(loop_scope="module")
NAMES = [name for name, _, _ in CHECKS]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server() -> AsyncIterator[LocalServer]:
    async with open_server() as server:
        yield server


@pytest.mark.parametrize(("name", "incident", "check"), CHECKS, ids=NAMES)
async def test_it_holds(server: LocalServer, name: str, incident: str, check: Check) -> None:
    keys = await server.sign_in()
    verdict = await asyncio.to_thread(inspect, name, incident, check, keys)
    assert verdict.failures == ()
    assert not server.front.asked_to_stop.is_set()


def leave_open(front: Front, _port: int) -> ASGIApp:
    """Everybody is taken for the bearer of the token."""
    everybody = Pass("bearer", "everybody", "")

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await front.app({**scope, PASS: everybody}, receive, send)

    return app


async def test_behind_an_open_gate_it_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "TIMEOUT_S", 1.0)  # how long it waits for a close that does not come
    async with open_server(leave_open) as server:
        keys = Keyring(server.port, "bascule=x", "key", server.socket)
        verdicts = [await asyncio.to_thread(inspect, *row, keys) for row in CHECKS]
    assert [verdict.name for verdict in verdicts if not verdict.failures] == [
        "who has the right comes in",
        "a connection that asked for less gets less",  # at the socket, whose gate is there
        "the content policy is strict",  # which looks at the policy itself
        "paths do not climb",  # no route serves files yet
        "frames have a ceiling",
        "bad frames get an error and the connection lives",
        "idle connections lock nobody out",  # which the listener sees to
    ]


async def test_a_door_that_idle_connections_fill_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "TIMEOUT_S", 0.1)
    with socket.create_server(("127.0.0.1", 0), backlog=1_000) as full:
        row = next(row for row in CHECKS if row[0] == "idle connections lock nobody out")
        verdict = await asyncio.to_thread(inspect, *row, Keyring(full.getsockname()[1], bearer="x"))
    assert verdict.failures


async def test_a_program_that_is_refused_is_said(server: LocalServer) -> None:
    with pytest.raises(NotAnswered, match="POST /link answered 401"):
        await asyncio.to_thread(sign_in, Keyring(server.port, bearer="wrong"))
