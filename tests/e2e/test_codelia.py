"""The Codelia TUI, a client that nobody here wrote, over `bascule runtime --demo`."""

import os
import platform
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.stage import SUITE, SUITE_ID
from tools.fetch_codelia import BINARY, RUNS_HERE

from bascule.cli.joining import Joined
from bascule.client.mirror import Mirror
from bascule.host.dial import dial
from bascule.host.folder import open_folder
from bascule.host.registration import find_daemon
from bascule.host.tasks import Tasks
from bascule.model.blocks import UserBlock
from bascule.model.protocol.runs import RunInput, RunStartParams, SessionListParams
from bascule.model.protocol.sync import AnswerParams

if TYPE_CHECKING or RUNS_HERE:
    from tests.e2e.screen import Screen

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not RUNS_HERE, reason=f"the TUI is built for Linux x86-64, this is {platform.platform()}"),
]

ALLOW, REMEMBER, DENY = "> 1. Allow", "2. Allow (don't ask again)", "3. Deny (Tab to add reason)"
LONG_LINE = 400_000  # characters; drawn as one line it holds up the TUI for seconds


class Tui(Screen):
    """The real binary, and what a person does with it."""

    def __init__(self, home: Path, *words: str) -> None:
        assert BINARY.exists(), f"{BINARY} is missing. Next: {sys.executable} tools/fetch_codelia.py"
        self.home = home
        self.project = home / "demo" / "project"
        env = {
            **{key: value for key, value in os.environ.items() if not key.startswith("CODELIA_")},
            "HOME": str(home),
            "BASCULE_HOME": str(home),
            "CODELIA_RUNTIME_CMD": sys.executable,
            "CODELIA_RUNTIME_ARGS": "-m bascule runtime --demo",
            "TERM": "xterm-256color",
            SUITE: SUITE_ID,
        }
        super().__init__([str(BINARY), *words], env, home)

    async def say(self, text: str) -> None:
        """Typed, seen in the composer, sent."""
        self.type(text)
        await self.until_holds(lambda: text in "\n".join(self.lines()[-6:]) or self._composes(text), text)
        self.press("enter")
        await self.until_holds(lambda: not self._composes(text), f"an empty composer after {text!r}")

    def _composes(self, text: str) -> bool:
        return any(line in (f"  > {text}", f"  ! {text.removeprefix('!')}") for line in self.lines())

    async def rest(self) -> str:
        """Until no run is going any more."""
        return await self.until_on_screen("● completed")


@asynccontextmanager
async def open_tui(home: Path, *words: str) -> AsyncIterator[Tui]:
    tui = Tui(home, *words)
    try:
        await tui.until("model: openai/demo [medium]")
        yield tui
    finally:
        tui.close()


@asynccontextmanager
async def open_other(tui: Tui) -> AsyncIterator[Joined]:
    """Another surface on the daemon that the TUI's runtime hosts."""
    daemon = find_daemon(open_folder(open_folder(tui.home).demo))
    assert daemon is not None
    wire = await dial(daemon, str(tui.project))
    async with Tasks() as tasks:
        other = Joined(wire, str(tui.project), tasks)
        await other.begin("other")
        yield other
        await wire.close()


async def only_session(other: Joined) -> Mirror:
    listed = (await other.call("session.list", SessionListParams())).sessions
    assert len(listed) == 1
    mirror = await other.watch(listed[0].session_id)
    await mirror.news()
    return mirror


async def test_a_prompt_and_the_lines_of_its_tools(tmp_path: Path) -> None:
    async with open_tui(tmp_path) as tui:
        await tui.say("demo:reasoning demo:command demo:plan demo:search")
        seen = await tui.rest()
    print(seen)
