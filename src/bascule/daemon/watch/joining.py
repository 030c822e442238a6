"""Joining a session that another program has open: used here and there, until it is left; or forked."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from bascule.core.faults import AgentFault, UserError
from bascule.core.session.growing_text import shorten
from bascule.daemon.agents.pool import AgentPool, place_of
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.record import Record
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.session_choices import real_folder
from bascule.daemon.sessions.sessions import Sessions
from bascule.daemon.surfaces.surfaces import Surface
from bascule.daemon.watch.session_watch import SessionWatch
from bascule.host.files.private_places import PrivatePaths
from bascule.host.watch.thread_lock import find_holder
from bascule.model.asks import Refuse
from bascule.model.changes import CapabilitiesSet, ElsewhereSet, HiddenSet
from bascule.model.consent.audit import Entry
from bascule.model.ids import SessionId, ThreadId
from bascule.model.session import Elsewhere, Session
from bascule.model.watch import WatchedSession

MAX_TITLE = 80
GONE = "That session is no longer on the board. Go back to Home to see those that are."
NOT_SHARED = (
    "Only a session that is open in Codex's shared daemon can be joined: one that was started as `codex`, "
    "without --no-daemon. Fork it, or close it there and resume it."
)
NOT_JOINED = Refuse("This session was not joined, so it cannot be left.")
QUEUED = Refuse("Prompts are waiting in this session. Send or remove them before you leave it.")
LEFT = "The session was left here; it continues where it was opened."
NO_FORK = "Only Codex sessions can be forked here."


class Joining:
    """Each is an act of a person at this machine, and recorded. Nothing is joined or answered by itself."""

    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        pool: AgentPool,
        sessions: Sessions,
        watch: SessionWatch,
        private: PrivatePaths,
        record: Record,
        codex_homes: Sequence[str],
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._pool = pool
        self._sessions = sessions
        self._watch = watch
        self._private = private
        self._record = record
        self._codex_homes = codex_homes
        self._new_id = new_id
        self._now_ms = now_ms
        self._joining = asyncio.Lock()  # a double click joins once

    # -- joining --

    async def join(self, key: str, surface: Surface) -> SessionId:
        """The session here. `UserError` where it cannot be joined; then everything is as before."""
        line = await self._get_line(key)
        home = self._watch.find_shared(line)
        if not home:
            raise UserError(NOT_SHARED)
        folder = await asyncio.to_thread(self._get_folder, line)
        entry = self._record.entry(
            "join", "started", asker=surface.who, asked=f"join {_name(line)}", workspace=folder, ref=key
        )
        async with self._joining:
            known = self._find_ours(line)
            if known is not None and place_of(known).via == home:
                return known.id
            async with self._record.doing(entry):
                return await self._join(line, home, folder, known)

    async def _join(self, line: WatchedSession, home: str, folder: str, known: Session | None) -> SessionId:
        there = Elsewhere(
            key=line.key, their_id=line.their_id, home=home, joined=True, is_guest=known is None
        )
        session = known.id if known is not None else self._add(line, folder, there)
        if known is not None:
            self._hub.apply(session, [ElsewhereSet(there), HiddenSet(False)])
        try:
            driver = await self._sessions.ready(session)
        except UserError:
            await self._undo(session, known)
            raise
        self._hub.apply(session, [CapabilitiesSet(driver.capabilities)])
        return session

    def _add(self, line: WatchedSession, folder: str, there: Elsewhere) -> SessionId:
        session, now = SessionId(self._new_id("s")), self._now_ms()
        self._hub.add(
            Session(
                id=session,
                workspace=folder,
                agent=line.agent,
                thread=ThreadId(line.their_id),
                title=line.title or line.their_id,
                title_by="agent",
                elsewhere=there,
                created_at_ms=now,
                updated_at_ms=now,
            )
        )
        self._roster.bind(line.agent, ThreadId(line.their_id), session)
        return session

    async def _undo(self, session: SessionId, known: Session | None) -> None:
        if known is not None:
            self._hub.apply(session, [ElsewhereSet(known.elsewhere)])
            return
        await self._forget(self._roster.get(session))

    # -- leaving --

    async def leave(self, session: SessionId, surface: Surface) -> Refuse | None:
        """What it asks stays open where it was opened."""
        head = self._roster.get(session)
        if head.elsewhere is None or not head.elsewhere.joined:
            return NOT_JOINED
        if head.queue:
            return QUEUED
        asked = f"leave {shorten(head.title, MAX_TITLE)} ({head.thread})"
        entry = self._record.entry(
            "join",
            "started",
            asker=surface.who,
            asked=asked,
            workspace=head.workspace,
            ref=head.elsewhere.key,
        )
        async with self._joining, self._record.doing(entry):
            await self._leave(head)
        return None

    async def _leave(self, head: Session) -> None:
        assert head.thread is not None
        assert head.elsewhere is not None
        place, driver = place_of(head), self._pool.find_driver(place_of(head))
        if driver is not None and driver.is_loaded(head.thread):
            try:
                await driver.leave(head.thread)
            except AgentFault:
                await self._pool.forget(place, LEFT)  # without the connection nothing more comes either
        await self._roster.open(head.id)
        self._roster.change(head.id, lambda lane: lane.lost(LEFT))
        if head.elsewhere.is_guest:
            await self._forget(head)
        else:
            self._hub.apply(head.id, [ElsewhereSet(None)])
        if all(place_of(other) != place for other in self._hub.heads()):
            await self._pool.forget(place, LEFT)

    async def _forget(self, head: Session) -> None:
        """Codex keeps it; here nothing was kept before it was joined."""
        assert head.thread is not None
        self._roster.unbind(head.agent, head.thread)
        await self._hub.purge(head.id)
        self._watch.forget_ours(head.agent, head.thread)

    # -- forking --

    async def fork(self, key: str, surface: Surface) -> SessionId | Refuse:
        """A session of our own with the same past; where it is open, nothing changes."""
        line = await self._get_line(key)
        if line.agent not in {agent.name for agent in self._pool.agents}:
            raise UserError(NO_FORK)
        known = self._find_ours(line)
        folder = known.workspace if known is not None else await asyncio.to_thread(self._get_folder, line)
        entry = self._record.entry(
            "join", "started", asker=surface.who, asked=f"fork {_name(line)}", workspace=folder, ref=key
        )
        if known is not None:
            return await self._fork_ours(known, entry)
        async with self._record.doing(entry):
            theirs = Session(
                id=SessionId(""),
                workspace=folder,
                agent=line.agent,
                thread=ThreadId(line.their_id),
                title=line.title or line.their_id,
                title_by="agent",
            )
            return await self._sessions.copy(theirs)

    async def _fork_ours(self, known: Session, entry: Entry) -> SessionId | Refuse:
        forked = await self._sessions.fork(known.id)
        why = forked.why if isinstance(forked, Refuse) else ""
        await self._record.write(replace(entry, outcome="refused" if why else "done", why=why))
        return forked

    # -- who has it --

    async def name_holder(self, head: Session) -> Elsewhere:
        """Shown with the session until it can be opened."""
        await self._watch.begin()
        key, thread = f"{head.agent}:{head.thread}", head.thread or ""
        line = self._watch.find(key)
        holders = [await asyncio.to_thread(find_holder, home, thread) for home in self._codex_homes]
        holder = next((str(one) for one in holders if one is not None), "")
        home = self._watch.find_shared(line) if line is not None else ""
        there = Elsewhere(key=key, their_id=thread, holder=holder, home=home)
        self._hub.apply(head.id, [ElsewhereSet(there)])
        return there

    # -- in common --

    async def _get_line(self, key: str) -> WatchedSession:
        await self._watch.begin()
        line = self._watch.find(key)
        if line is None:
            raise UserError(GONE)
        return line

    def _find_ours(self, line: WatchedSession) -> Session | None:
        known = self._roster.find_by_thread(line.agent, ThreadId(line.their_id))
        head = self._hub.find(known) if known is not None else None
        return head if head is not None and head.deleted_at_ms is None else None

    def _get_folder(self, line: WatchedSession) -> str:
        folder = real_folder(line.cwd) if line.cwd else ""
        if not folder or not Path(folder).is_dir():
            raise UserError(
                f"The folder of that session, {line.cwd or 'which is unknown'}, does not exist here."
            )
        if barred := self._private.find_bar_to_open(Path(folder)):
            raise UserError(barred.why)
        return folder


def _name(line: WatchedSession) -> str:
    return f"{line.agent} session {shorten(line.title, MAX_TITLE)} ({line.their_id})"
