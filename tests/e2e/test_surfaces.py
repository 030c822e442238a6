"""Surfaces that mirror state: whoever joins, whenever, sees what the daemon has; prompts do not mix."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import psutil
import pytest
import pytest_asyncio
from tests.e2e.mirror_surface import MirrorSurface, onlooker
from tests.e2e.stage import Life, Stage, of_kind, open_stage, replies, said

from bascule.client.link import LinkRefused
from bascule.core.wire import rpc
from bascule.daemon.protocol.sessions import MAX_VIEWS
from bascule.host.network.dial import DialedSocket, dial
from bascule.host.network.registration import Registration
from bascule.model.blocks import AssistantBlock, CommandBlock, FileChangeBlock, SystemBlock, UserBlock
from bascule.model.changes import BlockPut, TextGrew
from bascule.model.ids import BlockId, SessionId
from bascule.model.session import Session
from bascule.serve.serving import serving

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]

MiB = 1024 * 1024


class AppWithSurfaces:
    """A daemon in this process, so that what it has can be compared with what a surface shows."""

    def __init__(self, stage: Stage, life: Life, daemon: Registration) -> None:
        self.stage = stage
        self.life = life
        self.daemon = daemon

    @asynccontextmanager
    async def surface(self, name: str = "looker") -> AsyncIterator[MirrorSurface]:
        async with onlooker(self.daemon, name, str(self.life.project)) as looking:
            yield looking

    def has(self, session: str) -> Session:
        return self.life.app.hub.session(SessionId(session))

    async def at_rest(self, session: str) -> Session:
        return await self.life.until_idle(SessionId(session))

    async def all_gone(self) -> None:
        """No surface is connected any more."""
        surfaces = self.life.app.surfaces
        nobody: Any = None
        async with asyncio.timeout(30):
            await surfaces.wait_until_alone(nobody)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app_with_surfaces(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AppWithSurfaces]:
    root = tmp_path_factory.mktemp("house")
    async with (
        open_stage(root, word_delay_s=0.05) as stage,
        stage.life() as life,
        serving(life.app, stage.folder) as doors,
    ):
        yield AppWithSurfaces(stage, life, doors.registration)


@pytest_asyncio.fixture(loop_scope="module")
async def one(app_with_surfaces: AppWithSurfaces) -> AsyncIterator[MirrorSurface]:
    async with app_with_surfaces.surface("one") as looking:
        yield looking


@pytest_asyncio.fixture(loop_scope="module")
async def two(app_with_surfaces: AppWithSurfaces) -> AsyncIterator[MirrorSurface]:
    async with app_with_surfaces.surface("two") as looking:
        yield looking


async def begin(surface: MirrorSurface) -> str:
    """A new session, watched."""
    session = str((await surface.call("session.create")).session_id)
    await surface.watch(session)
    return session


async def begin_slow(surface: MirrorSurface) -> str:
    """A session in the middle of a long run: what is steered in now does not become part of its beginning."""
    session = await begin(surface)
    await surface.run(session, "demo:slow")
    await surface.until(session, lambda seen: any(block.text for block in of_kind(seen, AssistantBlock)))
    return session


async def stop(app_with_surfaces: AppWithSurfaces, surface: MirrorSurface, session: str) -> Session:
    await surface.call("session.interrupt", session_id=session)
    return await app_with_surfaces.at_rest(session)


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
    wire = await dial(app_with_surfaces.daemon, str(app_with_surfaces.life.project))
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
        app_with_surfaces.life.app.hub.add(Session(id=session, workspace=str(app_with_surfaces.life.project)))
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
    assert len(two.cards) == len(app_with_surfaces.life.app.hub.heads())
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
    before = {head.id for head in app_with_surfaces.life.app.hub.heads()}
    both = await asyncio.gather(*(one.run(session, "/new", key="k-both") for _ in range(2)))
    assert both[0] == both[1]
    assert len({head.id for head in app_with_surfaces.life.app.hub.heads()} - before) == 1


async def test_a_command_that_was_refused_may_be_sent_again(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    for _ in range(2):
        with pytest.raises(LinkRefused, match="1 to 200 characters"):
            await one.run(session, "/rename", key="k-rename")
    assert "k-rename" not in app_with_surfaces.life.app.roster.lane(SessionId(session)).keys


async def test_a_workspace_that_is_none_leaves_nothing_behind(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    pool = app_with_surfaces.life.app.pool
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
    assert [state["workspace"] for state in states] == [str(app_with_surfaces.life.project)]


# -- slow readers --


@asynccontextmanager
async def asleep(app_with_surfaces: AppWithSurfaces, session: str) -> AsyncIterator[DialedSocket]:
    """A surface that watches the session and, after its snapshot, reads no more."""
    wire = await dial(app_with_surfaces.daemon, str(app_with_surfaces.life.project))
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
            app_with_surfaces.life.app.hub.apply(session, [TextGrew(BlockId("flood"), "text", "x" * 100_000)])
            await asyncio.sleep(0)
        app_with_surfaces.life.app.hub.apply(
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


# -- who drives --


async def test_prompts_of_two_surfaces_do_not_mix(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface, two: MirrorSurface
) -> None:
    session = await begin_slow(one)
    refused = await two.refused("run.start", session_id=session, input={"type": "text", "text": "demo:text"})
    assert (refused.code, refused.data) == (rpc.BUSY, {"driver": one.label})
    assert one.label in refused.message
    assert said(app_with_surfaces.has(session)) == ["demo:slow"]
    await stop(app_with_surfaces, one, session)


async def test_a_prompt_may_wait_its_turn(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface, two: MirrorSurface
) -> None:
    session = await begin_slow(one)
    went = await two.run(session, "demo:text", how="queue")
    assert (went.run_id, went.queued) == ("", True)
    seen = await one.until(session, lambda seen: seen.queue)
    assert [prompt.text for prompt in seen.queue] == ["demo:text"]
    assert seen.driver == two.label
    await stop(app_with_surfaces, one, session)


async def test_a_prompt_may_be_steered_into_the_run(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface, two: MirrorSurface
) -> None:
    session = await begin_slow(one)
    run = app_with_surfaces.has(session).runs[-1].id
    went = await two.run(session, "and hurry", how="steer")
    assert (went.run_id, went.queued) == (run, False)
    seen = await one.until(session, lambda seen: "and hurry" in said(seen))
    assert [b.steered for b in of_kind(seen, UserBlock)] == [False, True]
    await stop(app_with_surfaces, one, session)


async def test_taking_over_lets_a_prompt_follow_the_run(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface, two: MirrorSurface
) -> None:
    session = await begin_slow(one)
    went = await two.run(session, "demo:text", take_over=True)
    assert went.queued
    seen = await one.until(session, lambda seen: seen.driver == two.label)
    assert [prompt.text for prompt in seen.queue] == ["demo:text"]
    refused = await two.refused(
        "run.start", session_id=session, input={"type": "text", "text": "x"}, take_over=True
    )
    assert refused.code == rpc.BUSY  # from oneself there is nothing to take over
    await stop(app_with_surfaces, one, session)


async def test_who_drives_is_seen_and_can_be_taken_over(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface, two: MirrorSurface
) -> None:
    session = await begin(one)
    assert one.seen(session).driver == one.label
    await two.call("session.drive", session_id=session)
    await one.until(session, lambda seen: seen.driver == two.label)


async def test_a_driver_that_leaves_in_a_run_frees_the_wheel(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    async with app_with_surfaces.surface("leaver") as leaver:
        session = await begin_slow(leaver)
        await one.watch(session)
        assert one.seen(session).driver == leaver.label
    await one.until(session, lambda seen: seen.driver == "")
    assert one.seen(session).runs[-1].outcome == "running"  # the work itself goes on
    await stop(app_with_surfaces, one, session)


# -- prompts --


async def test_one_key_is_one_prompt(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface, two: MirrorSurface
) -> None:
    session = await begin(one)
    first, second = await asyncio.gather(
        one.run(session, "demo:text", key="k1"), two.run(session, "demo:text", key="k1")
    )
    assert first.run_id == second.run_id
    await app_with_surfaces.at_rest(session)
    third = await one.run(session, "demo:text", key="k1")
    assert (third.run_id, third.queued) == (first.run_id, False)
    assert said(app_with_surfaces.has(session)) == ["demo:text"]


async def test_one_key_with_other_words_is_an_error_and_no_silence(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    await one.run(session, "demo:text", key="k1")
    await app_with_surfaces.at_rest(session)
    await one.run(session, "/help", key="k2")
    for text, key in (("demo:search", "k1"), ("/status", "k2")):
        with pytest.raises(LinkRefused, match="This key was used for another prompt"):
            await one.run(session, text, key=key)
    assert said(app_with_surfaces.has(session)) == ["demo:text"]


async def test_a_key_that_waits_is_not_queued_again(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin_slow(one)
    for _ in range(2):
        went = await one.run(session, "demo:text", key="k2", how="queue")
        assert (went.run_id, went.queued) == ("", True)
    assert [prompt.key for prompt in app_with_surfaces.has(session).queue] == ["k2"]
    await stop(app_with_surfaces, one, session)


async def test_new_goes_on_in_a_session_of_its_own(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    went = await one.run(session, "/new")
    assert went.session_id != session
    assert (went.run_id, went.queued) == ("", False)
    assert app_with_surfaces.has(went.session_id).driver == one.label
    next_one = await one.run("", "demo:text")  # without a session: the one that was used last
    assert next_one.session_id == went.session_id
    await app_with_surfaces.at_rest(went.session_id)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("/nope", "/nope is not a command. Type /help for the list. Nothing was sent."),
        ("/rename", "A title has 1 to 200 characters."),
        ("look at @nowhere.py", "there is no such file in the workspace. Nothing was sent."),
        (f"look at @{'a' * 300}", "there is no such file in the workspace. Nothing was sent."),
        ("look at @../outside.py", "leaves the workspace"),
        ("what is @selection", "@selection needs an open editor with something selected."),
        ("   ", "The prompt is empty."),
    ],
)
async def test_what_cannot_be_said_is_refused_with_the_reason(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface, text: str, why: str
) -> None:
    session = (await one.call("session.create")).session_id
    refused = await one.refused("run.start", session_id=session, input={"type": "text", "text": text})
    assert (refused.code, why in refused.message) == (rpc.INVALID_PARAMS, True), refused.message
    assert said(app_with_surfaces.has(session)) == []


async def test_commands_are_carried_out_here(app_with_surfaces: AppWithSurfaces, one: MirrorSurface) -> None:
    session = await begin(one)
    for text in ("/status", "/help", "/rename A bridge", "/model"):
        went = await one.run(session, text)
        assert (went.run_id, went.session_id, went.queued) == ("", session, False)
    seen = app_with_surfaces.has(session)
    assert [block.title for block in of_kind(seen, SystemBlock)] == ["Status", "Help", "Models"]
    assert seen.title == "A bridge"


async def test_a_command_during_a_run_is_not_queued(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin_slow(one)
    went = await one.run(session, "/status", how="queue")
    assert (went.run_id, went.queued) == ("", False)
    assert app_with_surfaces.has(session).queue == ()
    await stop(app_with_surfaces, one, session)


async def test_the_selection_of_the_editor_can_be_mentioned(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    selected = {"start": {"line": 2, "column": 0}, "end": {"line": 5, "column": 0}}
    context = {"selection": {"path": str(app_with_surfaces.life.project / "wordkit.py"), "range": selected}}
    await one.call("ui.context.update", **context)
    await one.run(session, "explain @selection demo:text")
    seen = await one.until(session, said)
    assert said(seen) == ["explain @wordkit.py#L3-L5 demo:text"]
    await app_with_surfaces.at_rest(session)


async def test_the_selection_may_come_with_the_prompt(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    selected = {"start": {"line": 0, "column": 0}, "end": {"line": 0, "column": 4}}
    params = {
        "session_id": session,
        "input": {"type": "text", "text": "@selection demo:text"},
        "ui_context": {"selection": {"path": "wordkit.py", "range": selected}},
    }
    await one.call("run.start", **params)
    await app_with_surfaces.at_rest(session)
    assert said(app_with_surfaces.has(session)) == ["@wordkit.py#L1 demo:text"]


# -- the queue --


async def queue_three(app_with_surfaces: AppWithSurfaces, one: MirrorSurface) -> str:
    session = await begin_slow(one)
    for key in "abc":
        await one.run(session, f"demo:text {key}", key=f"{session}-{key}", how="queue")
    return session


def waiting(app_with_surfaces: AppWithSurfaces, session: str) -> list[str]:
    return [prompt.text.removeprefix("demo:text ") for prompt in app_with_surfaces.has(session).queue]


async def test_the_queue_is_edited_moved_and_emptied(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await queue_three(app_with_surfaces, one)
    await one.call("queue.edit", session_id=session, key=f"{session}-b", text="B")
    await one.call("queue.move", session_id=session, key=f"{session}-c", to=0)
    assert waiting(app_with_surfaces, session) == ["c", "a", "B"]
    await one.call("queue.remove", session_id=session, key=f"{session}-a")
    assert waiting(app_with_surfaces, session) == ["c", "B"]
    await one.until(session, lambda seen: len(seen.queue) == 2)
    for method, more in (
        ("queue.edit", {"text": "x"}),
        ("queue.move", {"to": 1}),
        ("queue.remove", {}),
        ("queue.steer", {}),
    ):
        refused = await one.refused(method, session_id=session, key=f"{session}-a", **more)
        assert (refused.code, "no longer waits" in refused.message) == (rpc.FAILED, True)
    await stop(app_with_surfaces, one, session)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("look at @nowhere.py", "there is no such file in the workspace."),
        ("look at @selection", "@selection needs an open editor with something selected."),
        ("/new", "/new cannot wait in the queue"),
        ("/nope", "/nope is not a command."),
        ("/plan", "/plan cannot wait in the queue"),
    ],
)
async def test_what_waits_is_not_changed_into_what_could_not_be_said(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface, text: str, why: str
) -> None:
    session = await queue_three(app_with_surfaces, one)
    refused = await one.refused("queue.edit", session_id=session, key=f"{session}-b", text=text)
    assert why in refused.message
    assert waiting(app_with_surfaces, session) == ["a", "b", "c"]
    await one.call("queue.edit", session_id=session, key=f"{session}-b", text="see @file:README.md")
    assert waiting(app_with_surfaces, session) == ["a", "see @README.md", "c"]
    await stop(app_with_surfaces, one, session)


async def test_what_waits_can_be_steered_in(app_with_surfaces: AppWithSurfaces, one: MirrorSurface) -> None:
    session = await queue_three(app_with_surfaces, one)
    await one.call("queue.steer", session_id=session, key=f"{session}-b")
    seen = await one.until(session, lambda seen: "demo:text b" in said(seen))
    assert said(seen)[:2] == ["demo:slow", "demo:text b"]
    assert [block.steered for block in of_kind(seen, UserBlock)][:2] == [False, True]
    assert "b" not in waiting(app_with_surfaces, session)
    await stop(app_with_surfaces, one, session)


async def test_after_an_interrupt_the_queue_is_held_until_it_is_released(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await queue_three(app_with_surfaces, one)
    await stop(app_with_surfaces, one, session)
    seen = await one.until(session, lambda seen: seen.queue_held)
    assert len(seen.queue) == 3
    await one.call("queue.release", session_id=session)
    seen = await one.until(session, lambda seen: len(seen.runs) == 4 and seen.runs[3].outcome == "completed")
    assert said(seen) == ["demo:slow", "demo:text a", "demo:text b", "demo:text c"]


# -- sessions --


async def test_a_session_is_made_with_a_model(app_with_surfaces: AppWithSurfaces, one: MirrorSurface) -> None:
    made = await one.call("session.create", model="demo-small", effort="low")
    head = app_with_surfaces.has(made.session_id)
    assert (head.model, head.effort, head.driver) == ("demo-small", "low", one.label)


async def test_a_surface_without_a_workspace_must_name_one(app_with_surfaces: AppWithSurfaces) -> None:
    async with onlooker(app_with_surfaces.daemon, "homeless") as homeless:
        refused = await homeless.refused("session.create")
        assert (refused.code, "Name a workspace" in refused.message) == (rpc.INVALID_PARAMS, True)
        made = await homeless.call("session.create", workspace=str(app_with_surfaces.life.project))
        assert app_with_surfaces.has(made.session_id).workspace == str(app_with_surfaces.life.project)


async def test_rename_hide_open_and_model(app_with_surfaces: AppWithSurfaces, one: MirrorSurface) -> None:
    session = await begin(one)
    await one.run(session, "demo:text")
    await app_with_surfaces.at_rest(session)
    await one.call("session.rename", session_id=session, title="  A   bridge ")
    await one.call("session.hide", session_id=session)
    await one.call("session.model", session_id=session, model="demo-small", effort="high")
    seen = await one.until(session, lambda seen: seen.model == "demo-small")
    assert (seen.title, seen.title_by, seen.hidden, seen.effort) == ("A bridge", "person", True, "high")
    await one.call("session.open", session_id=session)
    assert not (await one.until(session, lambda seen: not seen.hidden)).hidden
    assert (await one.refused("session.model", session_id=session, model="none")).code == rpc.FAILED
    assert (await one.refused("session.rename", session_id=session, title=" ")).code == rpc.FAILED


async def test_a_fork_shares_the_past_up_to_a_run(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    first = await one.run(session, "demo:text one")
    await app_with_surfaces.at_rest(session)
    await one.run(session, "demo:text two")
    await app_with_surfaces.at_rest(session)
    forked = (await one.call("session.fork", session_id=session, run_id=first.run_id)).session_id
    assert said(app_with_surfaces.has(forked)) == ["demo:text one"]
    assert (app_with_surfaces.has(forked).parent, app_with_surfaces.has(forked).driver) == (
        session,
        one.label,
    )
    assert (await one.refused("session.fork", session_id=session, run_id="nope")).code == rpc.FAILED


async def test_compacting_and_clearing(app_with_surfaces: AppWithSurfaces, one: MirrorSurface) -> None:
    session = await begin(one)
    await one.run(session, "demo:text")
    await app_with_surfaces.at_rest(session)
    await one.call("session.compact", session_id=session)
    await app_with_surfaces.at_rest(session)
    assert any(b.__struct_config__.tag == "divider" for b in app_with_surfaces.has(session).blocks)
    await one.call("session.clear", session_id=session)
    await one.agrees_with(app_with_surfaces.has(session))
    assert (said(one.seen(session)), one.seen(session).runs) == ([], ())


async def test_a_run_can_be_interrupted_before_it_has_a_name(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    started, _ = await asyncio.gather(
        one.run(session, "demo:slow"), one.call("session.interrupt", session_id=session)
    )
    await app_with_surfaces.at_rest(session)
    assert [(run.id, run.outcome) for run in app_with_surfaces.has(session).runs] == [
        (started.run_id, "interrupted")
    ]


async def test_the_past_comes_in_pages(app_with_surfaces: AppWithSurfaces, one: MirrorSurface) -> None:
    session = await begin(one)
    assert (await one.call("session.earlier", session_id=session)).more is False


OF_A_SESSION = (
    *("session.open", "session.earlier", "session.hide", "session.fork", "session.compact", "session.clear"),
    *("session.drive", "session.interrupt", "queue.release", "todos.list", "history.read", "history.export"),
)


@pytest.mark.parametrize("method", OF_A_SESSION)
async def test_a_session_that_is_not_there_is_named(one: MirrorSurface, method: str) -> None:
    refused = await one.refused(method, session_id="nobody")
    assert (refused.code, "nobody" in refused.message) == (rpc.SESSION_NOT_FOUND, True)


# -- files, artifacts, history, todos --


async def test_files_are_found_the_likeliest_first(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    (app_with_surfaces.life.project / "docs").mkdir(exist_ok=True)
    (app_with_surfaces.life.project / "docs" / "wordkit.md").write_text("about", encoding="utf-8")
    found = await one.call("files.find", query="wordkit")
    assert found.files[:2] == ("wordkit.py", "docs/wordkit.md")
    assert "test_wordkit.py" in found.files
    by_session = await one.call("files.find", query="wordkit.py", session_id=await begin(one), limit=1)
    assert by_session.files == ("wordkit.py",)


async def test_the_workspace_can_be_listed_read_and_searched(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    listed = await one.call("workspace.list")
    assert ("wordkit.py", "file") in [(entry.name, entry.kind) for entry in listed.entries]
    text = (app_with_surfaces.life.project / "wordkit.py").read_text(encoding="utf-8")
    first = await one.call("workspace.read", path="wordkit.py", limit=10)
    assert (first.text, first.next_offset, first.size) == (text[:10], 10, len(text.encode()))
    hits = (await one.call("workspace.search", query="import re")).hits
    assert ("wordkit.py", "import re") in [(hit.path, hit.text) for hit in hits]


@pytest.mark.parametrize("path", ["../", "/etc/passwd", "nowhere.py", "..\\x", "a/../../x", "\0"])
async def test_what_is_outside_the_workspace_is_not_read(one: MirrorSurface, path: str) -> None:
    for method in ("workspace.read", "workspace.list"):
        refused = await one.refused(method, path=path)
        assert refused.code in (rpc.FAILED, rpc.INVALID_PARAMS), refused.message


async def test_a_large_text_is_read_by_reference(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    await one.run(session, "demo:command")
    await app_with_surfaces.at_rest(session)
    [command] = of_kind(app_with_surfaces.has(session), CommandBlock)
    name = f"{session}/{command.id}/output"
    whole, at = "", 0
    while True:
        piece = await one.call("artifact.read", artifact_id=name, offset=at, limit=100)
        whole += piece.text
        if piece.next_offset is None:
            break
        at = piece.next_offset
    assert whole == command.output
    assert (await one.refused("artifact.read", artifact_id=f"{session}/none/output")).code == rpc.FAILED
    missing = await one.refused("artifact.read", artifact_id="nobody/none/output")
    assert missing.code == rpc.SESSION_NOT_FOUND


async def test_a_session_is_read_and_exported(app_with_surfaces: AppWithSurfaces, one: MirrorSurface) -> None:
    session = await begin(one)
    await one.run(session, "demo:edit")
    [ask] = (await one.until(session, lambda seen: seen.asks)).asks
    await one.answer(session, ask_id=ask.id, choice="accept")
    await app_with_surfaces.at_rest(session)
    assert of_kind(app_with_surfaces.has(session), FileChangeBlock)
    assert (await one.call("history.read", session_id=session)).session == app_with_surfaces.has(session)
    markdown = await one.call("history.export", session_id=session)
    assert markdown.format == "markdown"
    assert "demo:edit" in markdown.text
    exported = await one.call("history.export", session_id=session, format="json")
    assert msgspec.json.decode(exported.text)["id"] == session


async def test_the_plan_is_read_as_todos(app_with_surfaces: AppWithSurfaces, one: MirrorSurface) -> None:
    session = await begin(one)
    assert (await one.call("todos.list", session_id=session)).todos == ()
    await one.run(session, "demo:plan")
    await app_with_surfaces.at_rest(session)
    todos = (await one.call("todos.list", session_id=session)).todos
    assert [(todo.text, todo.status) for todo in todos] == [
        ("Stop the traffic", "completed"),
        ("Raise the leaf", "completed"),
        ("Let the ship through", "completed"),
    ]


async def test_surfaces_that_left_leave_nothing(app_with_surfaces: AppWithSurfaces) -> None:
    async with app_with_surfaces.surface("brief") as brief:
        await begin(brief)
    await app_with_surfaces.all_gone()
    names = [task.get_name() for task in asyncio.all_tasks()]
    assert [name for name in names if "websocket_" in name] == []
