"""What cannot be sent at all, and what an agent cannot take: refused before anything happens."""

import asyncio
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.daemon.hubs import NOW_MS, ONE, make_session, open_hub

from bascule.daemon.agents.roster import Roster
from bascule.daemon.prompts import prompts
from bascule.daemon.prompts.prompt_contexts import Contexts
from bascule.daemon.prompts.prompts import (
    MAX_IMAGES,
    MAX_PROMPT,
    NO_IMAGES,
    NO_READ_ONLY,
    NO_STEER,
    Prompts,
    find_incapable,
    find_unfit,
)
from bascule.host.processes.tasks import Tasks
from bascule.model.agents import AgentCapabilities
from bascule.model.asks import Answer, Refuse
from bascule.model.blocks import Purpose
from bascule.model.consent.audit import Remote
from bascule.model.ids import AskId, PromptKey, RunId, ThreadId
from bascule.model.session import Prompt
from bascule.model.settings import Settings

KEY = PromptKey("k")
ANN = Remote(user="ann", command_id="c1")


@pytest.mark.parametrize("purpose", ["plan", "patch"])
def test_a_remote_sender_never_begins_a_run_that_may_write(purpose: Purpose) -> None:
    assert find_unfit(Prompt(key=KEY, text="do it", purpose=purpose, sender=ANN)) is None
    assert isinstance(find_unfit(Prompt(key=KEY, text="do it", sender=ANN)), Refuse)


@pytest.mark.parametrize(
    "prompt",
    [
        Prompt(key=KEY, text=" \n"),
        Prompt(key=KEY, text="x" * (MAX_PROMPT + 1)),
        Prompt(key=KEY, text="look", images=("/x.png",) * (MAX_IMAGES + 1)),
        Prompt(key=KEY, text="\udcff"),
    ],
)
def test_what_no_agent_is_sent(prompt: Prompt) -> None:
    assert isinstance(find_unfit(prompt), Refuse)


def test_what_an_agent_can_do_is_not_refused_and_the_rest_is_named() -> None:
    everything, nothing = AgentCapabilities(), AgentCapabilities(steer=False, images=False, read_only=False)
    cases = [
        (Prompt(key=KEY, text="more"), True, NO_STEER),
        (Prompt(key=KEY, text="look", images=("/x.png",)), False, NO_IMAGES),
        (Prompt(key=KEY, text="it", purpose="patch"), False, NO_READ_ONLY),
    ]
    for prompt, steers, why in cases:
        assert find_incapable(prompt, everything, steers=steers) is None
        refused = find_incapable(prompt, nothing, steers=steers)
        assert refused is not None
        assert refused.why == why
    assert find_incapable(Prompt(key=KEY, text="hi"), nothing, steers=False) is None


class DeafAgent:
    """Takes what is steered in only when it is let."""

    def __init__(self) -> None:
        self.hears = asyncio.Event()
        self.heard: list[str] = []

    async def steer(self, _thread: ThreadId, run: RunId, prompt: Prompt, _context: object) -> RunId:
        await self.hears.wait()
        self.heard.append(prompt.text)
        return run


@pytest.fixture
async def deaf(tmp_path: Path) -> AsyncIterator[tuple[DeafAgent, Prompts]]:
    """In a run."""
    agent: Any = DeafAgent()
    no_files: Any = None

    async def find_agent(_session: object) -> Any:
        return agent

    numbers = count(1)
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session(thread=ThreadId("t")))
        roster = Roster(hub)
        roster.lane(ONE).started(RunId("r"))
        async with Tasks() as tasks:
            yield (
                agent,
                Prompts(
                    hub=hub,
                    roster=roster,
                    ready=find_agent,
                    policy=lambda _session, _purpose: pytest.fail("nothing is started"),
                    contexts=Contexts(workspaces=no_files, settings=lambda _workspace: Settings()),
                    tasks=tasks,
                    new_id=lambda prefix: f"{prefix}-{next(numbers)}",
                    now_ms=lambda: NOW_MS,
                ),
            )


NOT_NOW = Answer(ask=AskId("a"), choice="decline", reason="not now")


async def test_the_reason_of_a_no_is_with_the_agent_when_the_no_may_go(
    deaf: tuple[DeafAgent, Prompts],
) -> None:
    agent, speaking = deaf
    asyncio.get_running_loop().call_later(0.02, agent.hears.set)
    await speaking.say_reason(ONE, NOT_NOW)
    assert agent.heard == ["not now"]


async def test_an_agent_that_does_not_take_the_reason_of_a_no_does_not_keep_the_no(
    deaf: tuple[DeafAgent, Prompts], monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, speaking = deaf
    monkeypatch.setattr(prompts, "REASON_S", 0.01)
    await speaking.say_reason(ONE, NOT_NOW)
    assert agent.heard == []
