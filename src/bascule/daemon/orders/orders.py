"""Orders carried out: mirrored into a session here, and nothing written or run without a yes given here."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.bounded import forget_oldest
from bascule.core.faults import UserError
from bascule.core.order_workspaces import OrderPlace, find_place, parse_workspaces
from bascule.core.orders import MAX_NAME, NO_MOMENT, find_age_fault, find_fault, say_order
from bascule.core.prompts.prompt_blocks import order_block
from bascule.core.text.redact import Redactor
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.record import Record
from bascule.daemon.edits.offered_diffs import MAX_SHOWN_DIFF
from bascule.daemon.orders.order_actions import (
    NO_DIFF,
    ActionResult,
    OnAsk,
    OnLine,
    OrderActions,
    RunningOrder,
    TakenOrder,
    refuse_order,
    say_remotely,
)
from bascule.daemon.orders.order_line import OrderLine
from bascule.daemon.orders.sender_sessions import SenderSessions
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.session_choices import real_folder
from bascule.daemon.sessions.sessions import Sessions
from bascule.host.clock import parse_utc_ms, utc_text
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.order_store import OrderStore, StoredOrder
from bascule.model.asks import Refuse
from bascule.model.attachments import ErrorAttachment, StatusAttachment
from bascule.model.blocks import AssistantBlock, Block, ErrorBlock, InfoBlock
from bascule.model.changes import BlockGone, BlockPut
from bascule.model.consent.audit import Entry, Outcome, Remote
from bascule.model.consent.orders import Order, OrderEnd, OrderOutcome
from bascule.model.ids import BlockId, SessionId
from bascule.model.said import Said
from bascule.model.settings import Settings

MAX_GOING = 32  # at once
MAX_KEPT = 1_000  # outcomes in memory; the store has more

RECORDED: dict[OrderEnd, Outcome] = {
    "ok": "done",
    "error": "failed",
    "rejected": "rejected",
    "cancelled": "cancelled",
}
FAILED = "The order was not carried out"
KEPT_BACK = (
    "The diff holds what looks like a key or a password, so it is not sent. Look at it at the machine."
)
# A yes given before that was carried out, or not: nobody waited for its end.
STOPPED = (
    "Bascule was stopped while this order was carried out. If it had been confirmed by then, the log at the "
    "machine says what was written or run."
)
CANCELLED_WAITING = "It was cancelled while it waited in line. Nothing was written or run."
CRASHED = "The order crashed. `bascule logs` at the machine has details."
BUSY = f"{MAX_GOING} orders are being carried out here. Try again later."
USED = "This commandId was used for another order."
UNKNOWN = "No order {command_id} is being carried out here."
NO_LONGER_NAMED = (
    "Orders no longer work in the folder of that patch: `bascule.orders.workspaces` at the machine does not "
    "name it. Nothing was written."
)
IN_LINE = "Waiting in line"
AHEAD = "{count} order(s) ahead in this workspace. You can cancel it: `bascule orders --cancel {command_id}`."

log = logging.getLogger("bascule.orders")


class AcceptedOrder(Struct, frozen=True):
    """An Order that came here, for those who wait for its outcome or want to stop it."""

    order: Order
    outcome: "asyncio.Future[OrderOutcome]"
    going: RunningOrder
    relay: str = ""


class Orders:
    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        sessions: Sessions,
        actions: OrderActions,
        store: OrderStore,
        record: Record,
        redactor: Redactor,
        settings: Callable[[str], Settings],
        tasks: Tasks,
        host_name: str,
        now_ms: Callable[[], int],
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._actions = actions
        self._store = store
        self._record = record
        self._redactor = redactor
        self._settings = settings
        self._tasks = tasks
        self._host_name = host_name
        self._now_ms = now_ms
        self._line = OrderLine()
        self._taken: dict[str, AcceptedOrder] = {}  # by command id
        self._senders = SenderSessions(hub, sessions)

    @property
    def machine_id(self) -> str:
        return self._settings("").machine_id or self._host_name

    async def take(
        self,
        order: Order,
        workspace: str,
        via: str,
        *,
        relay: str = "",
        is_cancelled: bool = False,
        on_ask: OnAsk = lambda _asks, _is_asking: None,
        on_line: OnLine = lambda _is_waiting: None,
    ) -> OrderOutcome:
        """Once, however often it is sent; it goes on when the sender does not wait. `workspace`: of a
        connection that was made for one; else the Order names it, or the default holds. `relay`: its address,
        if it came by one. `is_cancelled`: that
        came before it. `on_ask` hears of each question here, when it opens and when it is over; `on_line`
        when it has to wait for other Orders, and when its turn has come."""
        fault = find_fault(order, self.machine_id) or self._find_clash(order)
        if fault is not None:
            try:
                return await self._refuse(order, workspace, _sender(order, via), fault)
            except UserError as unrecorded:  # the sender hears of a refusal all the same
                log.error("an order that was refused is not recorded: %s", unrecorded)
                return self._outcome(order, refuse_order(fault))
        if order.command_id not in self._taken:
            going = RunningOrder(is_cancelled=is_cancelled, on_ask=on_ask, on_line=on_line)
            self._begin(order, workspace, via, going, relay)
        return await asyncio.shield(self._taken[order.command_id].outcome)

    async def cancel(self, command_id: str) -> Refuse | None:
        """Stop it, whatever it is doing; None once that is on its way. Its outcome says what happened."""
        carried = self._taken.get(command_id)
        if carried is None or carried.outcome.done():
            return Refuse(UNKNOWN.format(command_id=command_id[:MAX_NAME]))
        return carried.going.cancel()

    def _find_clash(self, order: Order) -> Refuse | None:
        known = self._taken.get(order.command_id)
        if known is not None:
            return None if known.order == order else Refuse(USED)
        going = sum(not carried.outcome.done() for carried in self._taken.values())
        return Refuse(BUSY) if going >= MAX_GOING else None

    async def _refuse(self, order: Order, workspace: str, sender: Remote, fault: Refuse) -> OrderOutcome:
        await self._record.write(self._entry(order, sender, workspace, "refused", why=fault.why))
        return self._outcome(order, refuse_order(fault))

    def _begin(self, order: Order, workspace: str, via: str, going: RunningOrder, relay: str) -> None:
        outcome: asyncio.Future[OrderOutcome] = asyncio.get_running_loop().create_future()
        carried = AcceptedOrder(order, outcome, going, relay)
        self._taken[order.command_id] = carried
        forget_oldest(self._taken, MAX_KEPT, lambda taken: taken.outcome.done())
        self._tasks.start(f"order {order.command_id}", self._carry_out(carried, workspace, via))

    async def _carry_out(self, carried: AcceptedOrder, workspace: str, via: str) -> None:
        """Everyone who waits gets an outcome, whatever happens to us."""
        order = carried.order
        outcome = self._outcome(order, ActionResult(status="error", summary=CRASHED))
        try:
            outcome = await self._find_or_do(carried, workspace, _sender(order, via))
        except UserError as fault:
            log.warning("order %s was not carried out: %s", order.command_id, fault)
            outcome = self._outcome(order, ActionResult(status="error", summary=say_remotely(fault)))
        except asyncio.CancelledError:
            outcome = self._outcome(order, ActionResult(status="cancelled", summary=STOPPED))
            self._record.later(self._entry(order, _sender(order, via), workspace, "cancelled", why=STOPPED))
            self._finish_now(outcome)
            raise
        finally:
            carried.outcome.set_result(outcome)
            if not carried.going.is_begun:  # nothing was done, so it may come again
                self._taken.pop(order.command_id, None)

    def _finish_now(self, outcome: OrderOutcome) -> None:
        """As we leave, where nobody can wait; the next start would say the same in general."""
        try:
            self._store.finish(outcome)
        except UserError as fault:
            log.warning("the end of order %s was not stored: %s", outcome.command_id, fault)

    async def _find_or_do(self, carried: AcceptedOrder, workspace: str, sender: Remote) -> OrderOutcome:
        order = carried.order
        stored = await asyncio.to_thread(self._store.find, order.command_id)
        if stored is not None:
            carried.going.is_begun = True
            return await self._recall(order, stored, sender)
        place = await self._find_place(order, workspace)
        if isinstance(place, Refuse):
            return await self._refuse(order, workspace, sender, place)
        await asyncio.to_thread(self._store.begin, order, place.folder)
        carried.going.is_begun = True
        given = TakenOrder(
            order=place.order, sender=sender, workspace=place.folder, session=None, going=carried.going
        )
        result = await self._do(given, carried.relay)
        outcome = self._outcome(order, result)
        kept = result.offered
        whole = kept is not None and len(kept.answer) < MAX_SHOWN_DIFF
        diff, plan = (kept.answer, kept.plan) if kept is not None and whole else ("", "")
        await asyncio.to_thread(self._store.finish, outcome, diff, plan)
        return outcome

    async def _recall(self, order: Order, stored: StoredOrder, sender: Remote) -> OrderOutcome:
        """One that came before, perhaps in an earlier life of ours."""
        if stored.order != order:
            return await self._refuse(order, stored.workspace, sender, Refuse(USED))
        if stored.outcome is not None:
            return stored.outcome
        outcome = self._outcome(order, ActionResult(status="error", summary=STOPPED))
        await asyncio.to_thread(self._store.finish, outcome)
        return outcome

    async def _find_place(self, order: Order, workspace: str) -> OrderPlace | Refuse:
        settings = self._settings("").orders
        sent_ms = parse_utc_ms(order.created_at)
        if sent_ms is None:
            return NO_MOMENT
        if (old := find_age_fault(sent_ms, self._now_ms(), settings.max_age_minutes)) is not None:
            return old
        named = parse_workspaces(settings.workspaces)
        if isinstance(named, Refuse):
            return named
        if order.kind == "apply":
            return await asyncio.to_thread(self._find_patched, order, (workspace, *named.values()))
        place = find_place(order, named, workspace)
        if isinstance(place, Refuse):
            return OrderPlace("", order) if order.kind in ("help", "status") else place
        return replace(place, folder=await asyncio.to_thread(_find_folder, place.folder))

    def _find_patched(self, order: Order, named: Iterable[str]) -> OrderPlace | Refuse:
        """Where its patch was made, as long as Orders work there."""
        patch = self._store.find(order.ref_id)
        if patch is None:
            return Refuse(NO_DIFF)
        is_named = any(folder and _find_folder(folder) == patch.workspace for folder in named)
        return OrderPlace(patch.workspace, order) if is_named else Refuse(NO_LONGER_NAMED)

    async def _do(self, given: TakenOrder, relay: str) -> ActionResult:
        order = given.order
        try:
            given = replace(given, session=await self._find_session(order, given.workspace, relay))
            result = await self._in_turn(given)
        except UserError as fault:
            result = ActionResult(status="error", summary=str(fault), remote=say_remotely(fault))
        self._show(given, result)
        outcome, why = RECORDED[result.status], "" if result.status == "ok" else result.summary
        await self._record.write(
            self._entry(order, given.sender, given.workspace, outcome, why=why, ref=given.session or "")
        )
        return result

    async def _in_turn(self, given: TakenOrder) -> ActionResult:
        """One after the other in each workspace; what only tells something need not wait."""
        if given.order.kind in ("help", "status"):
            self._mirror(given)
            return await self._actions.do(given)
        name = BlockId(f"queued:{given.order.command_id}")
        loop = asyncio.get_running_loop()
        line = self._line.turn(
            given.workspace,
            given.order.command_id,
            self._settings(given.workspace).orders.at_once,
            lambda ahead: self._show_waiting(given, name, ahead),
        )
        async with AsyncExitStack() as turn:
            try:
                async with asyncio.timeout(None) as waiting:
                    given.going.stop = lambda: waiting.reschedule(loop.time())
                    await turn.enter_async_context(line)
            except TimeoutError:
                return ActionResult(status="cancelled", summary=CANCELLED_WAITING)
            finally:
                given.going.stop = lambda: None
                self._hide_waiting(given, name)
            if given.going.is_cancelled:  # while its session was opened
                return ActionResult(status="cancelled", summary=CANCELLED_WAITING)
            self._mirror(given)
            return await self._actions.do(given)

    def _show_waiting(self, given: TakenOrder, name: BlockId, ahead: int) -> None:
        given.going.wait_in_line(True)
        if given.session is not None:
            text = AHEAD.format(count=ahead, command_id=given.order.command_id)
            block = InfoBlock(
                id=name,
                run=self._roster.latest_run(given.session),
                at_ms=self._now_ms(),
                title=f"{IN_LINE}: {say_order(given.order)}",
                text=text,
                status="inProgress",
            )
            self._hub.apply(given.session, [BlockPut(block)])

    def _hide_waiting(self, given: TakenOrder, name: BlockId) -> None:
        given.going.wait_in_line(False)
        if given.session is not None:
            self._hub.apply(given.session, [BlockGone(name)])

    # -- where it is shown --

    async def _find_session(self, order: Order, workspace: str, relay: str) -> SessionId | None:
        """One for each sender and workspace, back among the tabs. None where an answer needs no agent."""
        if not workspace:
            return None
        try:
            return await self._senders.open(order.user_id, workspace, relay)
        except UserError as fault:
            if order.kind not in ("help", "status"):
                raise
            log.info("the order %s is not mirrored: %s", order.command_id, fault)
            return None

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
                said=Said("order.failed"),
                attachments=(ErrorAttachment(code=result.status, message=result.summary, title=FAILED),),
            )
        self._hub.apply(given.session, [BlockPut(block)])

    # -- what goes back, and what is kept --

    def _outcome(self, order: Order, result: ActionResult) -> OrderOutcome:
        """Without secrets. A diff is sent as it is, or not at all."""
        kept_back = bool(result.diff) and self._redactor.has_secret(result.diff)
        summary = self._redactor.redact(result.remote or result.summary)
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


def _find_folder(named: str) -> str:
    return real_folder(str(Path(named).expanduser()))
