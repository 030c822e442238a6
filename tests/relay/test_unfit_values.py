"""What a database can't hold: refused for whoever sent it, while everybody else is served."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from tests.patience import FOREVER_S, PATIENCE_S
from tests.relay.service import FakeMachine, Service, connect_machine, make_request

from bascule.host.config.bridge_file import make_joined
from bascule.host.network.relay_link import dial_relay
from bascule.model.consent.orders import OrderOutcome
from bascule.model.relay_frames import (
    ChallengeFrame,
    CommandFrame,
    HelloFrame,
    MachineFrame,
    ResultFrame,
    StoredFrame,
    TakenFrame,
    WelcomeFrame,
)
from bascule.relay.machines import machine_hub
from bascule.relay.storage.audit_chain import AuditLine
from bascule.relay.storage.group_commit import GroupCommit
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.storage.steps import Note

NUL = "a\0b"


@pytest.fixture
def reconnects(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """How often the database was thought to be away. No limit on silence disconnects a machine meanwhile."""
    counted: list[None] = []
    monkeypatch.setattr(GroupCommit, "_reconnect", lambda _self: counted.append(None))
    for limit in ("HELLO_S", "STALE_S"):
        monkeypatch.setattr(machine_hub, limit, FOREVER_S)
    return counted


async def test_a_name_that_no_database_holds_is_refused_at_once(
    service: Service, reconnects: list[None]
) -> None:
    """Nobody has to prove anything to send one."""
    joined = make_joined(service.url, NUL)
    machine = FakeMachine(await dial_relay(service.url))
    challenge = await machine.next()
    assert isinstance(challenge, ChallengeFrame)
    async with asyncio.timeout(PATIENCE_S):
        hello = HelloFrame(machine_id=NUL, version="1", signature=joined.sign(challenge.nonce))
        await machine.send(hello)
        with pytest.raises(EOFError):
            await machine.link.receive()
        body = msgspec.json.encode(make_request(joined, "a guess"))
        assert (await service.http("POST", "/machine/enroll", body))[0] == 403
        for path in ("/commands/a%00b", "/commands/a%00b/cancel", "/commands/a%00b/retry"):
            method = "GET" if path.endswith("b") else "POST"
            assert (await service.operate(method, path))[0] == 404
        assert await service.operate("GET", "/audit/recent?userId=a%00b") == (200, {"items": []})
    await machine.link.close()
    assert reconnects == []


@pytest.mark.parametrize("odd", [NUL, "x" * 5_000, ""])
async def test_a_machine_that_names_what_cannot_be_stored_is_disconnected(
    service: Service, odd: str, reconnects: list[None]
) -> None:
    joined = await service.enroll("desk")
    result = OrderOutcome(command_id=odd, machine_id="desk", status="ok", summary="", created_at="x")
    frames: tuple[MachineFrame, ...] = (TakenFrame(seq=1, command_id=odd), ResultFrame(result=result))
    for frame in frames:
        async with connect_machine(joined) as machine, asyncio.timeout(PATIENCE_S):
            assert isinstance(await machine.next(), WelcomeFrame)
            await machine.link.send(msgspec.json.encode(frame))
            with pytest.raises(EOFError):
                await machine.link.receive()
    assert reconnects == []


async def test_an_outcome_with_characters_that_cannot_be_stored_is_taken_and_told(service: Service) -> None:
    joined = await service.enroll("desk")
    async with connect_machine(joined) as machine:
        assert isinstance(await machine.next(), WelcomeFrame)
        await service.say("@dev plan one")
        command = await machine.next()
        assert isinstance(command, CommandFrame)
        name = command.command.command_id
        outcome = OrderOutcome(
            command_id=name, machine_id="desk", status="ok", summary=f"{NUL} \u202egnp", created_at="x"
        )
        await machine.send(ResultFrame(result=outcome))
        assert await machine.next() == StoredFrame(command_id=name)
        assert await service.chat.next() == ("ann", f"Done · {name}\na\\x00b \\u202egnp")
        _, audit = await service.operate("GET", f"/audit/recent?commandId={name}&status=ok")
        assert [line["detail"] for line in audit["items"]] == ["a\\x00b \\u202egnp"]


async def test_a_step_that_cannot_be_stored_fails_alone(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that waited with it in one transaction are stored, and nothing is tried again and again."""
    store = RelayStore(database or str(tmp_path / "relay.db"))
    begin, begun = store._db.begin, list[None]()

    def count_and_begin() -> None:
        begun.append(None)
        begin()

    monkeypatch.setattr(store._db, "begin", count_and_begin)
    try:
        lines = [AuditLine(at_ms=2**70 if step == "odd" else 1, step=step) for step in ("a", "odd", "b")]
        ends = await asyncio.gather(*(store.run(Note(line=line)) for line in lines), return_exceptions=True)
        assert [isinstance(end, Exception) for end in ends] == [False, True, False]
        assert len(begun) <= 1 + len(lines), "together, then each alone"
        assert [line.step for line in await store.read_audit(9)] == ["b", "a"]
        assert store.verify()[1] is None
    finally:
        store.close()
