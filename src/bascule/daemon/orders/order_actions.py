"""Deeds: what each kind of Order does here. Of itself it only generates; the rest asks at this machine."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct

from bascule.core.orders import HELP, MAX_DIFF, MAX_LOGS, say_order, summarise
from bascule.core.prompts.prompt_outcome import Errand, ErrandEnd
from bascule.core.prompts.purposes import ORDER_PREFIX, ordered_purpose
from bascule.core.session.status import shown_status
from bascule.daemon.agents.roster import Roster
from bascule.daemon.edits.edits import NOT_CONFIRMED as NOT_WRITTEN
from bascule.daemon.edits.edits import Edits
from bascule.daemon.edits.project_tests import NOT_CONFIRMED as NOT_RUN
from bascule.daemon.edits.project_tests import ProjectTests
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.prompts import Prompts
from bascule.daemon.sessions.watchers import SessionSnapshot
from bascule.model.attachments import DiffAttachment
from bascule.model.audit import Remote
from bascule.model.blocks import AssistantBlock, Block, ErrorBlock
from bascule.model.ids import PromptKey, SessionId
from bascule.model.orders import Order, OrderEnd, OrderKind
from bascule.model.session import Prompt

MAX_DIFFS = 1_000  # that a later Order may name

DONE_BEFORE = "This order was taken before. What became of it stands in the log at the machine."
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
        """Numbers alone: what is worked on here is not told."""
        heads = self._hub.conversations()
        counted = Counter(map(shown_status, heads))
        figures = {
            "machine": given.order.machine_id,
            "sessions": len(heads),
            "working": counted["working"],
            "waiting": counted["waiting_user"],
            "asks": sum(len(head.asks) for head in heads),
        }
        told = ", ".join(f"{name} {value}" for name, value in figures.items())
        return ActionResult(status="ok", summary=told, figures=figures)

    # -- a plan or a diff, in a run in which nothing can be written --

    async def _generate(self, given: TakenOrder) -> ActionResult:
        session, text = _where(given), say_order(given.order)
        if given.key in self._roster.lane(session).keys:
            return ActionResult(status="rejected", summary=DONE_BEFORE, is_shown=True)
        prompt = Prompt(key=given.key, text=text, sender=given.sender)
        refused = self._prompts.submit(session, prompt)
        if refused is not None:
            return ActionResult(status="rejected", summary=refused.why)
        errand = Errand(given.key, ordered_purpose(text))
        try:
            end = await self._follow(session, given.key, errand)
        except asyncio.CancelledError:
            self._stop(session, given.key, errand)
            raise
        if end is not None and end.outcome == "failed":
            self._prompts.remove_queued(session, given.key)  # nobody waits for it any more
        return self._judge(given, end)

    async def _follow(self, session: SessionId, key: PromptKey, errand: Errand) -> ErrandEnd | None:
        """None: somebody here took it out of the queue."""
        watcher, lane = self._hub.watch(session), self._roster.lane(session)
        try:
            while errand.is_shown or lane.waits(key):
                news = await watcher.next()
                if isinstance(news, SessionSnapshot):
                    ends = [errand.begin(news.session)]
                else:
                    ends = [errand.feed(numbered.change) for numbered in news]
                if end := next(filter(None, ends), None):
                    return end
            return None
        finally:
            watcher.close()

    def _stop(self, session: SessionId, key: PromptKey, errand: Errand) -> None:
        """It took too long, or we are leaving."""
        lane = self._roster.lane(session)
        if self._prompts.remove_queued(session, key) is None:
            return
        if lane.waits(key) or (lane.run is not None and lane.run == errand.run):
            self._prompts.interrupt(session)

    def _judge(self, given: TakenOrder, end: ErrandEnd | None) -> ActionResult:
        if end is None:
            return ActionResult(status="cancelled", summary=REMOVED)
        match end.outcome:
            case "interrupted":
                return ActionResult(status="cancelled", summary=INTERRUPTED, is_shown=True)
            case "failed":
                return ActionResult(status="error", summary=end.why or NO_ANSWER, is_shown=True)
            case "completed":
                return self._read_answer(given.order, end.answer)

    def _read_answer(self, order: Order, answer: Block | None) -> ActionResult:
        match answer:
            case AssistantBlock(attachments=(DiffAttachment() as diff,)):
                return self._offer(order, diff)
            case AssistantBlock(text=text) if text.strip():
                return ActionResult(status="ok", summary=summarise(text), is_shown=True)
            case ErrorBlock(text=text):
                return ActionResult(status="error", summary=text, is_shown=True)
            case _:
                return ActionResult(status="error", summary=NO_ANSWER)

    def _offer(self, order: Order, diff: DiffAttachment) -> ActionResult:
        self._diffs[order.command_id] = diff.diff_id
        for old in list(self._diffs)[:-MAX_DIFFS]:
            del self._diffs[old]
        whole = len(diff.unified_diff) <= MAX_DIFF
        then = f"Nothing is written. `{ORDER_PREFIX} apply {order.command_id}` asks for that at the machine."
        said = f"{diff.title}. {then}" if whole else f"{diff.title}; {UNSENT}. {then}"
        return ActionResult(status="ok", summary=said, diff=diff.unified_diff if whole else "", is_shown=True)

    # -- what needs a yes here --

    async def _apply(self, given: TakenOrder) -> ActionResult:
        diff_id = self._diffs.get(given.order.ref_id)
        if diff_id is None:
            return ActionResult(status="error", summary=NO_DIFF)
        written = await self._edits.apply(diff_id, given.sender)
        is_shown = written.summary != NOT_WRITTEN
        return ActionResult(status=written.status, summary=written.summary, is_shown=is_shown)

    async def _test(self, given: TakenOrder) -> ActionResult:
        ran = await self._tests.run(_where(given), given.order.prompt.strip(), given.sender)
        is_shown = ran.status != "rejected" or ran.summary == NOT_RUN
        tail = ran.logs.strip()[-MAX_LOGS:]
        return ActionResult(status=ran.status, summary=f"{ran.summary}\n{tail}".strip(), is_shown=is_shown)


def _where(given: TakenOrder) -> SessionId:
    assert given.session is not None, "only help and status go without a session"
    return given.session
