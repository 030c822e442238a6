"""Events of agents, brought to the right session and into its lane."""

import logging
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from bascule.agents.driver import ThreadChanges
from bascule.core.consent.asked_work import Work, is_about
from bascule.core.faults import CODES, AgentGone, UserError
from bascule.core.session.growing_text import shorten
from bascule.core.session.status import GOING_ON
from bascule.core.session.titles import default_title
from bascule.daemon.agents.pool import AgentPlace
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.ask_links import see_links
from bascule.daemon.consent.ask_recovery import STOPPED_MEANWHILE, AskRecovery
from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.write_check import WriteCheck
from bascule.daemon.edits.patches import Patches
from bascule.daemon.orders.order_guard import OrderGuard, decline_ask
from bascule.daemon.prompts.prompts import MAX_REASON, Prompts
from bascule.daemon.sessions.hub import Hub
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.store_faults import SessionUnreadable
from bascule.model.asks import Ask
from bascule.model.attachments import ErrorAttachment
from bascule.model.blocks import ErrorBlock, UserBlock
from bascule.model.changes import AskClosed, AskOpened, BlockGone, BlockPut, Change, RunPut, StatusSet
from bascule.model.consent.audit import Remote
from bascule.model.ids import BlockId, PromptKey, SessionId, ThreadId
from bascule.model.said import Said
from bascule.model.session import Prompt, Run, Session

MAX_EARLY = 1_000  # of a session that is being loaded; with more, everything waits for that

log = logging.getLogger("bascule.agent_events")


class Stopped(NamedTuple):
    """What ended in the middle of a run."""

    title: str
    code: str


AGENT_STOPPED = Stopped("The agent stopped", "agent.stopped")
BASCULE_STOPPED = Stopped("Bascule was stopped", "bascule.stopped")


class EarlyEvent(NamedTuple):
    place: AgentPlace
    thread: ThreadId
    changes: Iterable[Change]


class AgentEvents:
    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        prompts: Prompts,
        asks: Asks,
        patches: Patches,
        guard: OrderGuard,
        ask_recovery: AskRecovery,
        write_check: WriteCheck,
        tasks: Tasks,
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._prompts = prompts
        self._asks = asks
        self._patches = patches
        self._guard = guard
        self._ask_recovery = ask_recovery
        self._write_check = write_check
        self._tasks = tasks
        self._new_id = new_id
        self._now_ms = now_ms
        self._early: dict[SessionId, list[EarlyEvent]] = {}
        self._held: dict[SessionId, list[RunPut | StatusSet]] = {}  # ends of runs that are being judged

    def take(self, place: AgentPlace, events: list[ThreadChanges]) -> None:
        for thread, changes in events:
            if self._roster.has_left(place.agent, thread):
                continue
            session = self._roster.find_by_thread(place.agent, thread)
            if session is None or self._hub.find(session) is None:  # one that cannot be read is set aside
                self._take(self._adopt(place, thread), changes)
            elif self._hub.is_loaded(session) and session not in self._early:
                self._take(session, changes)
            else:
                self._take_early(session, EarlyEvent(place, thread, changes))

    def _take_early(self, session: SessionId, early: EarlyEvent) -> None:
        """Events of a session whose log is not in memory wait for it, in order."""
        waiting = self._early.setdefault(session, [])
        waiting.append(early)
        if len(waiting) > MAX_EARLY:
            self._take_waiting(session, can_read=self._can_load(session))
        elif len(waiting) == 1:
            self._tasks.start(f"what came early for {session}", self._load_and_take(session))

    async def _load_and_take(self, session: SessionId) -> None:
        try:
            await self._hub.load(session)
        except UserError:
            self._take_waiting(session, can_read=False)
        else:
            self._take_waiting(session, can_read=True)

    def _take_waiting(self, session: SessionId, *, can_read: bool) -> None:
        """One that cannot be read gives its place to another."""
        waiting = self._early.pop(session, [])
        taker = session if can_read or not waiting else self._adopt(waiting[0].place, waiting[0].thread)
        for early in waiting:
            if not self._roster.has_left(early.place.agent, early.thread):
                self._take(taker, early.changes)

    def _can_load(self, session: SessionId) -> bool:
        try:
            self._hub.load_now(session)
        except SessionUnreadable:
            return False
        return True

    def _take(self, session: SessionId, changes: Iterable[Change]) -> None:
        """In wire order. A run whose answer is to be judged goes on, for those who watch, until it is."""
        waiting: list[Change] = []
        declined: list[Ask] = []
        for change in chain.from_iterable(map(partial(self._look, session), changes)):
            if isinstance(change, RunPut):
                self._hub.apply(session, waiting)
                waiting = []
                self._take_run(session, change)
            elif isinstance(change, StatusSet) and session in self._held:
                self._held[session].append(change)
            elif (sender := self._find_sender(session)) is not None:
                guarded = self._guard.take(session, sender, change)
                waiting.append(guarded.change)
                declined += [guarded.declined] if guarded.declined else []
            else:
                waiting.append(change)
        self._hub.apply(session, waiting)
        for ask in declined:
            self._tasks.start(f"no to {ask.id}", decline_ask(self._asks, session, ask))

    def _look(self, session: SessionId, change: Change) -> list[Change]:
        """At where paths lead: before a question is shown, and after what was approved is written.

        And at what a question that is over was about."""
        if isinstance(change, AskOpened):
            return [AskOpened(see_links(change.ask, self._roster.get(session).workspace))]
        return [*self._cancel_unbegun(session, change), *self._write_check.take(session, change)]

    def _find_sender(self, session: SessionId) -> Remote | None:
        """Of the Order behind what is going on there; a helper of an agent works for the same."""
        sender, head = self._roster.find_sender(session), self._roster.get(session)
        if sender is not None or head.parent_thread is None:
            return sender
        above = self._roster.find_by_thread(head.agent, head.parent_thread)
        return self._roster.find_sender(above) if above is not None else None

    def _take_run(self, session: SessionId, change: RunPut) -> None:
        run = change.run
        if run.outcome == "interrupted" and self._asks.has_stopped(run.id):
            run = replace(run, declined=True)
        prompt = self._roster.lane(session).find_prompt(run.id)
        if run.outcome == "completed" and prompt is not None and prompt.purpose == "patch":
            self._judge(session, change, prompt)
            return
        self._hub.apply(session, [RunPut(run)])
        is_running = run.outcome == "running"
        self._prompts.move(session, lambda lane: lane.started(run.id) if is_running else lane.ended(run))

    def _judge(self, session: SessionId, change: RunPut, prompt: Prompt) -> None:
        """What was asked for is a diff: whether the answer is one that fits is found out first."""
        run = change.run
        self._settle(session)  # one before it, should its judge still think
        self._held[session] = [change, StatusSet("completed")]
        self._hub.apply(session, [StatusSet("working")])  # Codex says that it rests before it ends the run
        self._prompts.move(session, lambda lane: lane.ended(run, hold=True))
        self._patches.judge(session, run.id, prompt, lambda: self._settle(session))

    def _settle(self, session: SessionId) -> None:
        """The end of what was judged; the status only where nothing else has begun."""
        head, lane = self._roster.get(session), self._roster.lane(session)
        running = {run.id for run in head.runs if run.outcome == "running"}
        busy = lane.run is not None or lane.starting is not None
        held = self._held.pop(session, [])
        ends = [one for one in held if (one.run.id in running if isinstance(one, RunPut) else not busy)]
        self._hub.apply(session, ends)

    def _adopt(self, place: AgentPlace, thread: ThreadId) -> SessionId:
        """A thread that nobody here began: an agent's helper. Shown, but not among the tabs."""
        session = Session(
            id=SessionId(self._new_id("s")),
            workspace=place.workspace,
            agent=place.agent,
            thread=thread,
            title=default_title(place.workspace, thread),
            hidden=True,
            created_at_ms=self._now_ms(),
            updated_at_ms=self._now_ms(),
        )
        self._hub.add(session)
        self._roster.bind(place.agent, thread, session.id)
        return session.id

    def agent_died(self, place: AgentPlace, why: str) -> None:
        """Running work has failed; the sessions stay usable."""
        for session in [id_ for id_, early in self._early.items() if early[0].place == place]:
            self._take_waiting(session, can_read=self._can_load(session))  # what it sent before it died
        for session in self._roster.busy(place.workspace, place.agent, place.via):
            self._settle(session)
            self._hub.apply(session, self._failed(session, why))
            self._roster.change(session, lambda lane: lane.lost(why))
            self._prompts.on_trouble(f"{AGENT_STOPPED.title}: {shorten(why, MAX_REASON)}")

    def recover(self) -> None:
        """After a crash of ours: what was going on is over, and silence was no yes."""
        self._ask_recovery.complete()
        for head in self._hub.heads():
            if (head.asks or head.status in GOING_ON) and self._can_load(head.id):
                ends = [change for ask in head.asks for change in self._ask_recovery.end(ask)]
                unbegun = [change for end in ends for change in self._cancel_unbegun(head.id, end)]
                runs = any(run.outcome == "running" for run in head.runs)
                is_work = runs or head.status in GOING_ON  # also where no agent had begun yet
                failed = self._failed(head.id, STOPPED_MEANWHILE, BASCULE_STOPPED) if is_work else []
                self._hub.apply(head.id, [*ends, *unbegun, *failed])
                self._take_back_unsent(head.id)

    def _cancel_unbegun(self, session: SessionId, change: Change) -> list[Change]:
        """What nobody said yes to did not run, and so it has not failed."""
        if not isinstance(change, AskClosed) or not change.unbegun:
            return []
        asks = [ask for ask in self._roster.get(session).asks if ask.id == change.ask]
        return [
            BlockPut(replace(block, status="cancelled"))
            for block in (self._hub.session(session).blocks if asks else ())
            if isinstance(block, Work)
            and block.status == "inProgress"
            and any(is_about(ask, block) for ask in asks)
        ]

    def _take_back_unsent(self, session: SessionId) -> None:
        """What the agent never said that it has goes back to the front of the queue, for a person to see."""
        blocks = self._hub.session(session).blocks
        unsent = [block for block in blocks if isinstance(block, UserBlock) and not block.sent]
        self._hub.apply(session, [BlockGone(block.id) for block in unsent])
        prompts = [
            Prompt(
                key=PromptKey(block.id),
                text=block.text,
                images=block.images,
                context=block.context,
                purpose=block.purpose,
            )
            for block in unsent
        ]
        self._roster.change(session, lambda lane: lane.take_back(prompts))

    def _failed(self, session: SessionId, why: str, what: Stopped = AGENT_STOPPED) -> list[Change]:
        head = self._roster.get(session)
        ended: list[Change] = [
            RunPut(
                Run(
                    id=run.id,
                    outcome="failed",
                    started_at_ms=run.started_at_ms,
                    ended_at_ms=self._now_ms(),
                    why=why,
                    said=Said(what.code),
                )
            )
            for run in head.runs
            if run.outcome == "running"
        ]
        last = head.runs[-1].id if head.runs else None
        block = ErrorBlock(
            id=BlockId(self._new_id("stopped")),
            run=last,
            at_ms=self._now_ms(),
            title=what.title,
            text="" if what is BASCULE_STOPPED else why,  # the title says it
            agent_stopped=True,
            said=Said(what.code),
            attachments=(ErrorAttachment(code=CODES[AgentGone], message=why, title=what.title),),
        )
        return [*ended, BlockPut(block), StatusSet("stopped")]
