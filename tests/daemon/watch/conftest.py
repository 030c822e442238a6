"""One machine for each test."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.daemon.panes.panes import connected
from tests.daemon.panes.panes import machine as panes_machine
from tests.daemon.watch.board_surface import BoardSurface
from tests.daemon.watch.machine import Machine, open_machine

from bascule.daemon.watch import file_sources, live_views
from bascule.model.protocol.board import BoardParams


@pytest.fixture(autouse=True)
def looks_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what tells nothing of itself: a process that ended, a folder or a file that is not there yet."""
    monkeypatch.setattr(file_sources, "LOOK_S", 0.05)
    monkeypatch.setattr(live_views, "LOOK_S", 0.05)


@pytest.fixture
async def machine(tmp_path: Path) -> AsyncIterator[Machine]:
    async with open_machine(tmp_path) as machine:
        yield machine


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[BoardSurface]:
    bash = shutil.which("bash")
    assert bash is not None
    env = {"SHELL": bash, "CODEX_HOME": "", "CLAUDE_CONFIG_DIR": ""}
    async with panes_machine(tmp_path, env) as app, connected(BoardSurface(app)) as page:
        await page.link.call("board.watch", BoardParams())
        yield page
