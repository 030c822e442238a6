"""A surface that opens panes and watches the board."""

import asyncio

import msgspec
from msgspec import Raw
from tests.daemon.panes.panes import PaneSurface
from tests.patience import PATIENCE_S

from bascule.daemon.parts import App
from bascule.model.protocol.board import BoardNotify
from bascule.model.watch import Source, WatchedSession


class BoardSurface(PaneSurface):
    def __init__(self, app: App) -> None:
        self.lines: dict[str, WatchedSession] = {}
        self.history: list[WatchedSession] = []
        super().__init__(app)

    def hear(self, method: str, params: Raw) -> None:
        if method == "board.changed":
            sent = msgspec.json.decode(params, type=BoardNotify)
            self.lines |= {line.key: line for line in sent.sessions}
            self.history += sent.sessions
        super().hear(method, params)

    async def until_line(self, key: str, status: str, pane: str) -> None:
        while (line := self.lines.get(key)) is None or (line.status, line.pane) != (status, pane):
            await self.wait()

    async def until_source(self, key: str, source: Source, pane: str) -> None:
        while (line := self.lines.get(key)) is None or (line.source, line.pane) != (source, pane):
            await self.wait()

    async def wait(self) -> None:
        self.news.clear()
        async with asyncio.timeout(PATIENCE_S):
            await self.news.wait()
