"""A connection to somebody else's agent: frames as lines, and a socket that lies, floods or hangs."""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection, unix_serve

from bascule.core.faults import AgentGone
from bascule.host.network import agent_socket
from bascule.host.network.agent_socket import AgentSocket
from bascule.host.processes.tasks import Tasks

Behaviour = Callable[[ServerConnection], Awaitable[None]]


@pytest.fixture
def path() -> Iterator[Path]:
    """Short: the path of a socket has a ceiling."""
    folder = Path(tempfile.mkdtemp(prefix="b", dir="/tmp"))
    yield folder / "s"
    shutil.rmtree(folder)


@asynccontextmanager
async def open_to(path: Path, behave: Behaviour) -> AsyncIterator[AgentSocket]:
    async with unix_serve(behave, str(path)), Tasks() as tasks:
        connection = await AgentSocket.open("Codex", str(path), tasks)
        yield connection
        await connection.end()


async def test_messages_are_frames_there_and_lines_here(path: Path) -> None:
    async def echo(socket: ServerConnection) -> None:
        async for frame in socket:
            assert isinstance(frame, str)
            await socket.send(frame)

    async with open_to(path, echo) as connection:
        connection.send(b'{"a":1}\n')
        connection.send('{"b":"橋"}\n'.encode())
        assert await connection.receive() == b'{"a":1}\n'
        assert await connection.receive() == '{"b":"橋"}\n'.encode()
        assert connection.is_open
    assert await connection.end() == "was left"
    assert await connection.receive() == b""


async def test_the_end_is_the_end_of_what_is_received(path: Path) -> None:
    async def leave(socket: ServerConnection) -> None:
        await socket.close()

    async with open_to(path, leave) as connection:
        assert await connection.receive() == b""
        assert await connection.end() == "closed the connection"
        connection.send(b"{}\n")  # nobody reads it, and nothing breaks


async def test_a_message_over_the_ceiling_ends_it_and_says_so(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent_socket, "MAX_FRAME", 1_000)

    async def flood(socket: ServerConnection) -> None:
        await socket.send("x" * 5_000)
        await socket.wait_closed()

    async with open_to(path, flood) as connection:
        assert await connection.receive() == b""
        assert "over the ceiling" in await connection.end()


async def test_what_is_no_such_socket_is_refused_with_its_reason(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Tasks() as tasks:
        with pytest.raises(AgentGone, match="No such file"):
            await AgentSocket.open("Codex", str(path), tasks)
        path.write_text("")
        with pytest.raises(AgentGone, match="it is not a socket"):
            await AgentSocket.open("Codex", str(path), tasks)
        path.unlink()

        async def stay_silent(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await silent.wait()
            writer.close()

        silent = asyncio.Event()
        monkeypatch.setattr(agent_socket, "OPEN_TIMEOUT_S", 0.05)
        async with await asyncio.start_unix_server(stay_silent, str(path)):
            with pytest.raises(AgentGone, match="does not answer"):
                await AgentSocket.open("Codex", str(path), tasks)
            monkeypatch.setattr("os.getuid", lambda: 4_294_000_000)
            with pytest.raises(AgentGone, match="belongs to another user"):
                await AgentSocket.open("Codex", str(path), tasks)
            silent.set()
