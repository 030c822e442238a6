"""The board: thousands of session files at rest, how soon a change is sent, and a flood of records."""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import msgspec
import psutil
from msgspec import Raw

from bascule.client.in_process import InProcessWire
from bascule.client.link import Link
from bascule.client.mirror import Mirror
from bascule.daemon.app import open_app
from bascule.daemon.parts import App
from bascule.daemon.surfaces.surfaces import SurfaceClosed
from bascule.host.files.data_folder import open_folder
from bascule.host.processes.tasks import Tasks
from bascule.model.blocks import UserBlock
from bascule.model.consent.origin import Origin
from bascule.model.protocol.board import BoardNotify, BoardParams
from bascule.model.protocol.sessions import WatchParams
from bench.scale import Figures, Scale, megabytes, milliseconds
from bench.watch_files import make_id, write_claude, write_rollouts

PACE = 1_770  # records a second
LIVE = 10  # sessions that grow, each looked at
IDLE_S = 5.0
CHANGES = 40  # of a Claude's status
FIRST = 6  # records that each file begins with


class Board:
    """A surface that watches the board and looks at the live ones."""

    def __init__(self) -> None:
        self.statuses: dict[str, str] = {}
        self.mirrors: list[Mirror] = []
        self.news = asyncio.Event()

    def hear(self, method: str, params: Raw) -> None:
        if method == "board.changed":
            for one in msgspec.json.decode(params, type=BoardNotify).sessions:
                self.statuses[one.key] = one.status
            self.news.set()
        for mirror in self.mirrors:
            mirror.feed(method, params)

    async def until(self, key: str, status: str) -> None:
        while self.statuses.get(key) != status:
            self.news.clear()
            await self.news.wait()


def measure(scale: Scale) -> Figures:
    with tempfile.TemporaryDirectory(prefix="bench-watch-") as folder:
        return asyncio.run(_measure(Path(folder), scale))


async def _measure(root: Path, scale: Scale) -> Figures:
    paths = write_rollouts(root, max(scale.watched, LIVE))
    write_claude(root, "idle")
    env = {"HOME": str(root), "CODEX_HOME": "", "CLAUDE_CONFIG_DIR": ""}
    async with open_app(open_folder(root / "data"), command="bench", env=env) as app, Tasks() as tasks:
        board = Board()
        link = await _connect(app, board, tasks)
        begun = time.perf_counter()
        await link.call("board.watch", BoardParams())
        first_s = time.perf_counter() - begun
        await board.until("claude:c1", "completed")
        idle = await _measure_idle()
        delays = await _measure_delays(root, board)
        flood = await _measure_flood(link, board, paths[-LIVE:], scale)
    return {"files": len(paths), "first_look_ms": milliseconds(first_s), **idle, **delays, **flood}


async def _connect(app: App, board: Board, tasks: Tasks) -> Link:
    surface = app.surfaces.connect(Origin(door="terminal"), workspace="/")
    link = Link(InProcessWire(surface, SurfaceClosed), board.hear)
    tasks.start("link", link.run())
    await link.initialize("bench")
    return link


async def _measure_idle() -> Figures:
    me = psutil.Process(os.getpid())
    before = me.cpu_times()
    await asyncio.sleep(IDLE_S)
    after = me.cpu_times()
    used_s = max(0.0, after.user + after.system - before.user - before.system)
    return {"idle_cpu_percent": round(100 * used_s / IDLE_S, 2), "rss_mb": megabytes(me.memory_info().rss)}


async def _measure_delays(root: Path, board: Board) -> Figures:
    delays: list[float] = []
    for number in range(CHANGES):
        said, means = ("busy", "working") if number % 2 == 0 else ("idle", "completed")
        begun = time.perf_counter()
        write_claude(root, said)
        await board.until("claude:c1", means)
        delays.append(time.perf_counter() - begun)
    percentiles = statistics.quantiles(delays, n=20)
    return {"delay_p50_ms": milliseconds(percentiles[9]), "delay_p95_ms": milliseconds(percentiles[18])}


async def _measure_flood(link: Link, board: Board, paths: list[Path], scale: Scale) -> Figures:
    names = [path.stem.removeprefix("rollout-") for path in paths]
    assert names == [make_id(int(name[-12:])) for name in names]
    for name in names:
        mirror = Mirror(f"watched:codex:{name}", lambda: None)
        board.mirrors.append(mirror)
        await link.call("session.watch", WatchParams(session_id=mirror.session_id))
    writer = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.watch_writer", str(PACE), str(scale.seconds), *map(str, paths),
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    said, _ = await writer.communicate()
    due, begun = PACE * scale.seconds + FIRST * LIVE, time.perf_counter()
    while sum(map(_count, board.mirrors)) < due:
        await board.mirrors[0].news()
        if time.perf_counter() - begun > 60:
            break
    seen = sum(map(_count, board.mirrors))
    return {
        "records": PACE * scale.seconds,
        "records_per_s": float(said),
        "records_lost": due - seen,
        "seen_after_ms": milliseconds(time.perf_counter() - begun),
    }


def _count(mirror: Mirror) -> int:
    """What left the log at its ceiling was there too."""
    if not mirror.is_known:
        return 0
    session = mirror.session()
    return sum(isinstance(block, UserBlock) for block in session.blocks) + session.dropped_blocks
