"""A daemon in this process and surfaces that mirror it: what it has is compared with what they show."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.e2e.live_app import LiveApp, Setup, of_kind
from tests.e2e.mirror_surface import MirrorSurface, onlooker
from tests.patience import PATIENCE_S

from bascule.host.network.registration import Registration
from bascule.model.blocks import AssistantBlock
from bascule.model.ids import SessionId
from bascule.model.session import Session


class AppWithSurfaces:
    """A daemon in this process, so that what it has can be compared with what a surface shows."""

    def __init__(self, setup: Setup, live: LiveApp, daemon: Registration) -> None:
        self.setup = setup
        self.live = live
        self.daemon = daemon

    @asynccontextmanager
    async def surface(self, name: str = "looker") -> AsyncIterator[MirrorSurface]:
        async with onlooker(self.daemon, name, str(self.live.project)) as looking:
            yield looking

    def has(self, session: str) -> Session:
        return self.live.app.hub.session(SessionId(session))

    async def at_rest(self, session: str) -> Session:
        return await self.live.until_idle(SessionId(session))

    async def all_gone(self) -> None:
        """No surface is connected any more."""
        surfaces = self.live.app.surfaces
        nobody: Any = None
        async with asyncio.timeout(PATIENCE_S):
            await surfaces.wait_until_alone(nobody)


async def begin(surface: MirrorSurface) -> str:
    """A new session, watched."""
    session = str((await surface.call("session.create")).session_id)
    await surface.watch(session)
    return session


async def begin_slow(surface: MirrorSurface) -> str:
    """A session in the middle of a long run: what is steered in now does not become part of its beginning."""
    session = await begin(surface)
    await surface.run(session, "demo:slow")
    await surface.until(session, lambda seen: any(block.text for block in of_kind(seen, AssistantBlock)))
    return session


async def stop(app_with_surfaces: AppWithSurfaces, surface: MirrorSurface, session: str) -> Session:
    await surface.call("session.interrupt", session_id=session)
    return await app_with_surfaces.at_rest(session)
