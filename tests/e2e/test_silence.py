"""A Codex that is stopped: said on every surface, restarted from any; one that is idle comes back."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import psutil
import pytest
from tests.e2e.live_app import LiveApp, Setup, kinds, last_run, of_run, said
from tests.patience import PATIENCE_S

from bascule.agents.codex import agent as codex_agent
from bascule.core.wire import rpc
from bascule.daemon.surfaces.surfaces import Surface
from bascule.host.clock import now_ms
from bascule.host.processes.process_register import Register
from bascule.model.consent.origin import Origin
from bascule.model.protocol.runs import UiCapabilities

pytestmark = pytest.mark.real

SOON_S = 0.2
Message = dict[str, Any]


@pytest.fixture(autouse=True)
def silence_is_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codex_agent, "SILENT_AFTER_S", SOON_S)


def find_codex(setup: Setup) -> psutil.Process:
    (record,) = Register(setup.folder.children, setup.folder.id).records
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
async def onlooker(live: LiveApp, *, mirrors: bool = True) -> AsyncIterator[ListeningSurface]:
    surface = live.app.surfaces.connect(Origin(door="page"), workspace=str(live.project))
    surface.initialized = True
    surface.capabilities = UiCapabilities(supports_session_sync=mirrors)
    try:
        yield ListeningSurface(surface)
    finally:
        surface.close()
        await surface.finish()


async def test_a_stopped_codex_is_said_to_be_silent_until_it_goes_on(setup: Setup) -> None:
    async with setup.run() as live:
        session = await live.begin()
        codex = find_codex(setup)
        codex.suspend()
        async with onlooker(live) as page, onlooker(live, mirrors=False) as plain:
            before_ms = now_ms()
            live.say(session, "demo:search")
            state = (await page.until_silent(True))["params"]["state"]
            assert state["workspace"] == str(live.project)
            assert before_ms <= state["silent_since_ms"] <= now_ms()
            toast = await plain.until(lambda message: message.get("method") == "ui.toast")
            assert toast["params"] == {
                "level": "warn",
                "message": f"Codex in {live.project} does not answer. "
                "Wait, or restart it: bascule session restart ID",
            }
            assert live.see(session).status == "working"  # time is no evidence of an end
            codex.resume()
            await page.until_silent(False)
            seen = await live.until_idle(session)
            assert last_run(seen).outcome == "completed"


async def test_a_stopped_codex_is_restarted_from_a_surface_in_mid_run(setup: Setup) -> None:
    async with setup.run() as live, onlooker(live) as page:
        session = await live.begin()
        live.say(session, "demo:slow")
        await live.until_streaming(session)
        codex = find_codex(setup)
        codex.suspend()
        live.app.prompts.interrupt(session)
        await page.until_silent(True)
        restarted = await page.call("agent.restart", {"session_id": session})
        assert restarted == {"workspace": str(live.project), "was_running": True}
        assert not codex.is_running()
        seen = live.see(session)
        why = f"Restarted by {page.surface.label}."
        assert (last_run(seen).outcome, last_run(seen).why, seen.status) == ("failed", why, "stopped")
        assert kinds(of_run(seen)) == ["user", "assistant failed", "error"]
        assert live.app.pool.state(live.place).silent_since_ms is None
        after = await live.play(session, "demo:search")
        assert [run.outcome for run in after.runs] == ["failed", "completed"]


async def test_a_slash_restarts_it_too_and_what_was_not_sent_waits(setup: Setup) -> None:
    async with setup.run() as live, onlooker(live) as page:
        session = await live.begin()
        find_codex(setup).suspend()
        live.say(session, "demo:search")
        await page.until_silent(True)
        text = {"type": "text", "text": "/restart"}
        await page.call("run.start", {"session_id": session, "input": text, "how": "queue"})
        seen = await live.until(session, lambda seen: seen.queue)
        assert ([prompt.text for prompt in seen.queue], seen.queue_held) == (["demo:search"], True)
        live.app.prompts.release_queue(session)
        seen = await live.until_idle(session)
        assert (said(seen), last_run(seen).outcome) == (["demo:search"], "completed")


async def test_one_that_rests_comes_back_with_its_conversation(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with setup.run() as live:
        session = await live.begin()
        before = await live.play(session, "demo:search")
        monkeypatch.setattr(live.app.pool, "_now_ms", lambda: now_ms() + 30 * 60_000)
        await live.app.pool.end_idle()
        assert not live.app.pool.is_running(live.place)
        assert live.see(session) == before  # no error, no other status
        seen = await live.play(session, "demo:plan")
        assert said(seen) == ["demo:search", "demo:plan"]
        assert [run.outcome for run in seen.runs] == ["completed", "completed"]


async def test_one_that_rests_before_the_first_prompt_loses_no_session(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Codex itself keeps nothing of a thread before its first turn."""
    async with setup.run() as live:
        session = await live.begin()
        monkeypatch.setattr(live.app.pool, "_now_ms", lambda: now_ms() + 30 * 60_000)
        await live.app.pool.end_idle()
        seen = await live.play(session, "demo:search")
        assert kinds(of_run(seen)) == ["user", "webSearch completed", "assistant completed"]
        assert (said(seen), last_run(seen).outcome) == (["demo:search"], "completed")


async def test_one_whose_prompt_waits_for_an_answer_does_not_rest(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with setup.run() as live:
        session = await live.begin()
        live.say(session, "demo:edit")
        await live.until_ask(session)
        monkeypatch.setattr(live.app.pool, "_now_ms", lambda: now_ms() + 30 * 60_000)
        await live.app.pool.end_idle()
        assert live.app.pool.is_running(live.place)
