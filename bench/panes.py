"""Terminal panes: how fast a flood of output reaches a surface, next to a program that only reads a pty."""

import asyncio
import os
import pty
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Raw

from bascule.client.in_process import InProcessWire
from bascule.client.link import Link
from bascule.core.wire import rpc
from bascule.daemon.app import open_app
from bascule.daemon.surfaces.surfaces import Surface, SurfaceClosed
from bascule.host.files.data_folder import open_folder
from bascule.host.processes.tasks import Tasks
from bascule.model.consent.origin import Origin
from bascule.model.protocol.panes import AckPaneParams, AttachPaneParams, OpenPaneParams, PaneOutputNotify
from bench.scale import Figures, Scale, milliseconds, spread_percent

FLOOD = "stty -onlcr; yes 'a line of a build that says a lot' | head -c {megabytes}000000; exit"
READ_SIZE = 64 * 1024


class Shown:
    """A surface that shows what it gets at once, as a page does: it counts, and says how far it is."""

    def __init__(self, due: int) -> None:
        self.count = 0
        self._due = due
        self.all_shown = asyncio.Event()
        self.surface: Surface | None = None
        self.tasks = Tasks()

    def hear(self, method: str, params: Raw) -> None:
        if method != "pane.output" or self.surface is None:
            return
        piece = msgspec.json.decode(params, type=PaneOutputNotify)
        self.count += len(piece.data)
        said = rpc.notification(
            "pane.ack", AckPaneParams(pane_id=piece.pane_id, offset=piece.offset + len(piece.data))
        )
        self.tasks.start("ack", self.surface.feed(said))
        if self.count >= self._due:
            self.all_shown.set()


class Flood(NamedTuple):
    wall_s: float
    cpu_s: float = 0.0  # of the daemon and the surface, which is in the same process


def measure(scale: Scale) -> Figures:
    """In turns, because other programs on the machine slow both down: each byte waits for the kernel."""
    flood = FLOOD.format(megabytes=scale.megabytes)
    bare, panes = [], []
    for _ in range(scale.rounds):
        bare.append(scale.megabytes / _read_bare(flood))
        panes.append(asyncio.run(_show(flood, scale.megabytes)))
    speeds = [scale.megabytes / one.wall_s for one in panes]
    return {
        "megabytes": scale.megabytes,
        "bare_mb_per_s": round(max(bare), 1),
        "pane_mb_per_s": round(max(speeds), 1),
        "pane_cpu_ms_per_mb": milliseconds(min(one.cpu_s for one in panes) / scale.megabytes),
        "spread_percent": spread_percent(speeds),
    }


def _read_bare(flood: str) -> float:
    ours, theirs = pty.openpty()
    begun = time.perf_counter()
    with subprocess.Popen(["sh", "-c", flood], stdin=theirs, stdout=theirs, stderr=theirs):
        os.close(theirs)
        while True:
            try:
                os.read(ours, READ_SIZE)
            except OSError:  # that is how Linux says that the other side is closed
                break
    os.close(ours)
    return time.perf_counter() - begun


async def _show(flood: str, megabytes: int) -> Flood:
    with tempfile.TemporaryDirectory(prefix="bench-panes-") as folder:
        root = Path(folder)
        env = {"HOME": folder, "SHELL": "/bin/sh", "PATH": os.environ["PATH"], "ENV": "", "PS1": "$ "}
        shown = Shown(megabytes * 1_000_000)
        async with open_app(open_folder(root / "data"), command="bench", env=env) as app, Tasks() as tasks:
            shown.surface = app.surfaces.connect(Origin(door="page"))
            link = Link(InProcessWire(shown.surface, SurfaceClosed), shown.hear)
            tasks.start("link", link.run())
            await link.initialize("bench")
            opened = await link.call("pane.open", OpenPaneParams(cwd=folder, run=flood))
            begun, used = time.perf_counter(), time.process_time()
            await link.call("pane.attach", AttachPaneParams(pane_id=opened.pane.pane_id))
            await shown.all_shown.wait()
            taken = Flood(time.perf_counter() - begun, time.process_time() - used)
            await shown.tasks.close()
    return taken
