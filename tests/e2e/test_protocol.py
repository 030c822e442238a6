"""Seed 002 clause by clause, over stdio (`bascule runtime`) and over a WebSocket (`bascule up`)."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import psutil
import pytest
import pytest_asyncio
from tests.e2e.peer import (
    CAN_ASK,
    CLIENT,
    PATIENCE_S,
    Message,
    Peer,
    Pipes,
    Socket,
    argv,
    daemon,
    dialled,
    environ,
    events,
    peer_of,
    project,
    runtime,
    seqs,
    states,
    texts,
)

from bascule import __version__
from bascule.core.rpc import MAX_FRAME
from bascule.model.protocol.runs import ServerCapabilities
from bascule.model.protocol.table import METHODS

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]

TRANSPORTS = ("stdio", "websocket")
NOT_JSON, NOT_A_REQUEST, NO_METHOD, BAD_PARAMS = -32700, -32600, -32601, -32602
FAILED, BUSY, NO_RUN, USER_CANCELLED, NO_SESSION = -32000, -32001, -32002, -32003, -32004


class Line:
    """One transport: a connection that the tests share, and new ones where a test needs its own."""

    def __init__(self, peer: Peer, fresh: Callable[[AsyncExitStack], Awaitable[Peer]]) -> None:
        self.peer = peer
        self._fresh = fresh

    @asynccontextmanager
    async def fresh(self) -> AsyncIterator[Peer]:
        """Not initialized."""
        async with AsyncExitStack() as stack:
            yield await self._fresh(stack)


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=TRANSPORTS)
async def line(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Line]:
    async with AsyncExitStack() as stack:
        if request.param == "websocket":
            home = tmp_path_factory.mktemp("home")
            registration = await stack.enter_async_context(daemon(home, "--demo"))

        async def connect(stack: AsyncExitStack) -> Peer:
            wire: Pipes | Socket
            if request.param == "websocket":
                wire = await stack.enter_async_context(dialled(registration, project(home)))
            else:
                wire = await stack.enter_async_context(runtime(tmp_path_factory.mktemp("home"), "--demo"))
            return await stack.enter_async_context(peer_of(wire))

        peer = await connect(stack)
        yield Line(await peer.initialize(**CAN_ASK), connect)


@pytest.fixture
def peer(line: Line) -> Peer:
    return line.peer


@pytest_asyncio.fixture(loop_scope="module")
async def session(peer: Peer) -> str:
    """A session of the test's own."""
    return await peer.new_session()


def said(text: str) -> Message:
    return {"type": "text", "text": text}


# -- 2: framing --


async def test_what_is_not_json_gets_an_error_and_the_connection_lives(peer: Peer) -> None:
    before = len(peer.heard)
    await peer.say(b"this is no JSON")
    error = await peer.until(lambda m: m.get("error"), before)
    assert (error["id"], error["error"]["code"]) == (None, NOT_JSON)
    assert await peer.call("session.list")


@pytest.mark.parametrize("frame", [b"[]", b"5", b'"x"', b"{}", b'{"jsonrpc":"2.0","id":{},"method":"x"}'])
async def test_json_that_is_no_message_gets_an_error(peer: Peer, frame: bytes) -> None:
    before = len(peer.heard)
    await peer.say(frame)
    error = await peer.until(lambda m: m.get("error"), before)
    assert (error["id"], error["error"]["code"]) == (None, NOT_A_REQUEST)


async def test_bytes_that_are_no_utf8_get_an_error_and_the_connection_lives(peer: Peer) -> None:
    before = len(peer.heard)
    await peer.say(b'{"jsonrpc":"2.0","id":"1","method":"\xff"}')
    error = await peer.until(lambda m: m.get("error"), before)
    assert error["error"]["code"] in (NOT_JSON, NOT_A_REQUEST)  # the latter where frames are text or binary
    assert await peer.call("session.list")


async def test_a_frame_over_the_ceiling_gets_an_error(line: Line) -> None:
    """On stdio the connection lives; a WebSocket has a closing code of its own for it."""
    frame = b'{"jsonrpc":"2.0","id":"1","method":"' + b"x" * MAX_FRAME + b'"}'
    if isinstance(line.peer.wire, Socket):
        async with line.fresh() as peer:
            await peer.say(frame)
            await peer.ended()
            assert isinstance(peer.wire, Socket)
            assert peer.wire.socket.close_code == 1009
    else:
        since = len(line.peer.heard)
        await line.peer.say(frame)
        error = await line.peer.until(lambda m: m.get("error"), since)
        assert (error["id"], error["error"]["code"]) == (None, NOT_A_REQUEST)
        assert str(MAX_FRAME) in error["error"]["message"]
    assert await line.peer.call("session.list")


async def test_text_of_any_script_travels_both_ways(peer: Peer, session: str) -> None:
    await peer.call("session.rename", {"session_id": session, "title": "橋 🌉 “Brücke”"})
    [listed] = [s for s in (await peer.call("session.list"))["sessions"] if s["session_id"] == session]
    assert listed["title"] == "橋 🌉 “Brücke”"


# -- 3: the envelope --


@pytest.mark.parametrize("call_id", ["1", "", "ünï-∞", 0, -7, 2**53 + 1])
async def test_an_id_is_echoed_exactly(peer: Peer, call_id: str | int) -> None:
    since = len(peer.heard)
    await peer.say({"id": call_id, "method": "session.list", "params": {"limit": 1}})
    reply = await peer.until(lambda m: "result" in m, since)
    assert reply.keys() == {"jsonrpc", "id", "result"}
    assert (type(reply["id"]), reply["id"]) == (type(call_id), call_id)


async def test_a_notification_is_never_answered(peer: Peer) -> None:
    since = await peer.in_step()
    await peer.tell("ui.context.update", {"cwd": "/x"})
    await peer.tell("ui.context.update", {"cwd": 5})
    await peer.tell("no.such.method")
    await peer.tell("session.history", {"session_id": "nobody"})
    until = await peer.in_step()
    assert [m.get("id") for m in peer.heard[since:until]] == [f"c{peer._next_id}"]


async def test_a_notification_that_asks_back_holds_up_nothing(peer: Peer) -> None:
    await peer.tell("shell.exec", {"command": "echo never"})
    question = await peer.asked("ui.confirm.request")
    assert await peer.call("session.list")
    await peer.reply(question, {"ok": False})


async def test_params_may_be_left_out(peer: Peer) -> None:
    await peer.say(b'{"jsonrpc":"2.0","id":"bare","method":"session.list"}')
    assert "sessions" in await peer.result("bare")
    await peer.say(b'{"jsonrpc":"2.0","id":"null","method":"session.list","params":null}')
    assert "sessions" in await peer.result("null")


async def test_extra_fields_are_accepted_everywhere(peer: Peer, session: str) -> None:
    more = {"future": {"deep": [1]}}
    await peer.say({"id": "extra", "method": "session.list", "params": {"limit": 1, **more}, **more})
    assert len((await peer.result("extra"))["sessions"]) == 1
    params: Message = {
        "input": {**said("demo:text"), **more},
        "session_id": session,
        "ui_context": {"active_file": {"path": "a.py", **more}, "extensions": more, **more},
        "meta": more,
        **more,
    }
    run = (await peer.call("run.start", params))["run_id"]
    assert states(await peer.finish(run)) == ["running", "completed"]


# -- 4: versions and capabilities --


async def test_initialize_tells_version_server_and_capabilities(peer: Peer) -> None:
    welcome = peer.welcome
    assert welcome["protocol_version"] == "0"
    assert welcome["server"] == {"name": "bascule", "version": __version__}
    assert welcome["server_capabilities"] == dict.fromkeys(ServerCapabilities.__struct_fields__, True)
    named = {"supports_run_cancel", "supports_ui_requests", "supports_mcp_list", "supports_skills_list"}
    assert named <= welcome["server_capabilities"].keys()


@pytest.mark.parametrize("version", ["0", "1", "2031-05-06"])
async def test_whatever_version_is_asked_for_ours_is_answered(peer: Peer, version: str) -> None:
    params = {"protocol_version": version, "client": CLIENT, "ui_capabilities": CAN_ASK}
    assert (await peer.call("initialize", params))["protocol_version"] == "0"


async def test_nothing_is_done_before_initialize(line: Line) -> None:
    async with line.fresh() as peer:
        for method, params in (
            ("session.list", {}),
            ("run.start", {"input": said("hello")}),
            ("model.list", {}),
        ):
            refused = await peer.refused(method, params)
            assert (refused.code, "initialize" in refused.message) == (NOT_A_REQUEST, True)
        assert (await peer.refused("no.such.method")).code == NO_METHOD
        await peer.initialize()
        assert "sessions" in await peer.call("session.list")


async def test_a_client_need_not_wait_for_the_answer_to_initialize(line: Line) -> None:
    async with line.fresh() as peer:
        await peer.say(
            {"id": "1", "method": "initialize", "params": {"protocol_version": "0", "client": CLIENT}}
        )
        await peer.say({"id": "2", "method": "session.list", "params": {}})
        assert (await peer.result("1"))["protocol_version"] == "0"
        assert "sessions" in await peer.result("2")


async def test_an_ask_stays_open_for_others_where_the_client_cannot_show_it(line: Line) -> None:
    """No capabilities: nothing is asked of this client, and nothing is answered in its place."""
    async with line.fresh() as peer:
        await peer.initialize()
        run = await peer.start("demo:approval")
        await peer.status(run, "awaiting_ui")
        await peer.in_step()
        assert [m for m in peer.heard if m.get("method", "").startswith("ui.")] == []
        assert (await peer.call("run.cancel", {"run_id": run}))["ok"] is True
        assert states(await peer.finish(run)) == ["running", "awaiting_ui", "running", "cancelled"]


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
    told = await peer.play(f"demo:{kind}", session_id=session)
    assert len(seqs(told)) > 0
    assert seqs(told) == list(range(len(seqs(told))))


async def test_an_event_has_the_fields_of_its_kind(peer: Peer, session: str) -> None:
    told = await peer.play("demo:reasoning demo:command", session_id=session)
    by_kind: dict[str, Message] = {}
    for event in events(told):
        by_kind.setdefault(event["type"], event)
    assert by_kind.keys() == {"reasoning", "text", "tool_call", "tool_result", "final"}
    assert by_kind["reasoning"]["content"].startswith("**Reading the question**")
    assert all(isinstance(by_kind[kind]["timestamp"], int) for kind in ("reasoning", "text"))
    call, result = by_kind["tool_call"], by_kind["tool_result"]
    assert (call["tool"], "unittest" in call["args"]["command"]) == ("shell", True)
    assert (result["tool"], result["is_error"]) == ("shell", False)
    assert call["tool_call_id"] == result["tool_call_id"]
    for message in told:
        if message["method"] == "agent.event":
            assert message["params"].keys() == {"run_id", "seq", "event"}


async def test_text_comes_whole_and_final_repeats_the_last_of_it(peer: Peer, session: str) -> None:
    told = await peer.play("demo:text", session_id=session)
    [text] = texts(told)
    assert text.startswith("## A raised bridge")
    assert "下りるまで待つ" in text
    assert texts(told, "final") == [text]


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
    told = await peer.finish(run)
    assert states(told) == ["running", "cancelled"]
    assert told[-1]["method"] == "run.status"
    assert texts(told, "final") == []
    # a whole run later nothing more of the first has been told
    await peer.play("demo:text", session_id=session)
    assert peer.of_run(run) == told


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


# -- 5.4, 5.5: sessions --


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
    }
    stamps = [one["updated_at"] for one in listed]
    assert stamps == sorted(stamps, reverse=True)
    assert stamps[0].endswith("Z")


async def test_the_list_has_as_many_as_asked_for(peer: Peer) -> None:
    await peer.new_session()
    await peer.new_session()
    assert len((await peer.call("session.list", {"limit": 2}))["sessions"]) == 2


async def test_the_list_of_this_workspace(peer: Peer) -> None:
    answer = await peer.call("session.list", {"scope": "current_workspace"})
    assert answer["sessions"]
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


# -- 5.4, 5.5 (the second ones): run.status and run.context --


async def test_states_of_a_run_in_order(peer: Peer, session: str) -> None:
    told = await peer.play("demo:text", session_id=session)
    assert states(told) == ["running", "completed"]
    assert (told[0]["method"], told[-1]["method"]) == ("run.status", "run.status")
    assert told[0]["params"].keys() == {"run_id", "status"}


async def test_a_run_that_fails_says_why(peer: Peer, session: str) -> None:
    told = await peer.play("demo:error", session_id=session)
    assert states(told) == ["running", "error"]
    assert "failed on purpose" in told[-1]["params"]["message"]


async def test_how_much_context_is_left_is_a_whole_percentage(peer: Peer, session: str) -> None:
    told = await peer.play("demo:text", session_id=session)
    left = [m["params"]["context_left_percent"] for m in told if m["method"] == "run.context"]
    assert left
    assert all(type(percent) is int and 0 <= percent <= 100 for percent in left)


# -- 5.6, 5.7: models --


async def test_models_are_listed_for_openai_when_nothing_is_said(peer: Peer, session: str) -> None:
    await peer.play("demo:text", session_id=session)
    answer = await peer.call("model.list")
    assert answer["provider"] == "openai"
    assert answer["current"] in answer["models"]
    assert "details" not in answer


async def test_details_of_models_come_when_asked_for(peer: Peer) -> None:
    answer = await peer.call("model.list", {"include_details": True})
    assert answer["details"].keys() == set(answer["models"])


async def test_another_provider_has_no_models_here(peer: Peer) -> None:
    answer = await peer.call("model.list", {"provider": "another"})
    assert (answer["provider"], answer["models"]) == ("another", [])


async def test_a_model_is_set_for_openai_when_nothing_is_said(peer: Peer, session: str) -> None:
    await peer.play("demo:text", session_id=session)
    models = (await peer.call("model.list"))["models"]
    answer = await peer.call("model.set", {"name": models[-1]})
    assert (answer["provider"], answer["name"]) == ("openai", models[-1])
    assert (await peer.call("model.list"))["current"] == models[-1]


async def test_a_model_that_is_not_there_is_refused_with_those_that_are(peer: Peer) -> None:
    refused = await peer.refused("model.set", {"name": "no-such-model"})
    assert "no-such-model" in refused.message
    assert (await peer.call("model.list"))["models"][0] in refused.message


# -- 5.8, 5.9: MCP servers and skills --


async def test_mcp_servers_are_listed_also_during_a_run(peer: Peer, session: str) -> None:
    run = await peer.start("demo:slow", session_id=session)
    for params in ({}, {"scope": "loaded"}, {"scope": "configured"}):
        [server] = (await peer.call("mcp.list", params))["servers"]
        assert (server["id"], server["transport"], server["enabled"]) == ("demo", "stdio", True)
        assert (server["state"], server["tools"]) == ("ready", 2)
    assert peer.of_run(run)[-1]["params"].get("status") != "completed"
    await peer.call("run.cancel", {"run_id": run})
    await peer.finish(run)


async def test_skills_are_listed_with_their_fields(peer: Peer) -> None:
    for params in ({}, {"force_reload": True}):
        answer = await peer.call("skills.list", params)
        assert answer.keys() == {"skills", "errors", "truncated"}
        assert answer["skills"]  # those that come with Codex
        for skill in answer["skills"]:
            named = {"id", "name", "description", "path", "dir", "scope", "mtime_ms"}
            assert skill.keys() == named
            assert skill["scope"] in ("repo", "user")


# -- 6: what the person looks at --


async def inspect(peer: Peer) -> Message:
    answer: Message = (await peer.call("context.inspect"))["ui_context"]
    return answer


async def test_the_context_may_be_told_as_a_notification(peer: Peer) -> None:
    await peer.tell("ui.context.update", {"cwd": "/told", "active_file": {"path": "a.py"}})
    assert await inspect(peer) == {"cwd": "/told", "active_file_path": "a.py"}


async def test_the_context_may_be_told_as_a_request(peer: Peer) -> None:
    selected = {"start": {"line": 0, "column": 0}, "end": {"line": 2, "column": 0}}
    context = {
        "cwd": "/asked",
        "workspace_root": "/root",
        "active_file": {"path": "b.py", "language_id": "python"},
        "selection": {"path": "b.py", "range": selected, "selected_text": "x"},
        "extensions": {"any": ["thing"]},
    }
    assert await peer.call("ui.context.update", context) == {"ok": True}
    assert await inspect(peer) == {"cwd": "/asked", "workspace_root": "/root", "active_file_path": "b.py"}


async def test_the_context_may_come_with_a_run(peer: Peer, session: str) -> None:
    await peer.play("demo:text", session_id=session, ui_context={"cwd": "/with-the-run"})
    assert await inspect(peer) == {"cwd": "/with-the-run"}


# -- 7: confirm, prompt, pick --


async def test_a_confirm_says_what_is_asked_and_a_yes_lets_it_run(peer: Peer, session: str) -> None:
    run = await peer.start("demo:approval", session_id=session)
    question = await peer.asked("ui.confirm.request", run)
    asked = question["params"]
    assert asked["run_id"] == run
    assert "compileall" in asked["message"]
    assert (asked["confirm_label"], asked["cancel_label"]) == ("Allow", "Deny")
    assert (asked["danger_level"], asked["allow_remember"], asked["allow_reason"]) == ("danger", True, True)
    assert isinstance(question["id"], str)
    await peer.reply(question, {"ok": True, "remember": False, "reason": None})
    told = await peer.finish(run)
    assert states(told) == ["running", "awaiting_ui", "running", "completed"]
    assert texts(told, "final") == ["You allowed it, and the module is compiled."]


async def test_the_question_comes_after_awaiting_ui_and_the_call(peer: Peer, session: str) -> None:
    run = await peer.start("demo:approval", session_id=session)
    question = await peer.asked("ui.confirm.request", run)
    before = peer.heard[: peer.heard.index(question)]
    of_run = [m for m in before if m in peer.of_run(run)]
    assert [m["params"].get("status") or m["params"]["event"]["type"] for m in of_run[-2:]] == [
        "tool_call",
        "awaiting_ui",
    ]
    await peer.reply(question, {"ok": True})
    await peer.finish(run)


def declined(told: list[Message]) -> bool:
    """The only no that Codex takes here stops the run; nothing was run in any case."""
    results = [event for event in events(told) if event["type"] == "tool_result"]
    return states(told)[-1] == "cancelled" and all(result["is_error"] for result in results)


async def test_a_no_is_a_no(peer: Peer, session: str) -> None:
    run = await peer.start("demo:approval", session_id=session)
    await peer.reply(await peer.asked("ui.confirm.request", run), {"ok": False})
    assert declined(await peer.finish(run))


async def test_the_reason_of_a_no_reaches_the_model(peer: Peer, session: str) -> None:
    run = await peer.start("demo:approval", session_id=session)
    await peer.reply(await peer.asked("ui.confirm.request", run), {"ok": False, "reason": "not on a Sunday"})
    assert declined(await peer.finish(run))
    heard = {"type": "hidden_user_message", "content": "not on a Sunday"}
    told = await peer.until(lambda m: m.get("method") == "agent.event" and m["params"]["event"] == heard)
    assert states(await peer.finish(told["params"]["run_id"])) == ["running", "completed"]


@pytest.mark.parametrize(
    "answer",
    [{"result": {}}, {"result": {"ok": "yes"}}, {"result": None}, {"error": {"code": 1, "message": "?"}}],
)
async def test_an_answer_that_is_none_is_a_no(peer: Peer, session: str, answer: Message) -> None:
    run = await peer.start("demo:approval", session_id=session)
    question = await peer.asked("ui.confirm.request", run)
    peer._answered.add(question["id"])
    await peer.say({"id": question["id"], **answer})
    assert declined(await peer.finish(run))


async def test_a_remembered_yes_is_not_asked_for_again(peer: Peer, session: str) -> None:
    run = await peer.start("demo:mcp", session_id=session)
    await peer.reply(await peer.asked("ui.confirm.request", run), {"ok": True, "remember": True})
    await sign_guest_book(peer)
    await peer.finish(run)
    since = len(peer.heard)
    again = await peer.start("demo:mcp", session_id=session)
    await sign_guest_book(peer)
    await peer.finish(again)
    assert [m["method"] for m in peer.heard[since:] if m.get("method") == "ui.confirm.request"] == []


async def sign_guest_book(peer: Peer) -> None:
    await peer.reply(await peer.asked("ui.pick.request"), {"ids": ["option-1"]})
    await peer.reply(await peer.asked("ui.prompt.request"), {"value": "Ann"})
    await peer.reply(await peer.asked("ui.pick.request"), {"ids": ["skip"]})


async def test_a_pick_offers_items_and_takes_one(peer: Peer, session: str) -> None:
    run = await peer.start("demo:question", session_id=session)
    question = await peer.asked("ui.pick.request", run)
    asked = question["params"]
    assert asked["run_id"] == run
    assert "Which leaf of the bridge should go up first?" in asked["title"]
    assert [item["label"] for item in asked["items"]][:2] == ["North (Recommended)", "South"]
    assert asked["items"][0]["detail"] == "The wind is behind it."
    assert "multi" not in asked  # its default
    await peer.reply(question, {"ids": [asked["items"][1]["id"]]})
    await peer.reply(await peer.asked("ui.pick.request", run), {"ids": ["option-0"]})
    assert "- leaf: South\n- pace: Slowly" in texts(await peer.finish(run), "final")[0]


async def test_questions_come_one_at_a_time(peer: Peer, session: str) -> None:
    run = await peer.start("demo:question", session_id=session)
    first = await peer.asked("ui.pick.request", run)
    since = await peer.in_step()
    await peer.reply(first, {"ids": ["option-0"]})
    second = await peer.asked("ui.pick.request", run)
    assert peer.heard.index(second) >= since
    await peer.reply(second, {"ids": ["option-0"]})
    await peer.finish(run)


async def test_a_prompt_takes_words_of_ones_own(peer: Peer, session: str) -> None:
    run = await peer.start("demo:question", session_id=session)
    await peer.reply(await peer.asked("ui.pick.request", run), {"ids": ["own"]})
    question = await peer.asked("ui.prompt.request", run)
    assert question["params"]["run_id"] == run
    assert "Which leaf" in question["params"]["message"]
    assert question["params"].keys() & {"multiline", "secret", "default_value"} == set()  # their defaults
    await peer.reply(question, {"value": "the one in the middle"})
    await peer.reply(await peer.asked("ui.pick.request", run), {"ids": ["option-1"]})
    assert "- leaf: the one in the middle\n- pace: Quickly" in texts(await peer.finish(run), "final")[0]


async def test_picking_nothing_leaves_the_questions_open(peer: Peer, session: str) -> None:
    run = await peer.start("demo:question", session_id=session)
    await peer.reply(await peer.asked("ui.pick.request", run), {"ids": []})
    [final] = texts(await peer.finish(run), "final")
    assert "You answered" not in final


async def test_a_prompt_that_is_cancelled_is_a_no(peer: Peer, session: str) -> None:
    run = await peer.start("demo:mcp", session_id=session)
    await peer.reply(await peer.asked("ui.confirm.request", run), {"ok": True})
    await peer.reply(await peer.asked("ui.pick.request", run), {"ids": ["option-0"]})
    await peer.reply(await peer.asked("ui.prompt.request", run), {"value": None})
    [final] = texts(await peer.finish(run), "final")
    assert "Signed by" not in final


# -- 8: the reserved namespaces --


async def test_the_plan_is_told_as_todos(peer: Peer, session: str) -> None:
    run = await peer.start("demo:plan", session_id=session)
    await peer.finish(run)
    answer = await peer.call("todos.list", {"session_id": session})
    assert [todo["status"] for todo in answer["todos"]] == ["completed"] * 3
    updates = [
        m["params"]
        for m in peer.heard
        if m.get("method") == "todos.update" and m["params"]["session_id"] == session
    ]
    assert updates[-1] == answer
    assert [todo["status"] for todo in updates[0]["todos"]] == ["inProgress", "pending", "pending"]


async def test_every_reserved_namespace_is_there() -> None:
    namespaces = {name.partition(".")[0] for name in METHODS}
    assert {"artifact", "workspace", "history", "todos"} <= namespaces


# -- 9: errors --


async def test_a_method_that_is_not_there_is_named(peer: Peer) -> None:
    refused = await peer.refused("run.teleport")
    assert (refused.code, "run.teleport" in refused.message) == (NO_METHOD, True)


@pytest.mark.parametrize("method", sorted(n for n, m in METHODS.items() if m.way == "daemon to surface"))
async def test_what_only_the_daemon_says_cannot_be_said_to_it(peer: Peer, method: str) -> None:
    assert (await peer.refused(method)).code == NO_METHOD


@pytest.mark.parametrize(
    ("method", "params", "field"),
    [
        ("initialize", {"client": CLIENT}, "protocol_version"),
        ("initialize", {"protocol_version": "0"}, "client"),
        ("initialize", {"protocol_version": "0", "client": {"version": "1"}}, "name"),
        ("run.start", {}, "input"),
        ("run.start", {"input": {"text": "x"}}, "type"),
        ("run.start", {"input": {"type": "text", "text": 5}}, "input.text"),
        ("run.start", {"input": {"type": "song", "text": "x"}}, "input.type"),
        ("run.start", {"input": said("x"), "ui_context": {"selection": {"path": "a"}}}, "range"),
        ("run.start", {"input": said("x"), "how": "loudly"}, "how"),
        ("run.cancel", {}, "run_id"),
        ("session.list", {"limit": "many"}, "limit"),
        ("session.history", {}, "session_id"),
        ("session.history", {"session_id": "s", "max_runs": 1.5}, "max_runs"),
        ("model.list", {"include_details": "yes"}, "include_details"),
        ("model.set", {}, "name"),
        ("mcp.list", {"scope": "all"}, "scope"),
        ("skills.list", {"force_reload": 1}, "force_reload"),
        ("ui.context.update", {"active_file": {}}, "path"),
    ],
)
async def test_bad_params_are_named_by_their_field(
    peer: Peer, method: str, params: Message, field: str
) -> None:
    refused = await peer.refused(method, params)
    assert (refused.code, field in refused.message) == (BAD_PARAMS, True), refused.message


@pytest.mark.parametrize("params", ["[]", "5", '"x"', "true"])
async def test_params_that_are_no_object_are_refused(peer: Peer, params: str) -> None:
    since = len(peer.heard)
    await peer.say(f'{{"jsonrpc":"2.0","id":"q","method":"run.start","params":{params}}}'.encode())
    reply = await peer.until(lambda m: m.get("id") == "q", since)
    assert (reply["error"]["code"], "object" in reply["error"]["message"]) == (BAD_PARAMS, True)


async def test_a_prompt_without_words_is_refused(peer: Peer, session: str) -> None:
    refused = await peer.refused("run.start", {"input": said("  "), "session_id": session})
    assert (refused.code, refused.message) == (BAD_PARAMS, "input: The prompt is empty.")


async def test_a_command_that_the_person_did_not_want_is_user_cancelled(peer: Peer) -> None:
    call = await peer.begin("shell.exec", {"command": "echo hello"})
    question = await peer.asked("ui.confirm.request")
    assert "$ echo hello" in question["params"]["message"]
    await peer.reply(question, {"ok": False})
    reply = await peer.until(lambda m: m.get("id") == call)
    assert reply["error"]["code"] == USER_CANCELLED


async def test_a_command_that_the_person_wanted_is_run(peer: Peer) -> None:
    call = await peer.begin("shell.exec", {"command": "echo hello"})
    await peer.reply(await peer.asked("ui.confirm.request"), {"ok": True})
    result = await peer.result(call)
    assert (result["exit_code"], result["stdout"], result["stderr"]) == (0, "hello\n", "")
    assert result["truncated"] == {"stdout": False, "stderr": False, "combined": False}


async def test_a_cancelled_logout_is_told_as_such(peer: Peer) -> None:
    call = await peer.begin("auth.logout", {"clear_session": True})
    await peer.reply(await peer.asked("ui.confirm.request"), {"ok": False})
    assert await peer.result(call) == {"ok": False, "cancelled": True}


# -- 10: the examples --


async def test_the_examples_of_the_specification(line: Line) -> None:
    async with line.fresh() as peer:
        await peer.say(
            b'{"jsonrpc":"2.0","id":"1","method":"initialize","params":{"protocol_version":"0",'
            b'"client":{"name":"codelia-tui","version":"0.0.0"}}}'
        )
        welcome = await peer.result("1")
        assert welcome.keys() >= {"protocol_version", "server"}
        assert welcome["server"].keys() == {"name", "version"}
        await peer.say(
            b'{"jsonrpc":"2.0","id":"2","method":"run.start","params":{"input":'
            b'{"type":"text","text":"List TypeScript files"}}}'
        )
        run = (await peer.result("2"))["run_id"]
        assert isinstance(run, str)
        told = await peer.finish(run)
        first = next(m for m in told if m["method"] == "agent.event")
        assert first.keys() == {"jsonrpc", "method", "params"}
        assert (first["params"]["run_id"], first["params"]["seq"]) == (run, 0)
        assert isinstance(first["params"]["event"]["timestamp"], int)
        # the client of the example says nothing of what it can: now it says that it can confirm
        await peer.initialize(supports_confirm=True)
        run = await peer.start("demo:approval", session_id=await peer.new_session())
        question = await peer.asked("ui.confirm.request", run)
        assert question.keys() == {"jsonrpc", "id", "method", "params"}
        assert question["params"].keys() >= {"run_id", "title", "message"}
        await peer.say(b'{"jsonrpc":"2.0","id":"%s","result":{"ok":true}}' % question["id"].encode())
        assert states(await peer.finish(run))[-1] == "completed"


# -- the life of a runtime --


async def test_every_method_of_the_table_is_answered(peer: Peer, session: str) -> None:
    """With whatever is missing: an answer or an error that names it, never silence and never a crash."""
    for method, row in METHODS.items():
        if row.way != "surface to daemon" or method in ("shell.exec", "auth.logout", "initialize"):
            continue
        call = await peer.begin(method, {"session_id": session})
        reply = await peer.until(lambda m, call=call: m.get("id") == call)  # type: ignore[misc]
        assert reply.get("error", {}).get("code") in (None, BAD_PARAMS, FAILED, NOT_A_REQUEST), reply


@pytest.mark.parametrize("where", ["hosted", "relayed"])
async def test_a_runtime_ends_when_its_stdin_closes(tmp_path: Path, where: str) -> None:
    async with AsyncExitStack() as stack:
        if where == "relayed":
            await stack.enter_async_context(daemon(tmp_path, "--demo"))
        pipes = await stack.enter_async_context(runtime(tmp_path, "--demo"))
        peer = await stack.enter_async_context(peer_of(pipes))
        await peer.initialize()
        run = await peer.start("demo:slow")  # also in the middle of a run
        await peer.status(run, "running")
        await pipes.close()
        assert pipes.process.returncode == 0


STARTER = """
import subprocess, sys
started = subprocess.Popen(sys.argv[1:])
print(started.pid, file=sys.stderr, flush=True)
started.wait()
"""


async def test_a_runtime_ends_when_its_parent_dies(tmp_path: Path) -> None:
    """Its pipes stay open: this test holds their other ends."""
    pipe = asyncio.subprocess.PIPE
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", STARTER, *argv("runtime", "--demo")),
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        env=environ(tmp_path),
        cwd=tmp_path,
    )
    assert parent.stderr is not None
    started = psutil.Process(int(await parent.stderr.readline()))
    async with peer_of(Pipes(parent)) as peer:
        await peer.initialize()
        parent.kill()
        await peer.ended()
        gone, _ = await asyncio.to_thread(psutil.wait_procs, [started], PATIENCE_S)
        assert gone == [started]
        await parent.wait()
