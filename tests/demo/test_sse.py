"""The event stream: complete, in the order that Codex expects, and adding up to what was meant."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bascule.demo.outputs import Fail, Output, Patch, Phase, Say, Search, Think, ToolUse
from bascule.demo.script import ScriptedAnswer
from bascule.demo.sse import make_frames, split_words


def events(*outputs: Output, request_bytes: int = 400) -> list[dict[str, Any]]:
    answer = ScriptedAnswer(list(outputs), [f"t_{at}" for at in range(len(outputs))])
    frames = make_frames(answer, response_id="r", request_bytes=request_bytes)
    return [_parse(frame.data) for frame in frames]


def _parse(data: bytes) -> dict[str, Any]:
    name, body, end = data.decode().split("\n", 2)
    event: dict[str, Any] = json.loads(body.removeprefix("data: "))
    assert (name, end) == (f"event: {event['type']}", "\n\n"[1:])
    return event


def test_an_answer_is_opened_filled_and_closed() -> None:
    assert [event["type"] for event in events(Say("Hi there."))] == [
        "response.created",
        "response.output_item.added",
        "response.output_text.delta",
        "response.output_text.delta",
        "response.output_item.done",
        "response.completed",
    ]


def test_words_add_up_to_the_message() -> None:
    sent = events(Say("One two\n\nthree ", phase=Phase.FINAL))
    deltas = [event["delta"] for event in sent if event["type"] == "response.output_text.delta"]
    assert deltas == ["One ", "two\n\n", "three "]
    assert sent[-2]["item"] == {
        "type": "message",
        "id": "msg_t_0",
        "role": "assistant",
        "phase": "final_answer",
        "content": [{"type": "output_text", "text": "One two\n\nthree "}],
    }


@given(st.text())
def test_no_text_is_lost_between_words(text: str) -> None:
    assert "".join(split_words(text)) == text


def test_only_a_slow_text_waits_after_each_word() -> None:
    answer = ScriptedAnswer([Say("a b", slow=True), Say("c d")], ["t_0", "t_1"])
    frames = make_frames(answer, response_id="r", request_bytes=0)
    assert [b'"delta"' in frame.data for frame in frames if frame.beat] == [True, True]


def test_a_search_waits_between_its_start_and_its_end() -> None:
    answer = ScriptedAnswer([Search("leaf")], ["t_0"])
    frames = list(make_frames(answer, response_id="r", request_bytes=0))
    assert [frame.beat for frame in frames] == [False, True, False, False]
    assert _parse(frames[2].data)["item"]["action"] == {"type": "search", "query": "leaf"}


def test_reasoning_comes_in_its_parts() -> None:
    sent = events(Think(("first", "second")))
    places = [event["summary_index"] for event in sent if "summary_index" in event]
    assert places == [0, 0, 1, 1]
    assert sent[-2]["item"]["summary"] == [
        {"type": "summary_text", "text": "first"},
        {"type": "summary_text", "text": "second"},
    ]


def test_calls_carry_an_id_that_their_result_will_name() -> None:
    (done,) = [
        event["item"] for event in events(ToolUse("define", {"word": "leaf"}, "mcp__demo")) if "item" in event
    ][1:]
    assert done == {
        "type": "function_call",
        "id": "fc_t_0",
        "call_id": "call_t_0",
        "name": "define",
        "namespace": "mcp__demo",
        "arguments": '{"word":"leaf"}',
    }


def test_a_patch_is_streamed_by_the_line() -> None:
    sent = events(Patch("*** Begin Patch\n*** End Patch\n"))
    deltas = [event["delta"] for event in sent if "delta" in event]
    assert deltas == ["*** Begin Patch\n", "*** End Patch\n"]
    assert sent[-2]["item"]["input"] == "".join(deltas)


def test_a_failure_ends_the_stream() -> None:
    sent = events(Say("Now."), Fail("invalid_prompt", "On purpose."), Say("Never said."))
    assert sent[-1] == {
        "type": "response.failed",
        "response": {
            "id": "r",
            "status": "failed",
            "error": {"code": "invalid_prompt", "message": "On purpose."},
        },
    }


def test_usage_follows_the_size_of_both_sides() -> None:
    def usage(text: str, request_bytes: int) -> dict[str, int]:
        counted: dict[str, int] = events(Say(text), request_bytes=request_bytes)[-1]["response"]["usage"]
        return counted

    small, large = usage("a", 400), usage("a" * 4000, 4000)
    assert (small["input_tokens"], large["input_tokens"]) == (101, 1001)
    assert large["output_tokens"] - small["output_tokens"] == 1000
    assert large["total_tokens"] == large["input_tokens"] + large["output_tokens"]
