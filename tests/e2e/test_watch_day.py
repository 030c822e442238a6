"""A short day of a real Codex and a real Claude: every status that the board shows is right."""

import pytest
from tools.fetch_programs import RUNS_HERE
from tools.watch_day import spend

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not RUNS_HERE, reason="Claude is fetched for Linux x86-64 only"),
]


async def test_every_status_of_a_scripted_day_is_right() -> None:
    codex, claude = await spend(18)
    assert (codex.total, codex.wrong) == (9, [])
    assert (claude.total, claude.wrong) == (10, [])
