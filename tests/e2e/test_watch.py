"""Real Codex processes that others started: seen on the board through their shared socket and rollouts."""

import asyncio
import json
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.e2e.stage import CODEX
from websockets.asyncio.client import ClientConnection, unix_connect

from bascule.client.in_process import InProcessWire
from bascule.client.link import Link
from bascule.core.watch.places import SOCKET
from bascule.daemon.app import open_app
from bascule.daemon.surfaces.surfaces import SurfaceClosed
from bascule.demo.home import prepare_home
from bascule.demo.server import DemoModel
from bascule.host.files.data_folder import open_folder
from bascule.host.processes.tasks import Tasks
from bascule.model.consent.origin import Origin
from bascule.model.protocol.board import BoardNotify, BoardParams
from bascule.model.watch import WatchedSession

pytestmark = pytest.mark.real


class SeenBoard:
    """What a surface is sent."""

    def __init__(self) -> None:
        self.lines: list[WatchedSession] = []
        self.news = asyncio.Event()

    def take(self, method: str, params: Any) -> None:
        if method == "board.changed":
            self.lines += msgspec.json.decode(params, type=BoardNotify).sessions
            self.news.set()

    async def until(self, status: str = "", evidence: str = "") -> WatchedSession:
        while True:
            last = self.lines[-1] if self.lines else None
            if last is not None and last.status == (status or last.status) and evidence in last.evidence:
                return last
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), 60)

    def statuses(self) -> list[str]:
        """Without repeats."""
        said = [one.status for one in self.lines]
        return [one for at, one in enumerate(said) if at == 0 or said[at - 1] != one]


@pytest.fixture
def place() -> Iterator[Path]:
    """Short: the path of a socket has a ceiling."""
    path = Path(tempfile.mkdtemp(prefix="bw", dir="/tmp"))
    (path / "project").mkdir()
    yield path
    shutil.rmtree(path)


@pytest.fixture
async def codex_env(place: Path) -> AsyncIterator[dict[str, str]]:
    async with DemoModel() as model:
        made = prepare_home(place / "codex", base_url=model.base_url, token=model.token)
        yield {"PATH": os.environ["PATH"], "HOME": str(place), "CLAUDE_CONFIG_DIR": "", **made}


@asynccontextmanager
async def watching(place: Path, env: dict[str, str]) -> AsyncIterator[SeenBoard]:
    board = SeenBoard()
    async with open_app(open_folder(place / "data"), command="test", env=env) as app, Tasks() as tasks:
        surface = app.surfaces.connect(Origin(door="terminal"), workspace=str(place))
        link = Link(InProcessWire(surface, SurfaceClosed), board.take)
        tasks.start("link", link.run())
        await link.initialize("test")
        await link.call("board.watch", BoardParams())
        yield board


async def test_codex_exec_is_seen_by_its_rollout_and_has_no_dot(
    place: Path, codex_env: dict[str, str]
) -> None:
    async with watching(place, codex_env) as board:
        child = await asyncio.create_subprocess_exec(
            CODEX, "exec", "--skip-git-repo-check", "demo:command", cwd=place / "project", env=codex_env,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        assert await asyncio.wait_for(child.wait(), 60) == 0
        last = await board.until(evidence="task_complete")
    assert board.statuses() == ["unknown"]
    assert (last.source, last.title, last.cwd) == ("rollout", "demo:command", str(place / "project"))
    assert last.activity_at_ms > 0


@asynccontextmanager
async def connected(path: Path) -> AsyncIterator[ClientConnection]:
    async with unix_connect(str(path), uri="ws://localhost/", compression=None) as socket:
        yield socket


class DaemonTerminal:
    """A program that drives the shared daemon, as a person's terminal does."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._count = 0

    async def call(self, method: str, params: dict[str, Any]) -> Any:
        self._count += 1
        await self._socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            message = json.loads(await self._socket.recv())
            if message.get("id") == self._count and "method" not in message:
                return message["result"]

    async def begin(self, cwd: Path) -> str:
        client = {"name": "terminal", "title": "Terminal", "version": "1"}
        await self.call("initialize", {"clientInfo": client})
        await self._socket.send('{"method":"initialized"}')
        given = {"cwd": str(cwd), "approvalPolicy": "on-request", "sandbox": "read-only"}
        return str((await self.call("thread/start", given))["thread"]["id"])

    async def next_ask(self) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(await self._socket.recv())
            if "id" in message and "requestApproval" in message.get("method", ""):
                return message

    async def accept(self, asked: dict[str, Any]) -> None:
        await self._socket.send(json.dumps({"id": asked["id"], "result": {"decision": "accept"}}))


@asynccontextmanager
async def shared_daemon(env: dict[str, str]) -> AsyncIterator[Path]:
    """Codex's own, on the socket that its terminals share; ended by its pid."""
    socket = Path(env["CODEX_HOME"]) / SOCKET
    child = await asyncio.create_subprocess_exec(
        CODEX, "app-server", "--listen", "unix://", env=env,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        async with asyncio.timeout(30):
            while not socket.exists():
                await asyncio.sleep(0.02)
        yield socket
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()


async def test_a_shared_codex_is_seen_exactly_and_never_touched(
    place: Path, codex_env: dict[str, str]
) -> None:
    async with watching(place, codex_env) as board:
        async with shared_daemon(codex_env) as path, connected(path) as socket:
            terminal = DaemonTerminal(socket)
            thread = await terminal.begin(place / "project")
            given = {"threadId": thread, "input": [{"type": "text", "text": "demo:approval"}]}
            await terminal.call("turn/start", given)
            asked = await asyncio.wait_for(terminal.next_ask(), 60)
            waiting = await board.until("waiting_user")
            assert (waiting.source, waiting.doing, waiting.their_id) == ("socket", "an approval", thread)
            await terminal.accept(asked)  # still the terminal's to answer
            done = await board.until("completed")
            assert (done.source, done.cwd) == ("socket", str(place / "project"))
        lost = await board.until("unknown")
        assert lost.evidence == "connection lost"
    order = [status for status in board.statuses() if status != "unknown"]
    assert order[-3:] == ["waiting_user", "working", "completed"]
    assert {one.their_id for one in board.lines} == {thread}
