"""An application whose Orders run read-only, and one with a slow model."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.e2e.stage import Life, Stage, open_stage


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """With the agent's commands left to the sandbox: test_order_commands.py is about the other ways."""
    async with open_stage(tmp_path) as stage:
        stage.write_settings(orders_commands='"read-only"')
        yield stage


@pytest.fixture
async def life(stage: Stage) -> AsyncIterator[Life]:
    async with stage.life() as life:
        yield life


@pytest.fixture
async def slow(tmp_path: Path) -> AsyncIterator[Life]:
    """With a model whose plan takes ten seconds and more."""
    async with open_stage(tmp_path, word_delay_s=0.5) as stage, stage.life() as life:
        yield life
