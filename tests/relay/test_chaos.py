"""Several nodes: every command has one outcome, shown once, whatever falls."""

from pathlib import Path

import pytest
from tests.relay.chaos import run_chaos
from tests.relay.postgres import Postgres


@pytest.mark.real
@pytest.mark.timeout(240)
async def test_three_nodes_lose_and_repeat_nothing_while_they_are_killed(
    tmp_path: Path, postgres: Postgres
) -> None:
    seen = await run_chaos(tmp_path, postgres, seconds=12, seed=7)
    assert seen.commands > 50
    assert set(seen.troubles) == {"kill", "cut", "restart"}
