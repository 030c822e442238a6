"""Deeds: what each kind of Order does here. Of itself it only generates; the rest asks at this machine."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct

from bascule.core.bounded import forget_oldest
from bascule.core.orders import HELP, MAX_DIFF, MAX_LOGS, say_order, summarise
from bascule.core.prompts.prompt_outcome import OfferedDiff, PromptEnd
from bascule.core.prompts.purposes import ORDER_PREFIX
from bascule.core.session.status import shown_status
from bascule.daemon.agents.roster import Roster
from bascule.daemon.edits.edits import Edits
from bascule.daemon.edits.patches import find_answer
from bascule.daemon.edits.project_tests import ProjectTests
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.prompts import Prompts
from bascule.model.asks import Refuse
from bascule.model.consent.audit import Remote
from bascule.model.consent.orders import Order, OrderEnd, OrderKind
from bascule.model.ids import PromptKey, SessionId
from bascule.model.session import Prompt, Purpose

MAX_DIFFS = 1_000  # that a later Order may name

DONE_BEFORE = "This order was taken before. Its outcome is in the log at the machine."
REMOVED = "Somebody at the machine took it out of the queue."
INTERRUPTED = "It was stopped at the machine."
NO_ANSWER = "The agent said nothing."
NO_DIFF = "No diff of that order is kept at the machine. Ask for the patch again."
UNSENT = "the diff is too long to be sent, and can be seen at the machine"


class TakenOrder(Struct, frozen=True, kw_only=True):
    """An Order on its way: where it is carried out, and in whose name."""

    order: Order
    sender: Remote
    session: SessionId | None  # None: no agent is to be had, and nothing is mirrored

    @property
    def key(self) -> PromptKey:
        return PromptKey(f"order:{self.order.command_id}")


class ActionResult(Struct, frozen=True, kw_only=True):
    status: OrderEnd
    summary: str
    diff: str = ""
    is_shown: bool = False  # the log of the session tells it already
    figures: dict[str, Any] | None = None


SILENT = ActionResult(status="error", summary=NO_ANSWER)


class OrderActions:
    def __init__(
        self, *, hub: Hub, roster: Roster, prompts: Prompts, edits: Edits, tests: ProjectTests
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._prompts = prompts
        self._edits = edits
        self._tests = tests
        self._diffs: dict[str, str] = {}  # by the patch Order that made them
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
        try:
            end = await outcome.ended()
        except asyncio.CancelledError:
            self._stop(session, given.key)
            raise
        if end.how == "unsent":
            self._prompts.remove_queued(session, given.key)  # nobody waits for it any more
        return await self._judge(given, session, end)

    def _stop(self, session: SessionId, key: PromptKey) -> None:
        """It took too long, or we are leaving."""
        lane = self._roster.lane(session)
        if self._prompts.remove_queued(session, key) is None:
            return
        if lane.waits(key) or lane.is_running(key):
            self._prompts.interrupt(session)

    async def _judge(self, given: TakenOrder, session: SessionId, end: PromptEnd) -> ActionResult:
        match end.how:
            case "removed":
                return ActionResult(status="cancelled", summary=REMOVED)
            case "interrupted":
                return ActionResult(status="cancelled", summary=INTERRUPTED, is_shown=True)
            case "failed" | "unsent":
                return ActionResult(status="error", summary=end.why or NO_ANSWER, is_shown=True)
            case "completed":
                return await self._read_answer(given.order, session, end)

    async def _read_answer(self, order: Order, session: SessionId, end: PromptEnd) -> ActionResult:
        match end.diff:
            case OfferedDiff() as diff:
                return self._offer(order, diff)
            case Refuse(why=why):
                return ActionResult(status="error", summary=why, is_shown=True)
            case None:
                blocks = (await self._hub.read(session)).blocks
                text = find_answer([block for block in blocks if block.run == end.run])
                return ActionResult(status="ok", summary=summarise(text), is_shown=True) if text else SILENT

    def _offer(self, order: Order, diff: OfferedDiff) -> ActionResult:
        self._diffs[order.command_id] = diff.diff_id
        forget_oldest(self._diffs, MAX_DIFFS)
        whole = len(diff.unified) <= MAX_DIFF
        then = f"Nothing is written. `{ORDER_PREFIX} apply {order.command_id}` asks for that at the machine."
        said = f"{diff.title}. {then}" if whole else f"{diff.title}; {UNSENT}. {then}"
        return ActionResult(status="ok", summary=said, diff=diff.unified if whole else "", is_shown=True)

    # -- what needs a yes here --

    async def _apply(self, given: TakenOrder) -> ActionResult:
        diff_id = self._diffs.get(given.order.ref_id)
        if diff_id is None:
            return ActionResult(status="error", summary=NO_DIFF)
        written = await self._edits.apply(diff_id, given.sender)
        return ActionResult(status=written.status, summary=written.summary, is_shown=not written.declined)

    async def _test(self, given: TakenOrder) -> ActionResult:
        end = await self._tests.run(_where(given), given.order.prompt.strip(), given.sender)
        tail = end.ran.logs.strip()[-MAX_LOGS:]
        summary = f"{end.ran.summary}\n{tail}".strip()
        return ActionResult(status=end.ran.status, summary=summary, is_shown=end.is_shown)


def _where(given: TakenOrder) -> SessionId:
    assert given.session is not None, "only help and status go without a session"
    return given.session
