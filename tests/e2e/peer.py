"""A client of the protocol as anybody could write one: says frames, hears frames, over any transport."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

import msgspec
from tests.e2e.live_app import SUITE, SUITE_ID
from tests.patience import PATIENCE_S
from websockets.asyncio.client import ClientConnection, unix_connect
from websockets.exceptions import ConnectionClosed

from bascule.host.files.data_folder import Folder
from bascule.host.network.registration import WORKSPACE_HEADER, Registration, find_daemon
from bascule.host.processes.tasks import Tasks

MAX_LINE = 64 * 1024 * 1024
ENDED = ("completed", "error", "cancelled")
CAN_ASK = {"supports_confirm": True, "supports_prompt": True, "supports_pick": True}
CLIENT = {"name": "test-client", "version": "1.2.3"}

Message = dict[str, Any]


class Refusal(Exception):
    """An error reply."""

    def __init__(self, error: Message) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.data: Any = error.get("data")


class Wire(Protocol):
    async def send(self, frame: bytes) -> None: ...

    async def receive(self) -> bytes:
        """EOFError when the other side has closed."""

    async def close(self) -> None: ...


class Peer:
    """Hears everything in order; nothing of it is thrown away."""

    def __init__(self, wire: Wire, tasks: Tasks) -> None:
        self.wire = wire
        self.heard: list[Message] = []
        self.welcome: Message = {}
        self.is_open = True
        self._news = asyncio.Event()
        self._next_id = 0
        self._answered: set[str] = set()
        self._hearing = tasks.start("peer", self._hear())

    async def _hear(self) -> None:
        try:
            while True:
                frame = await self.wire.receive()
                message = msgspec.json.decode(frame)
                assert message["jsonrpc"] == "2.0", frame
                self.heard.append(message)
                self._news.set()
        except EOFError:
            pass
        finally:
            self.is_open = False
            self._news.set()

    # -- saying --

    async def say(self, message: Message | bytes) -> None:
        frame = message if isinstance(message, bytes) else msgspec.json.encode({"jsonrpc": "2.0", **message})
        await self.wire.send(frame)

    async def call(self, method: str, params: Message | None = None, *, id_: str | int | None = None) -> Any:
        """The result; Refusal where it is an error."""
        call_id = id_ if id_ is not None else await self.begin(method, params)
        if id_ is not None:
            await self.say({"id": id_, "method": method, "params": params or {}})
        return await self.result(call_id)

    async def begin(self, method: str, params: Message | None = None) -> str:
        """Ask without waiting for the answer; its id."""
        self._next_id += 1
        call_id = f"c{self._next_id}"
        await self.say({"id": call_id, "method": method, "params": params or {}})
        return call_id

    async def result(self, call_id: str | int) -> Any:
        reply = await self.until(lambda message: "method" not in message and message["id"] == call_id)
        if "error" in reply:
            raise Refusal(reply["error"])
        return reply["result"]

    async def refused(self, method: str, params: Message | None = None) -> Refusal:
        """The error that must come."""
        try:
            result = await self.call(method, params)
        except Refusal as refusal:
            return refusal
        raise AssertionError(f"{method} was not refused: {result}")

    async def confirmed(self, method: str, params: Message | None = None, *, choice: str = "") -> Any:
        """The result of a call that opens an Ask, which this surface answers (its first yes by default)."""
        before = {one["ask"]["id"] for one in (await self.call("ask.list"))["asks"]}
        call_id = await self.begin(method, params)
        new: list[Message] = []
        while not new:
            if any("method" not in message and message["id"] == call_id for message in self.heard):
                return await self.result(call_id)
            listed = (await self.call("ask.list"))["asks"]
            new = [one for one in listed if one["ask"]["id"] not in before]
        ask = new[0]["ask"]
        chosen = choice or next(one["id"] for one in ask["choices"] if one["grants"])
        where = {"session_id": new[0]["session_id"], "ask_id": ask["id"]}
        await self.call("ask.answer", {**where, "choice": chosen})
        return await self.result(call_id)

    async def tell(self, method: str, params: Message | None = None) -> None:
        await self.say({"method": method, "params": params or {}})

    async def initialize(self, **capabilities: bool) -> "Peer":
        params = {"protocol_version": "0", "client": CLIENT, "ui_capabilities": capabilities}
        self.welcome = await self.call("initialize", params)
        return self

    # -- hearing --

    async def until(self, holds: Callable[[Message], object], since: int = 0) -> Message:
        """The first message that this holds of."""
        at = since
        try:
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    self._news.clear()
                    for message in self.heard[at:]:
                        if holds(message):
                            return message
                    at = len(self.heard)
                    assert self.is_open, f"the connection ended; heard: {self.heard[-5:]}"
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"that never came; heard: {self.heard[-5:]}") from None

    async def ended(self) -> None:
        """The other side has closed."""
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.wait({self._hearing})

    async def in_step(self) -> int:
        """All that was said before has been answered; how much was heard by then."""
        await self.call("session.list", {"limit": 1})
        return len(self.heard)

    async def asked(self, method: str, run: str = "") -> Message:
        """The next question that has not been answered yet; of this run, where one is named."""
        return await self.until(
            lambda message: (
                message.get("method") == method
                and message.get("id", "") not in {"", *self._answered}
                and run in ("", message["params"].get("run_id"))
            )
        )

    async def reply(self, question: Message, result: Message) -> None:
        self._answered.add(question["id"])
        await self.say({"id": question["id"], "result": result})

    # -- runs --

    async def start(self, text: str, **params: Any) -> str:
        """The run's id."""
        result = await self.call("run.start", {"input": {"type": "text", "text": text}, **params})
        return str(result["run_id"])

    async def finish(self, run: str) -> list[Message]:
        """Everything that was sent of the run, when it has ended."""
        await self.until(lambda message: _state_of(message, run) in ENDED)
        return self.of_run(run)

    async def play(self, text: str, **params: Any) -> list[Message]:
        return await self.finish(await self.start(text, **params))

    def of_run(self, run: str, since: int = 0) -> list[Message]:
        return [
            message
            for message in self.heard[since:]
            if "id" not in message and message["params"].get("run_id") == run
        ]

    async def status(self, run: str, status: str) -> Message:
        return await self.until(lambda message: _state_of(message, run) == status)

    async def new_session(self) -> str:
        return str((await self.call("session.create"))["session_id"])


def _state_of(message: Message, run: str) -> str:
    if message.get("method") != "run.status" or message["params"]["run_id"] != run:
        return ""
    return str(message["params"]["status"])


def states(messages: list[Message]) -> list[str]:
    return [m["params"]["status"] for m in messages if m["method"] == "run.status"]


def events(messages: list[Message]) -> list[Message]:
    return [m["params"]["event"] for m in messages if m["method"] == "agent.event"]


def seqs(messages: list[Message]) -> list[int]:
    return [m["params"]["seq"] for m in messages if m["method"] == "agent.event"]


def texts(messages: list[Message], kind: str = "text") -> list[str]:
    return [event["content"] for event in events(messages) if event["type"] == kind]


# -- the transports --


class Pipes:
    """`bascule runtime` in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self._stdin, self._stdout = process.stdin, process.stdout

    async def send(self, frame: bytes) -> None:
        self._stdin.write(frame + b"\n")
        await self._stdin.drain()

    async def receive(self) -> bytes:
        line = await self._stdout.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        return line

    async def close(self) -> None:
        """As a client leaves: stdin ends, and the process with it."""
        self._stdin.close()
        async with asyncio.timeout(PATIENCE_S):
            await self.process.wait()

    async def kill(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()


class Socket:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def send(self, frame: bytes) -> None:
        with contextlib.suppress(ConnectionClosed):  # heard of by receive()
            await self.socket.send(_as_text(frame))

    async def receive(self) -> bytes:
        try:
            frame = await self.socket.recv()
        except ConnectionClosed:
            raise EOFError from None
        assert isinstance(frame, str)
        return frame.encode()

    async def close(self) -> None:
        await self.socket.close()


def _as_text(frame: bytes) -> str | bytes:
    try:
        return frame.decode()
    except UnicodeDecodeError:
        return frame


def environ(home: Path, **more: str) -> dict[str, str]:
    """A home without a shell profile, and a data folder below it."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {**kept, "HOME": str(home), "BASCULE_HOME": str(home / "data"), SUITE: SUITE_ID, **more}


def argv(*words: str) -> list[str]:
    return [sys.executable, "-m", "bascule", *words]


@asynccontextmanager
async def runtime(home: Path, *words: str) -> AsyncIterator[Pipes]:
    """`bascule runtime` with these words."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *argv("runtime", *words), stdin=pipe, stdout=pipe, env=environ(home), cwd=home, limit=MAX_LINE
    )
    pipes = Pipes(process)
    try:
        yield pipes
        if process.returncode is None:
            await pipes.close()
    finally:
        await pipes.kill()


@asynccontextmanager
async def dialled(daemon: Registration, workspace: Path) -> AsyncIterator[Socket]:
    async with unix_connect(
        daemon.socket,
        "ws://localhost/ws",
        additional_headers={WORKSPACE_HEADER: quote(str(workspace))},
        max_size=MAX_LINE,
    ) as socket:
        yield Socket(socket)


@asynccontextmanager
async def daemon(home: Path, *words: str) -> AsyncIterator[Registration]:
    """`bascule up` in the foreground, until left."""
    process = await asyncio.create_subprocess_exec(
        *argv("up", "--no-open", "--foreground", *words),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        env=environ(home),
        cwd=home,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE_S):
            await process.stdout.readline()  # it says where it is
        found = find_daemon(data_folder(home, demo="--demo" in words))
        assert found is not None
        yield found
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        async with asyncio.timeout(PATIENCE_S):
            await process.wait()


def project(home: Path) -> Path:
    """The demo's."""
    return data_folder(home).root / "project"


def data_folder(home: Path, *, demo: bool = True) -> Folder:
    folder = Folder(home / "data")
    return Folder(folder.demo) if demo else folder


@asynccontextmanager
async def peer_of(wire: Wire) -> AsyncIterator[Peer]:
    async with Tasks() as tasks:
        yield Peer(wire, tasks)
