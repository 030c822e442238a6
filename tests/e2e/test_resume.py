"""Sessions reopened by another run of the app: the past as Codex itself tells it."""

import asyncio
import os
import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.demo.codex_peer import CodexPeer
from tests.e2e.live_app import CODEX, Setup, kinds, last_run, of_kind, said, without_notes

from bascule.daemon.agents.agent_events import BASCULE_STOPPED
from bascule.model.blocks import ErrorBlock, PlanBlock, UserBlock
from bascule.model.changes import RunPut, StatusSet
from bascule.model.ids import ThreadId

pytestmark = pytest.mark.real


async def test_a_session_is_as_it_was_and_goes_on(setup: Setup) -> None:
    async with setup.run() as live:
        session = await live.begin()
        await live.play(session, "demo:reasoning demo:command demo:edit demo:search")
        before = await live.play(session, "demo:plan demo:mcp")
    async with setup.run() as live:
        stored = live.see(session)
        assert stored.blocks == before.blocks  # shown before Codex has said anything
        await live.app.sessions.open(session)
        again = live.see(session)
        assert kinds(without_notes(again)) == kinds(without_notes(before))
        assert said(again) == said(before)
        assert [run.outcome for run in again.runs] == ["completed", "completed"]
        assert of_kind(again, PlanBlock) == of_kind(before, PlanBlock)  # Codex does not keep those
        assert (again.usage, again.diff, again.earlier) == (before.usage, before.diff, "")
        seen = await live.play(session, "demo:edit")  # knows that the first function is there already
        assert sorted(path.name for path in setup.project.glob("test_*.py")) == [
            "test_backwards.py",
            "test_initials.py",
            "test_wordkit.py",
        ]
        assert (len(seen.runs), last_run(seen).outcome) == (3, "completed")
        assert before.usage is not None
        assert seen.usage is not None
        assert seen.usage.context_used > before.usage.context_used  # the model was sent the past


async def test_a_prompt_alone_resumes_and_opening_twice_at_once_doubles_nothing(setup: Setup) -> None:
    async with setup.run() as live:
        session = await live.begin()
        await live.play(session, "demo:search one")
    async with setup.run() as live:
        live.say(session, "demo:search two")
        await asyncio.gather(live.app.sessions.open(session), live.app.sessions.open(session))
        seen = await live.until_idle(session)
        assert said(seen) == ["demo:search one", "demo:search two"]
        assert kinds(without_notes(seen)) == ["user", "webSearch completed", "assistant completed"] * 2


async def test_a_run_whose_end_we_missed_did_not_stop_when_codex_says_that_it_ended(setup: Setup) -> None:
    async with setup.run() as live:
        session = await live.begin()
        seen = await live.play(session, "demo:search")
        run = replace(last_run(seen), outcome="running", ended_at_ms=None)
        live.app.hub.apply(session, [RunPut(run), StatusSet("working")])  # as a kill would leave it
    async with setup.run() as live:
        assert [block.title for block in of_kind(live.see(session), ErrorBlock)] == [BASCULE_STOPPED.title]
        await live.app.sessions.open(session)
        again = live.see(session)
        assert (of_kind(again, ErrorBlock), last_run(again).outcome) == ([], "completed")


async def test_history_comes_in_pages_the_last_first(setup: Setup) -> None:
    setup.write_settings(history_pageRuns=2)
    texts = [f"demo:search {number}" for number in range(5)]
    async with setup.run() as live:
        session = await live.begin()
        for text in texts:
            await live.play(session, text)
        thread = live.see(session).thread
    forget_blocks(setup)
    async with setup.run() as live:
        await live.app.sessions.open(session)
        pages = [said(live.see(session))]
        while await live.app.sessions.load_earlier(session):
            pages.append(said(live.see(session)))
        seen = live.see(session)
    assert pages == [texts[3:], texts[1:], texts]
    assert (seen.earlier, seen.thread, len(seen.runs)) == ("", thread, 5)
    assert len({block.id for block in seen.blocks}) == len(seen.blocks)


def forget_blocks(setup: Setup) -> None:
    """As on a machine that has the sessions' names only."""
    db = sqlite3.connect(setup.folder.database)
    with db:
        db.execute("DELETE FROM blocks")
        db.execute("UPDATE sessions SET head = CAST(json_remove(CAST(head AS TEXT), '$.runs') AS BLOB)")
    db.close()


async def test_a_run_made_elsewhere_is_there_after_the_resume(setup: Setup) -> None:
    async with setup.run() as live:
        session = await live.begin()
        thread = (await live.play(session, "demo:search here")).thread
    assert thread is not None
    await play_elsewhere(setup, thread, "demo:reasoning elsewhere")
    async with setup.run() as live:
        assert said(live.see(session)) == ["demo:search here"]
        await live.app.sessions.open(session)
        seen = live.see(session)
        assert said(seen) == ["demo:search here", "demo:reasoning elsewhere"]
        assert [run.outcome for run in seen.runs] == ["completed", "completed"]
        seen = await live.play(session, "demo:search again")
        assert said(seen) == ["demo:search here", "demo:reasoning elsewhere", "demo:search again"]
        assert not any(block.steered for block in of_kind(seen, UserBlock))


async def play_elsewhere(setup: Setup, thread: ThreadId, text: str) -> None:
    """Another program drives the same thread of the same Codex home."""
    process = await asyncio.create_subprocess_exec(
        *(CODEX, "app-server"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, **setup.env},
        limit=16 * 1024 * 1024,
    )
    assert process.stdin is not None
    peer = CodexPeer(process, Path(setup.env["HOME"]))
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(peer.read(), name="the other reader")
        await peer.start()
        await peer.call("thread/resume", {"threadId": thread, "excludeTurns": True})
        peer.thread_id = thread
        await peer.play(text)
        process.stdin.close()
        await process.wait()
