"""Who is who: threads by agent, lanes made from what is stored, and when an agent is needed."""

from pathlib import Path

import pytest
from tests.daemon.hubs import ONE, make_session, open_hub

from bascule.daemon.agents.pool import AgentPlace
from bascule.daemon.agents.roster import Roster, SessionMissing
from bascule.model.asks import Ask, CommandSubject
from bascule.model.changes import AskOpened
from bascule.model.ids import AskId, PromptKey, RunId, SessionId, ThreadId
from bascule.model.session import Prompt, Run

WHERE = "/home/ann/bridge"


async def test_two_agents_may_call_two_conversations_the_same(tmp_path: Path) -> None:
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session(agent="codex", thread=ThreadId("t")))
        roster = Roster(hub)
        roster.bind("other", ThreadId("t"), SessionId("s_two"))
        found = [roster.find_by_thread(agent, ThreadId("t")) for agent in ("codex", "other", "third")]
        assert found == [ONE, "s_two", None]
        roster.unbind("codex", ThreadId("t"))
        assert roster.find_by_thread("codex", ThreadId("t")) is None
        assert (roster.has_left("codex", ThreadId("t")), roster.has_left("other", ThreadId("t"))) == (
            True,
            False,
        )


async def test_a_session_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with open_hub(tmp_path / "db") as hub:
        roster = Roster(hub)
        with pytest.raises(SessionMissing, match="There is no session nope"):
            roster.get(SessionId("nope"))
        assert roster.find_agent(SessionId("nope")) == ""


async def test_the_queue_of_a_session_is_its_lanes(tmp_path: Path) -> None:
    prompt = Prompt(key=PromptKey("k"), text="and then")
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session(runs=(Run(id=RunId("r")),)))
        roster = Roster(hub)
        roster.change(ONE, lambda lane: lane.started(RunId("r")))
        roster.change(ONE, lambda lane: lane.submit(prompt, "queue"))
        assert [one.key for one in roster.get(ONE).queue] == ["k"]
        roster.change(ONE, lambda lane: lane.remove(PromptKey("k")))
        assert roster.get(ONE).queue == ()


async def test_a_lane_is_made_from_what_was_stored(tmp_path: Path) -> None:
    prompt = Prompt(key=PromptKey("k"), text="and then")
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session(queue=(prompt,), queue_held=True))
        roster = Roster(hub)
        lane = roster.lane(ONE)
        assert ([one.key for one in lane.queue], lane.held, roster.lane(ONE) is lane) == (["k"], True, True)
        assert roster.is_idle(ONE)


async def test_an_agent_is_needed_while_it_works_asks_or_has_prompts_waiting(tmp_path: Path) -> None:
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session(agent="codex"))
        roster = Roster(hub)
        assert not roster.is_needed(AgentPlace("codex", WHERE))
        roster.change(ONE, lambda lane: lane.started(RunId("r")))
        assert roster.is_needed(AgentPlace("codex", WHERE))
        assert (roster.busy(WHERE), roster.busy(WHERE, "other"), roster.busy("/else")) == ([ONE], [], [])
        roster.change(ONE, lambda lane: lane.ended(Run(id=RunId("r"), outcome="completed")))
        assert not roster.is_needed(AgentPlace("codex", WHERE))
        subject = CommandSubject(command="make", original="make")
        hub.apply(ONE, [AskOpened(Ask(id=AskId("a"), title="?", subject=subject, choices=()))])
        assert roster.is_needed(AgentPlace("codex", WHERE))
        assert not roster.is_needed(AgentPlace("other", WHERE))
