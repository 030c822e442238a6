"""An application whose Orders run read-only, and one with a slow model."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.e2e.live_app import LiveApp, Setup, open_setup


@pytest.fixture
async def setup(tmp_path: Path) -> AsyncIterator[Setup]:
    """With the agent's commands left to the sandbox: test_order_commands.py is about the other ways."""
    async with open_setup(tmp_path) as setup:
        setup.write_settings(orders_commands='"read-only"')
        yield setup


@pytest.fixture
async def live(setup: Setup) -> AsyncIterator[LiveApp]:
    async with setup.run() as live:
        yield live


@pytest.fixture
async def slow(tmp_path: Path) -> AsyncIterator[LiveApp]:
    """With a model whose plan takes ten seconds and more."""
    async with open_setup(tmp_path, word_delay_s=0.5) as setup, setup.run() as live:
        yield live
