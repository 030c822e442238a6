"""Seed 002, 6 and 7: what the person looks at, and what the person is asked."""

import pytest
from tests.e2e.peer import Message, Peer, events, states, texts
from tests.e2e.protocol.codes import BAD_PARAMS

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]


# -- 6: what the person looks at --


async def inspect(peer: Peer) -> Message:
    answer: Message = (await peer.call("context.inspect"))["ui_context"]
    return answer


async def test_the_context_may_be_sent_as_a_notification(peer: Peer) -> None:
    await peer.tell("ui.context.update", {"cwd": "/elsewhere", "active_file": {"path": "a.py"}})
    assert await inspect(peer) == {"cwd": "/elsewhere", "active_file_path": "a.py"}


SELECTED = {"start": {"line": 0, "column": 0}, "end": {"line": 2, "column": 0}}
CONTEXT: Message = {
    "cwd": "/asked",
    "workspace_root": "/root",
    "active_file": {"path": "b.py", "language_id": "python"},
    "selection": {"path": "b.py", "range": SELECTED, "selected_text": "x"},
    "extensions": {"any": ["thing"]},
}
INSPECTED = {
    "cwd": "/asked",
    "workspace_root": "/root",
    "active_file_path": "b.py",
    "extensions": {"any": ["thing"]},
}


async def test_the_context_may_be_sent_as_a_request(peer: Peer) -> None:
    assert await peer.call("ui.context.update", CONTEXT) == {"ok": True}
    assert await inspect(peer) == INSPECTED


async def test_what_else_is_sent_of_the_context_is_kept(peer: Peer, session: str) -> None:
    await peer.tell("ui.context.update", {"cwd": "/a", "cursor": [1, 2], "extensions": {"theme": "dark"}})
    assert (await inspect(peer))["extensions"] == {"theme": "dark", "cursor": [1, 2]}
    await peer.play("demo:text", session_id=session, ui_context={"cwd": "/b", "tab": 3})
    assert await inspect(peer) == {"cwd": "/b", "extensions": {"tab": 3}}
    refused = await peer.refused("ui.context.update", {"extensions": {"a": "x" * 70_000}})
    assert (refused.code, "are kept" in refused.message) == (BAD_PARAMS, True)


async def test_the_context_may_come_with_a_run(peer: Peer, session: str) -> None:
    await peer.play("demo:text", session_id=session, ui_context={"cwd": "/with-the-run"})
    assert await inspect(peer) == {"cwd": "/with-the-run"}


async def test_the_context_of_a_run_has_every_field_of_an_update(peer: Peer, session: str) -> None:
    await peer.play("demo:text", session_id=session, ui_context=CONTEXT)
    assert await inspect(peer) == INSPECTED
    wrong = {**CONTEXT, "selection": {"path": 1}}
    over_update = await peer.refused("ui.context.update", wrong)
    prompt = {"input": {"type": "text", "text": "x"}, "session_id": session, "ui_context": wrong}
    over_run = await peer.refused("run.start", prompt)
    assert (over_update.code, over_run.code) == (BAD_PARAMS, BAD_PARAMS)
    assert "selection.path" in over_update.message
    assert "ui_context.selection.path" in over_run.message


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
    heard = await peer.finish(run)
    assert states(heard) == ["running", "awaiting_ui", "running", "completed"]
    assert texts(heard, "final") == ["You allowed it, and the module is compiled."]


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


def declined(heard: list[Message]) -> bool:
    """The only no that Codex takes here stops the run; nothing was run in any case."""
    results = [event for event in events(heard) if event["type"] == "tool_result"]
    return states(heard)[-1] == "cancelled" and all(result["is_error"] for result in results)


async def test_a_no_is_a_no(peer: Peer, session: str) -> None:
    run = await peer.start("demo:approval", session_id=session)
    await peer.reply(await peer.asked("ui.confirm.request", run), {"ok": False})
    assert declined(await peer.finish(run))


async def test_the_reason_of_a_no_reaches_the_model(peer: Peer, session: str) -> None:
    run = await peer.start("demo:approval", session_id=session)
    await peer.reply(await peer.asked("ui.confirm.request", run), {"ok": False, "reason": "not on a Sunday"})
    assert declined(await peer.finish(run))
    heard = {"type": "hidden_user_message", "content": "not on a Sunday"}
    messages = await peer.until(lambda m: m.get("method") == "agent.event" and m["params"]["event"] == heard)
    assert states(await peer.finish(messages["params"]["run_id"])) == ["running", "completed"]


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
    assert question["params"]["multiline"] is True
    assert question["params"].keys() & {"secret", "default_value"} == set()  # their defaults
    await peer.reply(question, {"value": "the one\nin the middle"})
    await peer.reply(await peer.asked("ui.pick.request", run), {"ids": ["option-1"]})
    assert "- leaf: the one\nin the middle\n- pace: Quickly" in texts(await peer.finish(run), "final")[0]


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
