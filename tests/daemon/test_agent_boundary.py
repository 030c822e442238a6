"""A second agent, with another wire and fewer abilities, in the same daemon: the boundary holds."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.daemon.line_driver import PLAIN, LineAgent
from tests.e2e.live_app import LiveApp, kinds, last_run, replies, said

from bascule.core.faults import UserError
from bascule.daemon.agents.available_agents import AvailableAgents
from bascule.daemon.agents.pool import AgentPlace
from bascule.daemon.app import open_app
from bascule.daemon.prompts.composer import TypedPrompt
from bascule.daemon.prompts.prompts import NO_IMAGES, NO_READ_ONLY, NO_STEER
from bascule.daemon.protocol.setup import list_commands
from bascule.host.files.data_folder import open_folder
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.asks import Answer, Refuse
from bascule.model.ids import PromptKey
from bascule.model.said import Said
from bascule.model.session import Prompt


@asynccontextmanager
async def open_life(root: Path) -> AsyncIterator[LiveApp]:
    (root / "project").mkdir(exist_ok=True)
    agents = AvailableAgents([LineAgent()])
    async with open_app(open_folder(root / "data"), command="tests", agents=agents) as app:
        yield LiveApp(app, root / "project")


async def test_a_whole_session_with_another_agent(tmp_path: Path) -> None:
    async with open_life(tmp_path) as live:
        session = await live.begin()
        seen = await live.play(session, "hello")
        assert (seen.agent, seen.capabilities, seen.status) == ("line", PLAIN, "completed")
        assert (said(seen), replies(seen)) == (["hello"], ["You said: hello "])
        assert kinds(seen.blocks) == ["user", "assistant completed"]

        live.say(session, "run: make bridge")
        ask = await live.until_ask(session)
        assert (ask.title, live.see(session).status) == ("Run this?", "waiting_user")
        assert await live.answer(session, Answer(ask=ask.id, choice="no", by="ann")) is None
        assert replies(await live.until_idle(session))[-1] == "The answer was no. "
        (line,) = Audit(audit_in(live.app.folder.root)).last(9)
        assert (line.entry.answer, line.entry.asked) == ("no", "Run this? make bridge")

        live.say(session, "wait")
        await live.until_streaming(session, words=1)
        steer = Prompt(key=PromptKey("more"), text="and this")
        assert live.refused(session, steer, "steer") == NO_STEER
        live.app.prompts.interrupt(session)
        seen = await live.until_idle(session)
        assert (last_run(seen).outcome, seen.queue) == ("interrupted", ())

    async with open_life(tmp_path) as live:
        await live.app.sessions.open(session)
        again = live.see(session)
        assert (again.agent, again.capabilities) == ("line", PLAIN)
        assert said(again)[:2] == ["hello", "run: make bridge"]
        assert replies(await live.play(session, "back"))[-1] == "You said: back "


async def test_what_it_cannot_do_is_refused_in_words_and_never_called(tmp_path: Path) -> None:
    async with open_life(tmp_path) as live:
        session = await live.begin()
        picture = Prompt(key=PromptKey("picture"), text="look", images=("/tmp/x.png",))
        assert live.refused(session, picture) == NO_IMAGES
        with pytest.raises(UserError, match=r"can't run read-only, so it can't make a plan"):
            live.app.sessions.policy(session, "plan")
        assert live.refused(session, Prompt(key=PromptKey("plan"), text="it", purpose="plan")) == NO_READ_ONLY
        await live.play(session, "hello")
        assert await live.app.sessions.fork(session) == Refuse("Line agent cannot fork a conversation.")
        assert await live.app.sessions.compact(session) == Refuse("Line agent cannot shorten its context.")
        for text in ("/fork", "/compact", "/model", "/plan it", "/patch it"):
            refused = await live.app.composer.take(session, TypedPrompt(text=text, key=PromptKey(text)))
            name = text.split()[0]
            assert isinstance(refused, Refuse)
            assert refused.why == f"Line agent cannot do what {name} asks for. Nothing was sent."
            assert refused.said == Said("slash.unable", {"name": name, "agent": "Line agent"})
        assert await live.app.sessions.models(AgentPlace("line", str(live.project))) == []
        assert len(live.see(session).runs) == 1


async def test_the_reason_of_a_no_waits_for_the_end_of_the_run(tmp_path: Path) -> None:
    """It cannot be steered in."""
    async with open_life(tmp_path) as live:
        session = await live.begin()
        live.say(session, "run: rm -r bridge")
        ask = await live.until_ask(session)
        await live.answer(session, Answer(ask=ask.id, choice="no", reason="Never that.", by="ann"))
        seen = await live.until(session, lambda seen: len(replies(seen)) == 2)
        assert said(seen) == ["run: rm -r bridge", "Never that."]


async def test_an_agent_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    async with open_life(tmp_path) as live:
        with pytest.raises(UserError, match=r"There is no agent 'codex' here. There are: line."):
            await live.app.sessions.create(str(live.project), agent="codex")


async def test_commands_say_what_they_need_of_an_agent(tmp_path: Path) -> None:
    async with open_life(tmp_path) as live:
        listed = await list_commands(live.app, None, None)  # type: ignore[arg-type]
        needs = {command.name: command.needs for command in listed.commands if command.needs}
    assert needs == {
        "/plan": "read_only",
        "/patch": "read_only",
        "/compact": "compact",
        "/fork": "fork",
        "/model": "models",
    }
