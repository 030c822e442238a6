"""Whether an answer fits its Ask: checked here, and nowhere else."""

from itertools import chain

from bascule.core.session.growing_text import is_text
from bascule.model.asks import Answer, Ask, Choice, Refuse
from bascule.model.said import Said

STOPS = "cancel"  # the no that stops the run
TOO_LATE = Refuse("already answered, or withdrawn", late=True, said=Said("ask.late"))


def find_fault(ask: Ask, answer: Answer) -> Refuse | None:
    allowed = [choice.id for choice in ask.choices]
    if answer.choice not in allowed:
        return Refuse(f"{answer.choice!r} is not one of this Ask's answers: {', '.join(allowed)}")
    if not all(map(is_text, (answer.reason, *chain.from_iterable(answer.answers.values())))):
        return Refuse("The answer holds bytes that are not text. Type it again.")
    return None


def find_choice(ask: Ask, answer: Answer) -> Choice:
    """Of an answer that has no fault."""
    return next(choice for choice in ask.choices if choice.id == answer.choice)
