"""Short ways to say what is folded, and what came out."""

from bascule.core.session.fold import Fold
from bascule.model.asks import Ask, Choice, CommandSubject
from bascule.model.blocks import (
    AssistantBlock,
    UserBlock,
)
from bascule.model.changes import (
    Change,
    Field,
    TextGrew,
)
from bascule.model.ids import AskId, BlockId, RunId, SessionId
from bascule.model.session import Run, Session

START = Session(id=SessionId("s"), workspace="/w")
R1, R2, R3 = RunId("r1"), RunId("r2"), RunId("r3")


def fold(*changes: Change, start: Session = START) -> Session:
    state = Fold(start)
    state.apply_all(changes)
    return state.session()


def grew(
    text: str, block: str = "b", field: Field = "text", part: int = 0, run: RunId | None = None
) -> TextGrew:
    return TextGrew(BlockId(block), field, text, part, run)


def user(name: str, run: RunId | None = None) -> UserBlock:
    return UserBlock(id=BlockId(name), run=run, text=name)


def said(name: str, run: RunId | None = None) -> AssistantBlock:
    return AssistantBlock(id=BlockId(name), run=run, text=name, status="completed")


def done(run: RunId) -> Run:
    return Run(id=run, outcome="completed")


def ids(session: Session) -> list[str]:
    return [block.id for block in session.blocks]


ASK = Ask(
    id=AskId("a"),
    title="Run this command?",
    subject=CommandSubject(command="ls", original="ls"),
    choices=(Choice(id="accept", label="Yes, once", grants=True),),
)
