"""The time of an Order: an unanswered Ask is declined, waiting and generating each have their own limit."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.daemon.hubs import NOW_MS, ONE, make_session, open_hub
from tests.patience import PATIENCE_S

from bascule.daemon.agents.roster import Roster
from bascule.daemon.orders import order_limits as limits_module
from bascule.daemon.orders.order_limits import LatePhase, OrderLimits
from bascule.daemon.sessions.hub import Hub
from bascule.model.asks import Ask, Choice, CommandSubject
from bascule.model.blocks import AssistantBlock, ErrorBlock, InfoBlock
from bascule.model.changes import AskClosed, AskOpened, BlockPut, Change, TextGrew
from bascule.model.consent.audit import Remote
from bascule.model.ids import AskId, BlockId, PromptKey, SessionId
from bascule.model.said import AGENT_RETRIES, Said
from bascule.model.session import Prompt
from bascule.model.settings import OrderCommands, OrdersSettings

KEY = PromptKey("order:c-1")
NO_TIME = 0  # below what a settings file allows
QUICK = OrdersSettings(answer_seconds=NO_TIME, generate_seconds=NO_TIME)
ASK = Ask(
    id=AskId("ask-1"),
    title="Run make?",
    subject=CommandSubject(command="make", original="make", cwd="/w"),
    choices=(),
    sender=Remote(user="ann", command_id="c-1"),
    opened_at_ms=NOW_MS,
)


@pytest.fixture
async def hub(tmp_path: Path) -> AsyncIterator[Hub]:
    with open_hub(tmp_path / "db") as hub:
        yield hub


async def late_phase(
    hub: Hub,
    limits: OrdersSettings = QUICK,
    on_ask: Callable[[bool], None] = lambda _is_asking: None,
    now_ms: Callable[[], int] = lambda: NOW_MS,
) -> tuple[list[LatePhase], list[AskId]]:
    late: list[LatePhase] = []
    declined: list[AskId] = []

    async def decline(session: SessionId, ask: Ask) -> None:
        declined.append(ask.id)
        hub.apply(session, [AskClosed(ask.id, "answered", by="bascule")])

    order_limits = OrderLimits(hub=hub, roster=Roster(hub), decline=decline, now_ms=now_ms)
    async with asyncio.timeout(PATIENCE_S):
        await order_limits.watch(ONE, KEY, limits, late.append, on_ask)
    return late, declined


async def test_a_run_that_takes_too_long_is_late_while_it_generates(hub: Hub) -> None:
    hub.add(make_session())
    assert await late_phase(hub) == (["generating"], [])


async def test_one_in_the_queue_is_late_while_it_waits(hub: Hub) -> None:
    hub.add(make_session(queue=(Prompt(key=KEY, text="patch it"),), queue_held=True))
    patient = OrdersSettings(answer_seconds=NO_TIME, generate_seconds=900)
    assert await late_phase(hub, patient) == (["waiting"], [])


async def test_an_ask_that_nobody_answers_is_declined_and_the_run_goes_on(hub: Hub) -> None:
    hub.add(make_session())
    hub.apply(ONE, [AskOpened(ASK)])
    assert await late_phase(hub) == (["unanswered", "generating"], ["ask-1"])


@pytest.mark.parametrize(("commands", "told"), [("ask", [True, False]), ("deny", []), ("read-only", [])])
async def test_a_question_is_told_from_its_beginning_to_its_end_where_a_person_may_answer(
    hub: Hub, commands: OrderCommands, told: list[bool]
) -> None:
    heard: list[bool] = []
    hub.add(make_session())
    hub.apply(ONE, [AskOpened(replace(ASK, choices=(Choice(id="yes", label="Yes", grants=True),)))])
    await late_phase(hub, replace(QUICK, commands=commands), heard.append)
    assert heard == told


def retry(name: str = "error:1:retry") -> BlockPut:
    return BlockPut(ErrorBlock(id=BlockId(name), title="x", said=Said(AGENT_RETRIES)))


WARNING = BlockPut(InfoBlock(id=BlockId("i"), title="Falling back"))
ANSWER = BlockPut(AssistantBlock(id=BlockId("a"), text=""))
GREW = TextGrew(BlockId("a"), "text", "one")


@pytest.mark.parametrize(
    ("changes", "late"),
    [
        ([retry()], "retrying"),
        ([ANSWER, retry(), WARNING], "retrying"),
        ([retry(), ANSWER, retry()], "retrying"),
        ([retry(), ANSWER], "generating"),
        ([ANSWER, retry(), GREW], "generating"),
        ([BlockPut(ErrorBlock(id=BlockId("e"), title="x"))], "generating"),
    ],
)
async def test_an_agent_that_only_tries_again_is_late_sooner(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, changes: list[Change], late: LatePhase
) -> None:
    monkeypatch.setattr(limits_module, "RETRY_S", 0.5)
    hub.add(make_session())
    limits = OrdersSettings(answer_seconds=900, generate_seconds=1)
    if changes == [ANSWER, retry(), WARNING]:  # seen all at once, as after a pause
        hub.apply(ONE, changes)
    watching = asyncio.gather(late_phase(hub, limits))
    for change in changes:
        await asyncio.sleep(0.01)
        hub.apply(ONE, [change])
    assert (await watching)[0][0] == [late]


async def test_the_time_of_tries_counts_as_generating_too(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the agent says between them."""
    monkeypatch.setattr(limits_module, "RETRY_S", 60)
    hub.add(make_session())
    clock, limits = [NOW_MS], OrdersSettings(answer_seconds=900, generate_seconds=100)
    watching = asyncio.gather(late_phase(hub, limits, now_ms=lambda: clock[0]))
    for _ in range(3):
        for change, lasts_ms in ((retry(), 50_000), (ANSWER, 0)):
            hub.apply(ONE, [change])
            await asyncio.sleep(0.05)
            clock[0] += lasts_ms
    assert watching.done()
    assert (await watching)[0][0] == ["generating"]
