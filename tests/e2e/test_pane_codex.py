"""A real Codex in one of our panes: bound, working, done, stopped, by its rollout and the prompt."""

import asyncio
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.daemon.panes.panes import connected, machine
from tests.daemon.watch.test_pane_sessions import BoardSurface
from tests.e2e.stage import CODEX

from bascule.demo.home import prepare_home
from bascule.demo.server import DemoModel
from bascule.model.protocol.board import BoardParams

pytestmark = pytest.mark.real


@pytest.fixture
def place() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="bw", dir="/tmp"))
    (path / "project").mkdir()
    (path / "bin").mkdir()
    (path / "bin" / "codex").symlink_to(CODEX)
    yield path
    shutil.rmtree(path)


class StatusLog(BoardSurface):
    """Every status that the one session goes through."""

    def statuses(self) -> list[str]:
        """Without repeats."""
        said = [line.status for line in self.history]
        return [one for at, one in enumerate(said) if at == 0 or said[at - 1] != one]

    async def until_status(self, status: str) -> None:
        while not self.history or self.history[-1].status != status:
            self.news.clear()
            async with asyncio.timeout(60):
                await self.news.wait()


async def test_a_codex_terminal_in_a_pane_is_bound_and_goes_through_its_statuses(place: Path) -> None:
    async with DemoModel(word_delay_s=0.2) as model:  # long enough to be seen at work
        made = prepare_home(place / "codex-home", base_url=model.base_url, token=model.token)
        path = f"{place / 'bin'}:{os.environ['PATH']}"
        env = {"PATH": path, "SHELL": "/bin/bash", "CLAUDE_CONFIG_DIR": "", **made}
        async with machine(place, env) as app, connected(StatusLog(app)) as page:
            await page.link.call("board.watch", BoardParams())
            pane = await page.open(place / "project", cols=100, rows=30)
            await page.type(pane, "codex --no-daemon\r")
            await page.until_shown(pane, b"Ask Codex to do anything")
            await page.type(pane, "hello there")
            await page.until_shown(pane, b"there")
            await page.type(pane, "\r")
            await page.until_status("working")
            await page.until_status("completed")
            assert page.history[-1].pane == pane
            assert page.history[-1].source == "rollout"
            await page.type(pane, "\x03")
            await page.type(pane, "\x03")
            await page.until_status("stopped")
            assert page.history[-1].evidence == "prompt is back"
            assert page.statuses()[-3:] == ["working", "completed", "stopped"]
