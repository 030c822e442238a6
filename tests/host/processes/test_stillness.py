"""Held still: no process below us writes meanwhile, however it came to be there, and all go on afterwards."""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from bascule.core.faults import UserError
from bascule.host.processes import stillness
from bascule.host.processes.orphans import adopting_orphans
from bascule.host.processes.process_register import Register
from bascule.host.processes.stillness import Stillness
from bascule.host.processes.tasks import Tasks

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="orphans come to us on Linux only")

Start = Callable[[list[str]], tuple[Path, int]]

# Each adds to a file until one called like it with .stop is there.
WRITES = 'while [ ! -e "$0.stop" ]; do echo x >> "$0"; done'
FORKS = 'while [ ! -e "$0.stop" ]; do (echo x >> "$0") & wait; done'
DETACHES = f"setsid -f sh -c '{WRITES}' \"$0\""
THREADS = """
import os, sys, threading
def write():
    while not os.path.exists(sys.argv[1] + ".stop"):
        open(sys.argv[1], "a").write("x")
for _ in range(4):
    threading.Thread(target=write).start()
"""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    children: list[subprocess.Popen[bytes]] = []

    def begin(argv: list[str]) -> tuple[Path, int]:
        file = tmp_path / f"written{len(children)}"
        children.append(subprocess.Popen([*argv, str(file)]))
        return file, children[-1].pid

    yield begin
    for at, child in enumerate(children):
        (tmp_path / f"written{at}.stop").touch()
        psutil.Process(child.pid).resume()
        child.wait()


def sizes(files: list[Path]) -> list[int]:
    return [file.stat().st_size if file.exists() else 0 for file in files]


async def until_written(files: list[Path], before: list[int]) -> None:
    while not all(now > was for now, was in zip(sizes(files), before, strict=True)):
        await asyncio.sleep(0.01)


async def test_nothing_below_us_goes_on_while_it_is_held(tmp_path: Path, start: Start) -> None:
    scripts = (
        ["sh", "-c", WRITES],
        ["sh", "-c", FORKS],
        ["sh", "-c", DETACHES],
        [sys.executable, "-c", THREADS],
    )
    async with adopting_orphans(Register(tmp_path / "children.json", "f_0"), ends_them=False):
        files = [start(script)[0] for script in scripts]
        await until_written(files, [0] * len(files))
        for _ in range(5):
            async with Stillness().hold(None):
                held = sizes(files)
                await asyncio.sleep(0.1)
                assert sizes(files) == held
            await until_written(files, held)


async def test_the_spared_one_goes_on(start: Start) -> None:
    file, pid = start(["sh", "-c", WRITES])
    await until_written([file], [0])
    async with Stillness().hold(pid):
        await until_written([file], sizes([file]))


async def test_one_that_was_stopped_before_stays_stopped(start: Start) -> None:
    process = psutil.Process(start(["sh", "-c", WRITES])[1])
    process.suspend()
    while process.status() != psutil.STATUS_STOPPED:
        await asyncio.sleep(0.01)
    async with Stillness().hold(None):
        pass
    assert process.status() == psutil.STATUS_STOPPED


async def test_what_cannot_be_stopped_is_refused_and_the_rest_goes_on(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, _ = start(["sh", "-c", WRITES])
    await until_written([file], [0])
    monkeypatch.setattr(stillness, "_is_still", lambda _process: False)
    monkeypatch.setattr(stillness, "ROUNDS", 3)
    with pytest.raises(UserError, match=r"could not be held still.*sh\["):
        async with Stillness().hold(None):
            pytest.fail("it was not held")
    await until_written([file], sizes([file]))


async def test_whoever_is_cancelled_while_holding_releases_all(start: Start) -> None:
    still = Stillness()
    file, _ = start(["sh", "-c", WRITES])
    await until_written([file], [0])
    inside = asyncio.Event()

    async def hold() -> None:
        async with still.hold(None):
            inside.set()
            await asyncio.Event().wait()

    async with Tasks() as tasks:
        holding = tasks.start("hold", hold())
        await inside.wait()
        starting = tasks.start("start a process", still.over())
        await asyncio.sleep(0)
        assert not starting.done()
        holding.cancel()
        await starting
        await until_written([file], sizes([file]))
