"""Yeses that last: listed while the agent's process keeps them, and revoked by ending it."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.daemon.consent.answering import SurfaceHere
from tests.daemon.hubs import NOW_MS, ONE, make_session, open_hub

from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.grants import BUSY, NO_GRANT, THEIRS, Grants
from bascule.daemon.consent.record import Record
from bascule.model.asks import Answer, Ask, Choice, CommandSubject
from bascule.model.ids import AskId, RunId

CHOICES = (
    Choice(id="once", label="Yes", grants=True),
    Choice(id="session", label="Yes, for this session", grants=True, lasts="session"),
    Choice(id="always", label="Always", grants=True, lasts="always", rule="make"),
)
ASK = Ask(
    id=AskId("ask-1"),
    title="Run make?",
    subject=CommandSubject(command="make", original="make", cwd="/w"),
    choices=CHOICES,
)


class PoolOfOne:
    """One process, until it is ended."""

    def __init__(self) -> None:
        self.driver: object | None = object()

    def find_driver(self, _place: object) -> object | None:
        return self.driver

    def find_rules_file(self, _agent: str) -> str:
        return "rules/default.rules"

    async def rest(self, _place: object, why: str) -> None:
        assert "forgets what it was allowed" in why
        self.driver = None


class GrantsOfOne:
    def __init__(self, root: Path, hub: Any) -> None:
        self.hub, self.pool, self.record = hub, PoolOfOne(), Record(root, lambda: NOW_MS)
        self.roster = Roster(hub)
        pool: Any = self.pool
        self.grants = Grants(roster=self.roster, pool=pool, record=self.record)

    async def answer(self, choice: str) -> None:
        answer = Answer(ask=ASK.id, choice=choice, by="page")
        await self.record.answered(ASK, answer, make_session().workspace)
        self.grants.note(ONE, ASK, answer, NOW_MS)

    async def list(self) -> list[tuple[str, bool]]:
        return [(grant.lasts, grant.revocable) for grant in await self.grants.list(ONE)]

    async def revoke(self) -> str:
        surface: Any = SurfaceHere()
        refused = await self.grants.revoke(ONE, ASK.id, surface)
        return refused.why if refused else "revoked"


@pytest.fixture
async def one(tmp_path: Path) -> AsyncIterator[GrantsOfOne]:
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session())
        yield GrantsOfOne(tmp_path, hub)


async def test_a_yes_once_is_no_grant(one: GrantsOfOne) -> None:
    await one.answer("once")
    assert (await one.list(), await one.revoke()) == ([], NO_GRANT)


async def test_one_for_the_session_ends_with_the_process(one: GrantsOfOne) -> None:
    await one.answer("session")
    assert (await one.list(), await one.revoke(), await one.list()) == ([("session", True)], "revoked", [])


async def test_one_for_good_is_the_agents_own(one: GrantsOfOne) -> None:
    await one.answer("always")
    assert (await one.list(), await one.revoke()) == ([("always", False)], THEIRS)


async def test_an_agent_at_work_is_not_ended(one: GrantsOfOne) -> None:
    await one.answer("session")
    one.roster.change(ONE, lambda lane: lane.started(RunId("r")))
    assert (await one.revoke(), await one.list()) == (BUSY, [("session", True)])
