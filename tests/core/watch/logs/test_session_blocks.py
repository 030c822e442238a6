"""Files of other programs' sessions as blocks: both agents, every shape, and what may be wrong in them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.watch.logs.rollouts import WORDS, event, item

from bascule.core.session.fold import Fold
from bascule.core.watch.logs.log_lines import MAX_SHOWN
from bascule.core.watch.logs.rollout_blocks import RolloutBlocks
from bascule.core.watch.logs.tail_lines import TailLine, TailLines
from bascule.core.watch.logs.transcript_blocks import TranscriptBlocks
from bascule.model.blocks import AssistantBlock, CommandBlock, McpBlock, RemoteBlock, SystemBlock, UserBlock
from bascule.model.ids import SessionId
from bascule.model.session import Session, Usage

RECORDINGS = Path(__file__).parents[3] / "plays" / "watch"
Reader = RolloutBlocks | TranscriptBlocks


def read(reader: Reader, data: bytes) -> Session:
    fold = Fold(Session(id=SessionId("s"), workspace="/p"))
    for line in TailLines().feed(data):
        fold.apply_all(reader.feed(line))
    return fold.session()


def rollout(*words: str) -> Session:
    return read(RolloutBlocks(), b"".join(WORDS[word] + b"\n" for word in words))


def said(session: Session) -> list[tuple[str, str]]:
    found = []
    for block in session.blocks:
        match block:
            case CommandBlock():
                found.append((f"command {block.status}", block.command))
            case McpBlock():
                found.append((f"tool {block.status}", block.tool))
            case UserBlock() | AssistantBlock() | RemoteBlock():
                found.append((type(block).__name__, block.text))
            case _:
                found.append((type(block).__name__, ""))
    return found


def test_a_run_of_codex_as_it_was_recorded() -> None:
    session = read(RolloutBlocks(), (RECORDINGS / "codex-0.166-rollout-tui.jsonl").read_bytes())
    assert said(session) == [
        ("UserBlock", "please RUNTOOL"),
        ("command completed", "touch hello.txt"),
        ("AssistantBlock", "All done."),
        ("UserBlock", "be SLOW"),
        ("UserBlock", "please RUNTOOL again"),
        ("command completed", "touch hello.txt"),
        ("AssistantBlock", "All done."),
    ]
    assert [run.outcome for run in session.runs] == ["completed", "interrupted", "completed"]
    assert {block.run for block in session.blocks} == {run.id for run in session.runs}


def test_what_a_command_printed_and_how_it_ended() -> None:
    said_ = "Chunk ID: 1\nProcess exited with code 3\nOutput:\nno such file\n"
    output = item(type="function_call_output", call_id="c1", output=said_)
    (block,) = read(RolloutBlocks(), WORDS["call"] + b"\n" + output + b"\n").blocks
    assert isinstance(block, CommandBlock)
    assert (block.output, block.exit_code, block.status) == ("no such file\n", 3, "failed")


def test_a_run_of_claude_as_it_was_recorded() -> None:
    session = read(TranscriptBlocks(), (RECORDINGS / "claude-2.1-transcript.jsonl").read_bytes())
    assert said(session) == [
        ("UserBlock", "please RUNTOOL"),
        ("command completed", "touch hello.txt"),
        ("AssistantBlock", "All done."),
    ]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["meta", "environment", "agents"], []),
        (["started", "user", "call"], [("UserBlock", "Fix the bug"), ("command inProgress", "make test")]),
        (["started", "call", "output"], [("command completed", "make test")]),
        (["started", "call", "aborted"], [("command cancelled", "make test")]),
        (["patch", "patch output"], [("tool completed", "apply_patch")]),
        (["ask"], [("tool inProgress", "request_user_input")]),
        (["output"], []),
    ],
)
def test_what_lines_of_a_rollout_show(words: list[str], expected: list[tuple[str, str]]) -> None:
    assert said(rollout(*words)) == expected


def claude(kind: str, content: Any, **more: Any) -> bytes:
    return json.dumps({"type": kind, "message": {"content": content}, **more}).encode() + b"\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (claude("user", "hi", origin={"kind": "human"}), [("UserBlock", "hi")]),
        (claude("user", "do it", origin={"kind": "peer"}), [("RemoteBlock", "do it")]),
        (claude("user", "hi", isSidechain=True), []),
        (claude("user", "hi", isMeta=True), []),
        (claude("user", "<system-reminder>x"), []),
        (claude("attachment", "hi"), []),
        (claude("assistant", [{"type": "thinking", "thinking": "hm"}]), [("ReasoningBlock", "")]),
        (
            claude("assistant", [{"type": "tool_use", "id": "t", "name": "Read", "input": {"p": 1}}]),
            [("tool inProgress", "Read")],
        ),
    ],
)
def test_what_a_line_of_a_transcript_shows(line: bytes, expected: list[tuple[str, str]]) -> None:
    assert said(read(TranscriptBlocks(), line)) == expected


@pytest.mark.parametrize("reader", [RolloutBlocks, TranscriptBlocks])
def test_a_line_that_is_too_long_is_told_and_the_rest_is_read(reader: type[Reader]) -> None:
    made = reader()
    fold = Fold(Session(id=SessionId("s"), workspace="/p"))
    fold.apply_all(made.feed(TailLine(b"x" * 100, is_cut=True)))
    assert [type(block) for block in fold.session().blocks] == [SystemBlock]


def test_a_huge_text_is_kept_under_its_ceiling() -> None:
    huge = item(type="message", role="assistant", content=[{"type": "output_text", "text": "y" * 900_000}])
    (block,) = read(RolloutBlocks(), huge + b"\n").blocks
    assert isinstance(block, AssistantBlock)
    assert len(block.text) == MAX_SHOWN


FIELDS = [
    *("type", "role", "content", "text", "name", "arguments", "call_id", "output", "action", "command"),
    *("id", "tool_use_id", "input", "summary", "turn_id", "thinking", "kind"),
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4),
    max_leaves=12,
)
KINDS = st.sampled_from(
    ["message", "function_call", "function_call_output", "local_shell_call", "reasoning", "web_search_call"]
)


@given(KINDS, JSON)
def test_no_shape_of_an_item_is_too_much_for_a_rollout(kind: str, payload: Any) -> None:
    given_ = payload if isinstance(payload, dict) else {"content": payload}
    read(RolloutBlocks(), item(**{**given_, "type": kind}) + b"\n" + event("task_started") + b"\n")


@given(st.sampled_from(["user", "assistant"]), JSON)
def test_no_shape_of_a_message_is_too_much_for_a_transcript(kind: str, content: Any) -> None:
    for shape in (content, [content], [{"type": "tool_use", "input": content}]):
        read(TranscriptBlocks(), claude(kind, shape))


COST = {
    "type": "cost-state",
    "totalCostUSD": 0.25,
    "modelUsage": {
        "claude-a": {"inputTokens": 10, "outputTokens": 18, "cacheReadInputTokens": 100},
        "claude-b": {"inputTokens": 1, "outputTokens": 2, "cacheCreationInputTokens": 30},
    },
    "hasUnknownModelCost": False,
}


def test_claudes_own_account_of_tokens_and_cost_is_the_sessions() -> None:
    usage = {"input_tokens": 3, "cache_read_input_tokens": 40, "output_tokens": 9}
    spoken = {"type": "assistant", "message": {"content": "Up.", "usage": usage}}
    lines = b"".join(json.dumps(line).encode() + b"\n" for line in (spoken, COST))
    assert read(TranscriptBlocks(), lines).usage == Usage(
        context_used=43, total=161, input=141, cached=100, output=20, cost_usd=0.25
    )


@pytest.mark.parametrize(
    ("line", "cost"),
    [
        (COST | {"hasUnknownModelCost": True}, 0.0),
        (COST | {"totalCostUSD": -1}, 0.0),
        (COST | {"totalCostUSD": 1e300}, 0.0),
        (COST | {"modelUsage": {"a": 3, "b": {"inputTokens": "many"}}}, 0.25),
    ],
)
def test_a_cost_that_is_not_sure_is_none(line: dict[str, Any], cost: float) -> None:
    usage = read(TranscriptBlocks(), json.dumps(line).encode() + b"\n").usage
    assert usage is not None
    assert usage.cost_usd == cost
