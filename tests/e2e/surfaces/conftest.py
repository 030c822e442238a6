"""One daemon for the tests of a module, and two surfaces for each test."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from tests.e2e.mirror_surface import MirrorSurface
from tests.e2e.stage import open_stage
from tests.e2e.surfaces.app_with_surfaces import AppWithSurfaces

from bascule.serve.serving import serving


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app_with_surfaces(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AppWithSurfaces]:
    root = tmp_path_factory.mktemp("house")
    async with (
        open_stage(root, word_delay_s=0.05) as stage,
        stage.life() as life,
        serving(life.app, stage.folder) as doors,
    ):
        yield AppWithSurfaces(stage, life, doors.registration)


@pytest_asyncio.fixture(loop_scope="module")
async def one(app_with_surfaces: AppWithSurfaces) -> AsyncIterator[MirrorSurface]:
    async with app_with_surfaces.surface("one") as looking:
        yield looking


@pytest_asyncio.fixture(loop_scope="module")
async def two(app_with_surfaces: AppWithSurfaces) -> AsyncIterator[MirrorSurface]:
    async with app_with_surfaces.surface("two") as looking:
        yield looking
