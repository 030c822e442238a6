"""Several surfaces send prompts: who drives, what waits, and what cannot be said."""

import asyncio

import pytest
from tests.e2e.live_app import of_kind, said
from tests.e2e.mirror_surface import MirrorSurface
from tests.e2e.surfaces.app_with_surfaces import AppWithSurfaces, begin, begin_slow, stop

from bascule.client.link import LinkRefused
from bascule.core.wire import rpc
from bascule.model.blocks import SystemBlock, UserBlock

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]


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
    context = {"selection": {"path": str(app_with_surfaces.live.project / "wordkit.py"), "range": selected}}
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
