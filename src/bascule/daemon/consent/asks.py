"""Asks: opened once, answered once, recorded before the answer counts; silence means no."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

from msgspec.structs import replace

from bascule.core.bounded import forget_oldest
from bascule.core.consent.answer_check import STOPS, TOO_LATE, find_choice, find_fault
from bascule.core.consent.record_words import NOBODY
from bascule.core.faults import UserError
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.ask_links import see_links
from bascule.daemon.consent.record import Record
from bascule.daemon.sessions.hub import Hub
from bascule.host.processes.tasks import whole
from bascule.model.asks import Answer, Ask, Choice, Refuse, Subject
from bascule.model.changes import AskClosed, AskOpened
from bascule.model.consent.audit import Asker, Local, Outside, Remote
from bascule.model.ids import AskId, RunId, SessionId
from bascule.model.said import Said
from bascule.model.session import Session

MACHINE = SessionId("machine")  # where Asks open that belong to no conversation
MACHINE_TITLE = "This machine"

MAX_OPEN = 64  # Asks that surfaces here caused
MAX_OPEN_OUTSIDE = 16  # those at other machines, all together: they keep no room from this one
MAX_OPEN_EACH = 32  # of one source
MAX_STOPPED = 1_000  # runs that a no stops, remembered until they end

TOO_MANY = "Too many questions are open. Answer or withdraw some of them, then try again."
LEFT = "the program that asked no longer waits"
UNHEARD = "the program that asked had left when the answer came, so nothing was done"
NOT_TAKEN = "Your answer was not accepted, because it could not be recorded. Answer again when that works."
MOVED = Refuse(
    "A link changed while the question was open, so a path leads elsewhere now. Nothing was allowed; "
    "the question shows where, and can be answered again.",
    said=Said("ask.moved"),
)
OVERTAKEN = "the answer came too late: the question had been withdrawn, and nothing was allowed"
BARRED = "the answer no longer counted when it was recorded, and nothing was allowed"


Tell = Callable[[SessionId, Ask, Answer], Refuse | None]


class AnswerTaker(Protocol):
    def answer(self, answer: Answer) -> Refuse | None:
        """Tell the agent; a Refuse when it no longer waits for this."""


class Asks:
    """Which Asks are open is written in their sessions and nowhere else; here is only who waits for one."""

    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        record: Record,
        find_agent: Callable[[SessionId], Awaitable[AnswerTaker]],
        settle: Callable[[SessionId], Awaitable[None]],
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._record = record
        self._find_agent = find_agent
        self._settle = settle  # what is known of a session is stored
        self._new_id = new_id
        self._now_ms = now_ms
        self._waiting: dict[AskId, asyncio.Future[Answer]] = {}  # for answers to Asks of our own
        self._askers: dict[AskId, Asker] = {}  # of those
        self._taken: set[AskId] = set()  # answered, and on the way to the record
        self._stopped: dict[RunId, None] = {}
        self.find_answer_bar: Callable[[Ask, Answer], Refuse | None] = lambda _ask, _answer: None
        self.on_answered: Callable[[SessionId, Ask, Answer], None] = lambda _session, _ask, _answer: None
        self.say_reason: Callable[[SessionId, Answer], Awaitable[None]] = _keep_silent
        hub.on_ask_closed = self._closed

    async def ask(
        self,
        session: SessionId | None,
        title: str,
        subject: Subject,
        choices: tuple[Choice, ...],
        asker: Asker = "",
        *,
        plan: str = "",
        edit: str = "",
        said: Said | None = None,
        workspace: str = "",
    ) -> Answer:
        """Wait for a person; without a session, under "This machine". Who stops waiting withdraws it."""
        self._check_room(asker)
        place = self.open_machine() if session is None else session
        ask = Ask(
            id=AskId(self._new_id("desk")),
            title=title,
            subject=subject,
            choices=choices,
            sender=asker if isinstance(asker, Remote) else None,
            outside=asker if isinstance(asker, Outside) else None,
            by="bascule",
            opened_at_ms=self._now_ms(),
            said=said,
            plan=plan,
            edit=edit,
            workspace=workspace if session is None else "",
        )
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[ask.id], self._askers[ask.id] = answer, asker
        self._hub.apply(place, [AskOpened(ask)])
        try:
            return await answer
        except asyncio.CancelledError:
            if answer.done() and not answer.cancelled():
                self._record.unheard(ask, answer.result(), self._roster.get(place).workspace, UNHEARD)
            raise
        finally:
            del self._waiting[ask.id]
            if self._find(place, ask.id) is not None:
                self._hub.apply(place, [AskClosed(ask.id, "withdrawn", why=LEFT)])
            del self._askers[ask.id]

    def _check_room(self, asker: Asker) -> None:
        """Agents open Asks of their own, under their own ceilings."""
        outside = [other for other in self._askers.values() if isinstance(other, Outside)]
        here = len(self._askers) - len(outside)
        mine = sum(other == asker for other in self._askers.values())
        is_full = len(outside) >= MAX_OPEN_OUTSIDE if isinstance(asker, Outside) else here >= MAX_OPEN
        if is_full or mine >= MAX_OPEN_EACH:
            raise UserError(TOO_MANY)

    def find_asker(self, name: AskId) -> Asker | None:
        """Of an Ask of our own that is open."""
        return self._askers.get(name)

    def open_machine(self) -> SessionId:
        if self._hub.find(MACHINE) is None:
            now = self._now_ms()
            self._hub.add(
                Session(
                    id=MACHINE,
                    workspace="",
                    agent="",
                    title=MACHINE_TITLE,
                    title_by="person",
                    hidden=True,
                    created_at_ms=now,
                    updated_at_ms=now,
                )
            )
        return MACHINE

    async def answer(self, session: SessionId, answer: Answer) -> Refuse | None:
        """The first answer wins. A no may carry a reason for the agent."""
        ask = self._find(session, answer.ask)
        if ask is None or answer.ask in self._taken:
            return TOO_LATE
        barred = self._find_bar(session, answer)
        if barred is not None:
            return barred
        self._taken.add(answer.ask)  # from here on it is taken, however long the disk takes
        return await whole(f"the answer to {ask.id}", self._take(session, ask, answer))

    async def _take(self, session: SessionId, ask: Ask, answer: Answer) -> Refuse | None:
        """Recorded and then given: never the first alone, though who answered has left. By then the question
        is stored, so that a crash leaves no answer without it."""
        try:
            await self._settle(session)
            try:
                await self._record.answered(ask, answer, self._roster.get(session).workspace)
            except UserError as fault:
                return Refuse(f"{fault} {NOT_TAKEN}")
            tell: Tell = self._tell_asker
            if answer.ask not in self._waiting:
                tell = partial(self._tell_agent, await self._find_agent(session))
                await self._say_reason_first(session, ask, answer)
            if (barred := self._find_bar_now(session, answer)) is not None:
                why = OVERTAKEN if barred == TOO_LATE else f"{BARRED}: {barred.why}"
                await self._record.overtaken(ask, answer, self._roster.get(session).workspace, why)
                return barred
            return tell(session, ask, answer)
        finally:
            self._taken.discard(answer.ask)

    async def _say_reason_first(self, session: SessionId, ask: Ask, answer: Answer) -> None:
        """An agent that hears the no alone goes on at once, and may be done before it hears why."""
        if not answer.reason or self._find_bar_now(session, answer) is not None:
            return
        if not find_choice(ask, answer).grants:
            await self.say_reason(session, answer)

    def _find_bar_now(self, session: SessionId, answer: Answer) -> Refuse | None:
        """Of what is recorded: who gave it may have been revoked meanwhile, or the settings unreadable."""
        try:
            return self._find_bar(session, answer)
        except UserError as fault:
            return Refuse(str(fault))

    def _find_bar(self, session: SessionId, answer: Answer) -> Refuse | None:
        """Asked when an answer comes, and again when it is recorded: the disk may have taken long."""
        ask = self._find(session, answer.ask)
        if ask is None:
            return TOO_LATE
        barred = find_fault(ask, answer) or self.find_answer_bar(ask, answer)
        if barred is not None:
            return barred
        is_yes = find_choice(ask, answer).grants
        return MOVED if is_yes and (self._has_moved(session, ask) or answer.shown != ask.shown) else None

    def _has_moved(self, session: SessionId, ask: Ask) -> bool:
        """A yes is to where the paths led when they were shown. Where that changed, it is asked again."""
        now = see_links(ask, self._roster.get(session).workspace) if ask.by != "bascule" else ask
        if now == ask:
            return False
        self._hub.apply(session, [AskOpened(replace(now, shown=ask.shown + 1))])
        return True

    def _tell_asker(self, session: SessionId, ask: Ask, answer: Answer) -> Refuse | None:
        waiting = self._waiting[ask.id]
        closed = AskClosed(ask.id, "answered", choice=answer.choice, by=answer.by, why=answer.reason)
        self._hub.apply(session, [closed])
        if waiting.done():  # who asked is about to stop waiting
            self._record.unheard(ask, answer, self._roster.get(session).workspace, UNHEARD)
        else:
            waiting.set_result(answer)
        return None

    def _tell_agent(self, agent: AnswerTaker, session: SessionId, ask: Ask, answer: Answer) -> Refuse | None:
        if answer.choice == STOPS and ask.run is not None:
            self._stopped[ask.run] = None
            forget_oldest(self._stopped, MAX_STOPPED)
        refused = agent.answer(answer)
        if refused is None:
            self.on_answered(session, ask, answer)
        return refused

    def has_stopped(self, run: RunId) -> bool:
        """A person's no stops it."""
        return run in self._stopped

    def _find(self, session: SessionId, name: AskId) -> Ask | None:
        return next((ask for ask in self._roster.get(session).asks if ask.id == name), None)

    def _closed(self, session: Session, ask: Ask, closed: AskClosed) -> None:
        """One Ask has one end: what is being answered is recorded by its answer."""
        if closed.end != "answered" and ask.id not in self._taken:
            asker = self._askers.get(ask.id) or ask.sender or Local(surface=NOBODY)
            agent = Local(surface="agent", client=session.agent)
            self._record.closed(session, ask, closed, asker if ask.by == "bascule" else ask.sender or agent)


async def _keep_silent(_session: SessionId, _answer: Answer) -> None:
    """Where nothing speaks to agents."""
