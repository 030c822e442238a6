"""A surface asked, settling, closing, and among others."""

import asyncio
from pathlib import Path

import pytest
from msgspec import Raw
from tests.daemon.surfaces.slow_daemon import SlowDaemon, ask, hear, settle
from tests.patience import PATIENCE_S

from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.surfaces import surfaces as module
from bascule.daemon.surfaces.surfaces import (
    MAX_OPEN_REQUESTS,
    Surface,
    SurfaceClosed,
    Surfaces,
)
from bascule.host.clock import new_id
from bascule.host.processes.tasks import Tasks
from bascule.model.consent.origin import Origin, Scope
from bascule.model.protocol.runs import UiCapabilities
from bascule.model.protocol.ui import UiConfirmResult

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


async def test_it_has_settled_when_all_is_answered_and_taken(daemon: SlowDaemon, surface: Surface) -> None:
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


async def test_closing_ends_what_was_open(daemon: SlowDaemon, surface: Surface) -> None:
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


async def test_a_closed_surface_hears_and_says_nothing(daemon: SlowDaemon, surface: Surface) -> None:
    surface.close()
    await surface.finish()
    await surface.feed(ask("1"))
    await surface.feed(rpc.notification("ui.context.update", {}))
    surface.notify("n", {})
    assert daemon.heard == []


async def test_a_reader_that_was_held_back_is_freed_by_closing(daemon: SlowDaemon, surface: Surface) -> None:
    async with Tasks() as tasks:
        for number in range(MAX_OPEN_REQUESTS):
            await surface.feed(ask(f"{number}", "slow"))
        reading = tasks.start("reader", surface.feed(ask("one more", "slow")))
        await settle()
        surface.close()
        await surface.finish()
        await asyncio.wait_for(reading, PATIENCE_S)
    assert daemon.begun == MAX_OPEN_REQUESTS


async def test_surfaces_end_side_by_side(daemon: SlowDaemon) -> None:
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


async def test_only_those_that_mirror_state_hear_a_broadcast(daemon: SlowDaemon) -> None:
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
    daemon: SlowDaemon, scope: Scope, heard: list[str]
) -> None:
    surface = daemon.surfaces.connect(Origin(door="terminal", scope=scope))
    surface.initialized, surface.capabilities = True, UiCapabilities(supports_session_sync=True)
    for method in ("agent.state", "workspace.state", "daemon.state"):
        daemon.surfaces.broadcast(method, {})
    assert [message["method"] for message in await hear(surface)] == heard


async def test_waiting_until_alone(daemon: SlowDaemon) -> None:
    host, first, second = (daemon.surfaces.connect(Origin(door="page")) for _ in range(3))
    async with Tasks() as tasks:
        waiting = tasks.start("wait", daemon.surfaces.wait_until_alone(host))
        first.close()
        await settle()
        assert not waiting.done()
        second.close()
        await asyncio.wait_for(waiting, PATIENCE_S)
    assert daemon.surfaces.all() == [host]


async def test_labels_tell_surfaces_of_one_name_apart(daemon: SlowDaemon) -> None:
    surfaces = [daemon.surfaces.connect(Origin(door="page")) for _ in range(20)]
    assert len({surface.label for surface in surfaces}) == 20


async def test_a_folder_is_one_workspace_however_it_is_written(daemon: SlowDaemon, tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real, target_is_directory=True)
    written = (real, link, tmp_path / "x" / ".." / "link", "")
    surfaces = [daemon.surfaces.connect(Origin(door="stdio"), workspace=str(path)) for path in written]
    assert [surface.workspace for surface in surfaces] == [*[str(real.resolve())] * 3, ""]
