"""test.run: allowed by the settings and the list, asked for with command and folder, run, recorded."""

import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psutil
import pytest
from tests.e2e.live_app import LiveApp, Setup, of_kind
from tests.e2e.peer import Peer
from tests.e2e.test_edits_over_protocol import answer, open_peer, record

from bascule.host.processes.liveness import is_alive
from bascule.model.asks import CommandSubject
from bascule.model.attachments import ErrorAttachment, LogsAttachment
from bascule.model.blocks import CommandBlock
from bascule.model.ids import SessionId

COMMAND = "python3 -m unittest -q"


def allow(setup: Setup, settings: str = "") -> None:
    written = setup.folder.settings.read_text()
    setup.folder.settings.write_text(f"allowRunTerminal = true\n{settings}{written}")


async def test_nothing_is_run_where_the_settings_do_not_allow_it(live: LiveApp) -> None:
    session = await live.begin()
    async with open_peer(live) as peer:
        done = await peer.call("test.run", {"session_id": session, "command": COMMAND})
    assert (done["status"], "allowRunTerminal is false" in done["summary"]) == ("rejected", True)
    assert record(live) == [("test", "none", "not_allowed")]


async def test_a_test_is_run_after_a_yes_and_gives_its_logs(setup: Setup) -> None:
    allow(setup)
    async with setup.run() as live, open_peer(live) as peer:
        session = await live.begin()
        call = await peer.begin("test.run", {"session_id": session, "command": COMMAND})
        ask = await live.until_ask(session)
        assert isinstance(ask.subject, CommandSubject)
        assert (ask.subject.command, ask.subject.cwd) == (COMMAND, str(live.project))
        await answer(live, session, ask, "accept")
        done = await peer.result(call)
        assert (done["status"], done["exit_code"]) == ("ok", 0)
        assert "Ran 5 tests" in done["logs"]
        (block,) = [b for b in live.see(session).blocks if isinstance(b, CommandBlock)]
        assert (block.command, block.status, "Ran 5 tests" in block.output) == (COMMAND, "completed", True)
        (logs,) = block.attachments
        assert isinstance(logs, LogsAttachment)
        assert logs.text == done["logs"]
        assert logs.title.startswith(f"{COMMAND}: exit code 0 (")
        assert record(live) == [("ask", "yes", "done"), ("test", "yes", "done")]


@pytest.mark.parametrize(
    ("settings", "command"),
    [("", "make test"), (f'defaultTestCommand = "{COMMAND}"\n', COMMAND)],
    ids=["found", "set"],
)
async def test_without_a_command_the_one_of_the_project_or_the_settings_is_run(
    setup: Setup, settings: str, command: str
) -> None:
    allow(setup, settings)
    async with setup.run() as live, open_peer(live) as peer:
        (live.project / "Makefile").write_text(f"test:\n\t{COMMAND}\n")
        session = await live.begin()
        call = await peer.begin("test.run", {"session_id": session})
        ask = await live.until_ask(session)
        assert isinstance(ask.subject, CommandSubject)
        assert ask.subject.command == command
        await answer(live, session, ask, "accept")
        done = await peer.result(call)
        assert (done["status"], "Ran 5 tests" in done["logs"]) == ("ok", True)


async def test_a_no_runs_nothing(setup: Setup) -> None:
    allow(setup)
    async with setup.run() as live, open_peer(live) as peer:
        (live.project / "test_mark.py").write_text("open('it-ran', 'w').close()\n")
        session = await live.begin()
        call = await peer.begin("test.run", {"session_id": session, "command": COMMAND})
        await answer(live, session, await live.until_ask(session), "decline")
        done = await peer.result(call)
        assert (done["status"], done["summary"]) == ("rejected", "Nothing was run: it was not confirmed.")
        assert (done.get("logs", ""), done.get("exit_code")) == ("", None)
        assert [(b.status, b.output) for b in of_kind(live.see(session), CommandBlock)] == [("declined", "")]
        assert not (live.project / "it-ran").exists()
        assert record(live) == [("ask", "no", "done"), ("test", "no", "rejected")]


async def test_what_is_not_on_the_list_is_not_even_asked_for(setup: Setup) -> None:
    allow(setup)
    async with setup.run() as live, open_peer(live) as peer:
        session = await live.begin()
        for command in ("rm -rf .", "python3 -m unittest; rm x", "unittest"):
            done = await peer.call("test.run", {"session_id": session, "command": command})
            assert (done["status"], "is not among the test commands" in done["summary"]) == ("rejected", True)


async def test_where_the_workspace_is_gone_nothing_is_guessed(setup: Setup) -> None:
    allow(setup)
    async with setup.run() as live, open_peer(live) as peer:
        session = await live.begin()
        live.project.rename(live.project.with_name("elsewhere"))
        done = await peer.call("test.run", {"session_id": session})
        assert (done["status"], "No test command found" in done["summary"]) == ("rejected", True)
        live.project.with_name("elsewhere").rename(live.project)


async def test_what_is_forbidden_while_the_question_stands_is_not_run(setup: Setup) -> None:
    forbidding = setup.folder.settings.read_text()
    allow(setup)
    async with setup.run() as live, open_peer(live) as peer:
        session = await live.begin()
        call = await peer.begin("test.run", {"session_id": session, "command": COMMAND})
        ask = await live.until_ask(session)
        setup.folder.settings.write_text(forbidding)
        await answer(live, session, ask, "accept")
        done = await peer.result(call)
        assert (done["status"], "allowRunTerminal is false" in done["summary"]) == ("rejected", True)
        assert record(live) == [("ask", "yes", "done"), ("test", "yes", "not_allowed")]
        again = await peer.call("test.run", {"session_id": session, "command": COMMAND})
        assert "allowRunTerminal is false" in again["summary"]  # and nothing is thought to be running


# -- while it runs --

# A test that starts a child of its own, says both pids, and stays.
STAYS = """\
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(os.getpid(), child.pid, "ready", flush=True)
time.sleep(600)
"""


@asynccontextmanager
async def running_test(
    setup: Setup, settings: str = ""
) -> AsyncIterator[tuple[LiveApp, Peer, SessionId, str, str]]:
    """A test that stays, after its yes, with its first words in the log."""
    command = f"{shlex.quote(sys.executable)} stays.py"
    written = setup.folder.settings.read_text()
    rule = command.replace("'", "")
    setup.folder.settings.write_text(
        f'allowRunTerminal = true\ntestCommands = ["{rule}", "{COMMAND}"]\n{settings}{written}'
    )
    async with setup.run() as live, open_peer(live) as peer:
        (live.project / "stays.py").write_text(STAYS)
        session = await live.begin()
        call = await peer.begin("test.run", {"session_id": session, "command": command})
        await answer(live, session, await live.until_ask(session), "accept")
        yield live, peer, session, call, command


async def pids(live: LiveApp, session: SessionId) -> list[int]:
    seen = await live.until(
        session, lambda seen: "ready" in "".join(b.output for b in of_kind(seen, CommandBlock))
    )
    (block,) = of_kind(seen, CommandBlock)
    assert block.status == "inProgress"  # shown while it runs
    return [int(word) for word in block.output.split()[:2]]


def last(live: LiveApp, session: SessionId) -> tuple[CommandBlock, dict[str, Any]]:
    (block,) = of_kind(live.see(session), CommandBlock)
    return block, {type(attached).__name__: attached for attached in block.attachments}


async def test_its_output_comes_while_it_runs_and_a_cancel_ends_all_its_children(setup: Setup) -> None:
    async with running_test(setup) as (live, peer, session, call, command):
        processes = [psutil.Process(pid) for pid in await pids(live, session)]
        second = await peer.call("test.run", {"session_id": session, "command": COMMAND})
        assert (second["status"], "Wait, or cancel it" in second["summary"]) == ("rejected", True)
        assert await peer.call("test.cancel", {"session_id": session}) == {"ok": True}
        done = await peer.result(call)
        assert (done["status"], done.get("exit_code")) == ("cancelled", None)
        assert done["summary"] == f"{command}: cancelled, and ended with all that it had started"
        assert "ready" in done["logs"]
        assert [is_alive(process) for process in processes] == [False, False]
        block, attached = last(live, session)
        assert (block.status, "ready" in block.output) == ("cancelled", True)
        assert attached["ErrorAttachment"].code == "cancelled"
        assert "ready" in attached["LogsAttachment"].text
        assert record(live)[-2:] == [("test", "none", "refused"), ("test", "yes", "cancelled")]
        with pytest.raises(Exception, match="No test runs in this session"):
            await peer.call("test.cancel", {"session_id": session})


async def test_one_that_takes_too_long_is_ended_with_its_children(setup: Setup) -> None:
    async with running_test(setup, "testTimeoutSeconds = 2\n") as (live, peer, session, call, command):
        processes = [psutil.Process(pid) for pid in await pids(live, session)]
        done = await peer.result(call)
        assert done["status"] == "error"
        assert done["summary"].startswith(f"{command}: timed out after 2 s")
        assert "ready" in done["logs"]
        assert [is_alive(process) for process in processes] == [False, False]
        block, attached = last(live, session)
        assert (block.status, attached["ErrorAttachment"].code) == ("failed", "timed_out")
        assert record(live)[-1] == ("test", "yes", "timed_out")


async def test_a_cancel_before_the_yes_withdraws_the_question(setup: Setup) -> None:
    allow(setup)
    async with setup.run() as live, open_peer(live) as peer:
        session = await live.begin()
        call = await peer.begin("test.run", {"session_id": session, "command": COMMAND})
        await live.until_ask(session)
        await peer.call("test.cancel", {"session_id": session})
        done = await peer.result(call)
        assert (done["status"], "cancelled before" in done["summary"]) == ("cancelled", True)
        assert live.see(session).asks == ()
        assert record(live) == [("ask", "none", "withdrawn"), ("test", "none", "cancelled")]


async def test_a_test_goes_on_when_whoever_asked_for_it_leaves(setup: Setup) -> None:
    allow(setup)
    async with setup.run() as live:
        session = await live.begin()
        async with open_peer(live) as peer:
            await peer.begin("test.run", {"session_id": session, "command": COMMAND})
            await answer(live, session, await live.until_ask(session), "accept")
        seen = await live.until(
            session, lambda seen: [b.status for b in of_kind(seen, CommandBlock)] == ["completed"]
        )
        assert "Ran 5 tests" in of_kind(seen, CommandBlock)[-1].output


async def test_slash_test_asks_runs_and_shows_it_in_the_log(setup: Setup) -> None:
    allow(setup)
    async with setup.run() as live, open_peer(live) as peer:
        session = await live.begin()
        said = {"session_id": session, "input": {"type": "text", "text": f"/test {COMMAND}"}}
        assert (await peer.call("run.start", said))["run_id"] == ""
        await answer(live, session, await live.until_ask(session), "accept")
        await live.until(
            session, lambda seen: [b.status for b in of_kind(seen, CommandBlock)] == ["completed"]
        )
        await peer.call("run.start", {**said, "input": {"type": "text", "text": "/test rm -rf ."}})
        seen = await live.until(session, lambda seen: len(of_kind(seen, CommandBlock)) == 2)
        (why,) = of_kind(seen, CommandBlock)[-1].attachments
        assert isinstance(why, ErrorAttachment)
        assert (why.code, "is not among the test commands" in why.message) == ("rejected", True)


async def test_slash_test_is_refused_where_the_settings_do_not_allow_it(live: LiveApp) -> None:
    session = await live.begin()
    async with open_peer(live) as peer:
        refused = await peer.refused(
            "run.start", {"session_id": session, "input": {"type": "text", "text": "/test"}}
        )
    assert "allowRunTerminal is false" in refused.message
