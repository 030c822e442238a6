"""What the tests of children and of their register share."""

import os
from pathlib import Path

import pytest

from bascule.host.processes.process_register import Register


@pytest.fixture
def register(tmp_path: Path) -> Register:
    return Register(tmp_path / "children.json", f"folder-{os.getpid()}-{tmp_path.name}")
