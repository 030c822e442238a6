"""The agent process: one child for all who want it, and an end that never waits for a start."""

import asyncio
import errno
import os
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.patience import FOREVER_S, PATIENCE_S

from bascule.agents.codex.agent import Codex
from bascule.core.faults import AgentGone
from bascule.daemon.agents import agent_process as agent_process_module
from bascule.daemon.agents.agent_process import AgentProcess
from bascule.host.processes import process_register
from bascule.host.processes.process_register import Register
from bascule.host.processes.program import SearchPath
from bascule.host.processes.tasks import Tasks
from bascule.model.settings import CodexSettings, Settings

FAKE = Path(__file__).parents[2] / "e2e" / "fakes" / "app_server.py"


class Open:
    """An agent process of a fake, with what it said."""

    def __init__(self, folder: Path, fault: str) -> None:
        self.died: list[str] = []
        self.heard: list[str] = []
        self.spoken = asyncio.Event()
        self.register = Register(folder / "children.json", "folder")
        self.tasks = Tasks()
        codex = CodexSettings(command=sys.executable, args=("-I", str(FAKE), fault))
        self.agent_process = AgentProcess(
            agent=Codex(),
            workspace=folder,
            via="",
            neutral=folder / "agents",
            settings=lambda: Settings(codex=codex),
            env={},
            search_path=SearchPath(os.environ),
            register=self.register,
            tasks=self.tasks,
            stderr=lambda _subject, line: self.heard.append(line),
            deliver=lambda _entries, _agent: self.spoken.set(),
            died=self.died.append,
        )


@asynccontextmanager
async def open_agent_process(folder: Path, fault: str) -> AsyncIterator[Open]:
    opened = Open(folder, fault)
    try:
        yield opened
    finally:
        await opened.agent_process.close()
        await opened.tasks.close()
    assert opened.register.records == ()


async def test_many_who_want_it_at_once_get_one_child(tmp_path: Path) -> None:
    async with open_agent_process(tmp_path, "none") as opened:
        drivers = await asyncio.gather(*(opened.agent_process.driver() for _ in range(5)))
        assert len(set(drivers)) == len(opened.register.records) == 1
        assert opened.agent_process.is_running
    assert opened.died == []


@pytest.mark.skipif(sys.platform == "win32", reason="the mode bits say who may look")
async def test_where_it_starts_is_closed_to_others_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        async with open_agent_process(tmp_path / "data", "none") as opened:
            (tmp_path / "data").mkdir()
            opened.agent_process._neutral = tmp_path / "data" / "agents" / "one"
            await opened.agent_process.driver()
    finally:
        os.umask(before)
    made = [tmp_path / "data" / "agents", tmp_path / "data" / "agents" / "one"]
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in made] == [0o700, 0o700]


async def test_closing_ends_a_start_that_would_not_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent_process_module, "HANDSHAKE_S", FOREVER_S)
    async with open_agent_process(tmp_path, "chatter") as opened:

        async def close_when_it_speaks() -> None:
            await opened.spoken.wait()
            await opened.agent_process.close()

        both = asyncio.gather(opened.agent_process.driver(), close_when_it_speaks(), return_exceptions=True)
        started, closed = await asyncio.wait_for(both, PATIENCE_S)
        assert isinstance(started, AgentGone)
        assert closed is None


async def test_who_gives_up_waiting_leaves_no_child_behind(tmp_path: Path) -> None:
    async with open_agent_process(tmp_path, "chatter") as opened:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(opened.agent_process.driver(), 0.5)
        assert opened.register.records == ()
        assert not opened.agent_process.is_running


async def test_where_its_process_cannot_be_noted_none_starts_and_a_person_reads_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, _data: bytes, *, durable: bool) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    async with open_agent_process(tmp_path, "none") as opened:
        monkeypatch.setattr(process_register, "replace_file", full)
        with pytest.raises(AgentGone) as gone:
            await opened.agent_process.driver()
        assert str(gone.value) == (
            "Codex was not started, because the list of processes in the data folder can't be written: "
            "No space left on device. Check that the disk has room, then send the prompt again."
        )
        monkeypatch.undo()
        assert opened.register.records == ()


async def test_after_closing_nothing_starts(tmp_path: Path) -> None:
    async with open_agent_process(tmp_path, "none") as opened:
        await opened.agent_process.close()
        with pytest.raises(AgentGone, match="Bascule is closing"):
            await opened.agent_process.driver()


async def test_a_folder_that_went_away_is_said(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    async with open_agent_process(tmp_path / "here", "none") as opened:
        (tmp_path / "here").rmdir()
        with pytest.raises(AgentGone, match=r"here is not a folder. Name one that exists."):
            await opened.agent_process.driver()


async def test_its_last_words_are_said_without_colours(tmp_path: Path) -> None:
    async with open_agent_process(tmp_path, "dies") as opened:
        with pytest.raises(AgentGone, match=r"It said: fake: the library libfrob.so is missing Check that"):
            await opened.agent_process.driver()
        assert len(opened.heard) == 6  # all of it goes to the log
        assert opened.died == []  # nobody was at work with it


def test_how_long_it_waits_before_it_tries_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(agent_process_module, "spread", lambda delay_s: delay_s)
    agent_process = Open(tmp_path, "none").agent_process
    waits = []
    for failures in range(9):
        agent_process._failures = failures
        waits.append(agent_process._wait_s())
    assert waits == [0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
