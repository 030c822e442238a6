"""What each kind of Order does here. Of itself it only generates; the rest asks at this machine."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct

from bascule.core.bounded import forget_oldest
from bascule.core.faults import AgentFault, UserError
from bascule.core.orders import HELP, MAX_DIFF, MAX_LOGS, say_order, summarise
from bascule.core.prompts.prompt_outcome import OfferedDiff, PromptEnd
from bascule.core.prompts.purposes import ORDER_PREFIX
from bascule.core.session.status import shown_status
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.answer_wait import AnswerWait
from bascule.daemon.edits.edits import Edits
from bascule.daemon.edits.patches import find_answer
from bascule.daemon.edits.project_tests import ProjectTests
from bascule.daemon.orders.order_guard import OrderGuard
from bascule.daemon.orders.order_limits import LatePhase, OrderLimits, order_key
from bascule.daemon.orders.sender_sessions import TooManySenders
from bascule.daemon.prompts.prompts import Prompts
from bascule.daemon.sessions.hub import Hub
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.order_store import OrderStore, StoredOrder
from bascule.model.asks import Refuse
from bascule.model.blocks import Purpose
from bascule.model.consent.audit import Remote
from bascule.model.consent.orders import Order, OrderEnd, OrderKind
from bascule.model.edits import short_hash
from bascule.model.ids import PromptKey, SessionId
from bascule.model.session import Prompt
from bascule.model.settings import Settings

MAX_DIFFS = 1_000  # whose ids are remembered; older ones are checked against the files again
STOP_GRACE_S = 30.0  # for an agent that was interrupted and says nothing

DONE_BEFORE = "This order was already handled. Its outcome is in the log at the machine."
NOTHING = "Nothing was written."
ALLOWED = (
    "Bascule wrote nothing, but somebody at the machine allowed a command. The log there shows what it did."
)
NOT_YET = "Nothing is written."
NOT_YET_ALLOWED = "The diff is not written, but somebody at the machine allowed a command."
REMOVED = f"Somebody at the machine removed it from the queue. {NOTHING}"
INTERRUPTED = "It was stopped at the machine."
CANCELLED = "It was cancelled."
ENDING = "Its work has just ended. Its outcome follows."
CONFIRMED = "It was confirmed at the machine before, and is being written. Its outcome follows."
NO_ANSWER = "The agent said nothing."
NO_DIFF = "No diff of that order is kept at the machine. Ask for the patch again."
CHANGED = "The files have changed since that patch was made (plan {plan}). Ask for the patch again."
NOT_STARTED = "The agent at the machine did not start on it. The log there says why."
AGENT_ENDED = "The agent at the machine stopped. The log there says why."
TROUBLE = "The machine could not carry it out. The log there says why."
UNSENT = "the diff is too long to be sent, and can be seen at the machine"
LATE: dict[LatePhase, str] = {
    "waiting": "It waited too long for other work in its session, and was taken out.",
    "generating": "It took too long, and was stopped.",
    "retrying": "The agent at the machine can't reach its model, and was stopped.",
    "unanswered": "Nobody at the machine answered its question in time.",
}

OnAsk = Callable[[int, bool], None]  # how many questions so far, and whether one is open
OnLine = Callable[[bool], None]  # whether it waits for other Orders


class RunningOrder:
    """An Order that is being carried out, for anyone who wants to stop it."""

    def __init__(
        self,
        *,
        is_cancelled: bool = False,
        on_ask: OnAsk = lambda _asks, _is_asking: None,
        on_line: OnLine = lambda _is_waiting: None,
    ) -> None:
        self.is_begun = False  # it is stored, and what follows is done once
        self.is_cancelled = is_cancelled
        self._asks = 0  # questions here, so far
        self._is_in_line = False
        self._on_ask = on_ask
        self._on_line = on_line
        self.stop: Callable[[], Refuse | None] = lambda: None

    def cancel(self) -> Refuse | None:
        """Once: again is the same."""
        refused = None if self.is_cancelled else self.stop()
        self.is_cancelled = self.is_cancelled or refused is None
        return refused

    def ask(self, is_asking: bool) -> None:
        """A question has begun to wait for an answer here, or no longer does."""
        self._asks += is_asking
        self._on_ask(self._asks, is_asking)

    def wait_in_line(self, is_waiting: bool) -> None:
        """Others are carried out first, or its turn has come."""
        if is_waiting != self._is_in_line:
            self._is_in_line = is_waiting
            self._on_line(is_waiting)


class TakenOrder(Struct, frozen=True, kw_only=True):
    """An Order on its way: where it is carried out, and in whose name."""

    order: Order
    sender: Remote
    workspace: str
    session: SessionId | None  # None: no agent is to be had, and nothing is mirrored
    going: RunningOrder

    @property
    def key(self) -> PromptKey:
        return order_key(self.order.command_id)


class ActionResult(Struct, frozen=True, kw_only=True):
    status: OrderEnd
    summary: str
    remote: str = ""  # the same for the sender, where `summary` speaks of this machine or quotes its files
    diff: str = ""
    is_shown: bool = False  # the log of the session tells it already
    figures: dict[str, Any] | None = None
    offered: OfferedDiff | None = None  # to be kept for a later apply


SILENT = ActionResult(status="error", summary=NO_ANSWER)


class OrderActions:
    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        prompts: Prompts,
        edits: Edits,
        tests: ProjectTests,
        guard: OrderGuard,
        limits: OrderLimits,
        store: OrderStore,
        settings: Callable[[str], Settings],
        tasks: Tasks,
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._prompts = prompts
        self._edits = edits
        self._tests = tests
        self._guard = guard
        self._limits = limits
        self._store = store
        self._settings = settings
        self._tasks = tasks
        self._diffs: dict[str, str] = {}  # of this life, by the patch Order that made them
        self._kinds: dict[OrderKind, Callable[[TakenOrder], Awaitable[ActionResult]]] = {
            "help": self._help,
            "status": self._status,
            "plan": self._generate,
            "patch": self._generate,
            "apply": self._apply,
            "test": self._test,
        }

    async def do(self, given: TakenOrder) -> ActionResult:
        return await self._kinds[given.order.kind](given)

    async def _help(self, _given: TakenOrder) -> ActionResult:
        return ActionResult(status="ok", summary=HELP)

    async def _status(self, given: TakenOrder) -> ActionResult:
        """Numbers alone: what is worked on here is not sent."""
        heads = self._hub.conversations()
        counted = Counter(map(shown_status, heads))
        figures = {
            "machine": given.order.machine_id,
            "sessions": len(heads),
            "working": counted["working"],
            "waiting": counted["waiting_user"],
            "asks": sum(len(head.asks) for head in heads),
        }
        summary = ", ".join(f"{name} {value}" for name, value in figures.items())
        return ActionResult(status="ok", summary=summary, figures=figures)

    # -- a plan or a diff, in a run in which nothing can be written --

    async def _generate(self, given: TakenOrder) -> ActionResult:
        session, text = _where(given), say_order(given.order)
        if given.key in self._roster.lane(session).keys:
            return ActionResult(status="rejected", summary=DONE_BEFORE, is_shown=True)
        purpose: Purpose = "patch" if given.order.kind == "patch" else "plan"
        prompt = Prompt(key=given.key, text=text, purpose=purpose, sender=given.sender)
        outcome = self._prompts.submit(session, prompt)
        if isinstance(outcome, Refuse):
            return ActionResult(status="rejected", summary=outcome.why)
        late: list[LatePhase] = []
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(None) as patience:

                def stop() -> None:
                    self._stop(session, given.key)
                    if not patience.expired():
                        patience.reschedule(loop.time() + STOP_GRACE_S)

                def is_late(phase: LatePhase) -> None:
                    late.append(phase)
                    if phase != "unanswered":
                        stop()

                given.going.stop = stop
                limits = self._settings(given.workspace).orders
                watch = self._limits.watch(session, given.key, limits, is_late, given.going.ask)
                clock = self._tasks.start(f"time of order {given.order.command_id}", watch)
                try:
                    end = await outcome.ended()
                finally:
                    clock.cancel()
        except TimeoutError:
            end = PromptEnd(how="interrupted")
        given.going.stop = lambda: Refuse(ENDING)
        if end.how == "unsent":
            self._prompts.remove_queued(session, given.key)  # nobody waits for it any more
        return await self._judge(given, session, end, late)

    def _stop(self, session: SessionId, key: PromptKey) -> None:
        """It took too long, was cancelled, or we are leaving."""
        lane = self._roster.lane(session)
        if self._prompts.remove_queued(session, key) is None:
            return
        if lane.waits(key) or lane.is_running(key):
            self._prompts.interrupt(session)

    async def _judge(
        self, given: TakenOrder, session: SessionId, end: PromptEnd, late: list[LatePhase]
    ) -> ActionResult:
        """What the agent did unasked comes first: its answer is not sent."""
        was_allowed = self._guard.take_allowed(session)
        nothing = ALLOWED if was_allowed else NOTHING
        if breach := self._guard.take_breach(session):
            return ActionResult(status="rejected", summary=breach)
        if (ended_late := _end_late(given.going, end, late, nothing)) is not None:
            return ended_late
        if given.going.is_cancelled and end.how != "completed":
            return ActionResult(status="cancelled", summary=f"{CANCELLED} {nothing}")
        match end.how:
            case "removed":
                return ActionResult(status="cancelled", summary=REMOVED)
            case "interrupted":
                stopped = f"{INTERRUPTED} {nothing}"
                return ActionResult(status="cancelled", summary=stopped, is_shown=True)
            case "failed":
                return ActionResult(status="error", summary=end.why or NO_ANSWER, is_shown=True)
            case "lost":
                return ActionResult(status="error", summary=end.why, remote=AGENT_ENDED, is_shown=True)
            case "unsent":
                return ActionResult(status="error", summary=end.why, remote=NOT_STARTED, is_shown=True)
            case "completed":
                return await self._read_answer(given.order, session, end, was_allowed)

    async def _read_answer(
        self, order: Order, session: SessionId, end: PromptEnd, was_allowed: bool
    ) -> ActionResult:
        match end.diff:
            case OfferedDiff() as diff:
                return self._offer(order, diff, NOT_YET_ALLOWED if was_allowed else NOT_YET)
            case Refuse(why=why, remote=remote):
                return ActionResult(status="error", summary=why, remote=remote, is_shown=True)
            case None:
                blocks = (await self._hub.read(session)).blocks
                text = find_answer([block for block in blocks if block.run == end.run])
                return ActionResult(status="ok", summary=summarise(text), is_shown=True) if text else SILENT

    def _offer(self, order: Order, diff: OfferedDiff, not_yet: str) -> ActionResult:
        """The agent's own words go back. Lines that Bascule filled in from the files do not: the agent may
        never have read them."""
        self._keep_diff(order.command_id, diff.diff_id)
        whole = len(diff.answer) <= MAX_DIFF
        then = f"{not_yet} `{ORDER_PREFIX} apply {order.command_id}` asks for that at the machine."
        title = f"{diff.title}, plan {short_hash(diff.plan)}"
        said = f"{title}. {then}" if whole else f"{title}; {UNSENT}. {then}"
        sent = diff.answer if whole else ""
        return ActionResult(status="ok", summary=said, diff=sent, is_shown=True, offered=diff)

    # -- what needs a yes here --

    async def _apply(self, given: TakenOrder) -> ActionResult:
        stored = await asyncio.to_thread(self._store.find, given.order.ref_id)
        if stored is None:
            return ActionResult(status="error", summary=NO_DIFF)
        diff_id = await self._find_diff(given, stored)
        if isinstance(diff_id, Refuse):
            return ActionResult(status="error", summary=diff_id.why, remote=diff_id.remote)
        wait = AnswerWait(self._settings(stored.workspace).orders.answer_seconds, given.going.ask)
        given.going.stop = lambda: None if wait.give_up() else Refuse(CONFIRMED)
        cancelled = ActionResult(status="cancelled", summary=f"{CANCELLED} {NOTHING}")
        if given.going.is_cancelled:
            return cancelled
        written = await self._edits.apply(diff_id, given.sender, wait)
        if wait.gave_up:
            return cancelled
        named = (
            f", plan {short_hash(stored.plan)}" if written.status == "ok" else ""
        )  # as the machine shows it
        return ActionResult(
            status=written.status, summary=f"{written.summary}{named}", is_shown=not written.declined
        )

    async def _find_diff(self, given: TakenOrder, stored: StoredOrder) -> str | Refuse:
        """As it was made; after a restart it is checked against the files again, and must be the same."""
        diff_id = self._diffs.get(given.order.ref_id, "")
        if self._edits.is_kept(diff_id):
            return diff_id
        if not stored.diff:
            return Refuse(NO_DIFF)
        prepared = await self._edits.prepare(_where(given), stored.diff)
        if isinstance(prepared, Refuse):
            return prepared
        if prepared.hash != stored.plan:
            return Refuse(CHANGED.format(plan=short_hash(stored.plan)))
        self._keep_diff(given.order.ref_id, prepared.diff_id)
        return prepared.diff_id

    def _keep_diff(self, command_id: str, diff_id: str) -> None:
        self._diffs[command_id] = diff_id
        forget_oldest(self._diffs, MAX_DIFFS)

    async def _test(self, given: TakenOrder) -> ActionResult:
        session = _where(given)
        wait = AnswerWait(self._settings(given.workspace).orders.answer_seconds, given.going.ask)
        given.going.stop = lambda: None if wait.give_up() else self._tests.cancel(session)
        end = await self._tests.run(session, given.order.prompt.strip(), given.sender, wait)
        given.going.stop = lambda: Refuse(ENDING)
        tail = end.ran.logs.strip()[-MAX_LOGS:]
        summary = f"{end.ran.summary}\n{tail}".strip()
        return ActionResult(status=end.ran.status, summary=summary, is_shown=end.is_shown)


def _end_late(
    going: RunningOrder, end: PromptEnd, late: list[LatePhase], nothing: str
) -> ActionResult | None:
    """Silence is the reason only where it interrupted the run; it may also have gone on."""
    if not late or end.how == "completed":
        return None
    if late[-1] != "unanswered":
        return ActionResult(status="error", summary=f"{LATE[late[-1]]} {nothing}")
    if end.how != "interrupted" or going.is_cancelled:
        return None
    return ActionResult(status="rejected", summary=f"{LATE['unanswered']} {nothing}")


def refuse_order(fault: Refuse) -> ActionResult:
    return ActionResult(status="rejected", summary=fault.why, remote=fault.remote)


def say_remotely(fault: UserError) -> str:
    """The text of a fault is for the person here: it names their folders and what their agent printed."""
    match fault:
        case TooManySenders():
            return str(fault)
        case AgentFault():
            return NOT_STARTED
        case _:
            return TROUBLE


def _where(given: TakenOrder) -> SessionId:
    assert given.session is not None, "only help and status go without a session"
    return given.session
