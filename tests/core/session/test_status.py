"""What a list shows of a session."""

import pytest
from msgspec.structs import replace

from bascule.core.session.status import shown_status
from bascule.model.asks import Ask, CommandSubject
from bascule.model.ids import AskId, SessionId
from bascule.model.session import Session, Status

ASK = Ask(id=AskId("a"), title="?", subject=CommandSubject(command="ls", original="ls"), choices=())


@pytest.mark.parametrize("status", ["working", "waiting_user", "completed", "stopped", "unknown"])
def test_an_open_question_is_what_counts(status: Status) -> None:
    head = Session(id=SessionId("s"), workspace="/w", status=status)
    assert shown_status(head) == status
    assert shown_status(replace(head, asks=(ASK,))) == "waiting_user"
