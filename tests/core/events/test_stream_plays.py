"""Events of recorded wires: each once, in order, whatever the chunks."""

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agents.codex.listening import PLAYS, Listener, read_play
from tests.core.events.streams import EMPTY, EVERY_PLAY, events, lines, stream

from bascule.core.events.block_events import answer_text
from bascule.core.events.run_events import NumberedEvent
from bascule.core.events.stream import Message, RunState
from bascule.core.session.fold import Fold
from bascule.model.blocks import (
    AssistantBlock,
)
from bascule.model.changes import (
    Change,
    HistoryPut,
    RunPut,
)
from bascule.model.ids import PromptKey, RunId

each_version = pytest.mark.parametrize("version", ["0.163", "0.166"])


@cache
def changes_of(name: str) -> tuple[tuple[Change, ...], ...]:
    """Of every thread of a play."""
    listener = Listener()
    for line in read_play(PLAYS / f"{name}.wire"):
        listener.feed(line)
    return tuple(tuple(changes) for changes in listener.changes.values())


def play(name: str, version: str) -> list[Message]:
    (changes,) = changes_of(f"codex-{version}-{name}")
    live = stream()
    live.own(PromptKey("prompt-1"))
    return live.feed(changes)


# -- real wires --

CALLS = ["tool_call shell", "permission.ready shell", "awaiting_ui", "running"]
EDIT_CALLS = [
    *("tool_call apply_patch", "permission.preview apply_patch", "permission.ready apply_patch"),
    *("awaiting_ui", "running"),
]
READ = ["tool_call shell", "tool_result shell"]
TODO = ["tool_call todo_new", "tool_result todo_new"]
SEARCH = ["tool_call web_search", "tool_result web_search"]
DONE = ["text", "final", "completed"]


@each_version
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("text", ["running", "97% left", *DONE]),
        ("reasoning", ["running", "reasoning", "97% left", *DONE]),
        ("command", ["running", "text", *READ, "97% left", *DONE]),
        ("approval", ["running", "text", *CALLS, "tool_result shell", "97% left", *DONE]),
        ("approval-decline", ["running", "text", *CALLS, "tool_result shell failed", "97% left", *DONE]),
        (
            "approval-cancel",
            [
                *("running", "text", *CALLS, "tool_result shell failed", "97% left", "cancelled"),
                *("running", "hidden_user_message", *SEARCH, *DONE),
            ],
        ),
        (
            "edit",
            ["running", "text", *READ, "97% left", *EDIT_CALLS, "tool_result apply_patch", *DONE],
        ),
        (
            "edit-decline",
            ["running", "text", *READ, "97% left", *EDIT_CALLS, "tool_result apply_patch failed", *DONE],
        ),
        ("plan", ["running", *TODO, "97% left", *TODO, *TODO, *DONE]),
        ("search", ["running", *SEARCH, "97% left", *DONE]),
        ("question", ["running", "awaiting_ui", "running", "97% left", *DONE]),
        ("plan-mode", ["running", "hidden_user_message", "96% left", "text", *DONE]),
        (
            "error",
            [
                *("running", "text", "text"),
                "error The demo model failed on purpose, because the prompt said demo:error.",
            ],
        ),
    ],
)
def test_a_real_run(name: str, version: str, expected: list[str]) -> None:
    """The context's size is sent when the agent sends it: in its own place, which differs by a message."""
    heard = lines(play(name, version))
    assert [one for one in heard if "%" not in one] == [one for one in expected if "%" not in one]
    assert {one for one in heard if "%" in one} == {one for one in expected if "%" in one}


@each_version
def test_a_steered_prompt_is_shown_and_a_compaction_too(version: str) -> None:
    shown = [event["content"] for event in events(play("steer", version)) if "hidden" in event["type"]]
    assert shown == ["Please be quick. demo:plan"]
    kinds = [event["type"] for event in events(play("compact", version))]
    assert [kind for kind in kinds if "compaction" in kind] == ["compaction_start", "compaction_complete"]


@pytest.mark.parametrize("name", EVERY_PLAY)
def test_every_play_is_sent_in_order_and_without_a_gap(name: str) -> None:
    for changes in changes_of(name):
        joined = stream()
        messages = joined.feed(changes)
        fold = Fold(EMPTY)
        fold.apply_all(changes)
        check_numbers(messages)
        live = {c.run.id for c in changes if isinstance(c, RunPut)}
        ends = {"completed": "completed", "failed": "error", "interrupted": "cancelled"}
        assert [(m.run_id, m.status) for m in messages if isinstance(m, RunState) and m.status in ENDS] == [
            (run.id, ends[run.outcome])
            for run in fold.head().runs
            if run.id in live and run.outcome != "running"
        ]
        assert joined.feed(changes) == []  # all of it once more: every run has ended, or was sent


@pytest.mark.parametrize("name", EVERY_PLAY)
def test_each_run_has_its_answer_in_final_alone(name: str) -> None:
    """A surface that reads no `text` misses nothing of what was said last."""
    for changes in changes_of(name):
        messages = stream().feed(changes)
        fold = Fold(EMPTY)
        fold.apply_all(changes)
        finals = {
            message.run_id: message.event["content"]
            for message in messages
            if isinstance(message, NumberedEvent) and message.event["type"] == "final"
        }
        completed = {m.run_id for m in messages if isinstance(m, RunState) and m.status == "completed"}
        spoken = [block for block in fold.session().blocks if isinstance(block, AssistantBlock)]
        answers = {block.run: answer_text(block) for block in spoken}  # the last of each run stays
        assert finals == {run: answers.get(RunId(run), "") for run in completed}


ENDS = ("completed", "error", "cancelled")


def check_numbers(messages: list[Message]) -> None:
    ended: set[str] = set()
    numbers: Counter[str] = Counter()
    latest: dict[str, str] = {}
    for message in messages:
        assert message.run_id not in ended
        if isinstance(message, RunState) and message.status in ENDS:
            ended.add(message.run_id)
        if isinstance(message, NumberedEvent):
            assert message.seq == numbers[message.run_id]
            numbers[message.run_id] += 1
            if message.event["type"] == "text":
                latest[message.run_id] = message.event["content"]
            if message.event["type"] == "final":
                assert message.event["content"] in ("", latest.get(message.run_id))
    states = [(m.run_id, m.status) for m in messages if isinstance(m, RunState)]
    assert all(one != other for one, other in pairwise(states))


# What is sent once, whenever it is sent: a missed update of a plan, or of an Ask, is not made up for.
ONCE = (
    "hidden_user_message",
    "text",
    "reasoning",
    "final",
    "compaction_complete",
    "tool_result",
    "tool_call",
)


def once(messages: list[Message]) -> Counter[str]:
    kept = [m for m in messages if isinstance(m, NumberedEvent) and m.event["type"] in ONCE]
    return Counter(f"{m.run_id} {gist(m.event)}" for m in kept if m.event.get("tool") != "todo_new")


def gist(event: dict[str, Any]) -> dict[str, Any]:
    """`final` repeats whatever came last, and an error is sent a second time without its hour."""
    left_out = ("content",) if event["type"] == "final" else ("timestamp",)
    return {name: value for name, value in event.items() if name not in left_out}


@settings(max_examples=3 * settings().max_examples, deadline=None)
@given(st.data())
def test_falling_behind_tells_the_rest_once(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(EVERY_PLAY))
    changes = data.draw(st.sampled_from(changes_of(name)))
    if any(isinstance(change, HistoryPut) for change in changes):
        return
    lost = sorted(data.draw(st.lists(st.integers(0, len(changes)), min_size=2, max_size=2)))
    live, fold = stream(), Fold(EMPTY)
    messages = live.feed(changes[: lost[0]])
    fold.apply_all(changes[: lost[1]])
    messages += live.join(fold.session())
    messages += live.feed(changes[lost[1] :])
    check_numbers(messages)
    assert once(messages) == once(stream().feed(changes))


@pytest.mark.parametrize("name", EVERY_PLAY)
def test_a_second_snapshot_of_the_same_says_nothing(name: str) -> None:
    for changes in changes_of(name):
        for count in (len(changes) // 3, len(changes) // 2, len(changes)):
            live, fold = stream(), Fold(EMPTY)
            live.feed(changes[:count])
            fold.apply_all(changes[:count])
            assert live.join(fold.session()) == []
