"""What a list shows of a session."""

import pytest
from msgspec.structs import replace

from bascule.core.session.status import shown_outcome, shown_status
from bascule.model.asks import Ask, CommandSubject
from bascule.model.ids import AskId, RunId, SessionId
from bascule.model.session import Ended, Run, Session, Status

ASK = Ask(id=AskId("a"), title="?", subject=CommandSubject(command="ls", original="ls"), choices=())


@pytest.mark.parametrize("status", ["working", "waiting_user", "completed", "stopped", "unknown"])
def test_an_open_question_is_what_counts(status: Status) -> None:
    head = Session(id=SessionId("s"), workspace="/w", status=status)
    assert shown_status(head) == status
    assert shown_status(replace(head, asks=(ASK,))) == "waiting_user"


DONE = Run(id=RunId("r"), outcome="completed")


@pytest.mark.parametrize(
    ("run", "status", "outcome"),
    [
        (DONE, "completed", "completed"),
        (replace(DONE, outcome="failed"), "completed", "failed"),
        (replace(DONE, outcome="interrupted"), "completed", "interrupted"),
        (replace(DONE, outcome="interrupted", declined=True), "completed", "declined"),
        (replace(DONE, outcome="running"), "working", ""),
        (replace(DONE, outcome="failed"), "working", ""),  # another one is going on
        (DONE, "stopped", "failed"),  # a prompt that could not be sent, or an agent that died
    ],
)
def test_only_what_was_done_looks_done(run: Run, status: Status, outcome: Ended) -> None:
    head = Session(id=SessionId("s"), workspace="/w", status=status, runs=(replace(DONE, id=RunId("q")), run))
    assert shown_outcome(head) == outcome
    assert shown_outcome(replace(head, asks=(ASK,))) == ""
    assert shown_outcome(replace(head, runs=(), status="unknown")) == ""
