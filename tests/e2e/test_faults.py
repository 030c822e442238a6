"""Programs that are no Codex, or break its rules: one clear sentence, and sessions that stay usable."""

import asyncio

import psutil
import pytest
from tests.e2e.live_app import CODEX, LiveApp, Setup, kinds, last_run, of_kind, replies, said, without_notes

from bascule.agents.codex import calls
from bascule.agents.codex.events.change_sink import MAX_NOTED_BY_AGENT
from bascule.agents.codex.launch import CHECK, HOW_TO_GET, make_launch
from bascule.core.faults import AgentGone
from bascule.daemon.agents import agent_process
from bascule.model.blocks import ErrorBlock, InfoBlock, UserBlock
from bascule.model.session import Session
from bascule.model.settings import CodexSettings

MiB = 1024 * 1024

LOOK = CHECK
NOT_CODEX = {
    "missing": make_launch(CodexSettings(command="frobnicate")).missing,
    "garbage": f"Codex ended with exit code 0 before it answered. {LOOK}",
    "chatter": f"Codex did not answer within 1 s. {LOOK}",
    "dies": "Codex ended with exit code 3 before it answered. "
    f"It said: fake: the library libfrob.so is missing {LOOK}",
    "old": f"Codex 0.50.0 is too old: 0.163 or newer is needed. {HOW_TO_GET}",
}


def waiting(session: Session) -> list[str]:
    return [prompt.text for prompt in session.queue]


def set_fault(setup: Setup, fault: str) -> None:
    if fault == "missing":
        setup.write_settings(command="frobnicate")
    else:
        setup.use_fake("app_server", fault)


@pytest.mark.real
@pytest.mark.parametrize("fault", NOT_CODEX)
async def test_a_program_that_is_no_codex(fault: str, setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    async with setup.run() as live:
        session = await live.begin()
        await live.play(session, "demo:search")
    set_fault(setup, fault)
    with monkeypatch.context() as patched:
        patched.setattr(agent_process, "HANDSHAKE_S", 1.0)
        async with setup.run() as live:
            live.say(session, "demo:reasoning")
            seen = await live.until_idle(session)
            assert [block.text for block in of_kind(seen, ErrorBlock)] == [NOT_CODEX[fault]]
            assert (waiting(seen), seen.queue_held, seen.status) == (["demo:reasoning"], True, "stopped")
            assert said(seen) == ["demo:search"]
            with pytest.raises(AgentGone) as refused:
                await live.begin()
            assert str(refused.value) == NOT_CODEX[fault]
    setup.write_settings()
    async with setup.run() as live:
        live.app.prompts.release_queue(session)
        seen = await live.until_idle(session)
        assert said(seen) == ["demo:search", "demo:reasoning"]
        assert (last_run(seen).outcome, seen.queue) == ("completed", ())


async def test_what_it_says_on_stderr_is_in_the_log(setup: Setup) -> None:
    setup.use_fake("app_server", "dies")
    async with setup.run() as live:
        with pytest.raises(AgentGone):
            await live.begin()
    assert "fake: the library libfrob.so is missing" in setup.folder.log.read_text()


async def play(live: LiveApp, text: str) -> Session:
    return await live.play(await live.begin(), text)


async def test_a_server_that_is_overloaded_is_asked_again(setup: Setup) -> None:
    setup.use_fake("app_server", "overloaded")
    async with setup.run() as live:
        seen = await play(live, "patience")
    assert kinds(without_notes(seen)) == ["user", "assistant completed"]
    assert len(seen.runs) == 1


async def test_a_flood_of_broken_lines_is_noted_under_a_ceiling(setup: Setup) -> None:
    setup.use_fake("app_server", "flooding")
    async with setup.run() as live:
        session = await live.begin()
        before = psutil.Process().memory_info().rss
        for number in range(3):
            await live.play(session, f"flood {number}")
        seen = live.see(session)
        assert replies(seen) == ["You said: flood 0", "You said: flood 1", "You said: flood 2"]
        assert psutil.Process().memory_info().rss - before < 100 * MiB
        (noted,) = [n for n in live.app.pool.state(live.place).notices if n.id == "other-events"]
        assert len(noted.text) <= MAX_NOTED_BY_AGENT
        assert "over the ceiling" in noted.text
        assert noted.dropped > 0
        assert sum(len(getattr(block, "text", "")) for block in seen.blocks) < 2 * MiB


@pytest.mark.real
async def test_a_child_that_does_not_read_troubles_nobody_else(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "CALL_TIMEOUT_S", 3.0)
    setup.use_fake("app_server", "deaf", CODEX)
    bad = setup.project.with_name("bad")
    bad.mkdir()
    async with setup.run() as live:
        deaf, well = await live.begin(bad), await live.begin()
        live.say(deaf, "x" * 1_000_000)
        live.say(well, "demo:search")
        seen, other = await asyncio.gather(live.until_idle(deaf), live.until_idle(well))
        assert last_run(other).outcome == "completed"
        (error,) = of_kind(seen, ErrorBlock)
        assert error.text == "codex did not answer turn/start within 3 s."
        assert len(waiting(seen)) == 1
        assert seen.queue_held


async def test_a_run_that_is_over_before_its_start_is_answered(setup: Setup) -> None:
    setup.use_fake("app_server", "hasty")
    async with setup.run() as live:
        session = await live.begin()
        live.say(session, "one")
        live.say(session, "two")
        seen = await live.until_idle(session)
        assert (said(seen), len(seen.runs)) == (["one", "two"], 2)
        assert said(await live.play(session, "three")) == ["one", "two", "three"]


async def test_a_run_that_fails_before_it_has_started(setup: Setup) -> None:
    setup.use_fake("app_server", "abrupt")
    async with setup.run() as live:
        session = await live.begin()
        live.say(session, "one")
        live.say(session, "a steer", how="steer")
        live.say(session, "two")
        failed = await live.until_idle(session)
        assert (last_run(failed).outcome, last_run(failed).why) == ("failed", "The bridge is up.")
        assert (waiting(failed), failed.queue_held) == (["a steer", "two"], True)
        live.app.prompts.release_queue(session)
        assert replies(await live.until_idle(session)) == ["You said: a steer", "You said: two"]


async def test_a_steer_that_comes_too_late_is_the_next_prompt_once(setup: Setup) -> None:
    setup.use_fake("app_server", "late")
    async with setup.run() as live:
        session = await live.begin()
        live.say(session, "one")
        await live.until(session, lambda seen: said(seen) == ["one"] and seen.runs)
        live.say(session, "three")
        live.say(session, "two", how="steer")
        seen = await live.until_idle(session)
    users = [(block.text, block.steered, block.sent) for block in of_kind(seen, UserBlock)]
    assert sorted(users) == [("one", False, True), ("three", False, True), ("two", False, True)]
    assert [run.outcome for run in seen.runs] == ["completed"] * 3


async def test_a_prompt_that_was_never_heard_is_not_lost_with_us(setup: Setup) -> None:
    setup.use_fake("app_server", "mute")
    async with setup.run() as live:
        session = await live.begin()
        live.say(session, "do you hear me?", key="k1")
        live.say(session, "and then this", key="k2")
        await live.until(session, said)
    setup.use_fake("app_server", "none")
    async with setup.run() as live:
        seen = live.see(session)
        assert (said(seen), waiting(seen), seen.queue_held) == (
            [],
            ["do you hear me?", "and then this"],
            True,
        )
        live.say(session, "do you hear me?", key="k1")  # a surface that was unsure
        live.app.prompts.release_queue(session)
        seen = await live.until_idle(session)
        assert said(seen) == ["do you hear me?", "and then this"]


async def test_settings_that_went_bad_are_said_in_the_session(setup: Setup) -> None:
    setup.use_fake("app_server", "none")
    settings, good = setup.folder.settings, setup.folder.settings.read_text()
    async with setup.run() as live:
        session = await live.begin()
        settings.write_text(good + "[orders]\nnonsense = 1\n")
        live.app.settings.forget()
        live.say(session, "hello")
        seen = await live.until_idle(session)
        (error,) = of_kind(seen, ErrorBlock)
        assert "unknown key bascule.orders.nonsense" in error.text
        assert waiting(seen) == ["hello"]
        settings.write_text(good)
        live.app.prompts.release_queue(session)
        assert replies(await live.until_idle(session)) == ["You said: hello"]


async def test_a_clone_that_would_loosen_something_stops_no_session_and_is_said_once_in_each(
    setup: Setup,
) -> None:
    setup.use_fake("app_server", "none")
    settings = setup.project / ".vscode" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"bascule.codex.command": "evil", "bascule.codex.sandbox": "workspace-write"}')
    async with setup.run() as live:
        session = await live.begin()
        live.say(session, "hello")
        await live.until_idle(session)
        live.say(session, "again")
        seen = await live.until_idle(session)
        assert replies(seen) == ["You said: hello", "You said: again"]
        (told,) = of_kind(seen, InfoBlock)
        assert told.title == "Settings of this folder were ignored"
        assert str(live.project) in told.text
        assert "line 1: bascule.codex.command cannot be set by a workspace" in told.text
        settings.write_text("{")
        live.say(session, "third")
        seen = await live.until_idle(session)
        assert replies(seen)[-1] == "You said: third"
        assert "not valid JSON" in of_kind(seen, InfoBlock)[-1].text
