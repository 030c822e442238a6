"""Outcomes back to the chat: what is too long becomes a file, and the platform's limits are kept."""

import asyncio
from pathlib import Path

import pytest
from tests.patience import PATIENCE_S
from tests.relay.chat_limits import ChatLimits
from tests.relay.service import FakeChat, Service, connect_machine, open_service
from tests.relay.test_relay import next_command, outcome_of
from tests.relay.test_wecom_bot import robot, wait_for_step

from bascule.core.relay.replies import MAX_BYTES, MAX_LINES, ChatReply, say, say_outcome
from bascule.host.clock import now_ms
from bascule.host.processes.tasks import Tasks
from bascule.model.consent.orders import Order, OrderOutcome
from bascule.model.relay_frames import ResultFrame, StoredFrame
from bascule.relay.chat import outcome_sender
from bascule.relay.chat.budget import AN_HOUR, ChatBudget
from bascule.relay.chat.json_client import JsonClient, PushFailed
from bascule.relay.chat.outcome_sender import OutcomeSender
from bascule.relay.chat.platforms import ChatPlatform, Recipient
from bascule.relay.config import WeComConfig
from bascule.relay.storage.records import NewCommand, StoredCommand
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.storage.steps import Admit, Finish
from bascule.relay.wecom.app_push import WeComPush

HEAD = "Done · c-1\n"
LONG = "\n".join(f"step {number} \u202e" for number in range(400))
REFUSED = "its file was not taken: WeCom answered 40006: invalid media size"
SPELT = LONG.replace("\u202e", "\\u202e")


def make_outcome(summary: str, command_id: str = "c-1") -> OrderOutcome:
    return OrderOutcome(
        command_id=command_id,
        machine_id="desk",
        status="ok",
        summary=summary,
        created_at="2026",
    )


@pytest.mark.parametrize(
    ("summary", "shown"),
    [
        ("one\n\nDone · c-2\nwritten", "one\n\n> Done · c-2\nwritten"),
        ("完成 · c-2\n  已取消 · c-3", "> 完成 · c-2\n>   已取消 · c-3"),
        ("Done · it works", "> Done · it works"),
        ("**Done · c_x**", "> **Done · c_x**"),
        ("# Done · c_x", "> # Done · c_x"),
        ("- done · c_x\n1 < 2", "> - done · c_x\n1 < 2"),
        ("Done ‧ c_x", "> Done ‧ c_x"),
        ('<font color="info">Done</font>', '< font color="info">Done< /font>'),
        ("[t][1]\n[1]: http://e", "[t] [1]\n[1] : http://e"),
        ("<https://e.example> <http://e|x>", "< https://e.example> < http://e|x>"),
        ("<!channel> @all @here ＠所有人", "< !channel> @ all @ here ＠ 所有人"),
        (
            "Done is better than perfect, a<=b, `@dev apply c-1`",
            "Done is better than perfect, a<=b, `@dev apply c-1`",
        ),
        ("![x](https://e.example/?k=1)", "![x] (https://e.example/?k=1)"),
        (
            "<a href='https://e.example'>ok</a> <@bob> a < b",
            "< a href='https://e.example'>ok< /a> < @bob> a < b",
        ),
    ],
)
def test_what_an_agent_says_is_no_other_outcome_no_link_and_mentions_nobody(summary: str, shown: str) -> None:
    assert say_outcome(make_outcome(summary), "en") == ChatReply(f"{HEAD}{shown}")


@pytest.mark.parametrize(
    "summary", ["", "x", "y" * (MAX_BYTES - len(HEAD.encode())), "a\n" * (MAX_LINES - 1)]
)
def test_what_one_message_holds_has_no_file(summary: str) -> None:
    assert say_outcome(make_outcome(summary), "en") == ChatReply(f"{HEAD}{summary}")


@pytest.mark.parametrize("summary", ["y" * MAX_BYTES, "a\n" * MAX_LINES, "字" * 1_000, LONG])
def test_what_it_does_not_hold_is_in_a_file(summary: str) -> None:
    for language in ("en", "zh", "ja"):
        reply = say_outcome(make_outcome(summary), language)
        assert len(reply.text.encode()) <= MAX_BYTES
        assert reply.text.endswith(f"…\n{say('attached', language)}")
        assert reply.file is not None
        assert reply.file.name == "c-1.txt"
        assert reply.file.text.endswith(summary.replace("\u202e", "\\u202e"))


async def run_long_plan(service: Service, text: str = "@dev plan x") -> str:
    """From WeCom's callback to its outcome; the command's id."""
    joined = await service.enroll("desk")
    async with connect_machine(joined) as machine:
        await machine.next()
        await service.say(text)
        order = await next_command(machine)
        await machine.send(outcome_of(order, summary=LONG))
        user, short = await service.chat.next()
        assert (user, short.endswith(say("attached", "en"))) == ("ann", True)
        return order.command_id


async def test_a_long_plan_comes_as_a_file_of_wecom(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        service.chat.fails = 1  # with a stale token first
        name = await run_long_plan(service)
        assert await service.chat.next() == ("ann", f"{name}.txt: Done · {name}\n{SPELT}")


async def test_a_file_that_is_refused_is_in_the_audit_and_the_text_is_sent_once(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        service.chat.refuses_files = True
        name = await run_long_plan(service)
        await wait_for_step(service, name, "reported")
        _, seen = await service.operate("GET", f"/audit/recent?commandId={name}&limit=1")
        assert seen["items"][0]["detail"] == REFUSED
        assert service.chat.pushed.empty()


async def test_a_long_plan_comes_as_a_file_of_the_robot(tmp_path: Path) -> None:
    async with robot(tmp_path) as (wecom, service):
        joined = await service.enroll("desk")
        async with connect_machine(joined) as machine:
            await machine.next()
            await wecom.say("plan x", group="g1")
            order = await next_command(machine)
            await wecom.next()
            await machine.send(outcome_of(order, summary=LONG))
            name = order.command_id
            assert (await wecom.next())[1].endswith(say("attached", "en"))
            assert await wecom.next() == ("g1", f"{name}.txt: Done · {name}\n{SPELT}", True)


async def test_the_robots_outcomes_share_a_message_where_there_is_no_room_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ChatBudget, "left", lambda _self, _platform, _chat: 1)
    async with robot(tmp_path) as (wecom, service):
        joined = await service.enroll("desk")
        async with connect_machine(joined) as machine:
            await machine.next()
            names = []
            for word in ("one", "two", "three"):
                await wecom.say(f"plan {word}", group="g1")
                names.append((await next_command(machine)).command_id)
                await wecom.next()
            await wecom.drop()
            for name in names:
                await machine.send(ResultFrame(result=make_outcome("a plan", name)))
                assert await machine.next() == StoredFrame(command_id=name)
            told = "\n\n".join(f"Done · {name}\na plan" for name in names)
            assert await wecom.next() == ("g1", told, True)
            for name in names[1:]:
                assert await wecom.next() == ("g1", say("elsewhere", "en", id=name), True)
            for name in names:
                await wait_for_step(service, name, "reported")
        assert wecom.seen.empty()


async def store_outcomes(store: RelayStore, count: int) -> list[str]:
    names = [f"c-{number:03}" for number in range(count)]
    for name in names:
        order = Order(command_id=name, machine_id="desk", user_id="ann", kind="plan", created_at="2026")
        new = NewCommand(order=order, platform="wecom", language="en", fingerprint="")
        await store.run(Admit(messages=(), new=new, now_ms=1, repeat_ms=0, most_waiting=count, node="n"))
        await store.run(Finish(outcome=make_outcome("done", name), machine="desk", now_ms=1, node="n"))
    return names


async def test_more_outcomes_than_a_chat_may_get_share_messages_and_none_is_lost(tmp_path: Path) -> None:
    store, client, told = RelayStore(str(tmp_path / "relay.db")), JsonClient(), list[str]()
    async with FakeChat().serving() as chat, Tasks() as tasks:
        names = await store_outcomes(store, 100)
        config = WeComConfig(corp_id="c", agent_id=1, token="t", aes_key="k", secret="s", api=chat.url)
        platforms = {"wecom": WeComPush(config, client)}
        sender = OutcomeSender(
            store=store, platforms=platforms, budget=ChatBudget(now_ms), node="n", now_ms=now_ms
        )
        await sender.read()
        tasks.start("sender", sender.run())
        async with asyncio.timeout(PATIENCE_S):
            while len(told) < len(names):
                user, text = await chat.pushed.get()
                assert user == "ann"
                told += [part.split("\n")[0].removeprefix("Done · ") for part in text.split("\n\n")]
            while await store.list_unreported("n"):
                await asyncio.sleep(0.01)
        assert told == names
        assert chat.faults == []
    client.close()
    store.close()


def test_wecom_refuses_none_of_what_its_limits_allow_and_all_that_is_more() -> None:
    """Three hours of a chat in which something is always waiting, by WeCom's count too: every other message
    is a second on its way."""
    clock, way_ms, sent = [0], [0], 0
    budget, theirs = ChatBudget(lambda: clock[0]), ChatLimits(lambda: (clock[0] + way_ms[0]) / 1000)
    while clock[0] < 3 * AN_HOUR[1]:
        way_ms[0] = 1_000 - way_ms[0]
        assert (budget.left("wecom", "ann") > 0) == (budget.next_ms("wecom", "ann") <= clock[0])
        if budget.take("wecom", "ann", is_outcome=True):
            assert theirs.take("ann")
            sent += 1
        clock[0] += 500
    assert sent == 3_000
    way_ms[0] = 0
    assert [theirs.take("bob") for _ in range(31)] == [True] * 30 + [False]
    hour = [theirs.take("eve") for clock[0] in range(clock[0], clock[0] + AN_HOUR[1], 3_000)]
    assert (sum(hour), hour[-1]) == (1_000, False)


class PickyChat(ChatPlatform):
    """Takes no message about some commands, and others at once."""

    name = "wecom"
    is_open = True

    def __init__(self, *refused: str) -> None:
        self.refused = refused
        self.taken: list[str] = []
        self.tried = 0

    @property
    def can_send(self) -> bool:
        return self.is_open

    async def send(self, to: Recipient, reply: ChatReply) -> None:
        assert reply.text
        if to.command_id in self.refused:
            self.tried += 1
            raise PushFailed("the chat is away")
        self.taken.append(to.command_id)


def make_sender(
    store: RelayStore, platform: ChatPlatform, clock: list[int], node: str = "n"
) -> OutcomeSender:
    return OutcomeSender(
        store=store,
        platforms={"wecom": platform},
        budget=ChatBudget(lambda: clock[0]),
        node=node,
        now_ms=lambda: clock[0],
    )


async def turn(sender: OutcomeSender) -> int:
    """One of its loop; how long it would wait then."""
    async with Tasks() as tasks:
        wait_ms = sender._start_due(tasks)
        while tasks.names:
            await asyncio.sleep(0)
    return wait_ms or 1_000


async def report_all(store: RelayStore, platform: PickyChat, hours: int) -> None:
    """Each wait for the next try is over at once, by a clock that runs ahead."""
    clock = [0]
    sender = make_sender(store, platform, clock)
    await sender.read()
    while clock[0] < hours * 3_600_000:
        clock[0] += await turn(sender)


async def test_an_outcome_that_is_not_taken_holds_up_none_and_is_given_up_after_a_day(tmp_path: Path) -> None:
    store, platform = RelayStore(str(tmp_path / "relay.db")), PickyChat("c-000")
    names = await store_outcomes(store, 4)
    await report_all(store, platform, hours=23)
    assert (platform.taken, platform.tried > 100) == (names[1:], True)
    assert [one.id for one in await store.list_unreported("n")] == ["c-000"]
    await report_all(store, platform, hours=25)
    lines = [line for line in await store.read_audit(10, command_id="c-000") if "reported" in line.step]
    assert [(line.step, line.detail) for line in lines[:2]] == [
        ("not reported", "given up after 24 hours: the chat is away"),
        ("not reported yet", "it is tried again for 24 hours"),
    ]
    assert await store.list_unreported("n") == []
    store.close()


class LedChat(PickyChat):
    """Sent to by one node at a time."""

    is_led = True


async def find(store: RelayStore, names: list[str]) -> list[StoredCommand]:
    found = [await store.find_command(name) for name in names]
    return [command for command in found if command is not None]


async def test_what_the_node_that_leads_a_chat_has_sent_is_not_sent_again_by_the_next_one(
    tmp_path: Path,
) -> None:
    store, first, second = RelayStore(str(tmp_path / "relay.db")), LedChat(), LedChat()
    second.is_open = False  # its robot is connected at the first node
    one, two = make_sender(store, first, [0], "first"), make_sender(store, second, [0])
    names = await store_outcomes(store, 3)
    for command in await find(store, names):
        two.add(command)  # its machine is connected there
    await turn(two)
    await one.read()
    await turn(one)
    second.is_open = True  # the first one is gone
    await two.read()
    await turn(two)
    assert (first.taken, second.taken) == (names, [])
    store.close()


async def test_outcomes_that_another_node_sends_leave_room_for_those_of_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outcome_sender, "MAX_WAITING", 2)
    store, robot, app = RelayStore(str(tmp_path / "relay.db")), LedChat(), PickyChat()
    robot.is_open = False
    sender = make_sender(store, robot, [0])
    names = await store_outcomes(store, 3)
    for command in await find(store, names):
        sender.add(command)
    sender._platforms = {"wecom": app}
    sender.add((await find(store, names[2:]))[0])
    await turn(sender)
    assert app.taken == names[2:]
    store.close()


async def test_a_node_that_others_took_for_dead_sends_nothing_that_is_theirs_now(tmp_path: Path) -> None:
    """It waits for its next try while its heir sends it; what is new is sent."""
    store, chat, clock = RelayStore(str(tmp_path / "relay.db")), PickyChat("c-000"), [0]
    sender = make_sender(store, chat, clock)
    first, second = await store_outcomes(store, 2)
    old, new = await find(store, [first, second])
    sender.add(old)
    clock[0] += await turn(sender)
    sender.forget()
    chat.refused = ()
    sender.add(new)
    for _ in range(4):
        clock[0] += await turn(sender)
    assert (chat.tried, chat.taken) == (1, [second])
    store.close()
