"""A conversation that another program has open: which one, and what a person can do about it."""

from bascule.core.faults import UserError
from bascule.model.session import Elsewhere, Session


class HeldElsewhere(UserError):
    def __init__(self, there: Elsewhere) -> None:
        self.there = there
        who = there.holder or "Another program"
        ways = "Join it, fork it, or close it there" if there.home else "Fork it, or close it there"
        super().__init__(f"{who} has this session open. {ways} and try again.")


async def name_nobody(head: Session) -> Elsewhere:
    """Where nobody looks for the holder."""
    return Elsewhere(key=f"{head.agent}:{head.thread}", their_id=head.thread or "")
