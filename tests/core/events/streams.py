"""A stream of events, and the Changes of recorded wires."""

from collections.abc import Iterable
from typing import Any

from tests.agents.codex.listening import CWD, PLAYS

from bascule.core.events.run_events import NumberedEvent
from bascule.core.events.stream import ContextLeft, EventStream, Message, RunState
from bascule.model.blocks import (
    AssistantBlock,
)
from bascule.model.changes import (
    BlockPut,
)
from bascule.model.ids import BlockId, RunId, SessionId
from bascule.model.session import Session

EVERY_PLAY = sorted(path.stem for path in PLAYS.glob("*.wire"))
EMPTY = Session(id=SessionId("s"), workspace=CWD)
R = RunId("r")


def stream(session: Session = EMPTY, *, preflight: bool = True) -> EventStream:
    made = EventStream(preflight=preflight)
    made.join(session)
    return made


def line(message: Message) -> str:
    match message:
        case RunState():
            return f"{message.status} {message.message}".strip()
        case ContextLeft():
            return f"{message.percent}% left"
        case NumberedEvent(event=event):
            words = (event.get("tool", ""), "failed" if event.get("is_error") else "")
            return " ".join(word for word in (event["type"], *words) if word)


def lines(messages: Iterable[Message]) -> list[str]:
    return [line(message) for message in messages]


def events(messages: Iterable[Message]) -> list[dict[str, Any]]:
    return [message.event for message in messages if isinstance(message, NumberedEvent)]


def said(text: str, name: str = "m", run: RunId | None = R) -> BlockPut:
    return BlockPut(AssistantBlock(id=BlockId(name), run=run, text=text, status="completed"))
