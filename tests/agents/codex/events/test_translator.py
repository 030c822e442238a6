"""Lines become messages: the strange ones are shown, and none of them stops the stream."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agents.codex.listening import FINE, HEALTHY, Json, Listener, dump, is_healthy

from bascule.agents.codex.events.asks import ASKS, REFUSED_CALLS
from bascule.agents.codex.events.change_sink import MAX_NOTED, MAX_NOTED_BY_AGENT, MAX_VIEWS
from bascule.agents.codex.events.translator import DEBUG_ONLY, HANDLERS, REPEATS, REQUESTS
from bascule.core.wire.lines import MAX_LINE
from bascule.model.blocks import AssistantBlock, McpBlock
from bascule.model.changes import TextGrew
from bascule.model.ids import BlockId, ThreadId

# -- lines that are no messages --


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"hello",
        b"[]",
        b"[1, 2]",
        b"5",
        b'"text"',
        b"null",
        b"true",
        b'{"method": "warning", "params": {"message": NaN}}',
        b'{"method": 5}',
        b'{"id": 1.5, "result": {}}',
        b'{"id": [], "result": {}}',
        b'{"id": ' + b"9" * 30 + b', "method": "x"}',
        b'{"method": "x", "params": {"unclosed": ',
        b'{"method": "\xff"}',
        b"\x00\x01\x02",
        b'{"method": "x", "params": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    ],
    ids=lambda line: line[:24].decode("latin-1"),
)
def test_a_line_that_is_no_message_is_shown_and_the_stream_goes_on(line: bytes) -> None:
    listener = Listener()
    listener.feed(line)
    assert listener.other_events().startswith("codex sent a line that is not a message (")
    assert line[:20].decode("utf-8", "replace") in listener.other_events()
    assert listener.said == []
    assert is_healthy(listener)


@pytest.mark.parametrize("line", [b"", b"   ", b"\t \r"])
def test_a_line_of_spaces_is_nothing(line: bytes) -> None:
    listener = Listener()
    listener.feed(line)
    assert (listener.changes, listener.agent_changes) == ({}, [])
    assert is_healthy(listener)


def test_a_message_without_method_and_id_is_shown() -> None:
    listener = Listener()
    listener.feed(b'{"jsonrpc":"2.0"}')
    assert listener.other_events() == 'codex sent a message without method and id: {"jsonrpc":"2.0"}\n'


def test_a_bad_line_among_good_ones_spoils_only_itself() -> None:
    listener = Listener()
    listener.feed(HEALTHY, b"{", HEALTHY, b"[]", HEALTHY)
    assert listener.session("healthy").blocks == (AssistantBlock(id=BlockId("m"), text="finefinefine"),)
    assert listener.other_events().count("not a message") == 2


def test_an_overlong_line_is_let_go_and_said() -> None:
    listener = Listener()
    listener.driver.feed(b'{"method":"x","params":"')
    for _ in range(17):
        listener.driver.feed(b"x" * (MAX_LINE // 16))
    listener.driver.feed(b'"}\n')
    assert listener.other_events().startswith("codex sent a line over the ceiling: ")
    assert listener.other_events().endswith(" bytes, dropped\n")
    assert is_healthy(listener)


def test_windows_line_ends_are_fine() -> None:
    listener = Listener()
    listener.driver.feed(HEALTHY + b"\r\n" + HEALTHY + b"\r\n")
    assert listener.session("healthy").blocks == (AssistantBlock(id=BlockId("m"), text="finefine"),)


# -- messages that are not known --


def test_an_unknown_method_is_shown_with_its_payload() -> None:
    listener = Listener()
    listener.tell_agent("hologram/shown", colour="blue")
    assert listener.other_events() == 'hologram/shown {"colour": "blue"}\n'


def test_an_unknown_method_of_a_thread_is_shown_in_its_session() -> None:
    listener = Listener()
    listener.begin()
    listener.tell("hologram/shown")
    listener.tell("hologram/hidden")
    assert (
        listener.other_events("t") == 'hologram/shown {"threadId": "t"}\nhologram/hidden {"threadId": "t"}\n'
    )
    assert listener.block().id == "other-events:r"
    assert listener.other_events() == ""


def test_an_unknown_method_without_params_is_shown() -> None:
    listener = Listener()
    listener.feed(b'{"method":"hologram/shown"}')
    assert listener.other_events() == "hologram/shown null\n"


@pytest.mark.parametrize("thread", [5, None, ["t"], {}])
def test_a_thread_id_of_a_strange_kind_is_no_thread(thread: Any) -> None:
    listener = Listener()
    listener.tell("hologram/shown", threadId=thread)
    assert listener.other_events().startswith("hologram/shown ")


def test_bytes_that_are_no_utf8_are_shown_as_far_as_they_go() -> None:
    listener = Listener()
    listener.feed(b'{"method":"hologram/shown","params":{"threadId":"\xff","text":"caf\xe9"}}')
    assert listener.other_events() == 'hologram/shown {"threadId":"\ufffd","text":"caf\ufffd"}\n'
    listener.feed(b'{"method":"codex/event/x","params":{"msg":{"type":"\xff"}}}')
    assert "codex/event/x" in listener.other_events()
    assert is_healthy(listener)


def test_a_long_payload_is_shown_by_its_beginning() -> None:
    listener = Listener()
    listener.tell_agent("hologram/shown", pixels="x" * 10_000)
    shown = listener.other_events()
    assert len(shown) < MAX_NOTED + 100
    assert shown.endswith(" more characters)\n")


def test_other_events_of_the_agent_have_a_ceiling() -> None:
    listener = Listener()
    for number in range(2 * MAX_NOTED_BY_AGENT // 100):
        listener.tell_agent("hologram/shown", number=number, pixels="x" * 100)
    (block,) = listener.agent().notices
    assert len(block.text) == MAX_NOTED_BY_AGENT
    assert block.dropped > 0
    assert f'"number": {2 * MAX_NOTED_BY_AGENT // 100 - 1},' in block.text


@pytest.mark.parametrize("method", sorted(DEBUG_ONLY))
def test_what_has_no_place_of_its_own_is_shown_for_debugging(method: str) -> None:
    listener = Listener()
    listener.tell_agent(method, anything=[1, 2])
    assert listener.other_events().startswith(f"{method} {{")


def test_codex_remote_control_is_mentioned_only_when_it_is_not_off() -> None:
    listener = Listener()
    listener.tell_agent(
        "remoteControl/status/changed", status="disabled", serverName="vm", installationId="i"
    )
    assert (listener.changes, listener.agent_changes, listener.said) == ({}, [], [])
    listener.tell_agent("remoteControl/status/changed", status="connected", serverName="vm")
    assert listener.other_events().startswith("remoteControl/status/changed {")
    assert "connected" in listener.other_events()


@pytest.mark.parametrize("method", sorted(REPEATS))
def test_what_only_repeats_another_message_is_not_shown(method: str) -> None:
    listener = Listener()
    listener.tell(method, anything=[1, 2])
    assert (listener.changes, listener.agent_changes, listener.said) == ({}, [], [])


# -- known messages in strange shapes --


@pytest.mark.parametrize("method", sorted(HANDLERS))
@pytest.mark.parametrize("params", [None, 5, "text", [], {}, {"threadId": 5}, {"threadId": "t", "turn": 5}])
def test_a_known_notification_in_a_strange_shape_is_shown(method: str, params: Any) -> None:
    listener = Listener()
    listener.feed(dump({"method": method, "params": params}))
    listener.feed(dump({"method": method}))
    everything = listener.other_events() + "".join(listener.other_events(t) for t in listener.changes)
    assert f"codex sent {method} in an unknown shape (" in everything
    assert listener.said == []
    assert is_healthy(listener)


@pytest.mark.parametrize(
    "item",
    [
        {"type": "hologram", "id": "x"},
        {"id": "x"},
        {"type": "agentMessage"},
        {"type": "commandExecution", "id": "x", "command": ["ls"]},
        {"type": "commandExecution", "id": "x", "command": "ls", "status": "of a later version"},
        {"type": "commandExecution", "id": "x", "command": "ls", "exitCode": 10**30},
        {"type": "fileChange", "id": "x", "changes": [{"path": "a"}]},
        5,
    ],
    ids=str,
)
def test_an_item_of_an_unknown_kind_or_shape_is_shown_in_its_session(item: Any) -> None:
    listener = Listener()
    listener.tell("item/completed", turnId="r", item=item)
    assert "codex sent item/completed in an unknown shape (" in listener.other_events("t")
    assert json.dumps(item) in listener.other_events("t")


@pytest.mark.parametrize("number", [10**30, -(10**30), 2**63, 10**400])
def test_integers_that_nobody_could_keep_are_refused_at_the_door(number: int) -> None:
    listener = Listener()
    listener.begin(at_ms=1)
    listener.tell("thread/compacted", number)
    assert "Expected `int`" in listener.other_events("t")


def test_huge_integers_in_a_payload_of_anything_are_shown() -> None:
    listener = Listener()
    listener.item("mcpToolCall", server="s", tool="t", status="completed", arguments={"n": 10**30})
    block = listener.block()
    assert isinstance(block, McpBlock)
    assert block.arguments == '{"n":1000000000000000000000000000000}'


def test_the_last_of_two_equal_keys_counts() -> None:
    listener = Listener()
    listener.feed(
        b'{"method":"item/agentMessage/delta","params":{"threadId":"no","threadId":"healthy","itemId":"m","delta":"fine"}}'
    )
    assert listener.session("healthy").blocks == FINE


def test_unknown_fields_are_let_pass() -> None:
    listener = Listener()
    listener.feed(dump({**json.loads(HEALTHY), "jsonrpc": "2.0", "hologram": {"deep": [1, {"a": None}]}}))
    assert listener.session("healthy").blocks == FINE


def test_the_order_of_the_fields_does_not_matter() -> None:
    listener = Listener()
    message = json.loads(HEALTHY)
    listener.feed(dump({"emittedAtMs": 5, "params": message["params"], "method": message["method"]}))
    assert listener.session("healthy").blocks == FINE


# -- requests and responses --


@pytest.mark.parametrize("method", sorted(REQUESTS))
def test_a_request_without_an_id_is_shown_and_never_answered(method: str) -> None:
    listener = Listener()
    params: Json = {
        "threadId": "t",
        "itemId": "i",
        "conversationId": "t",
        "callId": "c",
        "command": ["ls"] if method == "execCommandApproval" else "ls",
        "fileChanges": {},
        "permissions": {},
        "questions": [],
        "serverName": "s",
        "mode": "form",
        "tool": "x",
    }
    listener.feed(dump({"method": method, "params": params}))
    assert f"codex sent the request {method} without an id" in listener.other_events()
    assert listener.said == []
    assert listener.session().asks == ()


def test_a_notification_with_an_id_is_a_request_that_is_not_known_and_is_shown_whole() -> None:
    listener = Listener()
    listener.feed(dump({"id": 7, **json.loads(HEALTHY)}))
    (said,) = listener.said
    assert (said["id"], said["error"]["code"]) == (7, -32601)
    assert '"delta": "fine"' in listener.other_events()
    assert listener.session("healthy").blocks == ()


def test_an_answer_to_nobody_is_shown() -> None:
    listener = Listener()
    listener.feed(b'{"id":99,"result":{}}', b'{"id":"a","error":{"code":1,"message":"x"}}')
    assert listener.other_events() == (
        'codex answered a call that nobody made: {"id":99}\n'
        'codex answered a call that nobody made: {"id":"a"}\n'
    )


def test_every_request_of_the_table_has_one_way_to_be_answered() -> None:
    assert set(REQUESTS) == {*ASKS, *REFUSED_CALLS, "currentTime/read"}
    assert not set(REQUESTS) & set(HANDLERS)
    assert not {*DEBUG_ONLY, *REPEATS} & {*HANDLERS, *REQUESTS}


# -- batches --


def test_neighbouring_deltas_of_one_batch_are_one_change() -> None:
    listener = Listener()
    listener.feed(*[HEALTHY] * 100)
    assert listener.changes == {
        ThreadId("healthy"): [TextGrew(BlockId("m"), "text", "fine" * 100)],
    }


PLACES = [("text", "t", "m"), ("text", "t", "n"), ("text", "u", "m"), ("plan", "t", "m"), ("text", "", "")]
DELTA_OF = {"text": "item/agentMessage/delta", "plan": "item/plan/delta"}


@given(st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from(["", "a", "b"])), max_size=12))
@settings(max_examples=5 * settings().max_examples, deadline=None)
def test_a_batch_of_deltas_tells_the_same_as_its_lines_one_by_one(
    deltas: list[tuple[tuple[str, str, str], str]],
) -> None:
    lines = [
        dump({"method": DELTA_OF[field], "params": {"threadId": thread, "itemId": item, "delta": text}})
        for (field, thread, item), text in deltas
    ]
    at_once, one_by_one = Listener(), Listener()
    at_once.feed(*lines)
    for line in lines:
        one_by_one.feed(line)
    for thread in ("t", "u", ""):
        assert at_once.session(thread) == one_by_one.session(thread)


def test_a_block_is_dated_by_the_last_delta_before_it() -> None:
    listener = Listener()
    item = {"type": "agentMessage", "id": "n", "text": "next"}
    listener.feed(
        dump({**json.loads(HEALTHY), "emittedAtMs": 1_000}),
        dump({**json.loads(HEALTHY), "emittedAtMs": 2_000}),
        HEALTHY,
        dump({"method": "item/completed", "params": {"threadId": "healthy", "item": item}}),
    )
    assert listener.session("healthy").blocks[-1].at_ms == 2_000


def test_only_so_many_threads_are_remembered() -> None:
    listener = Listener()
    listener.begin()
    for number in range(MAX_VIEWS + 10):
        listener.tell("thread/closed", threadId=f"u{number}")
    assert len(listener.driver._sink.views()) == MAX_VIEWS
    assert ThreadId("t") in [view.thread for view in listener.driver._sink.views()], "it is working"
