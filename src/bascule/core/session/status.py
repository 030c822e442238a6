"""The status that a list shows of a session."""

from bascule.model.session import Session, Status


def shown_status(head: Session) -> Status:
    """Whoever is asked something waits for a person, whatever the agent does meanwhile."""
    return "waiting_user" if head.asks else head.status
