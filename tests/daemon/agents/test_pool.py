"""The agent pool: ended side by side, ended when nobody uses them, restarted when somebody wants it."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.patience import PATIENCE_S

from bascule.agents.codex.agent import Codex
from bascule.core.faults import UserError
from bascule.daemon.agents.agent_process import AgentProcess
from bascule.daemon.agents.available_agents import AvailableAgents
from bascule.daemon.agents.pool import AgentPlace, AgentPool
from bascule.host.processes.process_register import Register
from bascule.host.processes.program import SearchPath
from bascule.host.processes.tasks import Tasks
from bascule.model.settings import AgentsSettings, CodexSettings, Settings

FAKE = Path(__file__).parents[2] / "e2e" / "fakes" / "app_server.py"
CODEX = CodexSettings(command=sys.executable, args=("-I", str(FAKE), "none"))
MANY = 50
MINUTE_MS = 60_000


class Other(Codex):
    name = "other"


OTHER = Other()


class Scene:
    """A pool of fakes, a clock and what was said."""

    def __init__(self, folder: Path) -> None:
        self.place = AgentPlace("codex", str(folder))
        self.now_ms = 0
        self.idle_minutes = 30
        self.needed = False
        self.died: list[tuple[AgentPlace, str]] = []
        self.register = Register(folder / "children.json", "folder")
        self.tasks = Tasks()
        self.search_path = SearchPath({"PATH": os.pathsep.join([str(folder / "bin"), os.defpath])})
        self.pool = AgentPool(
            agents=AvailableAgents([Codex(), OTHER]),
            register=self.register,
            neutral=folder / "agents",
            settings=self.settings,
            env={},
            search_path=self.search_path,
            tasks=self.tasks,
            stderr=lambda _subject, _line: None,
            now_ms=lambda: self.now_ms,
        )
        self.pool.is_needed = lambda _place: self.needed
        self.pool.on_died = lambda place, why: self.died.append((place, why))

    def settings(self, _workspace: str) -> Settings:
        if self.idle_minutes < 0:
            raise UserError("settings.toml cannot be read.")
        return Settings(codex=CODEX, agents=AgentsSettings(idle_minutes=self.idle_minutes))

    @property
    def is_running(self) -> bool:
        return self.pool.is_running(self.place)


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    scene = Scene(tmp_path)
    yield scene
    await scene.pool.close()
    await scene.tasks.close()
    assert scene.register.records == ()


async def test_all_are_ended_side_by_side(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each ends only when all are ending: one after the other, none would."""
    all_of_them = asyncio.Barrier(MANY)

    async def close(_agent_process: AgentProcess) -> None:
        await all_of_them.wait()

    with monkeypatch.context() as patched:
        patched.setattr(AgentProcess, "close", close)
        for number in range(MANY):
            scene.pool._processes[AgentPlace("codex", f"/w{number}")] = scene.pool._agent_process(scene.place)
        await asyncio.wait_for(scene.pool.close(), PATIENCE_S)


async def test_one_that_nobody_used_for_long_is_ended_and_comes_back(scene: Scene) -> None:
    first = await scene.pool.driver(scene.place)
    scene.now_ms = 30 * MINUTE_MS - 1
    await scene.pool.end_idle()
    assert scene.is_running
    scene.now_ms += 1
    await scene.pool.end_idle()
    assert (scene.is_running, scene.register.records) == (False, ())
    second = await scene.pool.driver(scene.place)
    assert second is not first
    await scene.pool.end_idle()
    assert (scene.is_running, scene.died) == (True, [])  # it is in use again, and nobody was alarmed


@pytest.mark.parametrize("why", ["work", "never", "settings"])
async def test_one_that_is_needed_stays(scene: Scene, why: str) -> None:
    await scene.pool.driver(scene.place)
    scene.now_ms = 1_000 * MINUTE_MS
    scene.needed = why == "work"
    scene.idle_minutes = {"work": 30, "never": 0, "settings": -1}[why]
    await scene.pool.end_idle()
    assert scene.is_running


@pytest.mark.parametrize("needed", [False, True])
async def test_none_that_runs_keeps_looking_for_programs_where_another_may_write(
    scene: Scene, tmp_path: Path, needed: bool
) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "bin").mkdir()
    before = AgentPlace("codex", str(tmp_path / "one"))
    await scene.pool.driver(before)
    scene.needed = needed
    await scene.pool.driver(AgentPlace("codex", str(tmp_path / "bin")))
    assert scene.pool.is_running(before) is needed
    assert scene.search_path.text == os.defpath
    scene.needed = False
    await scene.pool.end_idle()
    assert not scene.pool.is_running(before), "it looks elsewhere after its next start"


async def test_a_session_s_folder_holds_no_programs_also_before_its_agent_starts(
    scene: Scene, tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    scene.pool.check(AgentPlace("codex", str(tmp_path / "bin")))
    assert scene.search_path.text == os.defpath


async def test_an_agent_that_runs_starts_again_where_a_folder_was_opened_meanwhile(
    scene: Scene, tmp_path: Path
) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "bin").mkdir()
    before = AgentPlace("codex", str(tmp_path / "one"))
    await scene.pool.driver(before)
    scene.search_path.exclude([str(tmp_path / "bin")])
    await scene.pool.driver(AgentPlace("codex", str(tmp_path / "bin")))
    assert not scene.pool.is_running(before)


async def test_a_restart_ends_what_is_going_on_and_says_who_wanted_it(scene: Scene) -> None:
    first = await scene.pool.driver(scene.place)
    scene.needed = True
    assert await scene.pool.restart(scene.place, "Restarted by Ann.")
    assert scene.died == [(scene.place, "Restarted by Ann.")]
    assert await scene.pool.driver(scene.place) is not first


async def test_where_none_runs_none_is_restarted(scene: Scene) -> None:
    assert not await scene.pool.restart(scene.place, "Restarted by Ann.")
    assert (scene.is_running, scene.tasks.names) == (False, [])


async def test_two_agents_of_one_folder_have_a_child_each_and_are_let_go_together(scene: Scene) -> None:
    other = AgentPlace(OTHER.name, scene.place.workspace)
    drivers = [await scene.pool.driver(place) for place in (scene.place, other)]
    assert (len(set(drivers)), len(scene.register.records)) == (2, 2)
    assert scene.pool.running_in(scene.place.workspace) == [scene.place, other]
    await scene.pool.end_in(scene.place.workspace)
    assert (scene.register.records, scene.died) == ((), [])
