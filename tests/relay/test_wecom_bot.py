"""WeCom's long connection: the relay as a robot, and the official client on the same server."""

import asyncio
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.patience import PATIENCE_S, until
from tests.relay.service import Service, connect_machine, open_service
from tests.relay.test_relay import next_command, outcome_of
from tests.relay.wecom_bot_server import BOT, SECRET, FakeWeCom

from bascule.core.relay.replies import HELP, say
from bascule.host.processes.tasks import Tasks
from bascule.model.relay_frames import StoredFrame, TakenFrame, WelcomeFrame
from bascule.relay.chat.budget import A_MINUTE, KEPT_BACK, ChatBudget
from bascule.relay.chat.intake import ChatMessage, Intake, TakenMessage
from bascule.relay.config import WeComBotConfig
from bascule.relay.storage.database import StoreAway
from bascule.relay.wecom import bot_chat, bot_connection
from bascule.relay.wecom.bot_chat import without_mention
from bascule.relay.wecom.bot_connection import BotConnection
from bascule.relay.wecom.bot_frames import BotMessage


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_connection, "FIRST_PAUSE_S", 0.02)
    monkeypatch.setattr("bascule.relay.relay_app.LOOK_S", 0.05)


@asynccontextmanager
async def robot(root: Path) -> AsyncIterator[tuple[FakeWeCom, Service]]:
    async with (
        FakeWeCom().serving() as wecom,
        open_service(root, wecom_bot=WeComBotConfig(bot_id=BOT, secret=SECRET, url=wecom.url)) as service,
    ):
        yield wecom, service
        assert wecom.faults == []


async def test_a_stream_follows_a_command_to_its_outcome(tmp_path: Path) -> None:
    async with robot(tmp_path) as (wecom, service):
        joined = await service.enroll("desk")
        async with connect_machine(joined) as machine:
            assert await machine.next() == WelcomeFrame(machine_id="desk")
            await wecom.say("@Builder @dev plan split the module", group="g1")
            order = await next_command(machine)
            sent = say("taken", "en", machine="desk", id=order.command_id)
            assert (order.user_id, order.prompt) == ("ann", "split the module")
            assert await wecom.next() == ("g1", sent, False)
            await machine.send(TakenFrame(seq=1, command_id=order.command_id))
            working = say("working", "en", machine="desk")
            assert await wecom.next() == ("g1", f"{sent}\n{working}", False)
            await machine.send(outcome_of(order))
            assert await machine.next() == StoredFrame(command_id=order.command_id)
            assert await wecom.next() == ("g1", f"Done · {order.command_id}\na plan", True)
            await wait_for_step(service, order.command_id, "reported")


async def wait_for_step(service: Service, command_id: str, step: str) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            _, seen = await service.operate("GET", "/audit/recent")
            if any((line["commandId"], line["step"]) == (command_id, step) for line in seen["items"]):
                return
            await asyncio.sleep(0.02)


async def test_an_outcome_arrives_where_its_stream_is_over(tmp_path: Path) -> None:
    async with robot(tmp_path) as (wecom, service):
        joined = await service.enroll("desk")
        async with connect_machine(joined) as machine:
            await machine.next()
            await wecom.say("plan one", group="g1")
            order = await next_command(machine)
            await wecom.next()
            wecom.end_streams()
            await machine.send(outcome_of(order))
            assert await wecom.next() == ("g1", f"Done · {order.command_id}\na plan", True)


async def test_after_a_lost_connection_the_outcome_goes_to_the_group(tmp_path: Path) -> None:
    async with robot(tmp_path) as (wecom, service):
        joined = await service.enroll("desk")
        async with connect_machine(joined) as machine:
            await machine.next()
            await wecom.say("plan one", group="g1")
            order = await next_command(machine)
            await wecom.next()
            wecom.end_streams()
            await wecom.drop()
            await machine.send(outcome_of(order))
            await wecom.wait_for_robot()
            assert await wecom.next() == ("g1", f"Done · {order.command_id}\na plan", True)
        assert len(wecom.connections) == 2


async def test_a_long_command_ends_its_stream_before_wecom_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with robot(tmp_path) as (wecom, service):
        joined = await service.enroll("desk")
        async with connect_machine(joined) as machine:
            await machine.next()
            await wecom.say("plan one")
            order = await next_command(machine)
            _, first, _ = await wecom.next()
            monkeypatch.setattr(bot_chat, "QUIET_MS", 0)
            waiting = say("waiting", "en", minutes="0")
            assert await wecom.next() == ("ann", f"{first}\n{waiting}", False)
            monkeypatch.setattr(bot_chat, "QUIET_MS", 240_000)
            monkeypatch.setattr(bot_chat, "LASTS_MS", 0)
            rest = [await wecom.next()]
            while not rest[-1][2]:
                rest.append(await wecom.next())
            assert rest[-1] == ("ann", say("follows", "en", id=order.command_id), True)
            await machine.send(outcome_of(order))
            assert await wecom.next() == ("ann", f"Done · {order.command_id}\na plan", True)


async def test_what_is_no_command(tmp_path: Path) -> None:
    async with robot(tmp_path) as (wecom, _service):
        await wecom.say("help", number=7)
        assert await wecom.next() == ("ann", HELP["en"], True)
        await wecom.say("help", number=7)  # the same message again
        await wecom.say("", msgtype="image")
        assert await wecom.next() == ("ann", say("text_only", "zh"), True)
        await wecom.say("", msgtype="voice", voice={"content": "帮助"})
        assert await wecom.next() == ("ann", HELP["zh"], True)
        await wecom.say("plan x", user="mallory")
        assert await wecom.next() == ("mallory", say("not_allowed", "en"), True)


async def test_frames_that_cannot_be_read_harm_nothing(tmp_path: Path) -> None:
    async with robot(tmp_path) as (wecom, _service):
        await wecom.wait_for_robot()
        for frame in ("{", "[]", "\x00", '{"cmd":"aibot_msg_callback","headers":{"req_id":"r"},"body":[1]}'):
            await wecom.connections[-1].send(frame)
        await wecom.connections[-1].send('{"headers":{"req_id":"nobody asked"},"errcode":0}')
        await wecom.say("help")
        assert (await wecom.next())[1] == HELP["en"]
        assert len(wecom.connections) == 1


async def test_a_robot_that_was_replaced_does_not_come_back_at_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with robot(tmp_path) as (wecom, _service):
        await wecom.wait_for_robot()
        await wecom.replace()
        await wecom.connections[0].wait_closed()
        assert "took over" in caplog.text
    assert len(wecom.connections) == 1


async def test_a_silent_wecom_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_connection, "ANSWER_S", 0.05)
    async with FakeWeCom().serving() as wecom:
        wecom.refuses_heartbeats = True
        config = WeComBotConfig(bot_id=BOT, secret=SECRET, url=wecom.url)
        async with Tasks() as tasks:
            tasks.start("robot", BotConnection(config, heartbeat_s=0.02).run(ignore))
            await until(lambda: len(wecom.connections) > 1, "a second connection")
    assert wecom.heartbeats >= 1


async def test_a_wecom_that_cannot_be_reached_is_tried_a_few_times_and_then_by_another_node(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with FakeWeCom().serving() as wecom:
        config = WeComBotConfig(bot_id=BOT, secret="another", url=wecom.url)
        async with asyncio.timeout(PATIENCE_S):
            await BotConnection(config).run(ignore)
    assert caplog.text.count("40001") == bot_connection.MAX_FAILED


async def ignore(_req_id: str, _message: BotMessage) -> None:
    return


async def test_a_wrong_secret_is_logged_without_the_secret(caplog: pytest.LogCaptureFixture) -> None:
    async with FakeWeCom().serving() as wecom:
        config = WeComBotConfig(bot_id=BOT, secret="wrong-secret", url=wecom.url)
        async with Tasks() as tasks:
            tasks.start("robot", BotConnection(config).run(ignore))
            await until(lambda: "40001" in caplog.text, "the refusal")
    assert "wrong-secret" not in caplog.text


def test_progress_leaves_room_for_outcomes() -> None:
    budget = ChatBudget(lambda: 1_000_000)
    progress = [budget.take("wecom-bot", "g", is_outcome=False) for _ in range(40)]
    outcomes = [budget.take("wecom-bot", "g", is_outcome=True) for _ in range(40)]
    assert (sum(progress), sum(outcomes)) == (A_MINUTE[0] - KEPT_BACK, KEPT_BACK)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("@Builder plan x", "plan x"),
        ("@Builder\u2005plan x", "plan x"),
        ("@dev plan x", "@dev plan x"),
        ("@dev：补丁 x", "@dev：补丁 x"),
        ("@Builder @dev测试 x", "@dev测试 x"),
        ("plan @x y", "plan @x y"),
        ("@Builder", "@Builder"),
        ("  ", ""),
    ],
)
def test_a_groups_mention_of_the_robot_is_not_part_of_the_command(text: str, left: str) -> None:
    assert without_mention(text) == left


async def test_the_official_client_finds_the_same_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that our own is tested on a server that behaves as WeCom's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from aibot import WSClient, WSClientOptions, ws

    monkeypatch.setattr(ws, "_SSL_CONTEXT", None)  # it is on this machine
    async with FakeWeCom().serving() as wecom, Tasks() as tasks:
        client = WSClient(WSClientOptions(bot_id=BOT, secret=SECRET, ws_url=wecom.url, heartbeat_interval=20))

        async def answer(frame: dict[str, Any]) -> None:
            await client.reply_stream(frame, "s1", "working", False)
            await client.reply_stream(frame, "s1", f"heard {frame['body']['text']['content']}", True)

        client.on("message.text", lambda frame: tasks.start("answer", answer(frame)))
        await client.connect()
        await wecom.say("plan x", group="g1")
        assert await wecom.next() == ("g1", "working", False)
        assert await wecom.next() == ("g1", "heard plan x", True)
        await client.send_message("g1", {"msgtype": "markdown", "markdown": {"content": "by itself"}})
        assert await wecom.next() == ("g1", "by itself", True)
        await until(lambda: wecom.heartbeats, "a heartbeat")
        client.disconnect()
        assert wecom.faults == []


async def test_a_message_while_the_database_is_away_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def is_away(_self: Intake, _message: ChatMessage) -> TakenMessage:
        raise StoreAway("no answer")

    monkeypatch.setattr(Intake, "take", is_away)
    async with robot(tmp_path) as (wecom, _service):
        await wecom.say("plan one", group="g1")
        assert await wecom.next() == ("g1", say("not_stored", "en"), True)
