"""Clients that say anything, stop anywhere, read nothing: the next one is answered, and nothing is kept."""

import asyncio
import base64
import json
import logging
import os
import random
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest
from tests.e2e.live_app import Setup
from tests.e2e.peer import CAN_ASK, CLIENT, Peer, Socket, dialled, peer_of, runtime
from tests.patience import PATIENCE_S

from bascule.core.wire import rpc
from bascule.daemon.app import open_app
from bascule.daemon.parts import App
from bascule.daemon.surfaces.surfaces import MAX_OPEN_REQUESTS, MAX_UNREAD
from bascule.host.files.data_folder import open_folder
from bascule.host.network.registration import Registration
from bascule.model.blocks import AssistantBlock
from bascule.model.changes import BlockPut, RunPut
from bascule.model.ids import BlockId, RunId, SessionId
from bascule.model.protocol.table import METHODS
from bascule.model.session import Run, Session
from bascule.serve.serving import serving

NO_CODEX = '[codex]\ncommand = "no-such-codex-anywhere"\n'
ONE = SessionId("s_one")
MiB = 1024 * 1024

# A yes to a command is a person's: nothing here may say it by chance.
SAID = sorted(
    name for name, row in METHODS.items() if row.way == "surface to daemon" and name != "shell.exec"
)
HEARD = sorted(name for name, row in METHODS.items() if row.way == "daemon to surface")


class RandomFrames:
    """Frames of every kind of wrong, and some that are right; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def frames(self, count: int) -> list[bytes]:
        return [self._random.choice(self.KINDS)(self) for _ in range(count)]

    def _bytes(self) -> bytes:
        return self._random.randbytes(self._random.randrange(1, 200)).replace(b"\n", b" ")

    def _text(self) -> bytes:
        alphabet = '{}[]":,\\/ntruefalse0123456789.-eE \t\u2028ü橋🌉\x00'
        return "".join(self._random.choices(alphabet, k=self._random.randrange(1, 120))).encode()

    def _value(self, depth: int = 0) -> Any:
        plain = [None, True, -1, 0, 2**63, 1.5, "", "x" * 50, ONE, "ü\x00\u202e", "../../etc"]
        if depth > 3 or self._random.random() < 0.6:
            return self._random.choice(plain)
        values = [self._value(depth + 1) for _ in range(self._random.randrange(4))]
        return values if self._random.random() < 0.5 else dict(zip("abcd", values, strict=False))

    def _json(self) -> bytes:
        return json.dumps(self._value()).encode()

    def _message(self) -> bytes:
        keys = ["jsonrpc", "id", "method", "params", "result", "error"]
        return json.dumps({key: self._value() for key in self._random.sample(keys, 3)}).encode()

    def _request(self) -> bytes:
        """A method that there is, with the fields that it has, and anything in them."""
        method = self._random.choice([*SAID, *HEARD, "no.such"])
        fields = getattr(METHODS.get(method), "params", Session).__struct_fields__
        params = {name: self._value() for name in fields if self._random.random() < 0.7}
        if "session_id" in params and self._random.random() < 0.7:
            params["session_id"] = ONE
        if "workspace" in params:
            params["workspace"] = "nowhere"
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if self._random.random() < 0.8:
            message["id"] = self._random.choice([1, "1", "", 2**70, -5])
        return json.dumps(message).encode()

    def _cut(self) -> bytes:
        whole = self._request()
        return whole[: self._random.randrange(1, len(whole))]

    def _deep(self) -> bytes:
        depth = self._random.choice([500, 5_000, 200_000])
        opening, closing = self._random.choice([(b"[", b"]"), (b'{"a":', b"}")])
        deep = opening * depth + b"1" + closing * depth
        return b'{"jsonrpc":"2.0","id":"deep","method":"run.start","params":' + deep + b"}"

    def _large(self) -> bytes:
        size = self._random.choice([100_000, 2_000_000])
        return b'{"jsonrpc":"2.0","id":"large","method":"session.rename","params":{"title":"%s"}}' % (
            b"x" * size
        )

    def _reply(self) -> bytes:
        answer = {"id": self._random.choice(["ui_0", 7, "x"]), "result": self._value()}
        return json.dumps(answer).encode()

    KINDS = (
        *(_bytes, _text, _json, _message, _cut, _deep, _large, _reply),
        *(_request,) * 12,
    )


class FuzzedApp:
    """A daemon in this process without an agent, and a client that must always be answered."""

    def __init__(self, app: App, daemon: Registration, root: Path) -> None:
        self.app = app
        self.daemon = daemon
        self.root = root

    @asynccontextmanager
    async def peer(self) -> AsyncIterator[Peer]:
        async with dialled(self.daemon, self.root) as wire, peer_of(wire) as peer:
            yield peer

    async def is_well(self) -> None:
        """A healthy client is answered, and of the others nothing is left."""
        async with self.peer() as peer:
            await peer.initialize(supports_session_sync=True)
            assert (await peer.call("session.list"))["sessions"]
            await peer.call("session.watch", {"session_id": ONE})
            await peer.until(lambda m: m.get("method") == "session.snapshot")
        await self.nobody_is_left()

    async def nobody_is_left(self) -> None:
        nobody: Any = None
        async with asyncio.timeout(PATIENCE_S):
            await self.app.surfaces.wait_until_alone(nobody)
            while names := [t.get_name() for t in asyncio.all_tasks() if "websocket_" in t.get_name()]:
                await asyncio.sleep(0.01)
        assert names == []
        assert self.app.surfaces.all() == []


@pytest.fixture
async def fuzzed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[FuzzedApp]:
    folder = open_folder(tmp_path / "data")
    folder.settings.write_text(NO_CODEX, encoding="utf-8")
    async with open_app(folder, command="tests", env={}) as app, serving(app, folder) as doors:
        app.hub.add(Session(id=ONE, workspace=str(tmp_path)))
        block = AssistantBlock(id=BlockId("a"), run=RunId("r"), text="It rises.", status="completed")
        app.hub.apply(ONE, [RunPut(Run(id=RunId("r"), outcome="completed")), BlockPut(block)])
        yield FuzzedApp(app, doors.registration, tmp_path)
    ours = [record for record in caplog.get_records("call") if record.name.startswith("bascule")]
    crashes = [record.getMessage() for record in ours if record.levelno >= logging.ERROR]
    assert crashes == []


async def greet(peer: Peer) -> None:
    """Unless it has been done: then a second time is refused, and the connection lives."""
    params = {"protocol_version": "0", "client": CLIENT, "ui_capabilities": {}}
    call = await peer.begin("initialize", params)
    reply = await peer.until(lambda message: "method" not in message and message["id"] == call)
    assert reply.get("error", {}).get("code") in (None, rpc.INVALID_REQUEST)


# -- anything at all --


@pytest.mark.parametrize("seed", range(6))
async def test_random_frames_over_a_websocket(fuzzed: FuzzedApp, seed: int) -> None:
    async with fuzzed.peer() as peer:
        if seed % 2:
            await peer.initialize(supports_session_sync=bool(seed % 4 == 1), **CAN_ASK)
        for frame in RandomFrames(seed).frames(250):
            await peer.say(frame)
        await greet(peer)
        assert await peer.call("session.list")
        codes = {message["error"]["code"] for message in peer.heard if "error" in message}
        assert rpc.INTERNAL_ERROR not in codes
        assert {rpc.PARSE_ERROR, rpc.INVALID_REQUEST, rpc.METHOD_NOT_FOUND} <= codes
    await fuzzed.is_well()


async def test_random_frames_over_stdio(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o700)
    open_folder(tmp_path / "data").settings.write_text(NO_CODEX, encoding="utf-8")
    async with runtime(tmp_path) as wire, peer_of(wire) as peer:
        await peer.initialize(**CAN_ASK)
        for frame in RandomFrames(100).frames(600):
            await wire.send(frame)
        await wire.send(b"x" * (rpc.MAX_FRAME + 1))
        await greet(peer)
        assert "sessions" in await peer.call("session.list")
        codes = {message["error"]["code"] for message in peer.heard if "error" in message}
        assert rpc.INTERNAL_ERROR not in codes
        assert {rpc.PARSE_ERROR, rpc.INVALID_REQUEST, rpc.METHOD_NOT_FOUND} <= codes


# -- half of it --


async def raw_socket(fuzzed: FuzzedApp) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A WebSocket by hand, to stop in the middle of a frame."""
    reader, writer = await asyncio.open_unix_connection(fuzzed.daemon.socket)
    key = base64.b64encode(os.urandom(16)).decode()
    head = (
        f"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    writer.write(head.encode())
    assert b"101" in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


def text_frame(payload: bytes) -> bytes:
    """Masked with zeros, so that it can be read in a hex dump."""
    size = len(payload)
    short = struct.pack("!BB", 0x81, 0x80 | size) if size < 126 else struct.pack("!BBH", 0x81, 0xFE, size)
    return short + bytes(4) + payload


async def test_a_client_that_stops_in_the_middle_of_a_frame(fuzzed: FuzzedApp) -> None:
    can = {"supports_session_sync": True}
    hello = {"protocol_version": "0", "client": {"name": "half"}, "ui_capabilities": can}
    whole = text_frame(rpc.request("1", "initialize", hello)) + text_frame(
        rpc.request("2", "session.watch", {"session_id": ONE})
    )
    for at in range(0, len(whole) + 1, 7):
        _, writer = await raw_socket(fuzzed)
        writer.write(whole[:at])
        await writer.drain()
        writer.transport.abort()
    await fuzzed.is_well()


@pytest.mark.parametrize("seed", range(3))
async def test_bytes_that_are_no_websocket_frames(fuzzed: FuzzedApp, seed: int) -> None:
    noise = random.Random(seed)
    for _ in range(10):
        reader, writer = await raw_socket(fuzzed)
        writer.write(noise.randbytes(noise.randrange(1, 2_000)))
        await writer.drain()
        writer.write_eof()
        async with asyncio.timeout(PATIENCE_S):
            await reader.read()
        writer.transport.abort()
    await fuzzed.is_well()


async def test_half_a_line_and_then_the_end(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o700)
    open_folder(tmp_path / "data").settings.write_text(NO_CODEX, encoding="utf-8")
    async with runtime(tmp_path) as wire, peer_of(wire) as peer:
        await peer.initialize()
        assert wire.process.stdin is not None
        wire.process.stdin.write(b'{"jsonrpc":"2.0","id":"1","meth')
        await wire.close()
        await peer.ended()
        assert wire.process.returncode == 0
        assert [message["error"]["code"] for message in peer.heard[1:]] == [rpc.PARSE_ERROR]


# -- too much of it --


async def test_a_flood_of_requests_is_answered_in_full(fuzzed: FuzzedApp) -> None:
    async with fuzzed.peer() as peer:
        await peer.initialize()
        calls = [await peer.begin("session.list", {"limit": 1}) for _ in range(3_000)]
        await peer.result(calls[-1])
        answered = [message["id"] for message in peer.heard if message["id"] in set(calls)]
        assert sorted(answered) == sorted(calls)
    await fuzzed.is_well()


async def test_a_flood_whose_answers_nobody_reads_is_held_back_and_harms_nobody(fuzzed: FuzzedApp) -> None:
    """Until the transport takes no more; then the other side learns from its full pipe."""
    _, writer = await raw_socket(fuzzed)
    hello = {"protocol_version": "0", "client": {"name": "flood"}}
    writer.write(text_frame(rpc.request("1", "initialize", hello)))
    before = psutil.Process().memory_info().rss
    request = text_frame(rpc.request("2", "history.export", {"session_id": ONE}))
    try:
        async with asyncio.timeout(0.7):
            while True:
                writer.write(request * 100)
                await writer.drain()
    except TimeoutError:
        pass
    [surface] = fuzzed.app.surfaces.all()
    assert len(surface._unsaid) <= MAX_UNREAD + MAX_OPEN_REQUESTS + 1
    assert psutil.Process().memory_info().rss - before < 100 * MiB
    async with fuzzed.peer() as peer:
        await peer.initialize()
        assert await peer.call("session.list")
    writer.transport.abort()
    await fuzzed.is_well()


async def test_a_frame_over_the_ceiling_of_a_websocket(fuzzed: FuzzedApp) -> None:
    async with fuzzed.peer() as peer:
        await peer.initialize()
        await peer.say(b"x" * (rpc.MAX_FRAME + 1))
        assert await peer.call("session.list")
        assert [m["error"]["code"] for m in peer.heard if "error" in m] == [rpc.INVALID_REQUEST]
        await peer.say(b"x" * (3 * rpc.MAX_FRAME))
        await peer.ended()
    await fuzzed.is_well()


async def test_many_connections_at_once(fuzzed: FuzzedApp) -> None:
    """More than there may be: those beyond the ceiling are turned away, the rest are served."""

    async def visit(number: int) -> int:
        try:
            async with fuzzed.peer() as peer:
                await peer.initialize(supports_session_sync=True)
                await peer.call("session.watch", {"session_id": ONE})
                if number % 2 and isinstance(peer.wire, Socket):
                    peer.wire.socket.transport.abort()
                return 1
        except Exception:  # noqa: BLE001 - turned away: 503, or the connection closed
            return 0

    served = await asyncio.gather(*(visit(number) for number in range(100)))
    assert sum(served) >= 50
    await fuzzed.is_well()


# -- the end, anywhere in a conversation with a real agent --


class Talk:
    """A conversation in steps, to be cut off after any of them."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self.session = ""
        self._run = ""
        self._question: dict[str, Any] = {}

    async def initialize(self) -> None:
        await self._peer.initialize(**CAN_ASK)

    async def create(self) -> None:
        self.session = await self._peer.new_session()

    async def start(self) -> None:
        said = {"type": "text", "text": "demo:approval"}
        await self._peer.begin("run.start", {"session_id": self.session, "input": said})

    async def run(self) -> None:
        status = await self._peer.until(lambda message: message.get("method") == "run.status")
        self._run = status["params"]["run_id"]

    async def be_asked(self) -> None:
        self._question = await self._peer.asked("ui.confirm.request", self._run)

    async def answer(self) -> None:
        await self._peer.reply(self._question, {"ok": False})

    async def finish(self) -> None:
        await self._peer.finish(self._run)

    STEPS = (initialize, create, start, run, be_asked, answer, finish)


@pytest.mark.real
async def test_a_client_that_is_cut_off_at_any_point_of_a_conversation(setup: Setup) -> None:
    async with setup.run() as live, serving(live.app, setup.folder) as doors:
        fuzzed = FuzzedApp(live.app, doors.registration, live.project)
        for last in range(len(Talk.STEPS)):
            async with fuzzed.peer() as peer:
                talk = Talk(peer)
                for step in Talk.STEPS[: last + 1]:
                    await step(talk)
                assert isinstance(peer.wire, Socket)
                peer.wire.socket.transport.abort()
            await fuzzed.nobody_is_left()
            if not talk.session:
                continue
            session = SessionId(talk.session)
            async with fuzzed.peer() as healthy:
                await healthy.initialize(supports_session_sync=True)
                await healthy.call("session.watch", {"session_id": session})
                await healthy.until(lambda message: message.get("method") == "session.snapshot")
                if Talk.STEPS[last] in (Talk.start, Talk.run, Talk.be_asked):
                    await live.until_ask(session)  # it goes on, and asks whoever is there
                await healthy.call("session.interrupt", {"session_id": session})
                await live.until_idle(session)
            ended = live.app.hub.session(session)
            assert ended.asks == ()
            assert msgspec.json.encode(ended).find(b"You allowed it") < 0  # leaving is no yes
        await fuzzed.nobody_is_left()
