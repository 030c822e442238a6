"""One machine for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.daemon.watch.machine import Machine, open_machine


@pytest.fixture
async def machine(tmp_path: Path) -> AsyncIterator[Machine]:
    async with open_machine(tmp_path) as machine:
        yield machine
