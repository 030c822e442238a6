"""Surfaces: answered side by side, held back when they do not read, let go when they never do."""

import asyncio
import logging
from typing import Any

import pytest
from tests.daemon.surfaces.slow_daemon import SlowDaemon, ask, hear, settle
from tests.patience import PATIENCE_S

from bascule.core.wire import rpc
from bascule.daemon.surfaces.surfaces import (
    MAX_OPEN_REQUESTS,
    MAX_UNREAD,
    MAX_UNREAD_BYTES,
    MAX_UNSAID,
    MAX_UNSAID_BYTES,
    URGENT,
    Surface,
    SurfaceClosed,
)
from bascule.host.processes.tasks import Tasks
from bascule.model.consent.origin import Origin

# -- requests --


async def test_a_request_is_answered_with_its_id(surface: Surface) -> None:
    await surface.feed(b'{"jsonrpc":"2.0","id":7,"method":"quick","params":{"a":1}}')
    assert await hear(surface) == [{"jsonrpc": "2.0", "id": 7, "result": {"a": 1}}]


async def test_one_that_waits_holds_up_no_other(daemon: SlowDaemon, surface: Surface) -> None:
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
        (
            "crash",
            {"code": rpc.INTERNAL_ERROR, "message": "crash failed unexpectedly. `bascule logs` has details."},
        ),
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


async def test_with_all_places_taken_quick_calls_wait_their_turn(
    daemon: SlowDaemon, surface: Surface
) -> None:
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
    daemon: SlowDaemon, surface: Surface
) -> None:
    """The answer is what those calls wait for: behind them it would never be read."""
    for number in range(MAX_OPEN_REQUESTS):
        await surface.feed(ask(f"{number}", "slow"))
    for method in sorted(URGENT):
        await surface.feed(ask(method, method))
    assert [reply["id"] for reply in await hear(surface)] == sorted(URGENT)


async def test_what_comes_on_top_is_refused_as_busy_and_replies_are_still_read(
    daemon: SlowDaemon, surface: Surface, monkeypatch: pytest.MonkeyPatch
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
    daemon: SlowDaemon, surface: Surface
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


async def test_large_answers_that_nobody_reads_hold_back_too(daemon: SlowDaemon, surface: Surface) -> None:
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


async def test_a_notification_is_heard_and_never_answered(daemon: SlowDaemon, surface: Surface) -> None:
    for method in ("ui.context.update", "no.such", "agent.event", "crash"):
        await surface.feed(rpc.notification(method, {}))
    await surface.feed(ask("1"))
    assert [reply["id"] for reply in await hear(surface)] == ["1"]
    assert daemon.heard == ["ui.context.update", "quick"]


async def test_a_notification_comes_before_the_request_after_it(daemon: SlowDaemon, surface: Surface) -> None:
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
    daemon: SlowDaemon, surface: Surface, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
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
    daemon: SlowDaemon, surface: Surface, caplog: pytest.LogCaptureFixture
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
