"""Who sends too slowly or too much is cut off, whoever it is."""

import asyncio

import pytest
from tests.patience import PATIENCE_S
from tests.relay.service import FakeMachine, Service, connect_machine

from bascule.host.network.relay_link import dial_relay
from bascule.model.relay_frames import ChallengeFrame, HeartbeatFrame, WelcomeFrame
from bascule.relay.http import bodies, machine_routes
from bascule.relay.relay_app import MAX_FRAME


@pytest.fixture(params=["sqlite"])
def database() -> str:
    """What comes in does not depend on it."""
    return ""


@pytest.mark.parametrize("path", ["/webhook", "/wecom/callback", "/machine/enroll"])
async def test_a_body_that_never_ends_is_given_up(
    service: Service, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "BODY_S", 0.2)
    host, port = service.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000\r\nConnection: close\r\n\r\na".encode()
    )
    async with asyncio.timeout(PATIENCE_S):
        answer = await reader.read()  # until it is closed
    assert answer.split(b" ")[1] in (b"403", b"413")
    writer.close()


async def test_sockets_that_prove_nothing_keep_no_machine_out(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_routes, "MAX_UNKNOWN", 2)
    joined = await service.enroll("desk")
    idle = [FakeMachine(await dial_relay(service.url)) for _ in range(3)]
    async with connect_machine(joined) as machine:
        assert isinstance(await machine.next(), WelcomeFrame)
        for stranger in idle[:2]:  # the oldest made room
            assert isinstance(await stranger.next(), ChallengeFrame)
            with pytest.raises(EOFError):
                await stranger.next()
    await idle[2].link.close()


async def test_a_frame_has_a_ceiling_before_and_after_a_machine_has_proved_its_key(service: Service) -> None:
    stranger = FakeMachine(await dial_relay(service.url))
    assert isinstance(await stranger.next(), ChallengeFrame)
    await stranger.link.send(b"a" * (MAX_FRAME + 1))
    with pytest.raises(EOFError):
        await stranger.link.receive()
    async with connect_machine(await service.enroll("desk")) as machine:
        assert isinstance(await machine.next(), WelcomeFrame)
        await machine.send(HeartbeatFrame())
        await machine.link.send(b" " * (MAX_FRAME + 1))
        with pytest.raises(EOFError):
            await machine.link.receive()
