"""A WebSocket to the daemon: frames both ways, the folder of who calls, and a clear word when it fails."""

import asyncio
import json
import socket

import pytest
from tests.serve.house import House, open_house

from bascule.core import rpc
from bascule.core.faults import CannotGoOn
from bascule.host.dial import Dialled, dial
from bascule.host.registration import Registration, make_registration

PATIENCE_S = 5


def registration(house: House, token: str = "") -> Registration:
    return make_registration(port=house.port, token=token or house.keys.bearer)


async def receive(wire: Dialled) -> dict[str, object]:
    message = json.loads(await asyncio.wait_for(wire.receive(), PATIENCE_S))
    assert isinstance(message, dict)
    return message


async def test_frames_go_both_ways() -> None:
    async with open_house() as house:
        wire = await dial(registration(house), "/home/ann/brücke & co")
        await wire.send(rpc.request("1", "hello", {"text": "ü\n橋"}))
        assert (await receive(wire))["result"] == {"method": "hello", "params": {"text": "ü\n橋"}}
        assert [one.workspace for one in house.front.surfaces.all()] == ["/home/ann/brücke & co"]
        await wire.close()


async def test_a_frame_that_is_no_text_gets_an_error_and_the_connection_lives() -> None:
    async with open_house() as house:
        wire = await dial(registration(house))
        await wire.send(b'{"id":"1","method":"\xff"}')
        assert (await receive(wire))["id"] is None
        await wire.send(rpc.request("2", "hello", {}))
        assert (await receive(wire))["id"] == "2"
        await wire.close()


async def test_an_answer_may_be_larger_than_what_may_be_asked() -> None:
    async with open_house() as house:
        wire = await dial(registration(house))
        await wire.send(rpc.request("1", "hello", {}))
        await receive(wire)
        [surface] = house.front.surfaces.all()
        surface.notify("large", "x" * (2 * rpc.MAX_FRAME))
        assert len(await asyncio.wait_for(wire.receive(), PATIENCE_S)) > 2 * rpc.MAX_FRAME
        await wire.close()


async def test_the_end_of_the_daemon_is_the_end_of_the_wire() -> None:
    async with open_house() as house:
        wire = await dial(registration(house))
        await house.front.let_go()
        with pytest.raises(EOFError):
            await asyncio.wait_for(wire.receive(), PATIENCE_S)
        with pytest.raises(CannotGoOn, match="has closed the connection"):
            await wire.send(rpc.request("1", "hello", {}))


async def test_the_wrong_token_is_turned_away() -> None:
    async with open_house() as house:
        with pytest.raises(CannotGoOn, match=r"does not answer on port .* `bascule down`"):
            await dial(registration(house, token="x" * 43))
        assert house.front.surfaces.all() == []


async def test_nobody_there_is_said_with_the_next_step() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        gone = make_registration(port=unused.getsockname()[1], token="t")
    with pytest.raises(CannotGoOn, match=f"does not answer on port {gone.port}"):
        await dial(gone)
