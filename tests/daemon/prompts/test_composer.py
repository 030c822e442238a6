"""Prompts as they were typed: files are looked up beside the loop, and prompts stay in order."""

import asyncio
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from tests.daemon.line_driver import LineAgent
from tests.e2e.live_app import LiveApp, said
from tests.patience import PATIENCE_S

from bascule.daemon.agents.available_agents import AvailableAgents
from bascule.daemon.app import open_app
from bascule.daemon.prompts import composer
from bascule.daemon.prompts.composer import Submitted, TypedPrompt
from bascule.host.files.data_folder import open_folder
from bascule.model.asks import Refuse
from bascule.model.blocks import SystemBlock
from bascule.model.ids import PromptKey, SessionId


async def test_a_slow_disk_holds_up_the_prompts_of_one_session_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking, there = threading.Event(), threading.Event()

    def is_file(_path: Path) -> bool:
        looking.set()
        return there.wait(PATIENCE_S)

    monkeypatch.setattr(composer, "_is_file", is_file)
    (tmp_path / "project").mkdir()
    agents = AvailableAgents([LineAgent()])
    async with open_app(open_folder(tmp_path / "data"), command="tests", agents=agents) as app:
        live = LiveApp(app, tmp_path / "project")
        slow, other = await live.begin(), await live.begin()

        def type_in(session: SessionId, text: str) -> Coroutine[Any, Any, Submitted | Refuse]:
            return app.composer.take(session, TypedPrompt(text=text, key=PromptKey(text)))

        both = asyncio.gather(type_in(slow, "read @notes.txt"), type_in(slow, "then this"))
        assert isinstance(await type_in(other, "meanwhile"), Submitted)
        assert said(await live.until_idle(other)) == ["meanwhile"]
        assert looking.is_set()
        there.set()
        assert [isinstance(went, Submitted) for went in await both] == [True, True]
        while len(said(seen := await live.until_idle(slow))) < 2:
            await asyncio.sleep(0)
        assert said(seen) == ["read @notes.txt", "then this"]


async def test_the_status_of_a_new_session_is_said_in_words_and_nothing_is_left_blank(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    agents = AvailableAgents([LineAgent()])
    async with open_app(open_folder(tmp_path / "data"), command="tests", agents=agents) as app:
        live = LiveApp(app, tmp_path / "project")
        session = await live.begin()
        await app.composer.take(session, TypedPrompt(text="/status", key=PromptKey("status")))
        (block,) = [one for one in live.see(session).blocks if isinstance(one, SystemBlock)]
        assert block.text.splitlines() == [
            f"- session: {session}",
            "- agent: running",
            "- status: new",
        ]
