"""Sessions deleted after a yes, restored within some days, then removed from the store for good."""

import logging
from collections.abc import Callable
from pathlib import PurePath

from msgspec.structs import replace

from bascule.core.faults import UserError
from bascule.core.session.growing_text import shorten
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.manual_actions import YES, ManualActions, ManualQuestion, ManualRequest
from bascule.daemon.consent.record import Record
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.surfaces.surfaces import Surface
from bascule.host.processes.tasks import whole
from bascule.model.asks import ActionSubject, Refuse
from bascule.model.ids import SessionId
from bascule.model.said import Said
from bascule.model.session import Session
from bascule.model.settings import HistorySettings

DAY_MS = 24 * 60 * 60 * 1000
SWEEP_S = 60 * 60.0  # how often what is past its days is looked for
MAX_TITLE = 80

AT_WORK = "The agent is at work in this session. Stop the run before you delete the session."
WAITING = "This session has an open question. Answer it before you delete the session."
RETENTION = "retention"  # who asked, in the record, where nobody did


log = logging.getLogger("bascule.sessions")


class SessionDeleted(UserError):
    def __init__(self, session: SessionId) -> None:
        super().__init__(f"Session {session} was deleted. Restore it with: bascule session restore {session}")


class Deletion:
    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        manual: ManualActions,
        record: Record,
        settings: Callable[[], HistorySettings],  # the person's own: no workspace deletes sessions
        now_ms: Callable[[], int],
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._manual = manual
        self._record = record
        self._settings = settings
        self._now_ms = now_ms

    def check_there(self, session: SessionId) -> None:
        head = self._hub.find(session)
        if head is not None and head.deleted_at_ms is not None:
            raise SessionDeleted(session)

    async def delete(self, session: SessionId, surface: Surface) -> Refuse | None:
        """`Declined` when the answer is no."""
        head = self._roster.get(session)
        if refused := self._find_bar(head):
            return refused
        request = _request(head, surface, "Delete")

        async def mark_deleted() -> None:
            await self._hub.set_deleted(session, self._now_ms())

        return await self._manual.carry_out(
            request,
            _question(head, self._settings().deleted_days),
            mark_deleted,
            session,
            find_bar=lambda: self._find_bar(self._roster.get(session)),
        )

    def _find_bar(self, head: Session) -> Refuse | None:
        if not head.agent:
            return Refuse("This machine's own questions are not a session, and cannot be deleted.")
        if not self._roster.is_idle(head.id):
            return Refuse(AT_WORK, said=Said("delete.busy"))
        return (
            Refuse(WAITING, said=Said("delete.waiting"))
            if any(ask.by == "agent" for ask in head.asks)
            else None
        )

    async def restore(self, session: SessionId, surface: Surface) -> Refuse | None:
        head = self._roster.get(session)
        if head.deleted_at_ms is None:
            return Refuse("This session is not deleted.")
        request = _request(head, surface, "Restore")
        entry = self._record.entry(
            "delete", "started", asker=surface.who, asked=request.asked, workspace=head.workspace
        )

        async def unmark() -> None:
            async with self._record.doing(entry):
                await self._hub.set_deleted(session, None)

        await whole(request.asked, unmark())
        return None

    def list(self) -> list[Session]:
        """Those that can still be restored, the latest first."""
        return [head for head in self._hub.heads() if head.deleted_at_ms is not None]

    async def sweep(self) -> None:
        """Deletes what the retention setting says, and removes what was deleted long enough ago."""
        try:
            await self._sweep(self._settings(), self._now_ms())
        except UserError as fault:
            log.warning("deleted sessions were not removed: %s", fault)

    async def _sweep(self, settings: HistorySettings, now: int) -> None:
        if settings.keep_days:
            oldest = now - settings.keep_days * DAY_MS
            for head in self._hub.conversations():
                if head.updated_at_ms < oldest and self._may_expire(head):
                    await self._note(head, f"Delete, unused for {settings.keep_days} days: {_name(head)}")
                    if self._is_same(head) and self._may_expire(self._roster.get(head.id)):
                        await self._hub.set_deleted(head.id, now)
        for head in self.list():
            if (head.deleted_at_ms or 0) <= now - settings.deleted_days * DAY_MS:
                await self._note(head, f"Remove for good: {_name(head)}")
                if self._is_same(head):
                    await self._hub.purge(head.id)

    def _may_expire(self, head: Session) -> bool:
        return head.place != "pinned" and self._find_bar(head) is None

    def _is_same(self, head: Session) -> bool:
        """Nobody used, deleted or restored it while that was recorded."""
        found = self._hub.find(head.id)
        stamps = (head.updated_at_ms, head.deleted_at_ms)
        return found is not None and (found.updated_at_ms, found.deleted_at_ms) == stamps

    async def _note(self, head: Session, asked: str) -> None:
        entry = self._record.entry(
            "delete", "done", asker=RETENTION, asked=asked, workspace=head.workspace, ref=head.id
        )
        await self._record.write(entry)


def _question(head: Session, days: int) -> ManualQuestion:
    """The session as a person knows it; its id and whole path are in the record."""
    title, folder = shorten(head.title, MAX_TITLE), PurePath(head.workspace).name or head.workspace
    kept = f"It can be restored for {days} days." if days else "It cannot be restored."
    fields: dict[str, str | int] = {"title": title, "folder": folder}
    subject = ActionSubject(
        text=f"“{title}” in {folder}. {kept} The agent's own copy stays.",
        said=Said("action.delete", {**fields, "days": days}) if days else Said("action.delete_now", fields),
    )
    yes = replace(YES, label="Yes, delete it", said=Said("choice.delete"))
    return ManualQuestion("Delete this session?", Said("ask.delete"), subject, yes)


def _name(head: Session) -> str:
    return f"{shorten(head.title, MAX_TITLE)} ({head.id})"


def _request(head: Session, surface: Surface, verb: str) -> ManualRequest:
    return ManualRequest("delete", surface, f"{verb} session {_name(head)}", head.workspace)
