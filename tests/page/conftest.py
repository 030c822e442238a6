"""One browser for all tests, one daemon for those of a module; a cleared profile and a session for each."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser
from tests.page.profiles import Profiles
from tests.page.viewer import ServedPage, Viewer, open_browser, open_served

WORD_DELAY_S = 0.01


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def profiles() -> AsyncIterator[Profiles]:
    async with open_browser() as browser:
        yield Profiles(browser)


@pytest.fixture(scope="session")
def browser(profiles: Profiles) -> Browser:
    return profiles.browser


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, profiles: Profiles
) -> AsyncIterator[ServedPage]:
    """A module that needs time while a run goes on says how long a word takes."""
    root = tmp_path_factory.mktemp("served")
    word_delay_s = getattr(request.module, "WORD_DELAY_S", WORD_DELAY_S)
    async with open_served(root, profiles, word_delay_s=word_delay_s) as served:
        yield served


@pytest_asyncio.fixture(loop_scope="session")
async def viewer(served: ServedPage) -> AsyncIterator[Viewer]:
    async with served.viewer() as viewer:
        yield viewer
