"""Prompts while a real Codex works: steered, queued, stopped; nothing lost, nothing doubled."""

import psutil
import pytest
from tests.e2e.live_app import LiveApp, Setup, choose, kinds, last_run, of_kind, of_run, replies, said

from bascule.core.prompts.prompt_lane import MAX_QUEUE
from bascule.model.asks import Refuse
from bascule.model.blocks import UserBlock
from bascule.model.ids import PromptKey, SessionId
from bascule.model.said import Said
from bascule.model.session import Prompt, Session

pytestmark = pytest.mark.real
module_loop = pytest.mark.asyncio(loop_scope="module")


def users(session: Session) -> list[tuple[str, bool, bool]]:
    return [(block.text, block.steered, block.sent) for block in of_kind(session, UserBlock)]


def waiting(session: Session) -> list[str]:
    return [prompt.text for prompt in session.queue]


async def busy(live: LiveApp) -> SessionId:
    """A session whose agent is speaking, slowly."""
    session = await live.begin()
    live.say(session, "demo:slow")
    await live.until_streaming(session)
    return session


# Steering


@module_loop
async def test_a_steer_goes_into_the_run_once(shared: LiveApp) -> None:
    session = await busy(shared)
    shared.say(session, "One more thing.", how="steer")
    seen = await shared.until_idle(session)

    assert users(seen) == [("demo:slow", False, True), ("One more thing.", True, True)]
    assert [run.outcome for run in seen.runs] == ["completed"]
    assert replies(seen)[-1].startswith("You added: “One more thing.”")


@module_loop
async def test_a_steer_before_the_run_is_known_goes_into_it(shared: LiveApp) -> None:
    session = await shared.begin()
    shared.say(session, "demo:slow")
    shared.say(session, "And quickly.", how="steer")
    seen = await shared.until_idle(session)

    assert users(seen) == [("demo:slow", False, True), ("And quickly.", True, True)]
    assert len(seen.runs) == 1


# The queue


@module_loop
async def test_queued_prompts_run_in_order_after_being_edited_moved_and_removed(shared: LiveApp) -> None:
    session = await busy(shared)
    prompts = shared.app.prompts
    first, second, third = (shared.say(session, text) for text in ("demo:search", "wrong", "demo:plan"))
    assert waiting(shared.see(session)) == ["demo:search", "wrong", "demo:plan"]
    assert prompts.edit_queued(session, second, "demo:reasoning") is None
    assert prompts.move_queued(session, third, 0) is None
    assert prompts.remove_queued(session, first) is None
    assert waiting(shared.see(session)) == ["demo:plan", "demo:reasoning"]
    gone = Refuse("That prompt no longer waits in the queue.", said=Said("queue.gone"))
    assert prompts.edit_queued(session, first, "again") == gone
    assert prompts.move_queued(session, first, 0) == gone
    assert prompts.remove_queued(session, first) == gone
    assert prompts.steer_queued(session, first) == gone

    shared.say(session, "go on", how="steer")  # ends the slow answer
    seen = await shared.until_idle(session)
    assert said(seen) == ["demo:slow", "go on", "demo:plan", "demo:reasoning"]
    assert [run.outcome for run in seen.runs] == ["completed"] * 3
    assert seen.queue == ()


@module_loop
async def test_a_queued_prompt_can_be_steered_in(shared: LiveApp) -> None:
    session = await busy(shared)
    key = shared.say(session, "demo:search")
    assert shared.app.prompts.steer_queued(session, key) is None
    seen = await shared.until_idle(session)

    assert users(seen) == [("demo:slow", False, True), ("demo:search", True, True)]
    assert "webSearch completed" in kinds(of_run(seen))


@module_loop
async def test_the_queue_is_held_after_an_interrupt_until_it_is_released(shared: LiveApp) -> None:
    session = await busy(shared)
    shared.say(session, "demo:search")
    shared.app.prompts.interrupt(session)
    stopped = await shared.until_idle(session)

    assert (last_run(stopped).outcome, stopped.queue_held, waiting(stopped)) == (
        "interrupted",
        True,
        ["demo:search"],
    )
    shared.app.prompts.release_queue(session)
    seen = await shared.until_idle(session)
    assert said(seen) == ["demo:slow", "demo:search"]
    assert (seen.queue, seen.queue_held, last_run(seen).outcome) == ((), False, "completed")


@module_loop
async def test_the_queue_is_held_after_a_failure_and_follows_the_next_prompt(shared: LiveApp) -> None:
    session = await shared.begin()
    shared.say(session, "demo:approval demo:error")
    await shared.until_ask(session)
    shared.say(session, "demo:plan")
    failed = await shared.finish(session, choose("accept"))
    assert (last_run(failed).outcome, failed.queue_held, waiting(failed)) == ("failed", True, ["demo:plan"])

    seen = await shared.play(session, "demo:search")
    assert said(seen) == ["demo:approval demo:error", "demo:search", "demo:plan"]


@module_loop
async def test_a_full_queue_is_refused(shared: LiveApp) -> None:
    session = await busy(shared)
    for number in range(MAX_QUEUE):
        shared.say(session, f"demo:search {number}")
    why = shared.refused(session, Prompt(key=PromptKey("one-too-many"), text="demo:search"))
    assert why == f"The queue is full ({MAX_QUEUE} prompts). Remove one, or wait."
    shared.app.prompts.interrupt(session)
    seen = await shared.until_idle(session)
    assert len(seen.queue) == MAX_QUEUE


@module_loop
async def test_prompts_that_cannot_be_sent_are_refused(shared: LiveApp) -> None:
    session = await shared.begin()
    for text in (" \n", "x" * 1_000_001, "not text: \udcff"):
        assert shared.refused(session, Prompt(key=PromptKey("k"), text=text))
    assert shared.refused(session, Prompt(key=PromptKey("k"), text="look", images=("a.png",) * 21))
    assert said(await shared.play(session, "demo:search")) == ["demo:search"]


async def test_the_queue_and_the_keys_outlive_the_app(setup: Setup) -> None:
    async with setup.run() as live:
        session = await busy(live)
        live.say(session, "demo:search", key="second")
        live.say(session, "demo:plan", key="third")
    async with setup.run() as live:
        seen = live.see(session)
        assert (waiting(seen), seen.queue_held) == (["demo:search", "demo:plan"], True)
        live.say(session, "demo:search", key="second")  # sent again by a surface that was unsure
        assert live.see(session).queue == seen.queue
        live.app.prompts.release_queue(session)
        seen = await live.until_idle(session)
        assert said(seen) == ["demo:slow", "demo:search", "demo:plan"]


@module_loop
async def test_one_key_sent_twice_is_one_prompt(shared: LiveApp) -> None:
    session = await shared.begin()
    shared.say(session, "demo:search", key="only")
    shared.say(session, "demo:search", key="only")
    shared.say(session, "demo:search", key="only", how="steer")
    await shared.until_idle(session)
    shared.say(session, "demo:search", key="only")
    seen = shared.see(session)
    assert (said(seen), len(seen.runs), seen.queue) == (["demo:search"], 1, ())


# Stopping


@module_loop
async def test_an_interrupt_leaves_nothing_in_progress(shared: LiveApp) -> None:
    session = await busy(shared)
    shared.app.prompts.interrupt(session)
    seen = await shared.until_idle(session)

    assert kinds(of_run(seen)) == ["user", "assistant cancelled"]
    assert (last_run(seen).outcome, seen.status) == ("interrupted", "completed")
    shared.app.prompts.interrupt(session)  # nothing to stop: nothing happens
    assert replies(await shared.play(session, "demo:search"))[-1].startswith("That is how a web search")


@module_loop
async def test_who_stops_a_run_more_than_once_is_heard_at_once_with_what_comes_next(shared: LiveApp) -> None:
    session = await busy(shared)
    for _ in range(3):
        shared.app.prompts.interrupt(session)  # codex answers the first of them, and the others never
    assert last_run(await shared.until_idle(session)).outcome == "interrupted"
    assert last_run(await shared.play(session, "demo:search")).outcome == "completed"


@module_loop
async def test_an_interrupt_before_the_run_is_known(shared: LiveApp) -> None:
    session = await shared.begin()
    shared.say(session, "demo:slow")
    shared.app.prompts.interrupt(session)
    seen = await shared.until_idle(session)

    assert (last_run(seen).outcome, seen.status, said(seen)) == ("interrupted", "completed", ["demo:slow"])
    assert not [kind for kind in kinds(seen.blocks) if kind.endswith("inProgress")]


# Side by side


@module_loop
async def test_several_sessions_run_at_once_on_one_child(shared: LiveApp) -> None:
    one, two = await busy(shared), await busy(shared)
    assert [shared.see(session).status for session in (one, two)] == ["working", "working"]
    shared.say(one, "to the first", how="steer")
    shared.say(two, "to the second", how="steer")
    first, second = await shared.until_idle(one), await shared.until_idle(two)

    assert said(first) == ["demo:slow", "to the first"]
    assert said(second) == ["demo:slow", "to the second"]
    assert replies(first)[-1].startswith("You added: “to the first”")
    assert replies(second)[-1].startswith("You added: “to the second”")
    assert first.thread != second.thread
    children = [child for child in psutil.Process().children() if "app-server" in child.cmdline()]
    assert len(children) == 1
