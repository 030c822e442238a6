"""Applications for each test or for a whole module, and a last look for processes that were left behind."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.access_check import held_against_the_table
from tests.e2e.live_app import LiveApp, Setup, left_over, open_setup

SLOW_WORD_S = 0.05  # a demo:slow of 15 s: time enough to do something to it


@pytest.fixture(scope="session", autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    yield
    assert left_over() == []


@pytest.fixture(autouse=True)
def every_method_keeps_to_its_row() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, held_against_the_table(patch) as broken:
        yield
    assert sorted(broken) == []


@pytest.fixture
async def setup(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Setup]:
    """With a real Codex in tests that are marked `real`; in others a fake, which costs a sixth."""
    async with open_setup(tmp_path, word_delay_s=SLOW_WORD_S) as setup:
        if request.node.get_closest_marker("real") is None:
            setup.use_fake("app_server", "none")
        yield setup


@pytest.fixture
async def live(setup: Setup) -> AsyncIterator[LiveApp]:
    async with setup.run() as live:
        yield live


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LiveApp]:
    """One application for the sessions of a whole module."""
    root = tmp_path_factory.mktemp("shared")
    async with open_setup(root, word_delay_s=SLOW_WORD_S) as setup, setup.run() as live:
        yield live
