"""The protocol over a WebSocket (`bascule up`), and over stdio (`bascule runtime`) where a module says so.

What is answered is the same behind both; the modules about the transport itself are tried over each."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio
from tests.e2e.peer import CAN_ASK, Peer, Pipes, Socket, daemon, dialled, peer_of, project, runtime
from tests.e2e.protocol.line import Line

from bascule.host.network.registration import Registration

WEBSOCKET_ONLY = ("websocket",)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A module names its `TRANSPORTS` where it is not the WebSocket alone."""
    if "line" in metafunc.fixturenames:
        transports = getattr(metafunc.module, "TRANSPORTS", WEBSOCKET_ONLY)
        metafunc.parametrize("line", transports, indirect=True, scope="module")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Registration, Path]]:
    """One daemon for all modules, and its project: each has connections and sessions of its own."""
    home = tmp_path_factory.mktemp("home")
    async with daemon(home, "--demo") as registration:
        yield registration, project(home)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def line(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    served: tuple[Registration, Path],
) -> AsyncIterator[Line]:
    async with AsyncExitStack() as stack:

        async def connect(stack: AsyncExitStack) -> Peer:
            wire: Pipes | Socket
            if request.param == "websocket":
                wire = await stack.enter_async_context(dialled(*served))
            else:
                wire = await stack.enter_async_context(runtime(tmp_path_factory.mktemp("home"), "--demo"))
            return await stack.enter_async_context(peer_of(wire))

        peer = await connect(stack)
        await peer.initialize(**CAN_ASK)
        yield Line(peer, connect)


@pytest.fixture
def peer(line: Line) -> Peer:
    return line.peer


@pytest_asyncio.fixture(loop_scope="module")
async def session(peer: Peer) -> str:
    """A session of the test's own."""
    return await peer.new_session()
