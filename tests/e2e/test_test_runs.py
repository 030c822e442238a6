"""test.run: allowed by the settings and the list, asked for with command and folder, run, recorded."""

import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psutil
import pytest
from tests.e2e.peer import Peer
from tests.e2e.stage import Life, Stage, of_kind
from tests.e2e.test_edits_over_protocol import answer, open_peer, record

from bascule.host.processes.liveness import is_alive
from bascule.model.asks import CommandSubject
from bascule.model.attachments import ErrorAttachment, LogsAttachment
from bascule.model.blocks import CommandBlock
from bascule.model.ids import SessionId

COMMAND = "python3 -m unittest -q"


def allow(stage: Stage, settings: str = "") -> None:
    written = stage.folder.settings.read_text()
    stage.folder.settings.write_text(f"allowRunTerminal = true\n{settings}{written}")


async def test_nothing_is_run_where_the_settings_do_not_allow_it(life: Life) -> None:
    session = await life.begin()
    async with open_peer(life) as peer:
        done = await peer.call("test.run", {"session_id": session, "command": COMMAND})
    assert (done["status"], "allowRunTerminal is false" in done["summary"]) == ("rejected", True)
    assert record(life) == [("test", "none", "not_allowed")]


async def test_a_test_is_run_after_a_yes_and_gives_its_logs(stage: Stage) -> None:
    allow(stage)
    async with stage.life() as life, open_peer(life) as peer:
        session = await life.begin()
        call = await peer.begin("test.run", {"session_id": session, "command": COMMAND})
        ask = await life.until_ask(session)
        assert isinstance(ask.subject, CommandSubject)
        assert (ask.subject.command, ask.subject.cwd) == (COMMAND, str(life.project))
        await answer(life, session, ask, "accept")
        done = await peer.result(call)
        assert (done["status"], done["exit_code"]) == ("ok", 0)
        assert "Ran 5 tests" in done["logs"]
        (block,) = [b for b in life.see(session).blocks if isinstance(b, CommandBlock)]
        assert (block.command, block.status, "Ran 5 tests" in block.output) == (COMMAND, "completed", True)
        (logs,) = block.attachments
        assert isinstance(logs, LogsAttachment)
        assert logs.text == done["logs"]
        assert logs.title.startswith(f"{COMMAND}: exit code 0 (")
        assert record(life) == [("ask", "yes", "done"), ("test", "yes", "done")]


@pytest.mark.parametrize(
    ("settings", "command"),
    [("", "make test"), (f'defaultTestCommand = "{COMMAND}"\n', COMMAND)],
    ids=["found", "set"],
)
async def test_without_a_command_the_one_of_the_project_or_the_settings_is_run(
    stage: Stage, settings: str, command: str
) -> None:
    allow(stage, settings)
    async with stage.life() as life, open_peer(life) as peer:
        (life.project / "Makefile").write_text(f"test:\n\t{COMMAND}\n")
        session = await life.begin()
        call = await peer.begin("test.run", {"session_id": session})
        ask = await life.until_ask(session)
        assert isinstance(ask.subject, CommandSubject)
        assert ask.subject.command == command
        await answer(life, session, ask, "accept")
        done = await peer.result(call)
        assert (done["status"], "Ran 5 tests" in done["logs"]) == ("ok", True)


async def test_a_no_runs_nothing(stage: Stage) -> None:
    allow(stage)
    async with stage.life() as life, open_peer(life) as peer:
        (life.project / "test_mark.py").write_text("open('it-ran', 'w').close()\n")
        session = await life.begin()
        call = await peer.begin("test.run", {"session_id": session, "command": COMMAND})
        await answer(life, session, await life.until_ask(session), "decline")
        done = await peer.result(call)
        assert (done["status"], done["summary"]) == ("rejected", "Nothing was run: it was not confirmed.")
        assert (done.get("logs", ""), done.get("exit_code")) == ("", None)
        assert [(b.status, b.output) for b in of_kind(life.see(session), CommandBlock)] == [("declined", "")]
        assert not (life.project / "it-ran").exists()
        assert record(life) == [("ask", "no", "done"), ("test", "no", "rejected")]


async def test_what_is_not_on_the_list_is_not_even_asked_for(stage: Stage) -> None:
    allow(stage)
    async with stage.life() as life, open_peer(life) as peer:
        session = await life.begin()
        for command in ("rm -rf .", "python3 -m unittest; rm x", "unittest"):
            done = await peer.call("test.run", {"session_id": session, "command": command})
            assert (done["status"], "is not among the test commands" in done["summary"]) == ("rejected", True)


async def test_where_the_workspace_is_gone_nothing_is_guessed(stage: Stage) -> None:
    allow(stage)
    async with stage.life() as life, open_peer(life) as peer:
        session = await life.begin()
        life.project.rename(life.project.with_name("elsewhere"))
        done = await peer.call("test.run", {"session_id": session})
        assert (done["status"], "No test command found" in done["summary"]) == ("rejected", True)
        life.project.with_name("elsewhere").rename(life.project)


async def test_what_is_forbidden_while_the_question_stands_is_not_run(stage: Stage) -> None:
    forbidding = stage.folder.settings.read_text()
    allow(stage)
    async with stage.life() as life, open_peer(life) as peer:
        session = await life.begin()
        call = await peer.begin("test.run", {"session_id": session, "command": COMMAND})
        ask = await life.until_ask(session)
        stage.folder.settings.write_text(forbidding)
        await answer(life, session, ask, "accept")
        done = await peer.result(call)
        assert (done["status"], "allowRunTerminal is false" in done["summary"]) == ("rejected", True)
        assert record(life) == [("ask", "yes", "done"), ("test", "yes", "not_allowed")]
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
    stage: Stage, settings: str = ""
) -> AsyncIterator[tuple[Life, Peer, SessionId, str, str]]:
    """A test that stays, after its yes, with its first words in the log."""
    command = f"{shlex.quote(sys.executable)} stays.py"
    written = stage.folder.settings.read_text()
    rule = command.replace("'", "")
    stage.folder.settings.write_text(
        f'allowRunTerminal = true\ntestCommands = ["{rule}", "{COMMAND}"]\n{settings}{written}'
    )
    async with stage.life() as life, open_peer(life) as peer:
        (life.project / "stays.py").write_text(STAYS)
        session = await life.begin()
        call = await peer.begin("test.run", {"session_id": session, "command": command})
        await answer(life, session, await life.until_ask(session), "accept")
        yield life, peer, session, call, command


async def pids(life: Life, session: SessionId) -> list[int]:
    seen = await life.until(
        session, lambda seen: "ready" in "".join(b.output for b in of_kind(seen, CommandBlock))
    )
    (block,) = of_kind(seen, CommandBlock)
    assert block.status == "inProgress"  # shown while it runs
    return [int(word) for word in block.output.split()[:2]]


def last(life: Life, session: SessionId) -> tuple[CommandBlock, dict[str, Any]]:
    (block,) = of_kind(life.see(session), CommandBlock)
    return block, {type(attached).__name__: attached for attached in block.attachments}


async def test_its_output_comes_while_it_runs_and_a_cancel_ends_all_its_children(stage: Stage) -> None:
    async with running_test(stage) as (life, peer, session, call, command):
        processes = [psutil.Process(pid) for pid in await pids(life, session)]
        second = await peer.call("test.run", {"session_id": session, "command": COMMAND})
        assert (second["status"], "Wait, or cancel it" in second["summary"]) == ("rejected", True)
        assert await peer.call("test.cancel", {"session_id": session}) == {"ok": True}
        done = await peer.result(call)
        assert (done["status"], done.get("exit_code")) == ("cancelled", None)
        assert done["summary"] == f"{command}: cancelled, and ended with all that it had started"
        assert "ready" in done["logs"]
        assert [is_alive(process) for process in processes] == [False, False]
        block, attached = last(life, session)
        assert (block.status, "ready" in block.output) == ("cancelled", True)
        assert attached["ErrorAttachment"].code == "cancelled"
        assert "ready" in attached["LogsAttachment"].text
        assert record(life)[-2:] == [("test", "none", "refused"), ("test", "yes", "cancelled")]
        with pytest.raises(Exception, match="No test runs in this session"):
            await peer.call("test.cancel", {"session_id": session})


async def test_one_that_takes_too_long_is_ended_with_its_children(stage: Stage) -> None:
    async with running_test(stage, "testTimeoutSeconds = 2\n") as (life, peer, session, call, command):
        processes = [psutil.Process(pid) for pid in await pids(life, session)]
        done = await peer.result(call)
        assert done["status"] == "error"
        assert done["summary"].startswith(f"{command}: timed out after 2 s")
        assert "ready" in done["logs"]
        assert [is_alive(process) for process in processes] == [False, False]
        block, attached = last(life, session)
        assert (block.status, attached["ErrorAttachment"].code) == ("failed", "timed_out")
        assert record(life)[-1] == ("test", "yes", "timed_out")


async def test_a_cancel_before_the_yes_withdraws_the_question(stage: Stage) -> None:
    allow(stage)
    async with stage.life() as life, open_peer(life) as peer:
        session = await life.begin()
        call = await peer.begin("test.run", {"session_id": session, "command": COMMAND})
        await life.until_ask(session)
        await peer.call("test.cancel", {"session_id": session})
        done = await peer.result(call)
        assert (done["status"], "cancelled before" in done["summary"]) == ("cancelled", True)
        assert life.see(session).asks == ()
        assert record(life) == [("ask", "none", "withdrawn"), ("test", "none", "cancelled")]


async def test_a_test_goes_on_when_whoever_asked_for_it_leaves(stage: Stage) -> None:
    allow(stage)
    async with stage.life() as life:
        session = await life.begin()
        async with open_peer(life) as peer:
            await peer.begin("test.run", {"session_id": session, "command": COMMAND})
            await answer(life, session, await life.until_ask(session), "accept")
        seen = await life.until(
            session, lambda seen: [b.status for b in of_kind(seen, CommandBlock)] == ["completed"]
        )
        assert "Ran 5 tests" in of_kind(seen, CommandBlock)[-1].output


async def test_slash_test_asks_runs_and_shows_it_in_the_log(stage: Stage) -> None:
    allow(stage)
    async with stage.life() as life, open_peer(life) as peer:
        session = await life.begin()
        said = {"session_id": session, "input": {"type": "text", "text": f"/test {COMMAND}"}}
        assert (await peer.call("run.start", said))["run_id"] == ""
        await answer(life, session, await life.until_ask(session), "accept")
        await life.until(
            session, lambda seen: [b.status for b in of_kind(seen, CommandBlock)] == ["completed"]
        )
        await peer.call("run.start", {**said, "input": {"type": "text", "text": "/test rm -rf ."}})
        seen = await life.until(session, lambda seen: len(of_kind(seen, CommandBlock)) == 2)
        (why,) = of_kind(seen, CommandBlock)[-1].attachments
        assert isinstance(why, ErrorAttachment)
        assert (why.code, "is not among the test commands" in why.message) == ("rejected", True)


async def test_slash_test_is_refused_where_the_settings_do_not_allow_it(life: Life) -> None:
    session = await life.begin()
    async with open_peer(life) as peer:
        refused = await peer.refused(
            "run.start", {"session_id": session, "input": {"type": "text", "text": "/test"}}
        )
    assert "allowRunTerminal is false" in refused.message
