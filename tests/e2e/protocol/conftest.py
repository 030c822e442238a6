"""The protocol over a WebSocket (`bascule up`), and over stdio (`bascule runtime`) where a module says so.

What is answered is the same behind both; the modules about the transport itself are tried over each."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio
from tests.e2e.peer import CAN_ASK, Peer, Pipes, Socket, daemon, dialled, peer_of, project, runtime
from tests.e2e.protocol.line import Line

WEBSOCKET_ONLY = ("websocket",)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A module names its `TRANSPORTS` where it is not the WebSocket alone."""
    if "line" in metafunc.fixturenames:
        transports = getattr(metafunc.module, "TRANSPORTS", WEBSOCKET_ONLY)
        metafunc.parametrize("line", transports, indirect=True, scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def line(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Line]:
    async with AsyncExitStack() as stack:
        if request.param == "websocket":
            home = tmp_path_factory.mktemp("home")
            registration = await stack.enter_async_context(daemon(home, "--demo"))

        async def connect(stack: AsyncExitStack) -> Peer:
            wire: Pipes | Socket
            if request.param == "websocket":
                wire = await stack.enter_async_context(dialled(registration, project(home)))
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
