"""How a session or a run stands, in words: a colour alone says nothing to a pipe, or to many eyes."""

from bascule.core.session.status import ended, shown_outcome, shown_status
from bascule.model.session import Ended, Run, Session, Status

WORDS: dict[Status, str] = {
    "working": "working",
    "waiting_user": "waits for you",
    "completed": "done",
    "stopped": "stopped",
    "unknown": "new",
}
ENDED: dict[Ended, str] = {
    "completed": "done",
    "failed": "failed",
    "interrupted": "interrupted",
    "declined": "declined",
}
STYLES = {
    "working": "green",
    "waits for you": "dark_orange",
    "done": "blue",
    "failed": "red",
    "interrupted": "yellow",
    "declined": "yellow",
}
ENDS: dict[Ended, str] = {
    "failed": "The run failed{why}.",
    "interrupted": "Interrupted.",
    "declined": "You declined, so the run was stopped.",
}


def status_word(head: Session) -> str:
    """Done is what was done: not what failed, was interrupted or declined."""
    return ENDED.get(shown_outcome(head)) or WORDS[shown_status(head)]


def end_of(run: Run) -> str:
    """A line for the end of a run that is not done; empty for one that is."""
    why = f": {run.why.rstrip('.')}" if run.why else ""
    return ENDS.get(ended(run), "").format(why=why)


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
