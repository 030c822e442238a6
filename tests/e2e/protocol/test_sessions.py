"""Seed 002, the first 5.4 and 5.5: the list of sessions, and the history of one."""

import pytest
from tests.e2e.peer import Peer, events, seqs, states, texts
from tests.e2e.protocol.codes import NO_SESSION
from tests.e2e.protocol.line import Line, said

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]


async def test_sessions_are_listed_with_their_fields_the_latest_first(peer: Peer, session: str) -> None:
    run = await peer.start("demo:text and a word of mine", session_id=session)
    await peer.finish(run)
    listed = (await peer.call("session.list"))["sessions"]
    assert listed[0] == {
        "session_id": session,
        "updated_at": listed[0]["updated_at"],
        "run_id": run,
        "message_count": 1,
        "last_user_message": "demo:text and a word of mine",
        "workspace_root": listed[0]["workspace_root"],
        "title": listed[0]["title"],
        "status": "completed",
        "outcome": "completed",
        "agent": "codex",
    }
    stamps = [one["updated_at"] for one in listed]
    assert stamps == sorted(stamps, reverse=True)
    assert stamps[0].endswith("Z")


async def test_the_list_has_as_many_as_asked_for(peer: Peer) -> None:
    await peer.new_session()
    await peer.new_session()
    assert len((await peer.call("session.list", {"limit": 2}))["sessions"]) == 2


async def test_the_list_of_this_workspace(peer: Peer, session: str) -> None:
    answer = await peer.call("session.list", {"scope": "current_workspace"})
    assert session in {one["session_id"] for one in answer["sessions"]}
    assert {one["workspace_root"] for one in answer["sessions"]} == {answer["current_workspace_root"]}


async def test_history_comes_as_events_before_the_reply(peer: Peer, session: str) -> None:
    lived = [await peer.play(f"demo:{kind}", session_id=session) for kind in ("text", "command")]
    since = len(peer.heard)
    call = await peer.begin("session.history", {"session_id": session})
    result = await peer.result(call)
    at = next(n for n, m in enumerate(peer.heard) if m.get("id") == call)
    replayed = [m for m in peer.heard[since:at] if m.get("method") == "agent.event"]
    assert result == {"runs": 2, "events_sent": len(replayed), "truncated": False}
    for live, text in zip(lived, ("demo:text", "demo:command"), strict=True):
        run = live[0]["params"]["run_id"]
        again = [m for m in replayed if m["params"]["run_id"] == run]
        assert seqs(again) == list(range(len(again)))
        assert events(again)[0] == {"type": "hidden_user_message", "content": text}
        assert texts(again) == texts(live)
        assert texts(again, "final") == texts(live, "final")
    assert states(peer.heard[since:at]) == []


async def test_history_goes_no_further_back_than_max_runs(peer: Peer, session: str) -> None:
    for _ in range(3):
        await peer.play("demo:text", session_id=session)
    result = await peer.call("session.history", {"session_id": session, "max_runs": 2})
    assert (result["runs"], result["truncated"]) == (2, True)


async def test_history_sends_no_more_than_max_events(peer: Peer, session: str) -> None:
    run = await peer.start("demo:command", session_id=session)
    await peer.finish(run)
    since = len(peer.heard)
    result = await peer.call("session.history", {"session_id": session, "max_events": 2})
    assert result == {"runs": 1, "events_sent": 2, "truncated": True}
    sent = [m for m in peer.heard[since:] if m.get("method") == "agent.event"]
    assert [event["type"] for event in events(sent)] == ["text", "final"]  # the newest


async def test_history_of_a_session_that_is_not_there(peer: Peer) -> None:
    refused = await peer.refused("session.history", {"session_id": "nobody"})
    assert (refused.code, "nobody" in refused.message) == (NO_SESSION, True)


async def test_after_history_prompts_go_on_in_that_session(line: Line, session: str) -> None:
    await line.peer.play("demo:text", session_id=session)
    await line.peer.call("session.history", {"session_id": session})
    begun = await line.peer.call("run.start", {"input": said("demo:text")})
    assert begun["session_id"] == session
    await line.peer.finish(begun["run_id"])


async def test_a_run_in_a_session_that_is_not_there_is_refused(peer: Peer) -> None:
    refused = await peer.refused("run.start", {"input": said("hello"), "session_id": "nobody"})
    assert refused.code == NO_SESSION
