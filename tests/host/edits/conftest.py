"""Fixtures of the edits on the disk."""

from pathlib import Path

import pytest
from tests.host.edits.edit_folder import EditFolder


@pytest.fixture
def disk(tmp_path: Path) -> EditFolder:
    return EditFolder(tmp_path)
