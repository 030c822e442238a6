"""Seed 002, 9: errors."""

import pytest
from tests.e2e.peer import CLIENT, Message, Peer
from tests.e2e.protocol.codes import BAD_PARAMS, FAILED, NO_METHOD, NOT_A_REQUEST, USER_CANCELLED
from tests.e2e.protocol.line import said

from bascule.model.protocol.table import METHODS

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]

TRANSPORTS = ("stdio", "websocket")
# They wait for a person's answer.
ASKING = ("shell.exec", "auth.logout", "session.delete", "test.run", "hooks.install", "hooks.uninstall")


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


async def test_a_cancelled_logout_is_reported_as_such(peer: Peer) -> None:
    call = await peer.begin("auth.logout", {"clear_session": True})
    await peer.reply(await peer.asked("ui.confirm.request"), {"ok": False})
    assert await peer.result(call) == {"ok": False, "cancelled": True}


async def test_every_method_of_the_table_is_answered(peer: Peer, session: str) -> None:
    """With whatever is missing: an answer or an error that names it, never silence and never a crash."""
    for method, row in METHODS.items():
        if row.way != "surface to daemon" or method in ("initialize", *ASKING):
            continue
        call = await peer.begin(method, {"session_id": session})
        reply = await peer.until(lambda m, call=call: m.get("id") == call)  # type: ignore[misc]
        assert reply.get("error", {}).get("code") in (None, BAD_PARAMS, FAILED, NOT_A_REQUEST), reply
