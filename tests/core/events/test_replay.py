"""The past as events: the last runs, the newest events, and whether that was all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bascule.core.events.replay import Replay, replay
from bascule.core.events.run_events import NumberedEvent
from bascule.model.blocks import AssistantBlock, Block, CommandBlock, InfoBlock, UserBlock
from bascule.model.ids import BlockId, RunId, SessionId
from bascule.model.session import Run, Session

ONE, TWO = RunId("one"), RunId("two")
BLOCKS: tuple[Block, ...] = (
    InfoBlock(id=BlockId("i"), title="Session started"),
    UserBlock(id=BlockId("u1"), run=ONE, text="first"),
    AssistantBlock(id=BlockId("a1"), run=ONE, text="done", status="completed", at_ms=4),
    UserBlock(id=BlockId("u2"), run=TWO, text="second"),
    CommandBlock(id=BlockId("c"), run=TWO, command="ls", status="cancelled"),
    UserBlock(id=BlockId("u3"), run=RunId("three"), text="third"),
)
RUNS = (
    Run(id=ONE, outcome="completed"),
    Run(id=TWO, outcome="interrupted"),
    Run(id=RunId("three")),
)
SESSION = Session(id=SessionId("s"), workspace="w", blocks=BLOCKS, runs=RUNS)


def test_the_past_is_sent_with_its_prompts_and_without_the_run_that_is_going() -> None:
    command = (
        '{"command":"ls","state":"cancelled","exit_code":null,"stdout":"(cancelled)","stderr":"",'
        '"duration_ms":null}'
    )
    call = {"tool": "shell", "tool_call_id": "c"}
    assert replay(SESSION, 20, 1500) == Replay(
        events=(
            NumberedEvent("one", 0, {"type": "hidden_user_message", "content": "first"}),
            NumberedEvent("one", 1, {"type": "text", "content": "done", "timestamp": 4}),
            NumberedEvent("one", 2, {"type": "final", "content": "done"}),
            NumberedEvent("two", 0, {"type": "hidden_user_message", "content": "second"}),
            NumberedEvent("two", 1, {"type": "tool_call", **call, "args": {"command": "ls"}}),
            NumberedEvent("two", 2, {"type": "tool_result", **call, "result": command, "is_error": True}),
        ),
        runs=2,
        truncated=False,
    )


@given(st.integers(-1, 4), st.integers(-1, 8))
def test_the_newest_are_kept_and_the_rest_is_called_truncated(max_runs: int, max_events: int) -> None:
    whole = replay(SESSION, 20, 1500).events
    runs = {"one", "two"} if max_runs >= 2 else {"two"} if max_runs == 1 else set()
    chosen = [event for event in whole if event.run_id in runs]
    kept = tuple(chosen[len(chosen) - min(len(chosen), max(0, max_events)) :])
    assert replay(SESSION, max_runs, max_events) == Replay(
        events=kept, runs=len({event.run_id for event in kept}), truncated=kept != whole
    )


@pytest.mark.parametrize("session", [replace(SESSION, earlier="cursor"), replace(SESSION, dropped_blocks=1)])
def test_what_is_not_here_any_more_counts_as_truncated(session: Session) -> None:
    assert replay(session, 20, 1500).truncated
