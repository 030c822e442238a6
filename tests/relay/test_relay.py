"""The relay as a whole: who gets in, what reaches which machine, and what the chat hears of it."""

import asyncio
import json
import sqlite3
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.patience import FOREVER_S, PATIENCE_S
from tests.relay.service import (
    WEBHOOK,
    FakeMachine,
    Service,
    connect_machine,
    make_request,
    open_service,
)

from bascule.core.faults import UserError
from bascule.core.relay.replies import HELP, TEXTS, say
from bascule.host.clock import now_ms
from bascule.host.config.bridge_file import make_joined
from bascule.host.network.relay_link import enroll
from bascule.model.consent.orders import Order, OrderOutcome
from bascule.model.relay_frames import (
    CancelFrame,
    CommandFrame,
    HeartbeatFrame,
    ResultFrame,
    StoredFrame,
    TakenFrame,
    WelcomeFrame,
)
from bascule.relay.chat.webhook_chat import SIGNATURE, sign_webhook
from bascule.relay.machines import machine_hub
from bascule.relay.storage.machine_steps import AddCode, Enroll, Revoke
from bascule.relay.storage.relay_store import RelayStore

ROUTES = ("/healthz", "/machines", "/inflight", "/commands/x", "/audit/recent", "/ops/config")


async def next_command(machine: FakeMachine) -> Order:
    frame = await machine.next()
    assert isinstance(frame, CommandFrame)
    return frame.command


def outcome_of(order: Order, summary: str = "a plan") -> ResultFrame:
    return ResultFrame(
        result=OrderOutcome(
            command_id=order.command_id,
            machine_id=order.machine_id,
            status="ok",
            summary=summary,
            created_at=order.created_at,
        )
    )


async def test_a_command_goes_to_its_machine_and_the_outcome_comes_back_once(service: Service) -> None:
    joined = await service.enroll("desk")
    async with connect_machine(joined) as machine:
        assert await machine.next() == WelcomeFrame(machine_id="desk")
        said = await service.say("@dev plan split the module")
        order = await next_command(machine)
        assert said == TEXTS["taken"]["en"].format(machine="desk", id=order.command_id)
        assert (order.user_id, order.kind, order.prompt) == ("ann", "plan", "split the module")
        await machine.send(TakenFrame(seq=1, command_id=order.command_id))
        service.chat.fails = 1  # the token is stale once
        for _ in range(2):  # the second is a repetition, and is not told
            result = replace(outcome_of(order).result, machine_id="another")
            await machine.send(ResultFrame(result=result))
            assert await machine.next() == StoredFrame(command_id=order.command_id)
        assert await service.chat.next() == ("ann", f"Done · {order.command_id}\na plan")
        _, seen = await service.operate("GET", f"/commands/{order.command_id}")
        assert [line["step"] for line in seen["events"]][:3] == ["created", "taken", "outcome"]
        assert seen["outcome"]["machineId"] == "desk"
        assert service.chat.pushed.empty()


async def test_what_was_not_acknowledged_comes_again_after_a_reconnect_and_in_order(service: Service) -> None:
    joined = await service.enroll("desk")
    assert "desk" in await service.say("@dev plan one")  # it waits for a machine that is away
    await service.say("@dev plan two")
    async with connect_machine(joined) as machine:
        await machine.next()
        assert [(await next_command(machine)).prompt for _ in range(2)] == ["one", "two"]
    async with connect_machine(joined) as machine:
        await machine.next()
        first, second = await next_command(machine), await next_command(machine)
        await machine.send(outcome_of(first))
        assert isinstance(await machine.next(), StoredFrame)
    async with connect_machine(joined) as machine:
        await machine.next()
        assert await next_command(machine) == second


async def test_only_who_is_on_the_list_reaches_their_own_machine(service: Service) -> None:
    assert await service.say("@dev plan it", user="mallory") == TEXTS["not_allowed"]["en"]
    assert await service.say("@dev help", user="mallory", number=77) == TEXTS["not_allowed"]["en"]
    _, flying = await service.operate("GET", "/inflight")
    assert flying == {"items": []}
    assert "other" in await service.say("@dev plan it", user="bob")
    _, flying = await service.operate("GET", "/inflight")
    assert [(one["userId"], one["machineId"]) for one in flying["items"]] == [("bob", "other")]
    _, audit = await service.operate("GET", "/audit/recent?userId=mallory")
    assert [line["status"] for line in audit["items"]] == ["not on the list", "not on the list"]


async def test_help_and_mistakes_are_answered_at_once_in_the_senders_language(service: Service) -> None:
    assert await service.say("@dev help") == HELP["en"]
    assert await service.say("帮助") == HELP["zh"]
    assert await service.say("@dev 计划") == TEXTS["bad_plan"]["zh"]
    assert HELP["ja"] in await service.say("なにかして")


async def test_the_same_message_or_the_same_wish_is_not_done_twice(service: Service) -> None:
    assert await service.say("@dev plan it", number=5)
    assert await service.say("@dev plan it", number=5) == ""  # WeCom sends it again
    assert await service.say("@dev  PLAN  It", number=6) == TEXTS["repeated"]["en"]
    _, flying = await service.operate("GET", "/inflight")
    assert len(flying["items"]) == 1


async def test_a_flood_is_stopped_for_each_person_and_written_down_once(service: Service) -> None:
    most, count = service.config.messages_per_minute, 0
    while await service.say("@dev help") != TEXTS["too_many"]["en"]:
        count += 1
        assert count <= 2 * most  # a minute may begin in between
    assert count >= most
    assert await service.say("@dev help", user="bob") == HELP["en"]
    _, seen = await service.operate("GET", "/audit/recent?status=too_many")
    assert [(line["step"], line["userId"]) for line in seen["items"]] == [("refused", "ann")]


async def test_forged_stale_replayed_and_cut_callbacks_are_refused_alike(service: Service) -> None:
    path, body = service.make_callback("@dev plan it")
    stale = service.make_callback("@dev plan it", at_s=now_ms() // 1000 - 301)
    bad = [
        (path.replace("msg_signature=", "msg_signature=0"), body),
        (path, body[:-20]),
        (path, b"<xml><Encrypt>AAAA</Encrypt></xml>"),
        (path, b'{"userId": "ann", "text": "@dev plan it"}'),
        ("/wecom/callback", body),
        stale,
    ]
    for wrong, data in bad:
        assert await service.http("POST", wrong, data) == (403, b"refused")
    assert (await service.http("POST", path, body))[0] == 200
    assert await service.http("POST", path, body) == (403, b"refused")  # the same once more
    assert (await service.http("POST", path, b"x" * 300_000))[0] == 413


async def test_a_machine_is_known_by_its_key_alone_and_cannot_be_taken_over(service: Service) -> None:
    secret = service.invite("desk")
    joined, thief = make_joined(service.url, "desk"), make_joined(service.url, "desk")
    with pytest.raises(UserError):
        await enroll(service.url, make_request(thief, "guessed"))
    with pytest.raises(UserError):  # a key that it does not have
        await enroll(service.url, replace(make_request(thief, secret), public_key=joined.public_key))
    await enroll(service.url, make_request(joined, secret))
    with pytest.raises(UserError):  # the code is used up
        await enroll(service.url, make_request(thief, secret))
    with pytest.raises(UserError):
        service.invite("desk")
    async with connect_machine(thief) as machine:
        with pytest.raises(EOFError):
            await machine.next()
    async with connect_machine(joined) as machine:
        assert isinstance(await machine.next(), WelcomeFrame)


async def test_a_result_counts_only_from_the_machine_that_has_the_command(service: Service) -> None:
    desk, other = await service.enroll("desk"), await service.enroll("other")
    async with connect_machine(desk) as ours, connect_machine(other) as theirs:
        await ours.next()
        await theirs.next()
        await service.say("@dev plan it")
        order = await next_command(ours)
        await theirs.send(outcome_of(order, "forged"))
        assert isinstance(await theirs.next(), StoredFrame)
        _, seen = await service.operate("GET", f"/commands/{order.command_id}")
        assert seen["state"] == "queued"
        await ours.send(outcome_of(order, "true"))
        assert (await service.chat.next())[1].endswith("true")


async def test_a_revoked_machine_is_out_at_the_next_look(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert machine_hub.LOOK_S < 1
    monkeypatch.setattr(machine_hub, "STALE_S", FOREVER_S)
    joined = await service.enroll("desk")
    async with connect_machine(joined) as machine:
        await machine.next()
        assert await asyncio.to_thread(service.change, Revoke(machine="desk", now_ms=now_ms()))
        with pytest.raises(EOFError):
            await machine.next()
    async with connect_machine(joined) as machine:
        with pytest.raises(EOFError):
            await machine.next()


async def test_a_revoked_machine_is_out_also_where_its_name_has_a_new_key_at_once(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_hub, "STALE_S", FOREVER_S)
    async with connect_machine(await service.enroll("desk")) as machine:
        await machine.next()
        assert await asyncio.to_thread(revoke_and_enroll_again, service, "desk")
        with pytest.raises(EOFError):
            await machine.next()


def revoke_and_enroll_again(service: Service, machine: str) -> bool:
    """By another process, between two looks of the relay."""
    steps = (
        Revoke(machine=machine, now_ms=1),
        AddCode(machine=machine, hashed="h", expires_ms=2, now_ms=1),
        Enroll(machine=machine, hashed="h", public_key=make_joined("", machine).public_key, now_ms=1),
    )
    store = RelayStore(service.database)
    done = [store.run_now(step) for step in steps]
    store.close()
    return done == [True, None, True]


async def test_a_machine_that_is_silent_for_too_long_is_no_longer_connected(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_hub, "STALE_S", 0.05)
    async with connect_machine(await service.enroll("desk")) as machine:
        assert isinstance(await machine.next(), WelcomeFrame)
        with pytest.raises(EOFError):
            await machine.next()
    async with asyncio.timeout(PATIENCE_S):
        while await is_listed_as_connected(service, "desk"):
            await asyncio.sleep(0.01)


async def is_listed_as_connected(service: Service, machine: str) -> bool:
    _, listed = await service.operate("GET", "/machines")
    return any(one["connected"] for one in listed["items"] if one["machineId"] == machine)


async def test_cancel_reaches_the_machine_and_retry_has_a_new_id(service: Service) -> None:
    joined = await service.enroll("desk")
    async with connect_machine(joined) as machine:
        await machine.next()
        await service.say("@dev plan it")
        order = await next_command(machine)
        assert await service.operate("POST", f"/commands/{order.command_id}/retry") == (
            409,
            {"error": "command_in_flight"},
        )
        await service.operate("POST", f"/commands/{order.command_id}/cancel")
        assert await machine.next() == CancelFrame(command_id=order.command_id)
        await machine.send(outcome_of(order, "stopped"))
        assert isinstance(await machine.next(), StoredFrame)
        status, told = await service.operate("POST", f"/commands/{order.command_id}/retry")
        assert (status, told["retriedFrom"]) == (200, order.command_id)
        assert (await next_command(machine)).command_id == told["commandId"]


async def test_one_that_is_cancelled_while_its_machine_is_away_ends_in_the_senders_language(
    service: Service,
) -> None:
    await service.say("@dev 计划 拆分模块")
    _, listed = await service.operate("GET", "/inflight")
    (one,) = listed["items"]
    await service.operate("POST", f"/commands/{one['commandId']}/cancel")
    _, text = await service.chat.next()
    assert text == f"已取消 · {one['commandId']}\n{say('cancelled_away', 'zh', machine='desk')}"


async def test_without_the_token_nothing_is_told_and_secrets_are_never_shown(service: Service) -> None:
    for path in ROUTES:
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer "}):
            assert (await service.http("GET", path, headers=headers))[0] == 401
    status, shown = await service.operate("GET", "/ops/config")
    assert status == 200
    text = json.dumps(shown)
    wecom = service.config.wecom
    assert wecom is not None
    for secret in (wecom.token, wecom.aes_key, wecom.secret, WEBHOOK, service.config.operations_token):
        assert f'"{secret}"' not in text


async def test_another_chat_comes_in_by_a_signed_webhook(service: Service) -> None:
    joined = await service.enroll("desk")
    body = json.dumps({"messageId": "1", "userId": "ann", "text": "@dev plan it"}).encode()
    now_s = int(time.time())
    for wrong in (
        "",
        "t=1,v1=00",
        sign_webhook("other", body, now_s),
        sign_webhook(WEBHOOK, body, now_s - 400),
    ):
        assert (await service.http("POST", "/webhook", body, {SIGNATURE: wrong}))[0] == 401
    async with connect_machine(joined) as machine:
        await machine.next()
        signed = {SIGNATURE: sign_webhook(WEBHOOK, body, now_s)}
        status, answer = await service.http("POST", "/webhook", body, signed)
        order = await next_command(machine)
        assert (status, order.command_id in json.loads(answer)["reply"]) == (200, True)
        await machine.send(outcome_of(order))
        assert await service.chat.next() == ("ann", f"Done · {order.command_id}\na plan")


async def test_each_refusal_is_told_and_in_the_audit_trail(service: Service) -> None:
    said = []
    for message, user in (("1", "ann"), ("1", "ann"), ("2", "ann "), ("3", "a\0b"), ("x" * 500, "ann")):
        body = json.dumps({"messageId": message, "userId": user, "text": "@dev plan it"}).encode()
        signed = {SIGNATURE: sign_webhook(WEBHOOK, body, int(time.time()))}
        said.append(json.loads((await service.http("POST", "/webhook", body, signed))[1])["reply"])
    assert said[1:] == ["", *[say("unfit", "en")] * 3]
    _, audit = await service.operate("GET", "/audit/recent?limit=4")
    assert [(line["step"], line["status"], line["userId"]) for line in audit["items"]] == [
        ("refused", "unfit id", "“ann”"),
        ("refused", "unfit id", "“a\\x00b”"),
        ("refused", "unfit id", "“ann”"),
        ("refused", "seen", "ann"),
    ]


async def test_a_name_that_counts_in_one_chat_is_nobody_in_another(service: Service) -> None:
    body = json.dumps({"messageId": "2", "userId": "bob", "text": "@dev plan it"}).encode()
    signed = {SIGNATURE: sign_webhook(WEBHOOK, body, int(time.time()))}
    _, answer = await service.http("POST", "/webhook", body, signed)
    assert json.loads(answer) == {"reply": say("not_allowed", "en")}
    assert "other" in await service.say("@dev plan it", user="bob")


@pytest.mark.parametrize(
    "frame", [b"", b"[]", b'{"type":"hello"}', b'{"type":"ask.answer"}', b"\xff", b"{" * 5_000]
)
async def test_a_socket_that_says_anything_else_is_closed(service: Service, frame: bytes) -> None:
    joined = await service.enroll("desk")
    async with connect_machine(joined) as machine:
        await machine.next()
        await machine.send(HeartbeatFrame())
        await machine.link._socket.send(frame)
        with pytest.raises(EOFError):
            await machine.next()


async def test_the_audit_trail_is_chained_and_only_added_to(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        await service.say("@dev plan it")
        await service.say("@dev plan it", user="mallory")
    async with open_service(tmp_path) as service:  # another life goes on with the same chain
        await service.say("@dev plan something else")
    store = RelayStore(str(tmp_path / "relay.db"))
    head, broken = store.verify()
    assert (head.seq, broken) == (3, None)
    store.close()
    forged = sqlite3.connect(tmp_path / "relay.db")
    with pytest.raises(sqlite3.IntegrityError):
        forged.execute("DELETE FROM audit WHERE seq = 2")
    with pytest.raises(sqlite3.IntegrityError):
        forged.execute("UPDATE audit SET step = 'x'")
    forged.executescript("DROP TRIGGER audit_stays; DELETE FROM audit WHERE seq = 2;")
    forged.close()
    store = RelayStore(str(tmp_path / "relay.db"))
    assert store.verify()[1] == 3
    store.close()
