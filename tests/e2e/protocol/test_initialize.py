"""Seed 002, 4 and 10: versions, capabilities, and the examples of the specification.

Over a WebSocket: over stdio each new connection is a process. test_framing.py shows that the two agree."""

import pytest
from tests.e2e.peer import CAN_ASK, CLIENT, Peer, states, texts
from tests.e2e.protocol.codes import BAD_PARAMS, NO_METHOD, NOT_A_REQUEST
from tests.e2e.protocol.line import Line, said

from bascule import __version__
from bascule.model.protocol.runs import ServerCapabilities

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]

# -- 4: versions and capabilities --


async def test_initialize_tells_version_server_and_capabilities(peer: Peer) -> None:
    welcome = peer.welcome
    assert welcome["protocol_version"] == "0"
    assert welcome["server"] == {"name": "bascule", "version": __version__}
    assert welcome["server_capabilities"] == dict.fromkeys(ServerCapabilities.__struct_fields__, True)
    named = {"supports_run_cancel", "supports_ui_requests", "supports_mcp_list", "supports_skills_list"}
    assert named <= welcome["server_capabilities"].keys()


@pytest.mark.parametrize("version", ["0", "1", "2031-05-06"])
async def test_whatever_version_is_asked_for_ours_is_answered(line: Line, version: str) -> None:
    params = {"protocol_version": version, "client": CLIENT, "ui_capabilities": CAN_ASK}
    async with line.fresh() as peer:
        assert (await peer.call("initialize", params))["protocol_version"] == "0"


async def test_a_second_initialize_is_refused_and_changes_nothing(line: Line) -> None:
    """A surface cannot give itself a capability, or another name, after the fact."""
    async with line.fresh() as peer:
        await peer.initialize()
        params = {"protocol_version": "0", "client": {"name": "other"}, "ui_capabilities": CAN_ASK}
        refused = await peer.refused("initialize", params)
        assert (refused.code, "initialized already" in refused.message) == (NOT_A_REQUEST, True)
        run = await peer.start("demo:approval")
        await peer.status(run, "awaiting_ui")
        await peer.in_step()
        assert [m for m in peer.heard if m.get("method", "").startswith("ui.")] == []
        await peer.call("run.cancel", {"run_id": run})
        await peer.finish(run)


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


@pytest.mark.parametrize("name", ["supports_markdown", "supports_images"])
async def test_a_client_that_shows_markdown_or_images_gets_the_same_words(line: Line, name: str) -> None:
    """Texts come as the agent wrote them, whoever draws them."""
    heard = []
    for capabilities in ({name: True}, {name: False}, {}):
        async with line.fresh() as peer:
            await peer.initialize(**capabilities)
            heard.append(texts(await peer.play("demo:text"), "final"))
    params = {"protocol_version": "0", "client": CLIENT, "ui_capabilities": {name: "yes"}}
    async with line.fresh() as peer:
        refused = await peer.refused("initialize", params)
        assert (refused.code, name in refused.message) == (BAD_PARAMS, True)
    assert heard[0] == heard[1] == heard[2]
    assert heard[0][0].startswith("## A raised bridge")


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
        heard = await peer.finish(run)
        first = next(m for m in heard if m["method"] == "agent.event")
        assert first.keys() == {"jsonrpc", "method", "params"}
        assert (first["params"]["run_id"], first["params"]["seq"]) == (run, 0)
        assert isinstance(first["params"]["event"]["timestamp"], int)
    async with line.fresh() as peer:  # the client of the example says nothing of what it can; this one does
        await peer.initialize(supports_confirm=True)
        run = await peer.start("demo:approval", session_id=await peer.new_session())
        question = await peer.asked("ui.confirm.request", run)
        assert question.keys() == {"jsonrpc", "id", "method", "params"}
        assert question["params"].keys() >= {"run_id", "title", "message"}
        await peer.say(b'{"jsonrpc":"2.0","id":"%s","result":{"ok":true}}' % question["id"].encode())
        assert states(await peer.finish(run))[-1] == "completed"
