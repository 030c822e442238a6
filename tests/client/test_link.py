"""A link: answers go to whoever asked, notifications come in order, and an end is an end for all."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec import Raw
from tests.patience import PATIENCE_S

from bascule.client.link import Link, LinkLost, LinkRefused
from bascule.core.faults import UserError
from bascule.core.wire import rpc
from bascule.host.processes.tasks import Tasks
from bascule.model.protocol.runs import SessionListParams, SessionListResult
from bascule.model.protocol.sessions import Done, WatchParams


class Daemon:
    """The other end of the wire, in the test's own hands."""

    def __init__(self) -> None:
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue()

    async def send(self, frame: bytes) -> None:
        self.sent.put_nowait(json.loads(frame))

    async def receive(self) -> bytes:
        frame = await self._frames.get()
        if frame is None:
            raise EOFError
        return frame

    def say(self, frame: bytes) -> None:
        self._frames.put_nowait(frame)

    def leave(self) -> None:
        self._frames.put_nowait(None)


class Talk:
    def __init__(self, tasks: Tasks) -> None:
        self.daemon = Daemon()
        self.heard: list[tuple[str, Any]] = []
        self.link = Link(self.daemon, self._hear)
        self.tasks = tasks
        self.running = tasks.start("link", self.link.run())
        self.got: list[Any] = []

    def _hear(self, method: str, params: Raw) -> None:
        self.heard.append((method, json.loads(bytes(params))))
        if method == "breaks":
            raise ValueError("a notification that this version cannot read")

    def call(self, method: str, params: object) -> "asyncio.Task[None]":
        async def call() -> None:
            try:
                self.got.append(await self.link.call(method, params))
            except UserError as fault:
                self.got.append(fault)

        return self.tasks.start(f"call {method}", call())

    async def asked(self) -> dict[str, Any]:
        return await asyncio.wait_for(self.daemon.sent.get(), PATIENCE_S)


@pytest.fixture
async def talk() -> AsyncIterator[Talk]:
    async with Tasks() as tasks:
        yield Talk(tasks)


async def test_an_answer_is_read_as_the_table_says(talk: Talk) -> None:
    calling = talk.call("session.list", SessionListParams(limit=3))
    asked = await talk.asked()
    assert (asked["method"], asked["params"]) == ("session.list", {"limit": 3, "scope": "all"})
    talk.daemon.say(rpc.result(asked["id"], {"sessions": [], "more": "than is known here"}))
    await asyncio.wait_for(calling, PATIENCE_S)
    assert talk.got == [SessionListResult(sessions=())]


async def test_answers_may_come_in_any_order(talk: Talk) -> None:
    calls = [talk.call("session.watch", WatchParams(session_id=name)) for name in "ab"]
    asked = [await talk.asked() for _ in calls]
    talk.daemon.say(rpc.error(asked[1]["id"], -32004, "There is no session b."))
    talk.daemon.say(rpc.result(asked[0]["id"], {"ok": True}))
    await asyncio.wait(calls, timeout=PATIENCE_S)
    refused, done = talk.got
    assert isinstance(refused, LinkRefused)
    assert (refused.code, refused.message, done) == (-32004, "There is no session b.", Done())


async def test_what_was_shown_before_an_answer_is_heard_before_it(talk: Talk) -> None:
    calling = talk.call("session.watch", WatchParams())
    asked = await talk.asked()
    for number in range(3):
        talk.daemon.say(rpc.notification("n", number))
    talk.daemon.say(rpc.result(asked["id"], {}))
    await asyncio.wait_for(calling, PATIENCE_S)
    assert talk.heard == [("n", 0), ("n", 1), ("n", 2)]


async def test_an_answer_larger_than_a_question_may_be_is_taken(talk: Talk) -> None:
    calling = talk.call("session.list", SessionListParams())
    asked = await talk.asked()
    talk.daemon.say(rpc.result(asked["id"], {"sessions": [], "more": "x" * rpc.MAX_FRAME}))
    await asyncio.wait_for(calling, PATIENCE_S)
    assert talk.got == [SessionListResult(sessions=())]


async def test_answers_to_nothing_and_nonsense_are_passed_over(talk: Talk) -> None:
    calling = talk.call("session.watch", WatchParams())
    asked = await talk.asked()
    for frame in (b"nonsense", rpc.result("99", {}), b"[]"):
        talk.daemon.say(frame)
    talk.daemon.say(rpc.error(asked["id"], -32001, "busy", {"driver": "two"}))
    await asyncio.wait_for(calling, PATIENCE_S)
    assert talk.got[0].data == {"driver": "two"}


async def test_a_request_to_a_command_is_refused_at_once(talk: Talk) -> None:
    talk.daemon.say(rpc.request("1", "ui.confirm.request", {}))
    said = await talk.asked()
    assert (said["id"], said["error"]) == (
        "1",
        {"code": -32601, "message": "This command does not answer ui.confirm.request."},
    )


async def test_an_error_without_a_shape_is_still_a_refusal(talk: Talk) -> None:
    calling = talk.call("session.watch", WatchParams())
    asked = await talk.asked()
    talk.daemon.say(json.dumps({"id": asked["id"], "error": "no"}).encode())
    await asyncio.wait_for(calling, PATIENCE_S)
    assert (talk.got[0].code, talk.got[0].message) == (0, "no")


async def test_when_the_daemon_leaves_nobody_waits_any_longer(talk: Talk) -> None:
    calling = talk.call("session.watch", WatchParams())
    await talk.asked()
    talk.daemon.leave()
    await asyncio.wait_for(calling, PATIENCE_S)
    with pytest.raises(LinkLost, match="has closed the connection"):
        await talk.link.call("session.watch", WatchParams())
    assert [type(one) for one in talk.got] == [LinkLost]


async def test_a_notification_that_cannot_be_read_ends_the_wait_too(
    talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    calling = talk.call("session.watch", WatchParams())
    await talk.asked()
    talk.daemon.say(rpc.notification("breaks", {}))
    await asyncio.wait_for(calling, PATIENCE_S)
    assert [str(one) for one in talk.got] == ["The link to the daemon broke."]
    assert [record.message for record in caplog.records] == ["task link failed"]


async def test_a_call_that_is_given_up_leaves_nothing_behind(talk: Talk) -> None:
    calling = talk.call("session.watch", WatchParams())
    asked = await talk.asked()
    calling.cancel()
    await asyncio.wait({calling}, timeout=PATIENCE_S)
    assert len(talk.link._calls) == 0
    talk.daemon.say(rpc.result(asked["id"], {}))  # finds nobody
    again = talk.call("session.watch", WatchParams())
    asked = await talk.asked()
    talk.daemon.say(rpc.result(asked["id"], {}))
    await asyncio.wait_for(again, PATIENCE_S)
    assert talk.got == [Done()]


@pytest.mark.parametrize("version", ["0", "1"])
async def test_both_sides_must_speak_the_same_version(talk: Talk, version: str) -> None:
    async def greet() -> None:
        try:
            talk.got.append((await talk.link.initialize("test")).surface_id)
        except UserError as fault:
            talk.got.append(str(fault))

    greeting = talk.tasks.start("greet", greet())
    asked = await talk.asked()
    assert asked["params"]["ui_capabilities"] == {"supports_session_sync": True, "supports_markdown": True}
    welcome = {
        "protocol_version": version,
        "server": {"name": "bascule", "version": "9"},
        "server_capabilities": {},
        "surface_id": "test (1234)",
    }
    talk.daemon.say(rpc.result(asked["id"], welcome))
    await asyncio.wait_for(greeting, PATIENCE_S)
    if version == "0":
        assert talk.got == ["test (1234)"]
    else:
        assert "speaks version 1" in talk.got[0]
        assert "`bascule down`" in talk.got[0]
