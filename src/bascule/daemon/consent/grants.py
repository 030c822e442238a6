"""Grants: the yeses that last, listed for their session, and revoked where that is in our hands."""

import asyncio

from msgspec import Struct

from bascule.agents.driver import Driver
from bascule.core.consent.answer_check import find_choice
from bascule.daemon.agents.pool import AgentPool, place_of
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.record import Record, name_subject
from bascule.daemon.surfaces.surfaces import Surface
from bascule.host.processes.tasks import whole
from bascule.model.asks import Answer, Ask, Refuse
from bascule.model.consent.audit import Line
from bascule.model.ids import SessionId
from bascule.model.protocol.grants import Grant
from bascule.model.said import Said

MAX_GRANTS = 200  # of one session, the latest

BUSY = (
    "The sessions of this folder share one agent, and it is working or waiting for an answer. "
    "Stop its runs and answer its questions, then revoke."
)
NO_GRANT = "That is no longer granted."
THEIRS = "The agent keeps this rule in its own files. Remove it there."
FORGETS = "{title} was ended so that it forgets what it was allowed. The next prompt starts it again."


class SessionGrant(Struct, frozen=True):
    """An agent keeps it in memory: it is over when that process is."""

    session: SessionId
    grant: Grant
    driver: Driver


class Grants:
    def __init__(self, *, roster: Roster, pool: AgentPool, record: Record) -> None:
        self._roster = roster
        self._pool = pool
        self._record = record
        self._held: list[SessionGrant] = []

    def note(self, session: SessionId, ask: Ask, answer: Answer, at_ms: int) -> None:
        """A yes for the rest of the session, once the agent has it."""
        choice = find_choice(ask, answer)
        driver = self._pool.find_driver(place_of(self._roster.get(session)))
        if not choice.grants or choice.lasts != "session" or driver is None:
            return
        grant = Grant(
            id=ask.id,
            asked=name_subject(ask),
            lasts="session",
            rule=choice.rule,
            at_ms=at_ms,
            by=answer.by,
            revocable=True,
        )
        self._held = [*self._live(), SessionGrant(session, grant, driver)][-MAX_GRANTS:]

    def _live(self) -> list[SessionGrant]:
        """Those whose process still runs."""
        return [one for one in self._held if self._is_live(one)]

    def _is_live(self, one: SessionGrant) -> bool:
        return self._pool.find_driver(place_of(self._roster.get(one.session))) is one.driver

    async def list(self, session: SessionId) -> tuple[Grant, ...]:
        head = self._roster.get(session)
        kept = await asyncio.to_thread(self._record.find_lasting, head.workspace)
        file = self._pool.find_rules_file(head.agent)
        mine = [one.grant for one in self._live() if one.session == session]
        always = [_always(line, file) for line in kept]
        return tuple(sorted([*mine, *always], key=lambda grant: -grant.at_ms))

    async def revoke(self, session: SessionId, grant_id: str, surface: Surface) -> Refuse | None:
        """The agent forgets with its process; all that it was allowed for its sessions goes at once."""
        found = next((one for one in await self.list(session) if one.id == grant_id), None)
        if found is None:
            return Refuse(NO_GRANT, said=Said("grant.gone"))
        if not found.revocable:
            return Refuse(THEIRS, said=Said("grant.theirs"))
        head = self._roster.get(session)
        if self._roster.is_needed(place_of(head)):
            return Refuse(BUSY, said=Said("grant.busy"))
        started = self._record.entry(
            "grant", "started", asker=surface.who, asked=found.asked, workspace=head.workspace, ref=grant_id
        )

        async def forget() -> None:
            async with self._record.doing(started):
                await self._pool.rest(place_of(head), FORGETS)

        await whole(f"revoke a grant of {session}", forget())
        return None


def _always(line: Line, kept_in: str) -> Grant:
    entry = line.entry
    return Grant(
        id=entry.ref,
        asked=entry.asked,
        lasts="always",
        rule=entry.rule,
        at_ms=entry.at_ms,
        kept_in=kept_in,
    )
