"""Orders carried out: mirrored into a session here, and nothing written or run without a yes given here."""

import asyncio
import logging
from collections.abc import Callable

from msgspec.structs import replace

from bascule.core.bounded import forget_oldest
from bascule.core.faults import UserError
from bascule.core.orders import find_fault, say_order
from bascule.core.prompts.prompt_blocks import order_block
from bascule.core.text.redact import Redactor
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.record import Record
from bascule.daemon.orders.order_actions import ActionResult, OrderActions, TakenOrder
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.sessions import Sessions
from bascule.host.clock import utc_text
from bascule.host.processes.tasks import Tasks
from bascule.model.asks import Refuse
from bascule.model.attachments import ErrorAttachment, StatusAttachment
from bascule.model.blocks import AssistantBlock, Block, ErrorBlock
from bascule.model.changes import BlockPut
from bascule.model.consent.audit import Entry, Outcome, Remote
from bascule.model.consent.orders import Order, OrderEnd, OrderKind, OrderOutcome
from bascule.model.ids import BlockId, SessionId
from bascule.model.settings import Settings

MAX_GOING = 32  # at once
MAX_KEPT = 1_000  # outcomes
PATIENCE_S = 15 * 60.0

RECORDED: dict[OrderEnd, Outcome] = {
    "ok": "done",
    "error": "failed",
    "rejected": "rejected",
    "cancelled": "cancelled",
}
FAILED = "The order was not carried out"
TOO_LATE = ActionResult(status="error", summary="It took too long, and was stopped. Nothing was written.")
LATE: dict[OrderKind, ActionResult] = {
    "apply": ActionResult(
        status="rejected", summary="Nobody at the machine confirmed it in time. Nothing was written."
    ),
    "test": ActionResult(
        status="rejected", summary="Nobody at the machine confirmed it in time, or it still runs."
    ),
}
KEPT_BACK = (
    "The diff holds what looks like a key or a password, so it is not sent. Look at it at the machine."
)
STOPPED = "Bascule was stopped while this order was carried out."
CRASHED = "Carrying it out crashed. `bascule logs` at the machine says how."
BUSY = f"{MAX_GOING} orders are being carried out here. Try again later."
USED = "This commandId was used for another order."

log = logging.getLogger("bascule.orders")


class Orders:
    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        sessions: Sessions,
        actions: OrderActions,
        record: Record,
        redactor: Redactor,
        settings: Callable[[str], Settings],
        tasks: Tasks,
        host_name: str,
        now_ms: Callable[[], int],
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._sessions = sessions
        self._actions = actions
        self._record = record
        self._redactor = redactor
        self._settings = settings
        self._tasks = tasks
        self._host_name = host_name
        self._now_ms = now_ms
        self.patience_s = patience_s
        self._taken: dict[str, tuple[Order, asyncio.Future[OrderOutcome]]] = {}  # by command id
        self._beginning = asyncio.Lock()  # two first Orders of one person share a session

    async def take(self, order: Order, workspace: str, via: str) -> OrderOutcome:
        """Once, however often it is sent; it goes on when whoever sent it does not wait."""
        machine = self._settings(workspace).machine_id or self._host_name
        fault = find_fault(order, machine) or self._find_clash(order)
        if fault is not None:
            sender = _sender(order, via)
            await self._record.write(self._entry(order, sender, workspace, "refused", why=fault.why))
            return self._outcome(order, ActionResult(status="rejected", summary=fault.why))
        if order.command_id not in self._taken:
            self._begin(order, workspace, via)
        return await asyncio.shield(self._taken[order.command_id][1])

    def _find_clash(self, order: Order) -> Refuse | None:
        known = self._taken.get(order.command_id)
        if known is not None:
            return None if known[0] == order else Refuse(USED)
        going = sum(not outcome.done() for _, outcome in self._taken.values())
        return Refuse(BUSY) if going >= MAX_GOING else None

    def _begin(self, order: Order, workspace: str, via: str) -> None:
        outcome: asyncio.Future[OrderOutcome] = asyncio.get_running_loop().create_future()
        self._taken[order.command_id] = (order, outcome)
        forget_oldest(self._taken, MAX_KEPT, lambda taken: taken[1].done())
        self._tasks.start(f"order {order.command_id}", self._carry_out(order, workspace, via, outcome))

    async def _carry_out(
        self, order: Order, workspace: str, via: str, outcome: "asyncio.Future[OrderOutcome]"
    ) -> None:
        """The sender gets an answer, whatever happens to us."""
        result = ActionResult(status="error", summary=CRASHED)
        try:
            result = await self._do(order, workspace, _sender(order, via))
        except asyncio.CancelledError:
            result = ActionResult(status="cancelled", summary=STOPPED)
            self._record.later(self._entry(order, _sender(order, via), workspace, "cancelled", why=STOPPED))
            raise
        finally:
            outcome.set_result(self._outcome(order, result))

    async def _do(self, order: Order, workspace: str, sender: Remote) -> ActionResult:
        given = TakenOrder(order=order, sender=sender, session=None)
        try:
            async with asyncio.timeout(self.patience_s):
                given = replace(given, session=await self._find_session(order, workspace))
                self._mirror(given)
                result = await self._actions.do(given)
        except TimeoutError:
            result = LATE.get(order.kind, TOO_LATE)
        except UserError as fault:
            result = ActionResult(status="error", summary=str(fault))
        self._show(given, result)
        outcome, why = RECORDED[result.status], "" if result.status == "ok" else result.summary
        await self._record.write(
            self._entry(order, sender, workspace, outcome, why=why, ref=given.session or "")
        )
        return result

    # -- where it is shown --

    async def _find_session(self, order: Order, workspace: str) -> SessionId | None:
        """One for each person and workspace, back among the tabs. None where an answer needs no agent."""
        try:
            async with self._beginning:
                return await self._open_session(order.user_id, workspace)
        except UserError as fault:
            if order.kind not in ("help", "status"):
                raise
            log.info("the order %s is not mirrored: %s", order.command_id, fault)
            return None

    async def _open_session(self, user: str, workspace: str) -> SessionId:
        heads = self._hub.heads()
        known = next((head for head in heads if (head.sender, head.workspace) == (user, workspace)), None)
        if known is None:
            return await self._sessions.create(workspace, sender=user)
        if known.hidden:
            self._sessions.hide(known.id, False)
        await self._hub.load(known.id)
        return known.id

    def _mirror(self, given: TakenOrder) -> None:
        """What is said to an agent is shown as its prompt."""
        if given.session is None or given.order.kind in ("plan", "patch"):
            return
        run, text = self._roster.latest_run(given.session), say_order(given.order)
        block = order_block(BlockId(given.key), text, given.sender, run, self._now_ms())
        self._hub.apply(given.session, [BlockPut(block)])

    def _show(self, given: TakenOrder, result: ActionResult) -> None:
        if given.session is None or result.is_shown:
            return
        name, run = BlockId(f"outcome:{given.order.command_id}"), self._roster.latest_run(given.session)
        block: Block
        if result.status == "ok":
            figures = result.figures
            block = AssistantBlock(
                id=name,
                run=run,
                at_ms=self._now_ms(),
                text=result.summary,
                status="completed",
                attachments=(StatusAttachment(title="Status", json=figures),) if figures else (),
            )
        else:
            block = ErrorBlock(
                id=name,
                run=run,
                at_ms=self._now_ms(),
                title=FAILED,
                text=result.summary,
                attachments=(ErrorAttachment(code=result.status, message=result.summary, title=FAILED),),
            )
        self._hub.apply(given.session, [BlockPut(block)])

    # -- what goes back, and what is kept --

    def _outcome(self, order: Order, result: ActionResult) -> OrderOutcome:
        """Without secrets. A diff is sent as it is, or not at all."""
        kept_back = bool(result.diff) and self._redactor.has_secret(result.diff)
        summary = self._redactor.redact(result.summary)
        return OrderOutcome(
            command_id=order.command_id,
            machine_id=order.machine_id,
            status=result.status,
            summary=f"{summary} {KEPT_BACK}" if kept_back else summary,
            diff="" if kept_back else result.diff,
            created_at=utc_text(self._now_ms()),
        )

    def _entry(
        self, order: Order, sender: Remote, workspace: str, outcome: Outcome, *, why: str, ref: str = ""
    ) -> Entry:
        return self._record.entry(
            "order", outcome, asker=sender, asked=say_order(order), workspace=workspace, ref=ref, why=why
        )


def _sender(order: Order, via: str) -> Remote:
    return Remote(user=order.user_id, command_id=order.command_id, via=via)
