"""Stages for each test or for a whole module, and a last look for processes that were left behind."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.e2e.stage import Life, Stage, left_over, open_stage

SLOW_WORD_S = 0.05  # a demo:slow of 15 s: time enough to do something to it


@pytest.fixture(scope="session", autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    yield
    assert left_over() == []


@pytest.fixture
async def stage(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stage]:
    """With a real Codex in tests that are marked `real`; in others a fake, which costs a sixth."""
    async with open_stage(tmp_path, word_delay_s=SLOW_WORD_S) as stage:
        if request.node.get_closest_marker("real") is None:
            stage.use_fake("app_server", "none")
        yield stage


@pytest.fixture
async def life(stage: Stage) -> AsyncIterator[Life]:
    async with stage.life() as life:
        yield life


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Life]:
    """One application for the sessions of a whole module."""
    root = tmp_path_factory.mktemp("shared")
    async with open_stage(root, word_delay_s=SLOW_WORD_S) as stage, stage.life() as life:
        yield life
