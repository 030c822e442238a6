"""A surface over a real WebSocket: calls, and sessions folded as they come."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from msgspec import Raw

from bascule.client.link import Link
from bascule.client.mirror import Mirror
from bascule.host.files.data_folder import Folder
from bascule.host.network.dial import dial
from bascule.host.network.registration import find_daemon
from bascule.host.processes.tasks import Tasks
from bascule.model.protocol.sessions import WatchParams
from bascule.model.session import Session
from bench.mirror import PATIENCE_S


class Client:
    def __init__(self, link: Link, mirrors: dict[str, Mirror]) -> None:
        self._link = link
        self._mirrors = mirrors

    async def call(self, method: str, **params: Any) -> Any:
        return await self._link.call(method, params)

    async def watch(self, session: str) -> Mirror:
        """Its snapshot has come."""
        mirror = self._mirrors[session] = Mirror(session, on_gap=_no_gap)
        await self._link.call("session.watch", WatchParams(session_id=session))
        await mirror.news()
        return mirror

    def forget(self, session: str) -> None:
        """What was folded of it."""
        del self._mirrors[session]


def _no_gap() -> None:
    raise AssertionError("the daemon left something out")


@asynccontextmanager
async def connect(
    folder: Folder, workspace: str = "", patience_s: float = PATIENCE_S
) -> AsyncIterator[Client]:
    daemon = find_daemon(folder)
    assert daemon is not None, f"no daemon serves {folder.root}"
    mirrors: dict[str, Mirror] = {}

    def hear(method: str, params: Raw) -> None:
        for mirror in mirrors.values():
            mirror.feed(method, params)

    wire = await dial(daemon, workspace)
    async with asyncio.timeout(patience_s), Tasks() as tasks:
        link = Link(wire, hear)
        tasks.start("link", link.run())
        await link.initialize("bench")
        yield Client(link, mirrors)
    await wire.close()


def is_done(head: Session) -> bool:
    return head.status == "completed" and head.runs[-1:] != () and head.runs[-1].outcome == "completed"
