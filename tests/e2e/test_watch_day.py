"""A short day of a real Codex: every status that the board shows is right."""

import pytest
from tools.watch_day import spend

pytestmark = pytest.mark.real


async def test_every_status_of_a_scripted_day_is_right() -> None:
    day = await spend(9)
    assert (day.count, day.wrong) == (9, [])
