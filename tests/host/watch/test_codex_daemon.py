"""The client of Codex's shared daemon: it listens, says four things only, and survives what lies or hangs."""

import asyncio
import json
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, unix_serve

from bascule.host.processes.tasks import Tasks
from bascule.host.watch.codex_daemon import SAYS, CodexDaemon
from bascule.host.watch.faults import WatchFaults
from bascule.model.watch import Signal

Behaviour = Callable[[ServerConnection], Awaitable[None]]


@pytest.fixture
def home() -> Iterator[Path]:
    """Short: the path of a socket has a ceiling."""
    path = Path(tempfile.mkdtemp(prefix="b", dir="/tmp"))
    (path / "app-server-control").mkdir()
    yield path
    shutil.rmtree(path)


class Listening:
    def __init__(self) -> None:
        self.heard: list[Signal] = []
        self.news = asyncio.Event()
        self.faults = WatchFaults()
        self.agents: list[int] = []  # processes that listen

    def deliver(self, signals: list[Signal]) -> None:
        self.heard += signals
        self.news.set()

    async def until(self, is_so: Callable[[list[Signal]], bool]) -> None:
        while not is_so(self.heard):
            self.news.clear()
            await self.news.wait()

    def client(self, home: Path) -> CodexDaemon:
        return CodexDaemon(
            str(home),
            self.deliver,
            self.faults,
            lambda: 5,
            note_agent=self.agents.append,
            first_wait_s=0.01,
            answer_timeout_s=0.2,
        )


class FakeDaemon:
    """Says of two threads what a real one says; keeps all that it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.open: list[ServerConnection] = []

    async def __call__(self, socket: ServerConnection) -> None:
        self.open.append(socket)
        async for frame in socket:
            message = json.loads(frame)
            self.asked.append(message["method"])
            if "id" in message:
                await socket.send(json.dumps({"id": message["id"], "result": self.answer(message)}))

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        match message["method"]:
            case "thread/loaded/list":
                return {"data": ["t1"], "nextCursor": None}
            case "thread/read":
                thread = message["params"]["threadId"]
                hidden = {"ephemeral": True, "threadSource": "thread_title"} if thread == "title" else {}
                status = {"type": "active", "activeFlags": []} if thread == "t1" else {"type": "idle"}
                return {"thread": {"id": thread, "cwd": "/p", "preview": "do it", "status": status, **hidden}}
            case _:
                return {"userAgent": "fake"}

    async def tell(self, method: str, **params: Any) -> None:
        for socket in self.open:
            await socket.send(json.dumps({"method": method, "params": params}))


@asynccontextmanager
async def serving(home: Path, behaviour: Behaviour) -> AsyncIterator[None]:
    path = home / "app-server-control" / "app-server-control.sock"
    path.unlink(missing_ok=True)
    async with unix_serve(behaviour, str(path)):
        yield


async def test_it_lists_what_is_loaded_and_hears_every_change(home: Path) -> None:
    fake, listening = FakeDaemon(), Listening()
    async with serving(home, fake), Tasks() as tasks:
        client = listening.client(home)
        tasks.start("listen", client.run())
        await client.connected.wait()
        assert [(one.session, one.status, one.cwd) for one in listening.heard] == [("t1", "working", "/p")]
        assert listening.agents == [os.getpid()]
        waiting = {"type": "active", "activeFlags": ["waitingOnApproval"]}
        await fake.tell("thread/status/changed", threadId="t1", status=waiting)
        await fake.tell("thread/status/changed", threadId="new", status={"type": "active"})
        await listening.until(lambda heard: any(one.session == "new" and one.cwd == "/p" for one in heard))
        assert ("t1", "waiting_user") in [(one.session, one.status) for one in listening.heard]
    assert set(fake.asked) <= SAYS
    assert not [method for method in SAYS if "resume" in method or "turn" in method]


async def test_a_request_of_the_daemon_is_not_answered(home: Path) -> None:
    fake, listening = FakeDaemon(), Listening()
    async with serving(home, fake), Tasks() as tasks:
        client = listening.client(home)
        tasks.start("listen", client.run())
        await client.connected.wait()
        asked = json.dumps({"id": 1, "method": "item/commandExecution/requestApproval", "params": {}})
        await fake.open[0].send(asked)
        await fake.tell("thread/status/changed", threadId="t1", status={"type": "idle"})
        await listening.until(lambda heard: heard[-1].status == "completed")
    assert set(fake.asked) <= SAYS


async def test_a_lost_daemon_takes_its_words_back_and_is_found_again(home: Path) -> None:
    listening = Listening()
    async with Tasks() as tasks:
        client = listening.client(home)
        tasks.start("listen", client.run())
        async with serving(home, FakeDaemon()):
            await client.connected.wait()
        await listening.until(lambda heard: heard[-1].evidence == "connection lost")
        async with serving(home, FakeDaemon()):
            await listening.until(lambda heard: heard[-1].status == "working")


async def test_after_daemons_that_were_killed_the_next_one_is_heard_at_once(home: Path) -> None:
    """One socket that fails is tried ever more rarely; another in its place is not."""
    listening, tried, many = Listening(), 0, asyncio.Event()

    async def break_off(socket: ServerConnection) -> None:
        nonlocal tried
        tried += 1
        if tried == 8:
            many.set()  # the next try is two and a half seconds away
        socket.transport.abort()

    async with Tasks() as tasks:
        client = listening.client(home)
        tasks.start("listen", client.run())
        async with serving(home, break_off):
            await many.wait()
        async with serving(home, FakeDaemon()), asyncio.timeout(2):
            await client.connected.wait()


async def test_a_busy_daemon_may_say_much_before_it_answers(home: Path) -> None:
    class Busy(FakeDaemon):
        async def __call__(self, socket: ServerConnection) -> None:
            for _ in range(300):
                await socket.send('{"method": "x", "params": {}}')
            await super().__call__(socket)

    listening = Listening()
    async with serving(home, Busy()), Tasks() as tasks:
        client = listening.client(home)
        tasks.start("listen", client.run())
        await client.connected.wait()
    assert listening.faults.said == ()


async def hang(socket: ServerConnection) -> None:
    await socket.wait_closed()


async def babble(socket: ServerConnection) -> None:
    while True:
        await socket.send('{"method": "x", "params": {}}')


async def lie(socket: ServerConnection) -> None:
    await socket.send("no JSON at all")
    await socket.wait_closed()


async def flood(socket: ServerConnection) -> None:
    await socket.send("x" * 5_000_000)
    await socket.wait_closed()


@pytest.mark.parametrize("behaviour", [hang, babble, lie, flood])
async def test_a_socket_that_hangs_or_lies_is_left_and_said_once(home: Path, behaviour: Behaviour) -> None:
    listening = Listening()
    connected = 0
    twice = asyncio.Event()

    async def counting(socket: ServerConnection) -> None:
        nonlocal connected
        connected += 1
        if connected >= 2:
            twice.set()
        await behaviour(socket)

    async with serving(home, counting), Tasks() as tasks:
        client = listening.client(home)
        tasks.start("listen", client.run())
        await twice.wait()
        assert not client.connected.is_set()
    assert listening.heard == []
    assert len(listening.faults.said) == 1


async def test_a_file_in_the_place_of_the_socket_is_survived(home: Path) -> None:
    listening = Listening()
    path = home / "app-server-control" / "app-server-control.sock"
    path.write_text("")
    async with Tasks() as tasks:
        client = listening.client(home)
        tasks.start("listen", client.run())
        while not listening.faults.said:
            await asyncio.sleep(0)
        async with serving(home, FakeDaemon()):
            await client.connected.wait()
