"""The Responses API's events, as the frames of a server-sent event stream."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

import msgspec

from bascule.demo.outputs import Fail, Output, Patch, Say, Search, Think, ToolUse
from bascule.demo.script import ScriptedAnswer

CHARACTERS_PER_TOKEN = 4  # near enough for a usage that looks right and grows

Event = Mapping[str, object]


class Frame(msgspec.Struct, frozen=True):
    """Bytes to send, and whether to wait a beat after them."""

    data: bytes
    beat: bool = False


def make_frames(answer: ScriptedAnswer, *, response_id: str, request_bytes: int) -> Iterator[Frame]:
    yield _frame({"type": "response.created", "response": {"id": response_id}})
    for output, tag in zip(answer.outputs, answer.ids, strict=True):
        if isinstance(output, Fail):
            yield _frame(_failed(output, response_id))
            return
        yield from _frames_of(output, tag)
    yield _frame(_completed(answer.outputs, response_id, request_bytes))


def split_words(text: str) -> list[str]:
    """Words with the space that follows them; joined again they are the text."""
    return re.findall(r"\S+\s*|\s+", text)


def _frames_of(output: Think | Say | ToolUse | Patch | Search, tag: str) -> Iterator[Frame]:
    match output:
        case Think():
            return _think(output, tag)
        case Say():
            return _say(output, tag)
        case ToolUse():
            return _call(output, tag)
        case Patch():
            return _patch(output, tag)
        case Search():
            return _search(output, tag)
        case _:
            assert_never(output)


def _think(output: Think, tag: str) -> Iterator[Frame]:
    item = {"type": "reasoning", "id": f"rs_{tag}", "encrypted_content": None}
    yield _added({**item, "summary": []})
    for at, part in enumerate(output.parts):
        place = {"item_id": item["id"], "output_index": 0, "summary_index": at}
        yield _frame({"type": "response.reasoning_summary_part.added", **place})
        for word in split_words(part):
            yield _frame({"type": "response.reasoning_summary_text.delta", **place, "delta": word})
    summary = [{"type": "summary_text", "text": part} for part in output.parts]
    yield _done({**item, "summary": summary})


def _say(output: Say, tag: str) -> Iterator[Frame]:
    item = {"type": "message", "id": f"msg_{tag}", "role": "assistant", "phase": output.phase.value}
    yield _added({**item, "content": []})
    for word in split_words(output.text):
        delta = {"type": "response.output_text.delta", "item_id": item["id"], "delta": word}
        yield _frame(delta, beat=output.slow)
    yield _done({**item, "content": [{"type": "output_text", "text": output.text}]})


def _call(output: ToolUse, tag: str) -> Iterator[Frame]:
    item: dict[str, object] = {
        "type": "function_call",
        "id": f"fc_{tag}",
        "call_id": f"call_{tag}",
        "name": output.tool,
        "arguments": msgspec.json.encode(output.arguments).decode(),
    }
    if output.namespace is not None:
        item["namespace"] = output.namespace
    yield _added({**item, "arguments": ""})
    yield _done(item)


def _patch(output: Patch, tag: str) -> Iterator[Frame]:
    item = {"type": "custom_tool_call", "id": f"ctc_{tag}", "call_id": f"call_{tag}", "name": "apply_patch"}
    yield _added({**item, "input": ""})
    for line in output.text.splitlines(keepends=True):
        place = {"item_id": item["id"], "call_id": item["call_id"]}
        yield _frame({"type": "response.custom_tool_call_input.delta", **place, "delta": line})
    yield _done({**item, "input": output.text})


def _search(output: Search, tag: str) -> Iterator[Frame]:
    item = {"type": "web_search_call", "id": f"ws_{tag}"}
    yield _frame(_item_event("added", {**item, "status": "in_progress"}), beat=True)
    yield _done({**item, "status": "completed", "action": {"type": "search", "query": output.query}})


def _added(item: Mapping[str, object]) -> Frame:
    return _frame(_item_event("added", item))


def _done(item: Mapping[str, object]) -> Frame:
    return _frame(_item_event("done", item))


def _item_event(what: str, item: Mapping[str, object]) -> Event:
    return {"type": f"response.output_item.{what}", "output_index": 0, "item": item}


def _failed(output: Fail, response_id: str) -> Event:
    error = {"code": output.code, "message": output.message}
    return {"type": "response.failed", "response": {"id": response_id, "status": "failed", "error": error}}


def _completed(outputs: Sequence[Output], response_id: str, request_bytes: int) -> Event:
    given = 1 + request_bytes // CHARACTERS_PER_TOKEN
    thought = _tokens(output for output in outputs if isinstance(output, Think))
    made = 1 + _tokens(outputs)
    usage = {
        "input_tokens": given,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": made,
        "output_tokens_details": {"reasoning_tokens": thought},
        "total_tokens": given + made,
    }
    return {"type": "response.completed", "response": {"id": response_id, "usage": usage}}


def _tokens(outputs: Iterable[Output]) -> int:
    return sum(len(msgspec.json.encode(output)) for output in outputs) // CHARACTERS_PER_TOKEN


def _frame(event: Event, *, beat: bool = False) -> Frame:
    data = b"event: %s\ndata: %s\n\n" % (str(event["type"]).encode(), msgspec.json.encode(event))
    return Frame(data, beat)
