"""The files that are watched: what is there at the start, what is added, and a home that comes later."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.core.watch.logs.rollouts import ID, event, line, user
from tests.patience import PATIENCE_S

from bascule.daemon.watch.file_sources import MAX_DELIVERED, FileSources
from bascule.host.files.data_folder import open_folder
from bascule.host.watch.agent_homes import AgentHomes, Home
from bascule.host.watch.faults import WatchFaults
from bascule.host.watch.hook_file import notify_folder
from bascule.host.watch.rollout_files import RolloutFiles
from bascule.model.watch import Signal

DAY = "sessions/2026/11/16"
OTHER = ID[:-1] + "0"


def write_rollout(home: Path, session: str) -> Path:
    folder = home / DAY
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"rollout-2026-11-16T05-43-17-{session}.jsonl"
    meta = line("session_meta", {"id": session, "cwd": "/w", "source": "cli", "cli_version": "0.166.0"})
    path.write_bytes(meta + b"\n" + user("hello") + b"\n")
    return path


class Watching:
    """Sources that run, and what they say."""

    def __init__(self, tmp_path: Path, homes: AgentHomes) -> None:
        self.got: asyncio.Queue[Signal] = asyncio.Queue()
        self.read_once = asyncio.Event()
        self.sources = FileSources(
            folder=open_folder(tmp_path / "data"),
            homes=homes,
            faults=WatchFaults(),
            deliver=self._deliver,
            on_deleted=lambda _: None,
        )

    def _deliver(self, signals: Iterable[Signal]) -> None:
        for signal in signals:
            self.got.put_nowait(signal)

    async def next_of(self, session: str) -> Signal:
        while (signal := await self.got.get()).session != session:
            pass
        return signal


@asynccontextmanager
async def watching(tmp_path: Path, homes: str | AgentHomes) -> AsyncIterator[Watching]:
    """Those that `CODEX_HOME` lists, or others."""
    one = Watching(tmp_path, AgentHomes({"CODEX_HOME": homes}, "") if isinstance(homes, str) else homes)
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as group:
        running = group.create_task(one.sources.run(one.read_once))
        await one.read_once.wait()
        yield one
        running.cancel()


async def test_rollouts_are_read_at_once_as_they_grow_and_in_a_home_that_comes_later(tmp_path: Path) -> None:
    here, later = tmp_path / "codex", tmp_path / "later"
    path = write_rollout(here, ID)
    async with watching(tmp_path, f"{here}:{later}") as one:
        first = one.got.get_nowait()
        with path.open("ab") as file:
            file.write(event("task_complete") + b"\n")
        grown = await one.next_of(ID)
        write_rollout(later, OTHER)
        assert (await one.next_of(OTHER)).session == OTHER
    assert (first.session, first.status, grown.status) == (ID, "working", "completed")


@pytest.mark.parametrize("moved", ["", "sessions", "sessions/2026", DAY])
async def test_a_folder_that_was_moved_away_and_made_again_is_watched(tmp_path: Path, moved: str) -> None:
    home = tmp_path / "codex"
    write_rollout(home, ID)
    async with watching(tmp_path, str(home)) as one:
        (home / moved).rename(tmp_path / "moved")
        path = write_rollout(home, OTHER)
        await one.next_of(OTHER)
        with path.open("ab") as file:
            file.write(event("task_complete") + b"\n")
        while (await one.next_of(OTHER)).status != "completed":
            pass


async def test_a_file_that_always_has_more_does_not_hold_up_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "codex"
    flood = write_rollout(home, ID)
    real = RolloutFiles.read

    def read(files: RolloutFiles, path: str) -> tuple[Signal | None, bool]:
        signal, has_more = real(files, path)
        return signal, has_more or path == str(flood)  # it grows faster than it is read

    monkeypatch.setattr(RolloutFiles, "read", read)
    async with watching(tmp_path, str(home)) as one:
        with flood.open("ab") as file:
            file.write(event("token_count") + b"\n")
        write_rollout(home, OTHER)
        await one.next_of(OTHER)


async def test_sessions_inside_wsl_are_read_like_the_others(tmp_path: Path) -> None:
    home = tmp_path / "Ubuntu/home/me"
    write_rollout(home / ".codex", ID)
    sessions = home / ".claude/sessions"
    sessions.mkdir(parents=True)
    entry = {"pid": 7, "sessionId": "c1", "procStart": "100", "status": "busy", "cwd": "/home/me"}
    (sessions / "7.json").write_text(json.dumps(entry))
    stat = tmp_path / "Ubuntu/proc/7/stat"
    stat.parent.mkdir(parents=True)
    fields = " ".join(["S", *map(str, range(82, 107))])  # the 20th of them says when it started
    stat.write_text(f"7 (claude) {fields}\n")
    inside = Home(str(home), str(tmp_path / "Ubuntu/proc"))
    async with watching(tmp_path, AgentHomes({}, "", lambda: [inside])) as one:
        said = [one.got.get_nowait(), one.got.get_nowait()]
    assert [(signal.session, signal.status) for signal in said] == [(ID, "working"), ("c1", "working")]


async def test_a_flood_of_hooks_is_handed_over_in_portions(tmp_path: Path) -> None:
    """So that everything else in the daemon has its turns in between."""
    async with watching(tmp_path, str(tmp_path / "codex")) as one:
        notify = notify_folder(tmp_path / "data") / f"panes-{os.getpid()}.jsonl"
        turns: list[int] = []
        one.sources._deliver = lambda signals: turns.append(len(list(signals)))
        said = {"source": "claude", "event": "working", "hook": "UserPromptSubmit"}
        with notify.open("a") as file:
            file.writelines(json.dumps({**said, "session_id": f"s{number}"}) + "\n" for number in range(3000))
        while sum(turns) < 3000:
            await asyncio.sleep(0)
    assert max(turns) <= MAX_DELIVERED
