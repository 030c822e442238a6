"""The sessions in which Orders are shown: one for each sender and workspace, and not without number."""

import asyncio

from bascule.core.faults import UserError
from bascule.core.session.status import GOING_ON
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.sessions import Sessions
from bascule.model.ids import SessionId
from bascule.model.session import Session

MAX_LISTED = 20  # in the lists; those unused for the longest are archived
MAX_KEPT = 200  # with the archived ones
FULL = (
    f"Orders of {MAX_KEPT} people are kept at the machine already. Somebody there must delete some of their "
    "sessions first."
)
ALL_BUSY = f"Orders of {MAX_LISTED} people are being carried out at the machine. Try again later."


class TooManySenders(UserError):
    """Its text is for the sender as well."""


class SenderSessions:
    def __init__(self, hub: Hub, sessions: Sessions) -> None:
        self._hub = hub
        self._sessions = sessions
        self._opening = asyncio.Lock()  # two first Orders of one person share a session

    async def open(self, user: str, workspace: str, relay: str = "") -> SessionId:
        """Back in the lists and among the tabs. `TooManySenders` where there is no room.

        The same name at another relay is another person."""
        async with self._opening:
            ours = [head for head in self._hub.conversations() if head.sender]
            wanted = (user, relay, workspace)
            known = next((one for one in ours if (one.sender, one.relay, one.workspace) == wanted), None)
            if known is None or known.place == "archived":
                self._make_room(ours, is_new=known is None)
            if known is None:
                return await self._sessions.create(workspace, sender=user, relay=relay)
            if known.place == "archived":
                self._sessions.set_place(known.id, "")
            if known.hidden:
                self._sessions.hide(known.id, False)
            await self._hub.load(known.id)
            return known.id

    def _make_room(self, ours: list[Session], *, is_new: bool) -> None:
        """`ours`: the latest first. What the person at the machine has pinned stays."""
        if is_new and len(ours) >= MAX_KEPT:
            raise TooManySenders(FULL)
        listed = [head for head in ours if head.place != "archived"]
        idle = [head for head in listed if not head.place and not self._is_going_on(head)]
        over = len(listed) - MAX_LISTED + 1
        if over > len(idle):
            raise TooManySenders(ALL_BUSY)
        for head in idle[len(idle) - over :] if over > 0 else ():
            self._sessions.set_place(head.id, "archived")

    def _is_going_on(self, head: Session) -> bool:
        return head.status in GOING_ON or bool(head.asks) or bool(head.queue)
