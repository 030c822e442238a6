"""Surfaces that mirror state: a surface that joins, at any time, sees what the daemon has."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import psutil
import pytest
from tests.e2e.live_app import of_kind, replies
from tests.e2e.mirror_surface import MirrorSurface
from tests.e2e.surfaces.app_with_surfaces import AppWithSurfaces, begin, begin_slow, stop

from bascule.client.link import LinkRefused
from bascule.core.wire import rpc
from bascule.daemon.protocol.sessions import MAX_VIEWS
from bascule.host.network.dial import DialedSocket, dial
from bascule.model.blocks import AssistantBlock, CommandBlock, SystemBlock
from bascule.model.changes import BlockPut, TextGrew
from bascule.model.ids import BlockId, SessionId
from bascule.model.session import Session

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]

MiB = 1024 * 1024


# -- watching --


async def test_a_snapshot_then_changes_without_gaps(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    await one.run(session, "demo:command")
    await one.until(session, lambda seen: seen.status == "completed")
    (first, snapshot), *changed = one.told_of(session)
    assert first == "session.snapshot"
    assert {method for method, _ in changed} == {"session.changed"}
    at = snapshot["seq"]
    for _, told_now in changed:
        assert told_now["after"] == at
        assert told_now["seq"] >= at + len(told_now["changes"])  # joined deltas count as what they were
        at = told_now["seq"]
    await one.agrees_with(app_with_surfaces.has(session))


async def test_the_reply_to_watch_comes_before_the_snapshot(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = (await one.call("session.create")).session_id
    wire = await dial(app_with_surfaces.daemon, str(app_with_surfaces.live.project))
    can = {"supports_session_sync": True}
    hello = {"protocol_version": "0", "client": {"name": "watcher"}, "ui_capabilities": can}
    await wire.send(rpc.request("1", "initialize", hello))
    await wire.send(rpc.request("2", "session.watch", {"session_id": session}))
    heard = [msgspec.json.decode(await wire.receive()) for _ in range(3)]
    assert [one.get("id") or one["method"] for one in heard] == ["1", "2", "session.snapshot"]
    await wire.close()


async def test_two_surfaces_on_one_session_see_the_same(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface, two: MirrorSurface
) -> None:
    session = await begin(one)
    await two.watch(session)
    await one.run(session, "demo:reasoning demo:command demo:plan")
    await app_with_surfaces.at_rest(session)
    for surface in (one, two):
        await surface.agrees_with(app_with_surfaces.has(session))


async def test_whoever_joins_in_the_middle_of_a_run_ends_the_same(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin_slow(one)
    async with app_with_surfaces.surface("late") as late:
        await one.until(session, lambda seen: any(len(b.text) > 20 for b in of_kind(seen, AssistantBlock)))
        await late.watch(session)
        await stop(app_with_surfaces, one, session)
        await late.agrees_with(app_with_surfaces.has(session))


async def test_a_surface_that_lost_the_connection_comes_back_to_the_same(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    async with app_with_surfaces.surface("dropped") as dropped:
        session = await begin(dropped)
        await dropped.run(session, "demo:slow")
        dropped.wire._socket.transport.abort()
        await asyncio.wait({dropped.reading})
    async with app_with_surfaces.surface("dropped") as again:
        await again.watch(session)
        await stop(app_with_surfaces, again, session)
        await again.agrees_with(app_with_surfaces.has(session))


async def test_a_lost_frame_is_noticed_and_ends_in_a_resync(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    one.losing = "session.changed"
    await one.run(session, "demo:text")
    await app_with_surfaces.at_rest(session)
    await one.agrees_with(app_with_surfaces.has(session))
    methods = [method for method, _ in one.told_of(session)]
    assert methods.count("session.snapshot") == 2  # one gap, one resync, however many frames came meanwhile


async def test_what_is_not_watched_any_more_is_not_sent(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    await one.call("session.unwatch", session_id=session)
    before = len(one.told_of(session))
    await one.call("session.rename", session_id=session, title="Unseen")
    await one.call("session.list")
    assert len(one.told_of(session)) == before
    assert app_with_surfaces.has(session).title == "Unseen"


async def test_a_session_that_is_not_there_cannot_be_watched(one: MirrorSurface) -> None:
    refused = await one.refused("session.watch", session_id="nobody")
    assert refused.code == rpc.SESSION_NOT_FOUND


async def test_a_surface_watches_a_bounded_number_of_sessions(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    sessions = [SessionId(f"s_bounded_{number}") for number in range(MAX_VIEWS + 1)]
    for session in sessions:
        app_with_surfaces.live.app.hub.add(Session(id=session, workspace=str(app_with_surfaces.live.project)))
    for session in sessions[:-1]:
        await one.call("session.watch", session_id=session)
    refused = await one.refused("session.watch", session_id=sessions[-1])
    assert f"at most {MAX_VIEWS}" in refused.message
    await one.call("session.watch", session_id=sessions[0])  # one of those it has may be had anew


async def test_cards_come_whole_and_then_as_they_change(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface, two: MirrorSurface
) -> None:
    session = await begin(one)
    await two.call("session.watch")
    await two.call("session.list")
    whole = [params for method, params in two.notices if method == "session.cards"]
    assert [cards["whole"] for cards in whole] == [True]
    assert len(two.cards) == len(app_with_surfaces.live.app.hub.heads())
    before = two.cards[session]
    assert (before.driver, before.asks, before.hidden, before.status) == (one.label, 0, False, "unknown")
    await one.run(session, "demo:approval")
    await one.until(session, lambda seen: seen.asks)
    await two.call("session.list")
    assert (two.cards[session].status, two.cards[session].asks) == ("waiting_user", 1)
    later = [params for method, params in two.notices if method == "session.cards"][1:]
    assert {card["session_id"] for cards in later for card in cards["cards"]} == {session}
    await one.call("session.hide", session_id=session)
    await two.call("session.list")
    assert two.cards[session].hidden
    await stop(app_with_surfaces, one, session)


async def test_every_ask_that_waits_is_listed_the_oldest_first(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    assert (await one.call("ask.list")).asks == ()
    sessions = [await begin(one), await begin(one)]
    for session in sessions:
        await one.run(session, "demo:approval")
        await one.until(session, lambda seen: seen.asks)
    asks = (await one.call("ask.list")).asks
    heads = [one.seen(session) for session in sessions]
    assert [(ask.session_id, ask.title, ask.ask) for ask in asks] == [
        (head.id, head.title, head.asks[0]) for head in heads
    ]
    for session in sessions:
        await stop(app_with_surfaces, one, session)
    assert (await one.call("ask.list")).asks == ()


async def test_a_command_that_is_sent_twice_is_done_once(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    first = await one.run(session, "/new", key="k-new")
    again = await one.run(session, "/new", key="k-new")
    assert again == first
    assert first.session_id != session
    for _ in range(2):
        await one.run(session, "/help", key="k-help")
    assert len(of_kind(app_with_surfaces.has(session), SystemBlock)) == 1
    await one.run(session, "/help", key="k-help-2")
    assert len(of_kind(app_with_surfaces.has(session), SystemBlock)) == 2


async def test_a_command_that_comes_again_while_it_is_going_waits_for_it(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    before = {head.id for head in app_with_surfaces.live.app.hub.heads()}
    both = await asyncio.gather(*(one.run(session, "/new", key="k-both") for _ in range(2)))
    assert both[0] == both[1]
    assert len({head.id for head in app_with_surfaces.live.app.hub.heads()} - before) == 1


async def test_a_command_that_was_refused_may_be_sent_again(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    for _ in range(2):
        with pytest.raises(LinkRefused, match="1 to 200 characters"):
            await one.run(session, "/rename", key="k-rename")
    assert "k-rename" not in app_with_surfaces.live.app.roster.lane(SessionId(session)).keys


async def test_a_workspace_that_is_none_leaves_nothing_behind(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    pool = app_with_surfaces.live.app.pool
    before = len(pool._processes)
    for number in range(5):
        refused = await one.refused("session.create", workspace=f"/no/such/folder/{number}")
        assert "is not a folder" in refused.message
    assert "not a valid path" in (await one.refused("session.create", workspace="a\0b")).message
    assert len(pool._processes) == before


async def test_who_watches_the_list_hears_of_the_agents_too(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    await begin(one)
    await one.call("session.watch")
    await one.call("session.list")
    states = [params["state"] for method, params in one.notices if method == "agent.state"]
    assert [state["workspace"] for state in states] == [str(app_with_surfaces.live.project)]


# -- slow readers --


@asynccontextmanager
async def asleep(app_with_surfaces: AppWithSurfaces, session: str) -> AsyncIterator[DialedSocket]:
    """A surface that watches the session and, after its snapshot, reads no more."""
    wire = await dial(app_with_surfaces.daemon, str(app_with_surfaces.live.project))
    can = {"supports_session_sync": True}
    params = {"protocol_version": "0", "client": {"name": "sleeper"}, "ui_capabilities": can}
    try:
        await wire.send(rpc.request("1", "initialize", params))
        await wire.send(rpc.request("2", "session.watch", {"session_id": session}))
        for _ in range(3):
            await wire.receive()
        yield wire
    finally:
        wire._socket.transport.abort()  # one that sleeps says no goodbye


async def test_a_reader_that_does_not_read_gets_a_snapshot_later_and_harms_nobody(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = SessionId(await begin(one))
    async with asleep(app_with_surfaces, session) as sleeper:
        before = psutil.Process().memory_info().rss
        for _ in range(2_000):
            app_with_surfaces.live.app.hub.apply(session, [TextGrew(BlockId("flood"), "text", "x" * 100_000)])
            await asyncio.sleep(0)
        app_with_surfaces.live.app.hub.apply(
            session, [BlockPut(SystemBlock(id=BlockId("end"), text="the end"))]
        )
        await one.agrees_with(app_with_surfaces.has(session))
        grown = psutil.Process().memory_info().rss - before
        assert grown < 100 * MiB, f"200 MB were sent and {grown / MiB:.0f} MB kept"
        heard = [await sleeper.receive()]
        while b"the end" not in heard[-1]:
            heard.append(await sleeper.receive())
        assert sum(map(len, heard)) < 60 * MiB
        assert b'"session.snapshot"' in heard[-1]


# -- Asks --


async def test_the_first_answer_wins_and_the_second_learns_so(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface, two: MirrorSurface
) -> None:
    session = await begin(one)
    await two.watch(session)
    await one.run(session, "demo:approval")
    [ask] = (await two.until(session, lambda seen: seen.asks)).asks
    no = next(choice.id for choice in ask.choices if not choice.grants)
    await two.answer(session, ask_id=ask.id, choice=no)
    refused = await one.refused("ask.answer", session_id=session, ask_id=ask.id, choice="accept")
    assert (refused.code, refused.message) == (rpc.TOO_LATE, "already answered, or withdrawn")
    await app_with_surfaces.at_rest(session)
    [command] = of_kind(app_with_surfaces.has(session), CommandBlock)
    assert command.status in ("declined", "cancelled", "failed")
    for surface in (one, two):
        await surface.until(session, lambda seen: not seen.asks)


async def test_two_answers_at_once_are_one(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface, two: MirrorSurface
) -> None:
    session = await begin(one)
    await one.run(session, "demo:approval")
    [ask] = (await one.until(session, lambda seen: seen.asks)).asks
    params = {"session_id": session, "ask_id": ask.id, "choice": "accept"}
    answers = await asyncio.gather(
        *(surface.call("ask.answer", **params) for surface in (one, two)), return_exceptions=True
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["Done", "LinkRefused"]
    await app_with_surfaces.at_rest(session)
    assert replies(app_with_surfaces.has(session))[-1] == "You allowed it, and the module is compiled."


async def test_an_answer_that_was_not_offered_is_refused(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    await one.run(session, "demo:approval")
    [ask] = (await one.until(session, lambda seen: seen.asks)).asks
    refused = await one.refused("ask.answer", session_id=session, ask_id=ask.id, choice="whatever")
    assert refused.code == rpc.FAILED
    assert app_with_surfaces.has(session).asks == (ask,)
    await stop(app_with_surfaces, one, session)


async def test_surfaces_that_left_leave_nothing(app_with_surfaces: AppWithSurfaces) -> None:
    async with app_with_surfaces.surface("brief") as brief:
        await begin(brief)
    await app_with_surfaces.all_gone()
    names = [task.get_name() for task in asyncio.all_tasks()]
    assert [name for name in names if "websocket_" in name] == []
