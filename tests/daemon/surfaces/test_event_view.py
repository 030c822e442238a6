"""A session as events: what was going on when the surface joined, what came after it, and nothing twice."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.daemon.hubs import ONE, make_session
from tests.patience import PATIENCE_S

from bascule.core.wire.outbox import MAX_WAITING
from bascule.daemon.app import open_app
from bascule.daemon.parts import App
from bascule.daemon.surfaces.event_view import PlainView, replay_frames
from bascule.daemon.surfaces.surfaces import Surface
from bascule.host.files.data_folder import open_folder
from bascule.model.blocks import AssistantBlock, PlanBlock, PlanStep, SystemBlock, UserBlock
from bascule.model.changes import BlockGone, BlockPut, Change, RunPut, StatusSet, UsageSet
from bascule.model.consent.origin import Origin
from bascule.model.ids import BlockId, PromptKey, RunId
from bascule.model.protocol.runs import SessionHistoryParams, SessionHistoryResult
from bascule.model.session import Run, Usage

R = RunId("r")


class EventSurface:
    def __init__(self, app: App) -> None:
        self.app = app
        self.surface: Surface = app.surfaces.connect(Origin(door="stdio"))
        app.hub.add(make_session())

    def apply(self, *changes: Change) -> None:
        self.app.hub.apply(ONE, changes)

    def view(self) -> PlainView:
        return PlainView(self.app, self.surface, ONE)


@pytest.fixture
async def event_surface(tmp_path: Path) -> AsyncIterator[EventSurface]:
    async with open_app(open_folder(tmp_path / "data"), command="tests", env={}) as app:
        yield EventSurface(app)


def begin(run: str = R, prompt: str = "raise it") -> list[Change]:
    return [
        RunPut(Run(id=RunId(run))),
        BlockPut(UserBlock(id=BlockId(f"{run}-u"), run=RunId(run), text=prompt)),
    ]


def end(run: str = R, answer: str = "It rises.") -> list[Change]:
    block = AssistantBlock(id=BlockId(f"{run}-a"), run=RunId(run), text=answer, status="completed")
    return [BlockPut(block), RunPut(Run(id=RunId(run), outcome="completed")), StatusSet("completed")]


def take(view: PlainView) -> list[str]:
    """In short: the state, the event's kind, or the method's own name."""
    return [_short(json.loads(frame)) for frame in view.frames()]


def _short(message: dict[str, Any]) -> str:
    params = message["params"]
    match message["method"]:
        case "run.status":
            return f"{params['run_id']} {params['status']}"
        case "agent.event":
            return f"{params['run_id']} {params['seq']} {params['event']['type']}"
        case "run.context":
            return f"{params['run_id']} {params['context_left_percent']}%"
        case method:
            return str(method)


async def test_a_run_from_its_beginning_to_its_end(event_surface: EventSurface) -> None:
    view = event_surface.view()
    event_surface.apply(*begin())
    event_surface.apply(UsageSet(Usage(context_used=25, context_window=100)))
    assert take(view) == ["r running", "r 0 hidden_user_message", "r 75%"]
    event_surface.apply(*end())
    assert take(view) == ["r 1 text", "r 2 final", "r completed"]
    assert take(view) == []


async def test_its_own_prompt_is_not_shown_to_a_surface_again(event_surface: EventSurface) -> None:
    view = event_surface.view()
    view.own(PromptKey("r-u"))
    event_surface.apply(*begin(), *end())
    assert take(view) == ["r running", "r 0 text", "r 1 final", "r completed"]


async def test_a_run_that_was_going_on_is_joined(event_surface: EventSurface) -> None:
    event_surface.apply(*begin())
    view = event_surface.view()
    event_surface.apply(*end())
    assert take(view) == [
        "r running",
        "r 0 hidden_user_message",
        "r 1 text",
        "r 2 final",
        "r completed",
    ]


async def test_runs_that_were_over_are_not_sent(event_surface: EventSurface) -> None:
    event_surface.apply(*begin(), *end())
    view = event_surface.view()
    assert take(view) == []
    event_surface.apply(*begin("q"), *end("q"))
    assert take(view)[-1] == "q completed"


async def test_what_ends_before_the_first_look_is_sent_all_the_same(event_surface: EventSurface) -> None:
    """It joins when it is made: a short run may be over before the transport asks for frames."""
    view = event_surface.view()
    event_surface.apply(*begin(), *end())
    assert take(view)[0] == "r running"


async def test_while_it_is_held_nothing_is_sent_and_nothing_is_lost(event_surface: EventSurface) -> None:
    view = event_surface.view()
    event_surface.surface.news.clear()
    with view.held():
        event_surface.apply(*begin(), *end())
        assert take(view) == []
    assert event_surface.surface.news.is_set()  # the transport looks again
    assert take(view)[-1] == "r completed"


async def test_a_reader_that_fell_behind_gets_the_rest_once(event_surface: EventSurface) -> None:
    view = event_surface.view()
    event_surface.apply(*begin())
    assert take(view) == ["r running", "r 0 hidden_user_message"]
    for number in range(MAX_WAITING + 1):
        block = BlockId(f"b{number}")
        event_surface.apply(BlockPut(SystemBlock(id=block, run=R, text="x")), BlockGone(block))
    event_surface.apply(*end())
    assert take(view) == ["r 1 text", "r 2 final", "r completed"]


async def test_a_plan_is_sent_as_todos_too(event_surface: EventSurface) -> None:
    view = event_surface.view()
    event_surface.apply(*begin())
    steps = (PlanStep(text="Raise the leaf", status="inProgress"),)
    event_surface.apply(BlockPut(PlanBlock(id=BlockId("p"), run=R, steps=steps)))
    assert take(view) == [
        "r running",
        "r 0 hidden_user_message",
        "r 1 tool_call",
        "r 2 tool_result",
        "todos.update",
    ]


async def test_a_closed_view_gets_nothing(event_surface: EventSurface) -> None:
    view = event_surface.view()
    view.close()
    event_surface.apply(*begin())
    assert take(view) == []


# -- the past --


def ask_for(**more: int) -> SessionHistoryParams:
    return SessionHistoryParams(session_id=ONE, **more)


async def test_the_past_is_numbered_per_run(event_surface: EventSurface) -> None:
    event_surface.apply(*begin("r1"), *end("r1"), *begin("r2"), *end("r2"))
    frames, result = replay_frames(event_surface.app.hub.session(ONE), ask_for())
    assert [_short(json.loads(frame)) for frame in frames] == [
        *("r1 0 hidden_user_message", "r1 1 text", "r1 2 final"),
        *("r2 0 hidden_user_message", "r2 1 text", "r2 2 final"),
    ]
    assert result == SessionHistoryResult(runs=2, events_sent=6)


@pytest.mark.parametrize(
    ("asked", "result"),
    [
        ({}, SessionHistoryResult(runs=20, events_sent=60, truncated=True)),
        ({"max_runs": 25}, SessionHistoryResult(runs=25, events_sent=75)),
        ({"max_runs": 3}, SessionHistoryResult(runs=3, events_sent=9, truncated=True)),
        ({"max_events": 4}, SessionHistoryResult(runs=2, events_sent=4, truncated=True)),
        ({"max_runs": 0}, SessionHistoryResult(runs=0, events_sent=0, truncated=True)),
        ({"max_events": 0}, SessionHistoryResult(runs=0, events_sent=0, truncated=True)),
        ({"max_runs": -5}, SessionHistoryResult(runs=0, events_sent=0, truncated=True)),
    ],
)
async def test_as_much_of_the_past_as_was_asked_for(
    event_surface: EventSurface, asked: dict[str, int], result: SessionHistoryResult
) -> None:
    for number in range(25):
        event_surface.apply(*begin(f"r{number:02}"), *end(f"r{number:02}"))
    frames, said = replay_frames(event_surface.app.hub.session(ONE), ask_for(**asked))
    assert (said, len(frames)) == (result, result.events_sent)
    if result.events_sent:
        assert _short(json.loads(frames[-1])) == "r24 2 final"  # the newest are kept


async def test_a_run_that_is_going_on_is_left_to_the_view(event_surface: EventSurface) -> None:
    event_surface.apply(*begin("r1"), *end("r1"), *begin("r2"))
    frames, result = replay_frames(event_surface.app.hub.session(ONE), ask_for())
    assert (len(frames), result.runs) == (3, 1)
    view = event_surface.view()
    event_surface.apply(*end("r2"))
    assert take(view)[-1] == "r2 completed"


async def test_the_transport_is_woken_by_news(event_surface: EventSurface) -> None:
    view = event_surface.view()
    event_surface.surface.views[ONE] = view
    await asyncio.sleep(0)
    event_surface.apply(*begin())
    async with asyncio.timeout(PATIENCE_S):
        frames = await event_surface.surface.frames()
    assert _short(json.loads(frames[0])) == "r running"
