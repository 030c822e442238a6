"""The agents that there are: found by name, the first one where none is named."""

import pytest
from tests.daemon.line_driver import LineAgent

from bascule.core.faults import AgentFault, UserError
from bascule.daemon.agents.available_agents import AvailableAgents, find_available
from bascule.model.settings import Settings

AGENTS = AvailableAgents([*find_available(), LineAgent()])


@pytest.mark.parametrize(("name", "found"), [("", "codex"), ("codex", "codex"), ("line", "line")])
def test_an_agent_is_found_by_its_name_and_the_first_without_one(name: str, found: str) -> None:
    assert AGENTS.get(name).name == found


def test_one_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(UserError, match=r"There is no agent 'other' here\. There are: codex, line\."):
        AGENTS.get("other")


def test_each_is_launched_by_its_own_settings() -> None:
    assert list(AGENTS.launches(Settings())) == ["codex", "line"]


def test_only_an_agent_whose_wire_can_be_replayed_replays_a_recording() -> None:
    line = b'< {"method": "warning", "params": {"message": "low on disk"}}\n'
    assert AGENTS.get("codex").replay(line) == ([], "Warning")
    with pytest.raises(AgentFault, match="cannot be replayed"):
        AGENTS.get("line").replay(line)
