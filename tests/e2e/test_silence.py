"""A Codex that is stopped: said on every surface, restarted from any; one that is idle comes back."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import psutil
import pytest
from tests.e2e.stage import Life, Stage, kinds, last_run, of_run, said

from bascule.agents.codex import agent as codex_agent
from bascule.core.wire import rpc
from bascule.daemon.surfaces.surfaces import Surface
from bascule.host.clock import now_ms
from bascule.host.processes.process_register import Register
from bascule.model.consent.origin import Origin
from bascule.model.protocol.runs import UiCapabilities

pytestmark = pytest.mark.real

SOON_S = 0.2
PATIENCE_S = 30
Message = dict[str, Any]


@pytest.fixture(autouse=True)
def silence_is_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codex_agent, "SILENT_AFTER_S", SOON_S)


def find_codex(stage: Stage) -> psutil.Process:
    (record,) = Register(stage.folder.children, stage.folder.id).records
    return psutil.Process(record.pid)


class ListeningSurface:
    """A surface that hears everything."""

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self._heard: list[Message] = []

    async def until(self, holds: Callable[[Message], object]) -> Message:
        """The next message that this holds of."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                while self._heard:
                    message = self._heard.pop(0)
                    if holds(message):
                        return message
                self._heard = [json.loads(frame) for frame in await self.surface.frames()]

    async def until_silent(self, is_silent: bool) -> Message:
        def holds(message: Message) -> bool:
            if message.get("method") != "agent.state":
                return False
            return ("silent_since_ms" in message["params"]["state"]) == is_silent

        return await self.until(holds)

    async def call(self, method: str, params: Message) -> Any:
        await self.surface.feed(rpc.request(method, method, params))
        return (await self.until(lambda message: message.get("id") == method))["result"]


@asynccontextmanager
async def onlooker(life: Life, *, mirrors: bool = True) -> AsyncIterator[ListeningSurface]:
    surface = life.app.surfaces.connect(Origin(door="page"), workspace=str(life.project))
    surface.initialized = True
    surface.capabilities = UiCapabilities(supports_session_sync=mirrors)
    try:
        yield ListeningSurface(surface)
    finally:
        surface.close()
        await surface.finish()


async def test_a_stopped_codex_is_said_to_be_silent_until_it_goes_on(stage: Stage) -> None:
    async with stage.life() as life:
        session = await life.begin()
        codex = find_codex(stage)
        codex.suspend()
        async with onlooker(life) as page, onlooker(life, mirrors=False) as plain:
            before_ms = now_ms()
            life.say(session, "demo:search")
            state = (await page.until_silent(True))["params"]["state"]
            assert state["workspace"] == str(life.project)
            assert before_ms <= state["silent_since_ms"] <= now_ms()
            toast = await plain.until(lambda message: message.get("method") == "ui.toast")
            assert toast["params"] == {
                "level": "warn",
                "message": f"Codex in {life.project} does not answer. "
                "Wait, or restart it: bascule session restart ID",
            }
            assert life.see(session).status == "working"  # time is no evidence of an end
            codex.resume()
            await page.until_silent(False)
            seen = await life.until_idle(session)
            assert last_run(seen).outcome == "completed"


async def test_a_stopped_codex_is_restarted_from_a_surface_in_mid_run(stage: Stage) -> None:
    async with stage.life() as life, onlooker(life) as page:
        session = await life.begin()
        life.say(session, "demo:slow")
        await life.until_streaming(session)
        codex = find_codex(stage)
        codex.suspend()
        life.app.prompts.interrupt(session)
        await page.until_silent(True)
        restarted = await page.call("agent.restart", {"session_id": session})
        assert restarted == {"workspace": str(life.project), "was_running": True}
        assert not codex.is_running()
        seen = life.see(session)
        why = f"Restarted by {page.surface.label}."
        assert (last_run(seen).outcome, last_run(seen).why, seen.status) == ("failed", why, "stopped")
        assert kinds(of_run(seen)) == ["user", "assistant failed", "error"]
        assert life.app.pool.state(life.place).silent_since_ms is None
        after = await life.play(session, "demo:search")
        assert [run.outcome for run in after.runs] == ["failed", "completed"]


async def test_a_slash_restarts_it_too_and_what_was_not_sent_waits(stage: Stage) -> None:
    async with stage.life() as life, onlooker(life) as page:
        session = await life.begin()
        find_codex(stage).suspend()
        life.say(session, "demo:search")
        await page.until_silent(True)
        text = {"type": "text", "text": "/restart"}
        await page.call("run.start", {"session_id": session, "input": text, "how": "queue"})
        seen = await life.until(session, lambda seen: seen.queue)
        assert ([prompt.text for prompt in seen.queue], seen.queue_held) == (["demo:search"], True)
        life.app.prompts.release_queue(session)
        seen = await life.until_idle(session)
        assert (said(seen), last_run(seen).outcome) == (["demo:search"], "completed")


async def test_one_that_rests_comes_back_with_its_conversation(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stage.life() as life:
        session = await life.begin()
        before = await life.play(session, "demo:search")
        monkeypatch.setattr(life.app.pool, "_now_ms", lambda: now_ms() + 30 * 60_000)
        await life.app.pool.end_idle()
        assert not life.app.pool.is_running(life.place)
        assert life.see(session) == before  # no error, no other status
        seen = await life.play(session, "demo:plan")
        assert said(seen) == ["demo:search", "demo:plan"]
        assert [run.outcome for run in seen.runs] == ["completed", "completed"]


async def test_one_that_rests_before_the_first_prompt_loses_no_session(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Codex itself keeps nothing of a thread before its first turn."""
    async with stage.life() as life:
        session = await life.begin()
        monkeypatch.setattr(life.app.pool, "_now_ms", lambda: now_ms() + 30 * 60_000)
        await life.app.pool.end_idle()
        seen = await life.play(session, "demo:search")
        assert kinds(of_run(seen)) == ["user", "webSearch completed", "assistant completed"]
        assert (said(seen), last_run(seen).outcome) == (["demo:search"], "completed")


async def test_one_whose_prompt_waits_for_an_answer_does_not_rest(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stage.life() as life:
        session = await life.begin()
        life.say(session, "demo:edit")
        await life.until_ask(session)
        monkeypatch.setattr(life.app.pool, "_now_ms", lambda: now_ms() + 30 * 60_000)
        await life.app.pool.end_idle()
        assert life.app.pool.is_running(life.place)
