"""Seed 002, 5.1 to 5.3: a run, its events, and its cancelling; and the second 5.4 and 5.5: its states."""

import pytest
from tests.e2e.peer import Message, Peer, events, seqs, states, texts
from tests.e2e.protocol.codes import BUSY, NO_RUN
from tests.e2e.protocol.line import Line, said

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]


# -- 5.1, 5.2: run.start and agent.event --


async def test_run_start_answers_with_the_run(peer: Peer, session: str) -> None:
    result = await peer.call("run.start", {"input": said("demo:text"), "session_id": session})
    assert result["run_id"]
    assert (result["session_id"], result.get("queued", False)) == (session, False)
    await peer.finish(result["run_id"])


async def test_without_a_session_the_run_goes_to_the_last_one(peer: Peer, session: str) -> None:
    await peer.play("demo:text", session_id=session)
    again = await peer.call("run.start", {"input": said("demo:text")})
    assert again["session_id"] == session
    await peer.finish(again["run_id"])


async def test_the_first_run_of_a_connection_begins_a_session(line: Line) -> None:
    async with line.fresh() as peer:
        await peer.initialize()
        before = {s["session_id"] for s in (await peer.call("session.list"))["sessions"]}
        begun = await peer.call("run.start", {"input": said("demo:text")})
        assert begun["session_id"] not in before
        await peer.finish(begun["run_id"])


@pytest.mark.parametrize("kind", ["text", "reasoning", "command", "plan", "search", "error"])
async def test_events_of_a_run_are_numbered_from_0_without_gaps(peer: Peer, session: str, kind: str) -> None:
    heard = await peer.play(f"demo:{kind}", session_id=session)
    assert len(seqs(heard)) > 0
    assert seqs(heard) == list(range(len(seqs(heard))))


async def test_an_event_has_the_fields_of_its_kind(peer: Peer, session: str) -> None:
    heard = await peer.play("demo:reasoning demo:command", session_id=session)
    by_kind: dict[str, Message] = {}
    for event in events(heard):
        by_kind.setdefault(event["type"], event)
    assert by_kind.keys() == {"reasoning", "text", "tool_call", "tool_result", "final"}
    assert by_kind["reasoning"]["content"].startswith("**Reading the question**")
    assert all(isinstance(by_kind[kind]["timestamp"], int) for kind in ("reasoning", "text"))
    call, result = by_kind["tool_call"], by_kind["tool_result"]
    assert (call["tool"], "unittest" in call["args"]["command"]) == ("shell", True)
    assert (result["tool"], result["is_error"]) == ("shell", False)
    assert call["tool_call_id"] == result["tool_call_id"]
    for message in heard:
        if message["method"] == "agent.event":
            assert message["params"].keys() == {"run_id", "seq", "event"}


async def test_text_comes_whole_and_final_repeats_the_last_of_it(peer: Peer, session: str) -> None:
    heard = await peer.play("demo:text", session_id=session)
    [text] = texts(heard)
    assert text.startswith("## A raised bridge")
    assert "下りるまで待つ" in text
    assert texts(heard, "final") == [text]


async def test_a_prompt_of_parts_is_taken(peer: Peer, session: str) -> None:
    parts = [{"type": "text", "text": "demo:text"}, {"type": "text", "text": "please"}]
    begun = await peer.call("run.start", {"input": {"type": "parts", "parts": parts}, "session_id": session})
    assert states(await peer.finish(begun["run_id"])) == ["running", "completed"]


async def test_a_second_run_at_once_is_refused_as_busy(peer: Peer, session: str) -> None:
    run = await peer.start("demo:slow", session_id=session)
    refused = await peer.refused("run.start", {"input": said("demo:text"), "session_id": session})
    assert refused.code == BUSY
    assert refused.data == {"driver": peer.welcome["surface_id"]}
    await peer.call("run.cancel", {"run_id": run})
    assert states(await peer.finish(run))[-1] == "cancelled"


async def test_runs_of_two_sessions_go_side_by_side(peer: Peer) -> None:
    one, two = await peer.new_session(), await peer.new_session()
    slow = await peer.start("demo:slow", session_id=one)
    assert states(await peer.play("demo:text", session_id=two)) == ["running", "completed"]
    assert await peer.call("run.cancel", {"run_id": slow}) == {"ok": True, "status": "running"}


# -- 5.3: run.cancel --


async def test_a_cancelled_run_ends_so_and_says_nothing_after_it(peer: Peer, session: str) -> None:
    run = await peer.start("demo:slow", session_id=session)
    result = await peer.call("run.cancel", {"run_id": run, "reason": "user interrupted"})
    assert result["ok"] is True
    heard = await peer.finish(run)
    assert states(heard) == ["running", "cancelled"]
    assert heard[-1]["method"] == "run.status"
    assert texts(heard, "final") == []
    # a whole run later nothing more of the first has been sent
    await peer.play("demo:text", session_id=session)
    assert peer.of_run(run) == heard


async def test_cancelling_twice_is_no_fault(peer: Peer, session: str) -> None:
    run = await peer.start("demo:slow", session_id=session)
    first = await peer.begin("run.cancel", {"run_id": run})
    second = await peer.begin("run.cancel", {"run_id": run})
    assert (await peer.result(first))["ok"] is True
    assert (await peer.result(second)).keys() >= {"ok"}
    assert states(await peer.finish(run)) == ["running", "cancelled"]
    assert await peer.call("run.cancel", {"run_id": run}) == {"ok": False, "status": "cancelled"}


async def test_a_run_that_is_over_cannot_be_cancelled(peer: Peer, session: str) -> None:
    run = await peer.start("demo:text", session_id=session)
    await peer.finish(run)
    assert await peer.call("run.cancel", {"run_id": run}) == {"ok": False, "status": "completed"}


async def test_a_run_that_failed_says_so_when_it_is_cancelled(peer: Peer, session: str) -> None:
    run = await peer.start("demo:error", session_id=session)
    await peer.finish(run)
    assert await peer.call("run.cancel", {"run_id": run}) == {"ok": False, "status": "error"}


async def test_a_run_that_is_not_there_is_not_found(peer: Peer) -> None:
    refused = await peer.refused("run.cancel", {"run_id": "run_123"})
    assert (refused.code, "run_123" in refused.message) == (NO_RUN, True)


async def test_cancelling_ends_a_tool_that_waits_for_a_yes(peer: Peer, session: str) -> None:
    run = await peer.start("demo:approval", session_id=session)
    question = await peer.asked("ui.confirm.request", run)
    await peer.call("run.cancel", {"run_id": run})
    assert states(await peer.finish(run)) == ["running", "awaiting_ui", "running", "cancelled"]
    await peer.reply(question, {"ok": True})  # the dialog was still on the screen: its answer finds nobody
    assert await peer.call("session.list")


# -- 5.4, 5.5 (the second ones): run.status and run.context --


async def test_states_of_a_run_in_order(peer: Peer, session: str) -> None:
    heard = await peer.play("demo:text", session_id=session)
    assert states(heard) == ["running", "completed"]
    assert (heard[0]["method"], heard[-1]["method"]) == ("run.status", "run.status")
    assert heard[0]["params"].keys() == {"run_id", "status"}


async def test_a_run_that_fails_says_why(peer: Peer, session: str) -> None:
    heard = await peer.play("demo:error", session_id=session)
    assert states(heard) == ["running", "error"]
    assert "failed on purpose" in heard[-1]["params"]["message"]


async def test_how_much_context_is_left_is_a_whole_percentage(peer: Peer, session: str) -> None:
    heard = await peer.play("demo:text", session_id=session)
    left = [m["params"]["context_left_percent"] for m in heard if m["method"] == "run.context"]
    assert left
    assert all(type(percent) is int and 0 <= percent <= 100 for percent in left)
