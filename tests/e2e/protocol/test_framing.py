"""Seed 002, 2 and 3: frames, and the envelope in them."""

import pytest
from tests.e2e.peer import Message, Peer, Socket, states
from tests.e2e.protocol.codes import NOT_A_REQUEST, NOT_JSON
from tests.e2e.protocol.line import Line, said

from bascule.core.wire.rpc import MAX_FRAME

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]

TRANSPORTS = ("stdio", "websocket")


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
    """And the connection lives, over both transports."""
    frame = b'{"jsonrpc":"2.0","id":"1","method":"' + b"x" * MAX_FRAME + b'"}'
    since = len(line.peer.heard)
    await line.peer.say(frame)
    error = await line.peer.until(lambda m: m.get("error"), since)
    assert (error["id"], error["error"]["code"]) == (None, NOT_A_REQUEST)
    assert str(MAX_FRAME) in error["error"]["message"]
    assert await line.peer.call("session.list")


async def test_one_that_is_more_than_twice_as_long_ends_a_websocket(line: Line) -> None:
    """Only as much is read before it is judged; on stdio what is too long is let go as it comes."""
    async with line.fresh() as peer:
        await peer.say(b"x" * (2 * MAX_FRAME + 1))
        if isinstance(peer.wire, Socket):
            await peer.ended()
            assert peer.wire.socket.close_code == 1009
        else:
            assert (await peer.until(lambda m: m.get("error")))["error"]["code"] == NOT_A_REQUEST
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
