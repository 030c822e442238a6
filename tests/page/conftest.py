"""One daemon and one browser for the tests of a module; a profile and a session for each test."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from tests.page.viewer import Theatre, Viewer, open_theatre

WORD_DELAY_S = 0.01


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def theatre(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Theatre]:
    """A module that needs time while a run goes on says how long a word takes."""
    word_delay_s = getattr(request.module, "WORD_DELAY_S", WORD_DELAY_S)
    async with open_theatre(tmp_path_factory.mktemp("theatre"), word_delay_s=word_delay_s) as theatre:
        yield theatre


@pytest_asyncio.fixture(loop_scope="module")
async def viewer(theatre: Theatre) -> AsyncIterator[Viewer]:
    async with theatre.viewer() as viewer:
        yield viewer
