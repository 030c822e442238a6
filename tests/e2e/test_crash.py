"""kill -9 of the whole application: nothing runs on, nothing counts as a yes, nothing is corrupt."""

import asyncio
import os
import random
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import psutil
import pytest
from tests.e2e.live_app import Setup, choose, last_run, of_kind, said
from tests.patience import PATIENCE_S

from bascule.daemon.consent.ask_recovery import STOPPED_MEANWHILE
from bascule.daemon.edits.project_tests import LEFT
from bascule.host.locks.lockfile import Owned
from bascule.host.processes.liveness import is_alive
from bascule.host.processes.process_register import find_processes, look
from bascule.host.storage.audit import Audit, audit_in
from bascule.host.storage.heads import HEAD
from bascule.host.storage.store import BLOCK
from bascule.model.attachments import ErrorAttachment, LogsAttachment
from bascule.model.blocks import CommandBlock, ErrorBlock, InfoBlock
from bascule.model.consent.audit import Line as Recorded
from bascule.model.ids import SessionId

pytestmark = pytest.mark.real

KILLS = 12

FOREVER = """\
import time
import unittest


class ForeverTest(unittest.TestCase):
    def test_forever(self) -> None:
        time.sleep(600)
"""


class Line(msgspec.Struct, frozen=True):
    session: SessionId
    settled: bool
    stored: bool
    asks: int
    last: str
    text: str


class Daemon:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.lines: list[Line] = []

    @property
    def pid(self) -> int:
        return self._process.pid

    async def until(self, holds: Callable[[Line], object]) -> Line:
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            while line := await self._process.stdout.readline():
                self.lines.append(msgspec.json.decode(line, type=Line))
                if holds(self.lines[-1]):
                    return self.lines[-1]
        raise AssertionError("the daemon ended")

    async def kill(self) -> None:
        self._process.kill()
        assert self._process.stdout is not None
        rest = await self._process.stdout.read()
        self.lines += [msgspec.json.decode(line, type=Line) for line in rest.split(b"\n")[:-1]]
        await self._process.wait()


@asynccontextmanager
async def run_daemon(setup: Setup, *texts: str, session: str = "") -> AsyncIterator[Daemon]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(Path(__file__).with_name("daemon.py"))),
        *(str(setup.folder.root), str(setup.project), session, *texts),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, **setup.env},
        limit=16 * 1024 * 1024,
    )
    daemon = Daemon(process)
    try:
        yield daemon
    finally:
        if process.returncode is None:
            await daemon.kill()


def find_family(setup: Setup) -> list[psutil.Process]:
    """All that carries this folder's mark."""
    seen = look()
    marked = {one.pid for one in seen if any(mark.startswith(setup.folder.id) for mark in one.marks)}
    return find_processes(seen, marked)


def find_runners(setup: Setup) -> list[psutil.Process]:
    return [process for process in find_family(setup) if "unittest" in process.cmdline()]


def check_database(setup: Setup) -> None:
    """Sound, and every row can be read."""
    db = sqlite3.connect(setup.folder.database)
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    for (head,) in db.execute("SELECT head FROM sessions"):
        HEAD.decode(head)
    for (body,) in db.execute("SELECT body FROM blocks"):
        BLOCK.decode(body)
    db.close()


async def test_an_open_ask_expires_and_the_run_has_failed(setup: Setup) -> None:
    async with run_daemon(setup, "demo:approval", "demo:search") as daemon:
        line = await daemon.until(lambda line: line.asks and line.settled)
        family = find_family(setup)
        await daemon.kill()
    check_database(setup)

    async with setup.run() as live:
        assert not [process for process in family if is_alive(process)]
        seen = live.see(line.session)
        assert (seen.asks, seen.status, seen.queue_held) == ((), "stopped", True)
        assert [prompt.text for prompt in seen.queue] == ["demo:search"]
        assert (last_run(seen).outcome, last_run(seen).why) == ("failed", STOPPED_MEANWHILE)
        await live.app.record.written()
        assert [(one.entry.kind, one.entry.outcome) for one in read_record(setup)] == [("ask", "expired")]
        expired = next(block for block in of_kind(seen, InfoBlock) if block.title.startswith("Expired"))
        assert expired.title == "Expired without an answer: Run this command?"
        assert "compileall" in expired.text
        assert "counts as a no" in expired.text
        assert [block.text for block in of_kind(seen, ErrorBlock)] == [""]  # its title says it, once
        assert [block.title for block in of_kind(seen, ErrorBlock)] == ["Bascule was stopped"]
        assert [block.status for block in of_kind(seen, CommandBlock)] == ["cancelled"]  # it never ran

        after = await live.play(line.session, "demo:reasoning", choose("nobody is asked"))
        assert said(after) == ["demo:approval", "demo:reasoning", "demo:search"]
        assert [run.outcome for run in after.runs] == ["failed", "completed", "completed"]
        assert [block.title for block in of_kind(after, InfoBlock) if block == expired] == [expired.title]
    assert not list(setup.project.glob("__pycache__/wordkit*"))


async def test_what_ran_is_reaped_by_the_next_start_with_all_that_it_had_started(setup: Setup) -> None:
    (setup.project / "test_forever.py").write_text(FOREVER)
    async with run_daemon(setup, "demo:command") as daemon:
        line = await daemon.until(lambda line: line.settled and find_runners(setup))
        family = find_family(setup)
        (runner, *_) = find_runners(setup)
        codex = next(process for process in family if process.name() == "codex")
        codex.suspend()  # so that it cannot go by itself when its stdin closes
        await daemon.kill()
    assert is_alive(codex)
    assert is_alive(runner)

    async with setup.run() as live:
        assert not [process for process in family if is_alive(process)]
        assert find_family(setup) == []
        seen = live.see(line.session)
        (command,) = of_kind(seen, CommandBlock)
        assert (command.status, last_run(seen).outcome) == ("failed", "failed")
        log = setup.folder.log.read_text()
        assert "ended what an earlier run had left" in log


async def test_killed_at_any_moment_nothing_that_was_stored_is_lost(setup: Setup) -> None:
    dice = random.Random(4)
    session = ""
    for _ in range(KILLS):
        async with run_daemon(setup, "demo:slow", session=session) as daemon:
            for _ in range(dice.randrange(1, 25)):
                await daemon.until(lambda line: True)
            await daemon.kill()
        check_database(setup)
        check_what_was_stored(setup, daemon.lines)
        session = find_session(setup)

    async with setup.run() as live:
        for unsent in live.see(SessionId(session)).queue:  # the kill came before the agent had it
            assert live.app.prompts.remove_queued(SessionId(session), unsent.key) is None
        seen = await live.play(SessionId(session), "demo:search")
        assert last_run(seen).outcome == "completed"
        assert {run.outcome for run in seen.runs[:-1]} <= {"failed", "interrupted"}
        assert len({block.id for block in seen.blocks}) == len(seen.blocks)


def find_session(setup: Setup) -> str:
    """Empty when the first kill came before anything was stored."""
    db = sqlite3.connect(setup.folder.database)
    rows = db.execute("SELECT id FROM sessions").fetchall()
    db.close()
    assert len(rows) <= 1
    return str(rows[0][0]) if rows else ""


def check_what_was_stored(setup: Setup, lines: list[Line]) -> None:
    """How soon after it is shown, tests/daemon/sessions/test_session_saver.py holds."""
    safe = [line for line in lines if line.text and line.stored]
    if not safe:
        return
    db = sqlite3.connect(setup.folder.database)
    rows = db.execute("SELECT body FROM blocks WHERE id = ?", (safe[-1].last,)).fetchall()
    db.close()
    assert rows, f"block {safe[-1].last} is not stored"
    block = BLOCK.decode(rows[0][0])
    assert getattr(block, "text", "").startswith(safe[-1].text)


async def test_a_second_owner_is_refused_with_the_pid_of_the_first(setup: Setup) -> None:
    async with run_daemon(setup, "demo:slow") as daemon:
        await daemon.until(lambda line: line.text not in ("", "demo:slow"))  # its agent has said something
        with pytest.raises(Owned, match=rf"\(pid {daemon.pid}, started ") as refused:
            async with setup.run():
                raise AssertionError("two owners")
        assert refused.value.owner is not None
        assert refused.value.owner.command == "daemon of a test"
        assert find_family(setup) != []  # the first one's child was left alone


async def test_a_test_that_ran_is_over_and_says_why(setup: Setup) -> None:
    setup.folder.settings.write_text("allowRunTerminal = true\n" + setup.folder.settings.read_text())
    (setup.project / "test_forever.py").write_text(
        FOREVER.replace("time.sleep", 'print("begun", flush=True)\n        time.sleep')
    )
    async with run_daemon(setup, "/test python3 -m unittest -v test_forever") as daemon:
        line = await daemon.until(lambda line: "begun" in line.text and line.settled)
        runners = find_runners(setup)
        await daemon.kill()
    check_database(setup)
    assert runners

    async with setup.run() as live:
        assert not [process for process in runners if is_alive(process)]
        (block,) = of_kind(live.see(line.session), CommandBlock)
        logs, error = block.attachments
        assert (block.status, "begun" in block.output) == ("cancelled", True)
        assert isinstance(logs, LogsAttachment)
        assert isinstance(error, ErrorAttachment)
        assert ("begun" in logs.text, error.code, error.message) == (True, "cancelled", LEFT)
    async with setup.run():
        pass  # it is reported once
    recorded = [(one.entry.kind, one.entry.answer, one.entry.outcome) for one in read_record(setup)]
    assert recorded == [("ask", "yes", "done"), ("test", "yes", "cancelled")]


def read_record(setup: Setup) -> list[Recorded]:
    audit = Audit(audit_in(setup.folder.root))
    assert audit.verify() == []
    return audit.last(100)
