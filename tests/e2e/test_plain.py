"""A client that gets events: the order that it relies on, and questions that others answer."""

import asyncio
import shlex
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psutil
import pytest
from tests.e2e.live_app import LiveApp, Setup, of_kind
from tests.e2e.peer import CAN_ASK, Message, Peer, Refusal, events, states
from tests.e2e.scripted import RUN, Scripted, scripted
from tests.e2e.test_silence import find_codex

from bascule.client.in_process import InProcessWire
from bascule.daemon.surfaces.surfaces import Surface, SurfaceClosed
from bascule.host.processes.tasks import Tasks
from bascule.model.asks import Answer
from bascule.model.blocks import CommandBlock, UserBlock
from bascule.model.consent.origin import Origin
from bascule.model.ids import SessionId

__all__ = ["scripted"]


class Near(InProcessWire):
    """A wire to an application in this process."""

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface, SurfaceClosed)
        self._theirs = surface

    async def close(self) -> None:
        self._theirs.close()


@asynccontextmanager
async def open_peer(live: LiveApp) -> AsyncIterator[Peer]:
    surface = live.app.surfaces.connect(Origin(door="terminal"), workspace=str(live.project))
    wire = Near(surface)
    async with Tasks() as tasks:
        peer = await Peer(wire, tasks).initialize(**CAN_ASK)
        yield peer
        await wire.close()


def prompt(text: str, **more: str) -> Message:
    return {"input": {"type": "text", "text": text}, **more}


def is_question(message: Message) -> bool:
    return "method" in message and "id" in message


def place(peer: Peer, wanted: Message) -> int:
    return next(at for at, message in enumerate(peer.heard) if message is wanted)


@pytest.mark.parametrize(("fault", "end"), [("hasty", "completed"), ("abrupt", "error")])
async def test_a_run_has_its_name_before_anything_is_reported_of_it(
    setup: Setup, fault: str, end: str
) -> None:
    """The Codelia TUI would wait for ever for the end of a run that ended before it had heard of it."""
    setup.use_fake("app_server", fault)
    async with setup.run() as live, open_peer(live) as peer:
        call = await peer.begin("run.start", prompt("hello"))
        run = (await peer.result(call))["run_id"]
        reply = next(message for message in peer.heard if message.get("id") == call)
        heard = await peer.finish(run)
        assert place(peer, reply) < min(place(peer, message) for message in heard)
        assert states(heard) == ["running", end]


async def test_a_prompt_that_cannot_be_sent_is_left_to_the_client(setup: Setup) -> None:
    """It has a queue of its own and tries again: ours must not fill with the same prompt."""
    async with setup.run() as live:
        session = await live.begin()
        await live.play(session, "demo:search")
    setup.write_settings(command="frobnicate")
    async with setup.run() as live, open_peer(live) as peer:
        for _ in range(3):
            with pytest.raises(Refusal, match="frobnicate"):
                await peer.call("run.start", prompt("hello", session_id=session))
        assert live.see(session).queue == ()


@pytest.mark.real
async def test_the_model_before_there_is_a_session(live: LiveApp) -> None:
    """What is set then is of the next session; an effort that the model has not is refused at once."""
    async with open_peer(live) as peer:
        listed = await peer.call("model.list")
        assert (listed["current"], listed["reasoning"]) == ("demo", "medium")
        with pytest.raises(Refusal, match="demo-small has no effort tiny"):
            await peer.call("model.set", {"name": "demo-small", "reasoning": "tiny"})
        set_ = await peer.call("model.set", {"name": "demo-small", "reasoning": "high"})
        assert set_ == {"provider": "openai", "name": "demo-small", "reasoning": "high", "source": "session"}
        session = (await peer.call("run.start", prompt("demo:search")))["session_id"]
        listed = await peer.call("model.list")
        assert (listed["current"], listed["reasoning"]) == ("demo-small", "high")
        seen = live.see(SessionId(session))
        assert (seen.model, seen.effort) == ("demo-small", "high")


async def ask(peer: Peer, kind: str, method: str) -> tuple[SessionId, Message]:
    session = (await peer.call("run.start", prompt(kind)))["session_id"]
    return SessionId(session), await peer.asked(method)


@pytest.mark.real
async def test_what_another_has_answered_is_asked_no_longer(live: LiveApp) -> None:
    async with open_peer(live) as peer:
        session, first = await ask(peer, "demo:approval", "ui.confirm.request")
        (open_ask,) = live.see(session).asks
        await live.answer(session, Answer(ask=open_ask.id, choice="accept", by="ann"))
        instead = await peer.until(lambda message: is_question(message) and message is not first)
        assert instead["params"] == {
            "title": "This is no longer asked",
            "message": "ann has answered it. Nothing is decided here.",
            "run_id": first["params"]["run_id"],
            "confirm_label": "Close",
            "cancel_label": "Close",
        }
        await peer.reply(first, {"ok": False})  # too late, from the dialog that was there before
        heard = await peer.finish(first["params"]["run_id"])
        assert events(heard)[-1]["content"] == "You allowed it, and the module is compiled."


@pytest.mark.real
async def test_a_question_ends_with_its_run(live: LiveApp) -> None:
    async with open_peer(live) as peer:
        _, question = await ask(peer, "demo:question", "ui.pick.request")
        await peer.call("run.cancel", {"run_id": question["params"]["run_id"]})
        assert states(await peer.finish(question["params"]["run_id"]))[-1] == "cancelled"
        await peer.in_step()
        assert list(filter(is_question, peer.heard)) == [question]


@pytest.mark.real
async def test_one_question_waits_for_the_other(live: LiveApp) -> None:
    async with open_peer(live) as peer:
        allow = await peer.begin("settings.set", {"key": "bascule.allowRunTerminal", "value": True})
        allowed = await peer.asked("ui.confirm.request")
        await peer.reply(allowed, {"ok": True})
        await peer.result(allow)
        shell = await peer.begin("shell.exec", {"command": "echo mine"})
        mine = await peer.asked("ui.confirm.request")
        session = (await peer.call("run.start", prompt("demo:approval")))["session_id"]
        await live.until_ask(SessionId(session))
        await peer.in_step()
        assert list(filter(is_question, peer.heard)) == [allowed, mine]
        await peer.reply(mine, {"ok": True})
        assert (await peer.result(shell))["stdout"] == "mine\n"
        theirs = await peer.asked("ui.confirm.request")
        await peer.reply(theirs, {"ok": True})
        assert states(await peer.finish(theirs["params"]["run_id"]))[-1] == "completed"


async def test_what_was_said_beside_a_prompt_stands_beside_its_events(live: LiveApp) -> None:
    async with open_peer(live) as peer:
        said = {**prompt("demo:text"), "meta": {"tab": 7}, "a_field_of_tomorrow": 1}
        run = (await peer.call("run.start", said))["run_id"]
        heard = [message for message in await peer.finish(run) if message["method"] == "agent.event"]
        assert heard
        kept = {"tab": 7, "a_field_of_tomorrow": 1}
        assert all(message["params"]["meta"] == kept for message in heard)


async def test_an_empty_prompt_is_refused_by_its_field_and_makes_no_session(live: LiveApp) -> None:
    before = len(live.app.hub.heads())
    async with open_peer(live) as peer:
        with pytest.raises(Refusal, match="input: The prompt is empty"):
            await peer.call("run.start", prompt("  "))
    assert len(live.app.hub.heads()) == before


async def test_a_plain_client_may_speak_of_its_selection(live: LiveApp) -> None:
    start, end = {"line": 0, "column": 0}, {"line": 2, "column": 0}
    selection = {"path": "wordkit.py", "range": {"start": start, "end": end}}
    async with open_peer(live) as peer:
        said = {**prompt("demo:text about @selection"), "ui_context": {"selection": selection}}
        answer = await peer.call("run.start", said)
        await peer.finish(answer["run_id"])
    session = live.see(SessionId(answer["session_id"]))
    said_then = [block.text for block in session.blocks if isinstance(block, UserBlock)]
    assert said_then == ["demo:text about @wordkit.py#L1-L2"]


@pytest.mark.real
async def test_cancelling_a_run_ends_the_tool_that_it_runs(setup: Setup, scripted: Scripted) -> None:
    """And whatever that has started."""
    # Codex may miss what a command prints in its first moment, so it is printed until it is seen.
    ready = shlex.quote("sleep 600 & while kill -0 $!; do echo ready; sleep 0.2; done")
    async with setup.run() as live, open_peer(live) as peer:
        run = await peer.start(f"{RUN}sh -c {ready}")
        (session,) = [head.id for head in live.app.hub.heads() if head.agent]
        seen = await live.until(
            session, lambda seen: "ready" in "".join(b.output for b in of_kind(seen, CommandBlock))
        )
        assert of_kind(seen, CommandBlock)[0].status == "inProgress"
        tools = [
            one for one in find_codex(setup).children(recursive=True) if "600" in " ".join(one.cmdline())
        ]
        assert len(tools) >= 2  # the shell, and what it has started
        assert (await peer.call("run.cancel", {"run_id": run}))["ok"] is True
        heard = await peer.finish(run)
        assert states(heard) == ["running", "cancelled"]
        assert [event["is_error"] for event in events(heard) if event["type"] == "tool_result"] == [True]
        _, left = await asyncio.to_thread(psutil.wait_procs, tools, timeout=30)
        assert left == []
