"""The files that are watched: what is there at the start, what is added, and a home that comes later."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from tests.core.watch.rollouts import ID, event, line, user

from bascule.daemon.watch.file_sources import FileSources
from bascule.host.files.data_folder import open_folder
from bascule.host.watch.faults import WatchFaults
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


async def test_rollouts_are_read_at_once_as_they_grow_and_in_a_home_that_comes_later(tmp_path: Path) -> None:
    here, later = tmp_path / "codex", tmp_path / "later"
    path = write_rollout(here, ID)
    got: asyncio.Queue[Signal] = asyncio.Queue()

    def deliver(signals: Iterable[Signal]) -> None:
        for signal in signals:
            got.put_nowait(signal)

    sources = FileSources(
        folder=open_folder(tmp_path / "data"),
        env={"CODEX_HOME": f"{here}:{later}"},
        home="",
        faults=WatchFaults(),
        deliver=deliver,
        look_s=0.01,
    )
    read_once = asyncio.Event()

    async def next_of(session: str) -> Signal:
        while (signal := await got.get()).session != session:
            pass
        return signal

    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        running = group.create_task(sources.run(read_once))
        await read_once.wait()
        first = got.get_nowait()
        with path.open("ab") as file:
            file.write(event("task_complete") + b"\n")
        grown = await next_of(ID)
        write_rollout(later, OTHER)
        assert (await next_of(OTHER)).session == OTHER
        running.cancel()
    assert (first.session, first.status, grown.status) == (ID, "working", "completed")
