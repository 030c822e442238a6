"""What a list shows of a session: its status, and how its last run ended."""

from msgspec.structs import replace

from bascule.model.session import Ended, Run, Session, Status

GOING_ON: tuple[Status, ...] = ("working", "waiting_user")


def shown_status(head: Session) -> Status:
    """A session with an open Ask waits for a person, whatever the agent does meanwhile."""
    return "waiting_user" if head.asks else head.status


def shown_outcome(head: Session) -> Ended:
    """Empty while something is going on, and before anything was."""
    if shown_status(head) in GOING_ON:
        return ""
    if head.status == "stopped":
        return "failed"
    return ended(head.runs[-1]) if head.runs else ""


def end_left(head: Session) -> Session:
    """As its daemon left it: with that gone, nothing goes on and nobody can be answered."""
    return replace(head, status="stopped", asks=()) if shown_status(head) in GOING_ON else head


def ended(run: Run) -> Ended:
    if run.outcome == "running":
        return ""
    return "declined" if run.declined else run.outcome


def is_draft(head: Session) -> bool:
    """Nothing was said in it, nobody named it, and no agent knows of it."""
    is_unbegun = bool(head.agent) and head.thread is None and head.status == "unknown"
    return is_unbegun and head.title_by == "default" and not (head.runs or head.queue or head.asks)
