"""One daemon for the tests of a module, and two surfaces for each test."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from tests.e2e.live_app import open_setup
from tests.e2e.mirror_surface import MirrorSurface
from tests.e2e.surfaces.app_with_surfaces import AppWithSurfaces

from bascule.serve.serving import serving


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app_with_surfaces(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AppWithSurfaces]:
    root = tmp_path_factory.mktemp("house")
    async with (
        open_setup(root, word_delay_s=0.05) as setup,
        setup.run() as live,
        serving(live.app, setup.folder) as doors,
    ):
        yield AppWithSurfaces(setup, live, doors.registration)


@pytest_asyncio.fixture(loop_scope="module")
async def one(app_with_surfaces: AppWithSurfaces) -> AsyncIterator[MirrorSurface]:
    async with app_with_surfaces.surface("one") as looking:
        yield looking


@pytest_asyncio.fixture(loop_scope="module")
async def two(app_with_surfaces: AppWithSurfaces) -> AsyncIterator[MirrorSurface]:
    async with app_with_surfaces.surface("two") as looking:
        yield looking
