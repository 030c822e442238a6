"""A recorded wire, folded: what the session was at its end."""

from bascule.agents.codex.events.change_sink import ChangeSink
from bascule.agents.codex.events.translator import AgentRequest, AgentResponse, Translator
from bascule.core.session.fold import Fold
from bascule.model.changes import AgentChange, NoticePut
from bascule.model.ids import SessionId, ThreadId
from bascule.model.session import Session


def replay(recording: bytes) -> tuple[list[Session], str]:
    """The sessions in the order in which they first appeared, and what belongs to none of them."""
    sink = ChangeSink()
    translator = Translator(sink, _nobody)
    for line in recording.split(b"\n"):
        if line.startswith(b"<"):
            translator.feed(line[1:].strip() + b"\n")
    entries, agent = sink.take()
    folds: dict[ThreadId, Fold] = {}
    for thread, changes in entries:
        fold = folds.get(thread)
        if fold is None:
            session = Session(id=SessionId(thread), thread=thread, workspace=sink.view(thread).cwd)
            fold = folds[thread] = Fold(session)
        fold.apply_all(changes)
    return [fold.session() for fold in folds.values()], _noted(agent)


def _nobody(_call: AgentRequest | AgentResponse) -> None:
    """Answers and questions have been dealt with when it was recorded."""


def _noted(agent: list[AgentChange]) -> str:
    received = [change.block for change in agent if isinstance(change, NoticePut)]
    return "; ".join(block.title for block in received)
