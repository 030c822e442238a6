"""A Codex that dies: its run has failed, nothing was answered yes, and the session goes on with the next."""

import psutil
import pytest
from tests.e2e.live_app import LiveApp, Setup, choose, kinds, last_run, of_kind, of_run, said, without_notes

from bascule.core.consent.answer_check import TOO_LATE
from bascule.demo.project import FILES
from bascule.host.processes.liveness import is_alive
from bascule.host.processes.process_register import Register
from bascule.model.asks import Answer
from bascule.model.blocks import CommandBlock, ErrorBlock
from bascule.model.changes import AskClosed
from bascule.model.ids import SessionId
from bascule.model.session import Session

pytestmark = pytest.mark.real

KILLED = "Codex was ended by signal 9."


def find_codex(setup: Setup) -> psutil.Process:
    (record,) = Register(setup.folder.children, setup.folder.id).records
    return psutil.Process(record.pid)


async def kill(setup: Setup, live: LiveApp, session: SessionId) -> Session:
    """Kill the child; afterwards nothing that it started is there either."""
    codex = find_codex(setup)
    family = [codex, *codex.children(recursive=True)]
    assert len(family) > 1  # the MCP server at least
    codex.kill()
    seen = await live.until(session, lambda seen: seen.status == "stopped")
    assert not [process for process in family if is_alive(process)]
    return seen


async def test_a_child_killed_in_mid_run(setup: Setup) -> None:
    async with setup.run() as live:
        session, idle = await live.begin(), await live.begin()
        await live.play(idle, "demo:search")
        live.say(session, "demo:slow")
        await live.until_streaming(session)
        live.say(session, "demo:plan")
        seen = await kill(setup, live, session)

        assert (last_run(seen).outcome, last_run(seen).why) == ("failed", KILLED)
        assert kinds(of_run(seen)) == ["user", "assistant failed", "error"]
        assert of_kind(seen, ErrorBlock)[0].text == KILLED
        assert ([prompt.text for prompt in seen.queue], seen.queue_held) == (["demo:plan"], True)
        assert live.see(idle).status == "completed"

        after = await live.play(session, "demo:search")  # what waited follows
        assert [run.outcome for run in after.runs] == ["failed", "completed", "completed"]
        assert after.runs[0].why == KILLED
        assert said(after) == ["demo:slow", "demo:search", "demo:plan"]
        assert kinds(without_notes(after))[-5:] == [
            *["user", "webSearch completed", "assistant completed"],
            *["user", "assistant completed"],
        ]
        assert said(await live.play(idle, "demo:reasoning")) == ["demo:search", "demo:reasoning"]


async def test_a_child_killed_while_it_asks_writes_nothing(setup: Setup) -> None:
    async with setup.run() as live:
        session = await live.begin()
        live.say(session, "demo:edit")
        ask = await live.until_ask(session)
        watcher = live.watch(session)
        await watcher.next()
        seen = await kill(setup, live, session)

        news = await watcher.next()
        watcher.close()
        assert isinstance(news, list)
        (closed,) = [each.change for each in news if isinstance(each.change, AskClosed)]
        assert closed == AskClosed(ask.id, "withdrawn", why=KILLED, unbegun=True)
        assert (seen.asks, last_run(seen).outcome) == ((), "failed")
        late = await live.answer(session, Answer(ask=ask.id, choice="accept"))
        assert late == TOO_LATE
        after = await live.play(session, "demo:search", choose("nobody is asked"))
        assert after.asks == ()
    assert {file.name: file.read_text() for file in setup.project.glob("*.*") if file.is_file()} == FILES


async def test_a_child_that_dies_while_idle_is_there_again_for_the_next_prompt(setup: Setup) -> None:
    async with setup.run() as live:
        session = await live.begin()
        before = await live.play(session, "demo:search")
        codex = find_codex(setup)
        codex.kill()
        live.say(session, "demo:reasoning")
        seen = await live.until_idle(session)
        if seen.queue:  # it was sent into the dying child: nothing is lost, and a person lets it go on
            live.app.prompts.release_queue(session)
            seen = await live.until_idle(session)
        assert said(seen) == ["demo:search", "demo:reasoning"]
        assert (len(before.runs), len(seen.runs)) == (1, 2)


async def test_closing_in_the_pause_before_a_restart_does_not_wait_for_it(setup: Setup) -> None:
    async with setup.run() as live:
        session = await live.begin()
        live.say(session, "demo:slow")
        await live.until_streaming(session)
        await kill(setup, live, session)
    assert Register(setup.folder.children, setup.folder.id).records == ()
    log = setup.folder.log.read_text()
    assert log.count(" started for ") == 1


async def test_what_still_waited_when_bascule_was_stopped_never_ran(setup: Setup) -> None:
    async with setup.run() as live:
        session = await live.begin()
        live.say(session, "demo:approval")
        await live.until_ask(session)
    async with setup.run() as live:
        seen = live.see(session)
        assert [block.status for block in of_kind(seen, CommandBlock)] == ["cancelled"]
        assert [block.title for block in of_kind(seen, ErrorBlock)] == ["Bascule was stopped"]
        await live.app.sessions.open(session)
        assert [block.status for block in of_kind(live.see(session), CommandBlock)] == ["cancelled"]
