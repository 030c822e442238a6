"""What waits for a yes at its machine: the chat learns it, once for each question, and never the answer."""

import asyncio
from pathlib import Path

import pytest
from tests.patience import PATIENCE_S
from tests.relay.service import FakeMachine, Service, connect_machine, open_service
from tests.relay.test_relay import next_command, outcome_of
from tests.relay.test_wecom_bot import robot, wait_for_step

from bascule.core.relay.replies import ChatReply, say, say_ask
from bascule.host.processes.tasks import Tasks
from bascule.model.consent.orders import Order
from bascule.model.relay_frames import MAX_ASKS, LineFrame, ProgressFrame, StoredFrame, TakenFrame
from bascule.relay.chat import budget
from bascule.relay.chat.desk_notices import MAX_LISTED, MAX_SENDING, DeskNotices
from bascule.relay.chat.json_client import PushFailed
from bascule.relay.chat.outcome_sender import OutcomeSender
from bascule.relay.chat.platforms import ChatPlatform, Recipient
from bascule.relay.storage.records import NewCommand
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.storage.steps import Admit, Progress
from bascule.relay.wecom import bot_connection


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_connection, "FIRST_PAUSE_S", 0.02)
    monkeypatch.setattr("bascule.relay.relay_app.LOOK_S", 0.05)
    monkeypatch.setattr("bascule.relay.chat.desk_notices.LOOK_S", 0.05)


async def send(machine: FakeMachine, order: Order, asks: int, *, is_asking: bool) -> None:
    await machine.send(ProgressFrame(command_id=order.command_id, asks=asks, is_asking=is_asking))


async def begin(service: Service, machine: FakeMachine, text: str) -> Order:
    await machine.next()
    await service.say(text)
    order = await next_command(machine)
    await machine.send(TakenFrame(seq=1, command_id=order.command_id))
    return order


def fill(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a chat that has room for outcomes only."""
    take = budget.ChatBudget.take

    def take_outcomes(self: budget.ChatBudget, platform: str, chat: str, *, is_outcome: bool) -> bool:
        return is_outcome and take(self, platform, chat, is_outcome=True)

    monkeypatch.setattr(budget.ChatBudget, "take", take_outcomes)


async def state_of(service: Service, order: Order) -> str:
    _, seen = await service.operate("GET", f"/commands/{order.command_id}")
    return str(seen["state"])


async def test_each_question_is_told_once_whatever_comes_twice_or_late(service: Service) -> None:
    joined = await service.enroll("desk")
    async with connect_machine(joined) as machine:
        order = await begin(service, machine, "@dev plan split the module")
        for _ in range(2):
            await send(machine, order, 1, is_asking=True)
        assert await service.chat.next() == ("ann", say_ask(order.command_id, "desk", 1, "en"))
        _, listed = await service.operate("GET", "/inflight")
        assert [one["state"] for one in listed["items"]] == ["asking"]
        _, figures = await service.http(
            "GET", "/metrics", headers={"Authorization": f"Bearer {service.config.operations_token}"}
        )
        assert b'bascule_relay_commands{state="asking"} 1.0' in figures
        await send(machine, order, 1, is_asking=False)
        await wait_for_step(service, order.command_id, "goes on")
        assert await state_of(service, order) == "taken"
        await send(machine, order, 2, is_asking=True)
        assert await service.chat.next() == ("ann", say_ask(order.command_id, "desk", 2, "en"))
        await send(machine, order, 1, is_asking=True)  # out of order
        await send(machine, order, 1, is_asking=False)
        await send(machine, order, 2, is_asking=False)
        await send(machine, order, 2, is_asking=True)
        await machine.send(outcome_of(order))
        assert await machine.next() == StoredFrame(command_id=order.command_id)
        await send(machine, order, 3, is_asking=True)
        assert await service.chat.next() == ("ann", f"Done · {order.command_id}\na plan")
        await wait_for_step(service, order.command_id, "reported")
        _, seen = await service.operate("GET", f"/commands/{order.command_id}")
        assert [line["step"] for line in seen["events"]] == [
            *("created", "taken", "asking", "ask sent", "goes on", "asking", "ask sent", "goes on"),
            *("outcome", "reported"),
        ]
        assert service.chat.pushed.empty()


async def test_it_is_told_in_the_senders_language(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        joined = await service.enroll("desk")
        async with connect_machine(joined) as machine:
            order = await begin(service, machine, "@dev 测试")
            await send(machine, order, 1, is_asking=True)
            told = f"指令 {order.command_id} 正在 desk 上等待确认。"
            assert await service.chat.next() == ("ann", told)


async def test_another_machine_cannot_say_it(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        joined, other = await service.enroll("desk"), await service.enroll("other")
        async with connect_machine(joined) as machine, connect_machine(other) as liar:
            order = await begin(service, machine, "@dev plan one")
            await liar.next()
            await send(liar, order, 1, is_asking=True)
            await liar.send(outcome_of(order))
            assert await liar.next() == StoredFrame(command_id=order.command_id)
            assert await state_of(service, order) != "asking"


@pytest.mark.parametrize("asks", [0, -1, MAX_ASKS + 1, 2**63])
async def test_a_number_that_cannot_be_is_no_frame(tmp_path: Path, asks: int) -> None:
    async with open_service(tmp_path) as service:
        joined = await service.enroll("desk")
        async with connect_machine(joined) as machine:
            order = await begin(service, machine, "@dev plan one")
            await send(machine, order, asks, is_asking=True)
            with pytest.raises(EOFError):
                await machine.next()


async def test_it_never_takes_the_place_of_an_outcome(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(monkeypatch)
    async with open_service(tmp_path) as service:
        joined = await service.enroll("desk")
        async with connect_machine(joined) as machine:
            order = await begin(service, machine, "@dev plan one")
            await send(machine, order, 1, is_asking=True)
            await wait_for_step(service, order.command_id, "asking")
            await machine.send(outcome_of(order))
            assert await service.chat.next() == ("ann", f"Done · {order.command_id}\na plan")


async def test_one_that_had_to_wait_is_told_while_the_question_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(monkeypatch)
    async with open_service(tmp_path) as service:
        joined = await service.enroll("desk")
        async with connect_machine(joined) as machine:
            order = await begin(service, machine, "@dev plan one")
            await send(machine, order, 1, is_asking=True)
            await wait_for_step(service, order.command_id, "asking")
            monkeypatch.undo()
            assert await service.chat.next() == ("ann", say_ask(order.command_id, "desk", 1, "en"))


async def test_a_stream_says_that_it_waits_and_that_it_goes_on(tmp_path: Path) -> None:
    async with robot(tmp_path) as (wecom, service):
        joined = await service.enroll("desk")
        async with connect_machine(joined) as machine:
            await machine.next()
            await wecom.say("@Builder @dev plan split the module", group="g1")
            order = await next_command(machine)
            sent = say("taken", "en", machine="desk", id=order.command_id)
            assert await wecom.next() == ("g1", sent, False)
            working = f"{sent}\n{say('working', 'en', machine='desk')}"
            for asks in (1, 2):
                await send(machine, order, asks, is_asking=True)
                told = say_ask(order.command_id, "desk", asks, "en")
                assert await wecom.next() == ("g1", f"{sent}\n{told}", False)
                await send(machine, order, asks, is_asking=False)
                assert await wecom.next() == ("g1", working, False)
            wecom.end_streams()
            await machine.send(outcome_of(order))
            assert await wecom.next() == ("g1", f"Done · {order.command_id}\na plan", True)


async def test_one_in_line_at_its_machine_is_shown_so_until_its_turn(tmp_path: Path) -> None:
    async with robot(tmp_path) as (wecom, service):
        joined = await service.enroll("desk")
        async with connect_machine(joined) as machine:
            await machine.next()
            await wecom.say("@Builder @dev plan split the module", group="g1")
            order = await next_command(machine)
            sent = say("taken", "en", machine="desk", id=order.command_id)
            assert await wecom.next() == ("g1", sent, False)
            await machine.send(TakenFrame(seq=1, command_id=order.command_id))
            for is_waiting, state, words in ((True, "inLine", "in_line"), (False, "taken", "working")):
                for _ in range(2):
                    await machine.send(LineFrame(command_id=order.command_id, is_waiting=is_waiting))
                while (await wecom.next())[1] != f"{sent}\n{say(words, 'en', machine='desk')}":
                    pass
                assert await state_of(service, order) == state
            await send(machine, order, 1, is_asking=True)
            await wait_for_step(service, order.command_id, "ask sent")
            await machine.send(LineFrame(command_id=order.command_id, is_waiting=True))  # late
            await machine.send(outcome_of(order))
            await wait_for_step(service, order.command_id, "outcome")
            _, seen = await service.operate("GET", f"/commands/{order.command_id}")
            steps = [line["step"] for line in seen["events"]]
            assert steps[:6] == ["created", "taken", "in line", "its turn", "asking", "ask sent"]
            assert steps.count("in line") == 1


async def test_a_machine_in_whose_line_a_command_is_has_taken_it(service: Service) -> None:
    """It said so on a connection that broke."""
    async with connect_machine(await service.enroll("desk")) as machine:
        await machine.next()
        await service.say("@dev plan split the module")
        order = await next_command(machine)
        await machine.send(LineFrame(command_id=order.command_id, is_waiting=True))
        await machine.send(TakenFrame(seq=1, command_id=order.command_id))
        await wait_for_step(service, order.command_id, "in line")
        await machine.send(outcome_of(order))
        await wait_for_step(service, order.command_id, "outcome")
        _, seen = await service.operate("GET", f"/commands/{order.command_id}")
        assert [line["step"] for line in seen["events"]][:3] == ["created", "in line", "outcome"]


async def test_where_its_stream_is_over_it_is_a_message_of_its_own(tmp_path: Path) -> None:
    async with robot(tmp_path) as (wecom, service):
        joined = await service.enroll("desk")
        async with connect_machine(joined) as machine:
            await machine.next()
            await wecom.say("plan one", group="g1")
            order = await next_command(machine)
            await wecom.next()
            await wecom.drop()
            wecom.end_streams()
            await wecom.wait_for_robot()
            await send(machine, order, 1, is_asking=True)
            told = say_ask(order.command_id, "desk", 1, "en")
            assert await wecom.next() == ("g1", told, True)
            await machine.send(outcome_of(order))
            assert await wecom.next() == ("g1", f"Done · {order.command_id}\na plan", True)


class OneChat(ChatPlatform):
    def __init__(self, name: str, *, can_send: bool, fails: int = 0) -> None:
        self.name, self._can_send, self._fails = name, can_send, fails
        self.told: asyncio.Queue[str] = asyncio.Queue()

    @property
    def can_send(self) -> bool:
        return self._can_send

    async def send(self, to: Recipient, _reply: ChatReply) -> None:
        self._fails -= 1
        if self._fails >= 0:
            raise PushFailed("the chat is away")
        self.told.put_nowait(to.command_id)


async def add_asking(store: RelayStore, name: str, platform: str, *, chat: str, at_ms: int) -> None:
    order = Order(command_id=name, machine_id="desk", user_id="ann", kind="plan", prompt=name, created_at="")
    new = NewCommand(order=order, platform=platform, chat=chat, language="en", fingerprint=name)
    await store.run(Admit(messages=(), new=new, now_ms=at_ms, repeat_ms=0, most_waiting=10_000, node="n"))
    await store.run(Progress(command_id=name, machine="desk", asks=1, is_asking=True, now_ms=at_ms))


async def test_chats_that_can_get_nothing_now_hold_up_no_other(tmp_path: Path) -> None:
    store = RelayStore(str(tmp_path / "relay.db"))
    platforms = {name: OneChat(name, can_send=name == "open") for name in ("away", "open")}
    full = budget.ChatBudget(lambda: 1)
    for _ in range(budget.A_MINUTE[0]):
        full.take("open", "full", is_outcome=True)
    sender = OutcomeSender(store=store, platforms=platforms, budget=full, node="n", now_ms=lambda: 1)
    notices = DeskNotices(store=store, platforms=platforms, budget=full, sender=sender, now_ms=lambda: 1)
    for number in range(MAX_LISTED):
        platform = ("away", "gone")[number % 2]
        await add_asking(store, f"c_{number}", platform, chat="g", at_ms=number)
    for number in range(MAX_SENDING):
        await add_asking(store, f"c_full_{number}", "open", chat="full", at_ms=MAX_LISTED)
    for number in range(2 * MAX_SENDING):
        await add_asking(store, f"c_free_{number}", "open", chat=f"g{number}", at_ms=MAX_LISTED + 1)
    async with Tasks() as tasks, asyncio.timeout(PATIENCE_S):
        looking = tasks.start("notices", notices.run())
        told = {await platforms["open"].told.get() for _ in range(2 * MAX_SENDING)}
        looking.cancel()
    assert told == {f"c_free_{number}.1" for number in range(2 * MAX_SENDING)}
    store.close()


async def test_what_a_chat_did_not_take_is_told_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bascule.relay.chat.desk_notices.FIRST_RETRY_MS", 0)
    store, chat = RelayStore(str(tmp_path / "relay.db")), OneChat("chat", can_send=True, fails=2)
    free = budget.ChatBudget(lambda: 1)
    sender = OutcomeSender(store=store, platforms={"chat": chat}, budget=free, node="n", now_ms=lambda: 1)
    notices = DeskNotices(store=store, platforms={"chat": chat}, budget=free, sender=sender, now_ms=lambda: 1)
    await add_asking(store, "c_1", "chat", chat="g", at_ms=1)
    async with Tasks() as tasks, asyncio.timeout(PATIENCE_S):
        tasks.start("notices", notices.run())
        assert await chat.told.get() == "c_1.1"
    steps = [line.step for line in reversed(await store.read_audit(9, command_id="c_1"))]
    assert steps == ["created", "asking", *["ask sent", "ask not sent"] * 2, "ask sent"]
    store.close()
