"""A surface that shows panes: what it was sent, and what it can wait for."""

import asyncio
import base64
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
import psutil
from msgspec import Raw
from tests.patience import PATIENCE_S

from bascule.client.in_process import InProcessWire
from bascule.client.link import Link
from bascule.core.wire import rpc
from bascule.daemon.app import open_app
from bascule.daemon.panes.pane_terminal import PaneTerminal
from bascule.daemon.parts import App
from bascule.daemon.surfaces.surfaces import SurfaceClosed
from bascule.host.files.data_folder import open_folder
from bascule.host.processes.tasks import Tasks
from bascule.host.terminals.pty_process import PtySize
from bascule.model.consent.origin import Origin
from bascule.model.protocol.panes import (
    AckPaneParams,
    AttachPaneParams,
    OpenPaneParams,
    Pane,
    PaneOutputNotify,
    PanesNotify,
    PanesParams,
    WritePaneParams,
)

HERE = Origin(door="page")


def make_terminal() -> PaneTerminal:
    """One without a program: a test feeds what it shows."""
    return PaneTerminal(
        "p1",
        shell="bash",
        cwd="/w",
        size=PtySize(80, 24),
        opened_at_ms=0,
        on_change=lambda _pane: None,
        on_mark=lambda _pane, _mark: None,
        on_still=lambda _pane, _is_still: None,
    )


class PaneSurface:
    """`acks`: it shows what it gets at once, as a page does."""

    def __init__(self, app: App, origin: Origin = HERE, *, acks: bool = True) -> None:
        self.surface = app.surfaces.connect(origin)
        self.link = Link(InProcessWire(self.surface, SurfaceClosed), self.hear)
        self.acks = acks
        self._tasks = Tasks()
        self.shown: dict[str, bytes] = {}
        self.at: dict[str, int] = {}
        self.resets = 0
        self.old = b""  # what was said to be from before
        self.panes: dict[str, Pane] = {}
        self.gone: list[str] = []
        self.news = asyncio.Event()

    def hear(self, method: str, params: Raw) -> None:
        if method == "pane.changed":
            told = msgspec.json.decode(params, type=PanesNotify)
            self.panes |= {pane.pane_id: pane for pane in told.panes}
            self.gone += told.gone
        elif method == "pane.output":
            self._take(msgspec.json.decode(params, type=PaneOutputNotify))
        self.news.set()

    def _take(self, piece: PaneOutputNotify) -> None:
        data = piece.data
        if piece.reset:
            self.resets += 1
            self.old = b""
            self.shown[piece.pane_id] = piece.before
        else:
            assert piece.offset == self.at.get(piece.pane_id, piece.offset), "a gap in the stream"
        self.shown[piece.pane_id] = self.shown.get(piece.pane_id, b"") + data
        self.old += data if piece.is_old else b""
        self.at[piece.pane_id] = piece.offset + len(data)
        if self.acks:
            self.ack(piece.pane_id)

    def ack(self, pane_id: str) -> None:
        said = rpc.notification("pane.ack", AckPaneParams(pane_id=pane_id, offset=self.at[pane_id]))
        self._tasks.start("ack", self.surface.feed(said))

    async def open(self, cwd: Path, **more: object) -> str:
        opened = await self.link.call("pane.open", OpenPaneParams(cwd=str(cwd), **more))  # type: ignore[arg-type]
        pane_id = str(opened.pane.pane_id)
        await self.link.call("pane.attach", AttachPaneParams(pane_id=pane_id))
        return pane_id

    async def type(self, pane_id: str, text: str) -> None:
        data = base64.b64encode(text.encode()).decode()
        await self.link.call("pane.write", WritePaneParams(pane_id=pane_id, data=data))

    async def until_shown(self, pane_id: str, text: bytes) -> bytes:
        while text not in self.shown.get(pane_id, b""):
            await self._wait()
        return self.shown[pane_id]

    async def until(self, pane_id: str, **fields: object) -> Pane:
        while True:
            pane = self.panes.get(pane_id)
            if pane is not None and all(getattr(pane, name) == value for name, value in fields.items()):
                return pane
            await self._wait()

    async def _wait(self) -> None:
        self.news.clear()
        async with asyncio.timeout(PATIENCE_S):
            await self.news.wait()


S = TypeVar("S", bound=PaneSurface)


@asynccontextmanager
async def machine(
    tmp_path: Path, env: Mapping[str, str] | None = None, settings: str = ""
) -> AsyncIterator[App]:
    """A daemon whose person has an empty home and /bin/sh."""
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    folder = open_folder(tmp_path / "data")
    if settings:
        folder.settings.write_text(settings)
    whole = {"HOME": str(home), "SHELL": "/bin/sh", "PS1": "$ ", "ENV": "", **(env or {})}
    async with open_app(folder, command="test", env=whole) as app:
        yield app


@asynccontextmanager
async def connected(one: S) -> AsyncIterator[S]:
    async with Tasks() as tasks:
        tasks.start("link", one.link.run())
        await one.link.initialize("test")
        await one.link.call("pane.watch", PanesParams())
        yield one
        one.surface.close()


@asynccontextmanager
async def surface_of(app: App, origin: Origin = HERE, *, acks: bool = True) -> AsyncIterator[PaneSurface]:
    async with connected(PaneSurface(app, origin, acks=acks)) as one:
        yield one


async def find_sleeper(above: int, seconds: str) -> int:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            for process in psutil.Process(above).children(recursive=True):
                if process.cmdline() == ["sleep", seconds]:
                    return process.pid
            await asyncio.sleep(0.02)  # a process cannot be waited for before it is there
