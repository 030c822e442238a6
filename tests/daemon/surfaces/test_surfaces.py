"""Surfaces: answered side by side, held back when they do not read, let go when they never do."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw
from tests.patience import PATIENCE_S

from bascule.core.faults import UserError
from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.surfaces import surfaces as module
from bascule.daemon.surfaces.surfaces import (
    MAX_OPEN_REQUESTS,
    MAX_UNREAD,
    MAX_UNREAD_BYTES,
    MAX_UNSAID,
    MAX_UNSAID_BYTES,
    URGENT,
    Surface,
    SurfaceClosed,
    Surfaces,
)
from bascule.host.clock import new_id
from bascule.host.processes.tasks import Tasks
from bascule.model.consent.origin import Origin, Scope
from bascule.model.protocol.runs import UiCapabilities
from bascule.model.protocol.ui import UiConfirmResult

FAULTS: dict[str, Exception] = {
    "refuse": RpcError(rpc.BUSY, "The agent is at work.", {"driver": "somebody"}),
    "stop": UserError("There is no Codex here."),
    "crash": ZeroDivisionError(),
}


class Daemon:
    """Behind the surfaces: what is asked for waits for `go`, unless it is quick."""

    def __init__(self) -> None:
        self.surfaces = Surfaces(dispatch=self.dispatch, new_id=new_id)
        self.begun = 0
        self.go = asyncio.Event()
        self.heard: list[str] = []

    async def dispatch(self, surface: Surface, method: str, params: Raw) -> object:
        self.begun += 1
        self.heard.append(method)
        if method in FAULTS:
            raise FAULTS[method]
        if method == "slow":
            await self.go.wait()
        if method == "session.list":
            await surface.ask("ui.confirm.request", {}, UiConfirmResult)
        return msgspec.json.decode(params)


@pytest.fixture
async def daemon() -> AsyncIterator[Daemon]:
    daemon = Daemon()
    yield daemon
    await daemon.surfaces.close()


@pytest.fixture
def surface(daemon: Daemon) -> Surface:
    return daemon.surfaces.connect(Origin(door="page"), workspace="/w")


async def hear(surface: Surface) -> list[dict[str, Any]]:
    async with asyncio.timeout(PATIENCE_S):
        return [json.loads(frame) for frame in await surface.frames()]


def ask(call: str, method: str = "quick", params: object = ()) -> bytes:
    return rpc.request(call, method, params)


async def settle(turns: int = 200) -> None:
    """Whatever can go on without anybody outside has gone on."""
    for _ in range(turns):
        await asyncio.sleep(0)


# -- requests --


async def test_a_request_is_answered_with_its_id(surface: Surface) -> None:
    await surface.feed(b'{"jsonrpc":"2.0","id":7,"method":"quick","params":{"a":1}}')
    assert await hear(surface) == [{"jsonrpc": "2.0", "id": 7, "result": {"a": 1}}]


async def test_one_that_waits_holds_up_no_other(daemon: Daemon, surface: Surface) -> None:
    await surface.feed(ask("1", "slow"))
    await surface.feed(ask("2"))
    assert [reply["id"] for reply in await hear(surface)] == ["2"]
    daemon.go.set()
    assert [reply["id"] for reply in await hear(surface)] == ["1"]


@pytest.mark.parametrize(
    ("method", "error"),
    [
        ("refuse", {"code": rpc.BUSY, "message": "The agent is at work.", "data": {"driver": "somebody"}}),
        ("stop", {"code": rpc.FAILED, "message": "There is no Codex here."}),
        ("crash", {"code": rpc.INTERNAL_ERROR, "message": "crash crashed. `bascule logs` says how."}),
    ],
)
async def test_a_no_of_any_kind_is_an_error_reply(
    surface: Surface, method: str, error: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    await surface.feed(ask("1", method))
    assert await hear(surface) == [{"jsonrpc": "2.0", "id": "1", "error": error}]
    assert [r.exc_info is not None for r in caplog.records] == ([True] if method == "crash" else [])


async def test_what_is_no_message_is_answered_without_an_id(surface: Surface) -> None:
    await surface.feed(b"nonsense")
    [reply] = await hear(surface)
    assert (reply["id"], reply["error"]["code"]) == (None, rpc.PARSE_ERROR)


async def test_a_wrong_message_whose_id_can_be_read_is_answered_with_it(surface: Surface) -> None:
    await surface.feed(b'{"jsonrpc":"2.0","id":"9","method":5}')
    [reply] = await hear(surface)
    assert (reply["id"], reply["error"]["code"]) == ("9", rpc.INVALID_REQUEST)


async def test_with_all_places_taken_quick_calls_wait_their_turn(daemon: Daemon, surface: Surface) -> None:
    async with Tasks() as tasks:
        for number in range(MAX_OPEN_REQUESTS):
            await surface.feed(ask(f"{number}", "slow"))
        reading = tasks.start("reader", surface.feed(ask("one more", "slow")))
        await settle()
        assert (daemon.begun, reading.done()) == (MAX_OPEN_REQUESTS, False)
        daemon.go.set()
        await asyncio.wait_for(reading, PATIENCE_S)
        await settle()
        assert daemon.begun == MAX_OPEN_REQUESTS + 1
        assert len(await hear(surface)) == MAX_OPEN_REQUESTS + 1


async def test_a_surface_whose_calls_all_wait_for_a_person_still_pings_answers_and_stops(
    daemon: Daemon, surface: Surface
) -> None:
    """The answer is what those calls wait for: behind them it would never be read."""
    for number in range(MAX_OPEN_REQUESTS):
        await surface.feed(ask(f"{number}", "slow"))
    for method in sorted(URGENT):
        await surface.feed(ask(method, method))
    assert [reply["id"] for reply in await hear(surface)] == sorted(URGENT)


async def test_what_comes_on_top_is_refused_as_busy_and_replies_are_still_read(
    daemon: Daemon, surface: Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surface._places, "_patience_s", 0)
    await surface.feed(ask("asks back", "session.list"))
    [question] = await hear(surface)
    for number in range(MAX_OPEN_REQUESTS - 1):
        await surface.feed(ask(f"{number}", "slow"))
    for _ in range(2):
        await surface.feed(ask("more"))
        error = {
            "code": rpc.BUSY,
            "message": "64 calls of this connection are still open, so quick was not begun. "
            "Answer or cancel what waits, then try again.",
        }
        assert await hear(surface) == [{"jsonrpc": "2.0", "id": "more", "error": error}]
    await surface.feed(rpc.result(question["id"], {"ok": True}))
    assert [reply["id"] for reply in await hear(surface)] == ["asks back"]
    await surface.feed(ask("more"))
    assert await hear(surface) == [{"jsonrpc": "2.0", "id": "more", "result": []}]


async def test_a_flood_of_requests_whose_answers_nobody_reads_is_held_back(
    daemon: Daemon, surface: Surface
) -> None:
    async def flood() -> None:
        for number in range(10 * MAX_UNREAD):
            await surface.feed(ask(f"{number}"))

    async with Tasks() as tasks:
        flooding = tasks.start("flood", flood())
        await settle(turns=20 * MAX_UNREAD)
        assert not flooding.done()
        assert MAX_UNREAD <= daemon.begun <= MAX_UNREAD + MAX_OPEN_REQUESTS + 1
        heard = 0
        while heard < 10 * MAX_UNREAD:
            heard += len(await hear(surface))
        assert (daemon.begun, surface.closed) == (10 * MAX_UNREAD, False)


async def test_large_answers_that_nobody_reads_hold_back_too(daemon: Daemon, surface: Surface) -> None:
    answer = "x" * (MAX_UNREAD_BYTES // 4)

    async def flood() -> None:
        for number in range(20):
            await surface.feed(ask(f"{number}", params=answer))
            await asyncio.sleep(0)  # as a transport does

    async with Tasks() as tasks:
        flooding = tasks.start("flood", flood())
        await settle()
        assert (4 <= daemon.begun <= 6, flooding.done()) == (True, False)
        heard = 0
        while heard < 20:
            heard += len(await hear(surface))


async def test_a_flood_of_nonsense_is_held_back(surface: Surface) -> None:
    async def flood() -> None:
        for _ in range(MAX_UNSAID + 1):
            await surface.feed(b"nonsense")

    async with Tasks() as tasks:
        flooding = tasks.start("flood", flood())
        await settle(turns=2 * MAX_UNSAID)
        assert (flooding.done(), surface.closed) == (False, False)


# -- notifications --


async def test_a_notification_is_heard_and_never_answered(daemon: Daemon, surface: Surface) -> None:
    for method in ("ui.context.update", "no.such", "agent.event", "crash"):
        await surface.feed(rpc.notification(method, {}))
    await surface.feed(ask("1"))
    assert [reply["id"] for reply in await hear(surface)] == ["1"]
    assert daemon.heard == ["ui.context.update", "quick"]


async def test_a_notification_comes_before_the_request_after_it(daemon: Daemon, surface: Surface) -> None:
    await surface.feed(rpc.notification("ui.context.update", {}))
    await surface.feed(ask("1"))
    await settle()
    assert daemon.heard == ["ui.context.update", "quick"]


async def test_a_notification_that_asks_back_holds_up_nothing(surface: Surface) -> None:
    await surface.feed(rpc.notification("session.list", {}))
    [question] = await hear(surface)
    async with asyncio.timeout(PATIENCE_S):
        await surface.feed(ask("1"))
        assert [reply["id"] for reply in await hear(surface)] == ["1"]
        await surface.feed(rpc.result(question["id"], {"ok": True}))


async def test_notifications_are_bounded_like_requests(
    daemon: Daemon, surface: Surface, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(surface._places, "_patience_s", 0)
    for _ in range(MAX_OPEN_REQUESTS + 1):
        await surface.feed(rpc.notification("session.list", {}))
    await settle()
    assert daemon.begun == MAX_OPEN_REQUESTS
    assert [record.getMessage() for record in caplog.records] == [
        f"{surface.id} has too many open calls; its session.list was dropped"
    ]


# -- saying --


async def test_what_is_said_comes_in_order(surface: Surface) -> None:
    for number in range(3):
        surface.notify("n", {"at": number})
    assert [message["params"]["at"] for message in await hear(surface)] == [0, 1, 2]


async def test_a_surface_that_takes_nothing_is_let_go_and_others_stay(
    daemon: Daemon, surface: Surface, caplog: pytest.LogCaptureFixture
) -> None:
    other = daemon.surfaces.connect(Origin(door="stdio"))
    for _ in range(MAX_UNSAID + 1):
        surface.notify("n", {})
        other.notify("n", {})
        await other.frames()
    assert (surface.closed, other.closed) == (True, False)
    with pytest.raises(SurfaceClosed):
        await surface.frames()
    assert [record.getMessage() for record in caplog.records] == [
        f"{surface.id} reads nothing any more; it is disconnected"
    ]


async def test_bytes_that_wait_are_bounded_too(surface: Surface, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    frame = b"x" * (MAX_UNSAID_BYTES // 4)
    for _ in range(4):
        surface.say(frame)
    assert not surface.closed
    surface.say(b"x")
    assert surface.closed


# -- asking --


async def test_an_answer_is_found_by_its_id(surface: Surface) -> None:
    async with Tasks() as tasks:
        answers: list[UiConfirmResult] = []

        async def confirm() -> None:
            answers.append(await surface.ask("ui.confirm.request", {"title": "?"}, UiConfirmResult))

        asking = tasks.start("ask", confirm())
        [question] = await hear(surface)
        assert (question["method"], question["params"]) == ("ui.confirm.request", {"title": "?"})
        await surface.feed(rpc.result("ui_99", {"ok": True}))  # to nothing that was asked
        await surface.feed(rpc.result(question["id"], {"ok": True, "remember": True}))
        await asyncio.wait_for(asking, PATIENCE_S)
        await surface.feed(rpc.result(question["id"], {"ok": False}))  # too late
    assert answers == [UiConfirmResult(ok=True, remember=True)]


@pytest.mark.parametrize(
    "said", [b'"result":{}', b'"result":"yes"', b'"error":{"code":-1,"message":"no dialog"}', b'"error":5']
)
async def test_an_answer_that_is_none_is_a_refusal(surface: Surface, said: bytes) -> None:
    async with Tasks() as tasks:
        refusals: list[RpcError] = []

        async def confirm() -> None:
            try:
                await surface.ask("ui.confirm.request", {}, UiConfirmResult)
            except RpcError as refused:
                refusals.append(refused)

        asking = tasks.start("ask", confirm())
        [question] = await hear(surface)
        await surface.feed(b'{"jsonrpc":"2.0","id":"%s",%s}' % (question["id"].encode(), said))
        await asyncio.wait_for(asking, PATIENCE_S)
    assert len(refusals) == 1


async def test_silence_is_never_a_yes(surface: Surface, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "UI_TIMEOUT_S", 0.01)
    with pytest.raises(RpcError, match="Nobody answered") as refused:
        await surface.ask("ui.confirm.request", {}, UiConfirmResult)
    assert refused.value.code == rpc.USER_CANCELLED


# -- the end --


async def test_it_has_settled_when_all_is_answered_and_taken(daemon: Daemon, surface: Surface) -> None:
    await asyncio.wait_for(surface.settle(), PATIENCE_S)  # nothing was asked
    await surface.feed(ask("1"))
    async with Tasks() as tasks:
        settling = tasks.start("settle", surface.settle())
        await settle()
        assert not settling.done()  # answered, and not taken
        await hear(surface)
        await asyncio.wait_for(settling, PATIENCE_S)


async def test_who_waits_for_it_to_settle_is_freed_by_closing(surface: Surface) -> None:
    surface.say(b"{}")
    async with Tasks() as tasks:
        settling = tasks.start("settle", surface.settle())
        await settle()
        surface.close()
        await asyncio.wait_for(settling, PATIENCE_S)


async def test_closing_ends_what_was_open(daemon: Daemon, surface: Surface) -> None:
    left: list[str] = []
    surface.on_leaving("wheel", lambda: left.append("first"))
    surface.on_leaving("wheel", lambda: left.append("wheel"))
    await surface.feed(ask("1", "slow"))
    await surface.feed(ask("2", "session.list"))
    await hear(surface)
    surface.close()
    surface.close()
    await surface.finish()
    assert left == ["wheel"]
    assert surface._tasks.names == []
    with pytest.raises(SurfaceClosed):
        await surface.frames()


async def test_what_was_said_before_closing_is_still_taken(surface: Surface) -> None:
    surface.notify("last", {})
    surface.close()
    assert [message["method"] for message in await hear(surface)] == ["last"]
    with pytest.raises(SurfaceClosed):
        await surface.frames()


async def test_a_closed_surface_hears_and_says_nothing(daemon: Daemon, surface: Surface) -> None:
    surface.close()
    await surface.finish()
    await surface.feed(ask("1"))
    await surface.feed(rpc.notification("ui.context.update", {}))
    surface.notify("n", {})
    assert daemon.heard == []


async def test_a_reader_that_was_held_back_is_freed_by_closing(daemon: Daemon, surface: Surface) -> None:
    async with Tasks() as tasks:
        for number in range(MAX_OPEN_REQUESTS):
            await surface.feed(ask(f"{number}", "slow"))
        reading = tasks.start("reader", surface.feed(ask("one more", "slow")))
        await settle()
        surface.close()
        await surface.finish()
        await asyncio.wait_for(reading, PATIENCE_S)
    assert daemon.begun == MAX_OPEN_REQUESTS


async def test_surfaces_end_side_by_side(daemon: Daemon) -> None:
    """Each has a call that goes on until the others are ending too."""
    both = asyncio.Barrier(2)

    async def dispatch(_surface: Surface, _method: str, _params: Raw) -> object:
        try:
            return await asyncio.Event().wait()
        finally:
            await both.wait()

    surfaces = Surfaces(dispatch=dispatch, new_id=new_id)
    for _ in range(2):
        await surfaces.connect(Origin(door="page")).feed(ask("1"))
    await settle()
    await asyncio.wait_for(surfaces.close(), PATIENCE_S)


# -- all of them --


async def test_only_those_that_mirror_state_hear_a_broadcast(daemon: Daemon) -> None:
    plain, mirror, silent = (daemon.surfaces.connect(Origin(door="page")) for _ in range(3))
    plain.initialized = mirror.initialized = True
    mirror.capabilities = silent.capabilities = UiCapabilities(supports_session_sync=True)
    daemon.surfaces.broadcast("agent.state", {"state": 1})
    assert [message["method"] for message in await hear(mirror)] == ["agent.state"]
    for surface in (plain, silent):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(surface.frames(), 0.01)


@pytest.mark.parametrize(
    ("scope", "heard"),
    [
        ("full", ["agent.state", "workspace.state", "daemon.state"]),
        ("look", ["agent.state", "workspace.state", "daemon.state"]),
        ("orders", ["daemon.state"]),
    ],
)
async def test_a_connection_for_orders_hears_only_what_is_wrong_with_the_daemon(
    daemon: Daemon, scope: Scope, heard: list[str]
) -> None:
    surface = daemon.surfaces.connect(Origin(door="terminal", scope=scope))
    surface.initialized, surface.capabilities = True, UiCapabilities(supports_session_sync=True)
    for method in ("agent.state", "workspace.state", "daemon.state"):
        daemon.surfaces.broadcast(method, {})
    assert [message["method"] for message in await hear(surface)] == heard


async def test_waiting_until_alone(daemon: Daemon) -> None:
    host, first, second = (daemon.surfaces.connect(Origin(door="page")) for _ in range(3))
    async with Tasks() as tasks:
        waiting = tasks.start("wait", daemon.surfaces.wait_until_alone(host))
        first.close()
        await settle()
        assert not waiting.done()
        second.close()
        await asyncio.wait_for(waiting, PATIENCE_S)
    assert daemon.surfaces.all() == [host]


async def test_labels_tell_surfaces_of_one_name_apart(daemon: Daemon) -> None:
    surfaces = [daemon.surfaces.connect(Origin(door="page")) for _ in range(20)]
    assert len({surface.label for surface in surfaces}) == 20


async def test_a_folder_is_one_workspace_however_it_is_written(daemon: Daemon, tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real, target_is_directory=True)
    written = (real, link, tmp_path / "x" / ".." / "link", "")
    surfaces = [daemon.surfaces.connect(Origin(door="stdio"), workspace=str(path)) for path in written]
    assert [surface.workspace for surface in surfaces] == [*[str(real.resolve())] * 3, ""]
