"""A person at this machine, for tests of what asks first: keeps each question and answers as it was set."""

from collections.abc import Callable

from bascule.model.asks import Answer, Choice, Subject
from bascule.model.consent.audit import Asker, Local
from bascule.model.consent.origin import Origin
from bascule.model.ids import AskId, SessionId
from bascule.model.said import Said


class AnsweringAsks:
    """`meanwhile` happens while the question is open."""

    def __init__(self, choice: str, meanwhile: Callable[[], object] = lambda: None) -> None:
        self.choice = choice
        self.meanwhile = meanwhile
        self.asked: list[tuple[str, Subject]] = []

    async def ask(
        self,
        _session: SessionId | None,
        title: str,
        subject: Subject,
        choices: tuple[Choice, ...],
        _asker: Asker = "",
        said: Said | None = None,
        workspace: str = "",
    ) -> Answer:
        assert self.choice in [choice.id for choice in choices]
        self.asked.append((title, subject))
        self.meanwhile()
        return Answer(ask=AskId("ask-1"), choice=self.choice)


class SurfaceHere:
    who = Local(surface="page")
    origin = Origin(door="page")
