"""An Order's work while it is cancelled: at its end, and when it may still be stopped."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace
from tests.daemon.hubs import ONE

from bascule.core.prompts.prompt_outcome import PromptEnd
from bascule.daemon.edits import project_tests
from bascule.daemon.orders import order_actions
from bascule.daemon.orders.order_actions import (
    AGENT_ENDED,
    ENDING,
    NO_ANSWER,
    ActionResult,
    OrderActions,
    RunningOrder,
    TakenOrder,
)
from bascule.daemon.prompts.prompt_outcomes import PromptOutcome
from bascule.host.processes.tasks import Tasks
from bascule.model.asks import Refuse
from bascule.model.consent.audit import Remote
from bascule.model.consent.orders import Order
from bascule.model.protocol.edits import RanTest
from bascule.model.settings import Settings

ORDER = Order(command_id="c-1", machine_id="m", user_id="ann", kind="plan", prompt="x", created_at="2026")


class PlanMaker:
    """Stands for the agent: its answer is read while `on_read` is called, perhaps it takes too long."""

    def __init__(self, *, is_late: bool = False) -> None:
        self.outcome = PromptOutcome()
        self.going = RunningOrder()
        self.cancelled: list[Refuse | None] = []
        self.stopped_tests = 0
        self._is_late = is_late

    def submit(self, *_: object) -> PromptOutcome:
        return self.outcome

    def lane(self, _session: object) -> Any:
        return SimpleNamespace(keys=(), waits=lambda _key: False, is_running=lambda _key: False)

    def remove_queued(self, *_: object) -> Refuse:
        return Refuse("it runs")

    def take_allowed(self, _session: object) -> bool:
        return False

    def take_breach(self, _session: object) -> str:
        return ""

    async def read(self, _session: object) -> Any:
        self.cancelled.append(self.going.cancel())
        return SimpleNamespace(blocks=())

    async def run(self, *_: object) -> project_tests.TestEnd:
        return project_tests.TestEnd(
            "done", RanTest(status="ok", summary="make: exit code 0", command="make")
        )

    def cancel(self, _session: object) -> None:
        """Whatever is tested in the session now."""
        self.stopped_tests += 1

    async def watch(self, *args: Any) -> None:
        """Late, and cancelled as often as there are turns of the loop until the order gives up."""
        if self._is_late:
            args[3]("generating")
            while True:
                await asyncio.sleep(0)
                self.going.is_cancelled = False
                self.cancelled.append(self.going.cancel())
        await asyncio.Future()

    async def carry_out(self, tasks: Tasks, order: Order = ORDER) -> ActionResult:
        it = cast(Any, self)
        actions = OrderActions(
            hub=it,
            roster=it,
            prompts=it,
            edits=it,
            tests=it,
            guard=it,
            limits=it,
            store=it,
            settings=lambda _: Settings(),
            tasks=tasks,
        )
        return await actions.do(
            TakenOrder(
                order=order,
                sender=Remote(user="ann", command_id="c-1"),
                workspace="/w",
                session=ONE,
                going=self.going,
            )
        )


async def test_what_is_cancelled_as_it_ends_keeps_its_end() -> None:
    maker = PlanMaker()
    maker.outcome.end(PromptEnd(how="completed"))
    async with Tasks() as tasks:
        result = await maker.carry_out(tasks)
    assert (result.summary, maker.cancelled) == (NO_ANSWER, [Refuse(ENDING)])


async def test_what_an_agent_printed_before_it_was_gone_is_not_for_the_sender() -> None:
    maker = PlanMaker()
    maker.outcome.end(PromptEnd(how="lost", why="Codex ended. It said: /home/ann/.codex is full"))
    async with Tasks() as tasks:
        result = await maker.carry_out(tasks)
    assert (result.status, result.remote) == ("error", AGENT_ENDED)
    assert result.summary == "Codex ended. It said: /home/ann/.codex is full"


async def test_a_test_that_is_cancelled_after_its_end_stops_no_later_one() -> None:
    maker = PlanMaker()
    async with Tasks() as tasks:
        result = await maker.carry_out(tasks, replace(ORDER, kind="test"))
    assert (result.summary, maker.going.cancel()) == ("make: exit code 0", Refuse(ENDING))
    assert maker.stopped_tests == 0


async def test_it_can_be_cancelled_at_any_moment_until_it_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(order_actions, "STOP_GRACE_S", 0.0)
    maker = PlanMaker(is_late=True)
    async with Tasks() as tasks:
        result = await maker.carry_out(tasks)
    assert (result.status, set(maker.cancelled)) == ("error", {None})
