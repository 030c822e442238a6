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
from tests.e2e.live_app import CODEX, LiveApp, accept
from tests.patience import PATIENCE_S, until
from websockets.asyncio.client import ClientConnection, unix_connect

from bascule.client.in_process import InProcessWire
from bascule.client.link import Link, LinkRefused
from bascule.core.watch.places import SOCKET
from bascule.daemon.app import open_app
from bascule.daemon.surfaces.surfaces import SurfaceClosed
from bascule.demo.home import prepare_home
from bascule.demo.server import DemoModel
from bascule.host.files.data_folder import open_folder
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.asks import CommandSubject
from bascule.model.blocks import UserBlock
from bascule.model.consent.origin import Origin
from bascule.model.protocol.board import BoardNotify, BoardParams, BoardRef
from bascule.model.protocol.sessions import ForkParams, SessionRef
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
            await asyncio.wait_for(self.news.wait(), PATIENCE_S)

    async def until_key(self, key: str, status: str) -> WatchedSession:
        while True:
            last = next((one for one in reversed(self.lines) if one.key == key), None)
            if last is not None and last.status == status:
                return last
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), PATIENCE_S)

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
async def opened(place: Path, env: dict[str, str]) -> AsyncIterator[tuple[LiveApp, SeenBoard, Link]]:
    board = SeenBoard()
    async with open_app(open_folder(place / "data"), command="test", env=env) as app, Tasks() as tasks:
        surface = app.surfaces.connect(Origin(door="terminal"), workspace=str(place))
        link = Link(InProcessWire(surface, SurfaceClosed), board.take)
        tasks.start("link", link.run())
        await link.initialize("test")
        await link.call("board.watch", BoardParams())
        yield LiveApp(app, place / "project"), board, link


@asynccontextmanager
async def watching(place: Path, env: dict[str, str]) -> AsyncIterator[SeenBoard]:
    async with opened(place, env) as (_live, board, _link):
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
        assert await asyncio.wait_for(child.wait(), PATIENCE_S) == 0
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
        self._heard: list[dict[str, Any]] = []

    async def call(self, method: str, params: dict[str, Any]) -> Any:
        self._count += 1
        await self._socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            message = json.loads(await self._socket.recv())
            if message.get("id") == self._count and "method" not in message:
                return message["result"]
            self._heard.append(message)

    async def greet(self) -> None:
        client = {"name": "terminal", "title": "Terminal", "version": "1"}
        capabilities = {"experimentalApi": True}
        await self.call("initialize", {"clientInfo": client, "capabilities": capabilities})
        await self._socket.send('{"method":"initialized"}')

    async def begin(self, cwd: Path) -> str:
        await self.greet()
        given = {"cwd": str(cwd), "approvalPolicy": "on-request", "sandbox": "read-only"}
        return str((await self.call("thread/start", given))["thread"]["id"])

    async def say(self, thread: str, text: str) -> None:
        await self.call("turn/start", {"threadId": thread, "input": [{"type": "text", "text": text}]})

    async def hear(self, method: str) -> dict[str, Any]:
        """What has come, or comes next, of that kind."""
        while True:
            known = next((one for one in self._heard if one.get("method") == method), None)
            if known is not None:
                self._heard.remove(known)
                return known
            self._heard.append(json.loads(await asyncio.wait_for(self._socket.recv(), PATIENCE_S)))

    def forget(self) -> None:
        """What came so far is no longer waited for."""
        self._heard.clear()

    async def next_ask(self) -> dict[str, Any]:
        return await self.hear("item/commandExecution/requestApproval")

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
        await until(socket.exists, "the socket")
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
            asked = await asyncio.wait_for(terminal.next_ask(), PATIENCE_S)
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


def read_acts(place: Path) -> list[tuple[str, str]]:
    """Kind and outcome of each line of the record."""
    return [(one.entry.kind, one.entry.outcome) for one in Audit(audit_in(place / "data")).last(100)]


async def test_a_shared_codex_is_joined_answered_prompted_stopped_and_left(
    place: Path, codex_env: dict[str, str]
) -> None:
    async with (
        shared_daemon(codex_env) as path,
        connected(path) as socket,
        opened(place, codex_env) as (live, board, link),
    ):
        terminal = DaemonTerminal(socket)
        thread = await terminal.begin(place / "project")
        await terminal.say(thread, "demo:approval")
        asked = await terminal.next_ask()
        waiting = await board.until("waiting_user")
        copied = (await link.call("board.fork", BoardRef(key=waiting.key))).session_id
        assert live.see(copied).elsewhere is None
        session = (await link.call("board.join", BoardRef(key=waiting.key))).session_id
        assert (await link.call("board.join", BoardRef(key=waiting.key))).session_id == session

        # The question that was open already is asked here too; the yes counts there.
        ask = await live.until_ask(session)
        assert isinstance(ask.subject, CommandSubject)
        assert await live.answer(session, accept(ask)) is None
        resolved = await terminal.hear("serverRequest/resolved")
        assert resolved["params"]["requestId"] == asked["id"]
        await terminal.hear("turn/completed")
        head = await live.until(session, lambda one: one.runs and one.runs[-1].outcome == "completed")
        assert head.elsewhere is not None
        assert (head.elsewhere.joined, head.capabilities.models, head.status) == (True, False, "completed")
        assert [block.text for block in head.blocks if isinstance(block, UserBlock)] == ["demo:approval"]

        # A prompt of ours is seen there, and a run is stopped from here.
        live.say(session, "demo:slow")
        await terminal.hear("turn/started")  # of the first prompt
        begun = await terminal.hear("turn/started")
        await live.until(session, lambda one: one.runs[-1].id == begun["params"]["turn"]["id"])
        live.app.prompts.interrupt(session)
        ended = await terminal.hear("turn/completed")
        assert ended["params"]["turn"]["status"] == "interrupted"
        await live.until_idle(session)

        # A prompt of theirs is seen here; what they answer is no longer asked here.
        await terminal.say(thread, "demo:approval")
        asked = await terminal.next_ask()
        await live.until_ask(session)
        await terminal.accept(asked)
        await live.until(session, lambda one: not one.asks)
        await terminal.hear("turn/completed")
        assert (await live.until_idle(session)).status == "completed"

        with pytest.raises(LinkRefused, match="can't be cleared"):
            await link.call("session.clear", SessionRef(session_id=session))
        forked = (await link.call("board.fork", BoardRef(key=waiting.key))).session_id
        assert live.see(forked).elsewhere is None
        assert len(live.see(forked).runs) == 3

        # Left: nothing is kept here, and it goes on there.
        await link.call("board.leave", SessionRef(session_id=session))
        assert live.app.hub.find(session) is None
        await terminal.say(thread, "demo:text")
        await terminal.hear("turn/completed")
        line = await board.until_key(waiting.key, "completed")
        assert (line.source, line.session_id, line.their_id) == ("socket", "", thread)
        assert live.app.hub.find(session) is None
    acts = read_acts(place)
    assert acts.count(("join", "done")) == 4  # forked, joined, forked, left
    assert acts.count(("ask", "done")) == 1


async def test_a_thread_that_another_process_has_open_says_which_and_can_be_joined_or_forked(
    place: Path, codex_env: dict[str, str]
) -> None:
    async with opened(place, codex_env) as (live, board, link):
        session = await live.begin()
        live.say(session, "demo:text")
        thread = (await live.until_idle(session)).thread
        assert thread is not None
        await live.app.pool.end_in(str(live.project))  # as after a while
        async with shared_daemon(codex_env) as path, connected(path) as socket:
            terminal = DaemonTerminal(socket)
            await terminal.greet()
            await terminal.call("thread/resume", {"threadId": thread, "excludeTurns": True})
            await board.until_key(f"codex:{thread}", "completed")
            with pytest.raises(LinkRefused, match=r"codex app-server \(pid \d+\) has this session open"):
                await link.call("session.open", SessionRef(session_id=session))
            there = live.see(session).elsewhere
            assert there is not None
            assert (there.joined, there.home) == (False, codex_env["CODEX_HOME"])
            forked = (await link.call("session.fork", ForkParams(session_id=session))).session_id
            assert len(live.see(forked).runs) == 1
            live.say(session, "demo:text and it waits")
            waiting = await live.until(session, lambda one: one.queue and one.queue_held)
            joined = await link.call("board.join", BoardRef(key=there.key))
            assert joined.session_id == session
            assert live.see(session).queue == waiting.queue, "it waits for a person here"
            live.app.prompts.remove_queued(session, waiting.queue[0].key)
            live.say(session, "demo:text")
            await terminal.hear("turn/completed")
            await live.until_idle(session)
            await link.call("board.leave", SessionRef(session_id=session))
            assert live.see(session).elsewhere is None
        # The terminal has closed it: it is opened here as ever.
        await link.call("session.open", SessionRef(session_id=session))
        assert len(live.see(session).runs) == 2
