"""A WebSocket to the daemon: frames both ways, the folder of who calls, and a clear word when it fails."""

import asyncio
import json
import os
from pathlib import Path

import pytest
from tests.patience import PATIENCE_S
from tests.serve.local_server import open_server

from bascule.core.faults import UserError
from bascule.core.wire import rpc
from bascule.host.network.dial import DialedSocket, dial
from bascule.host.network.registration import make_registration
from bascule.model.consent.origin import Origin


async def receive(wire: DialedSocket) -> dict[str, object]:
    message = json.loads(await asyncio.wait_for(wire.receive(), PATIENCE_S))
    assert isinstance(message, dict)
    return message


async def test_frames_go_both_ways() -> None:
    async with open_server() as server:
        wire = await dial(server.registration, "/home/ann/brücke & co")
        await wire.send(rpc.request("1", "hello", {"text": "ü\n橋"}))
        assert (await receive(wire))["result"] == {"method": "hello", "params": {"text": "ü\n橋"}}
        assert [one.workspace for one in server.front.surfaces.all()] == ["/home/ann/brücke & co"]
        await wire.close()


async def test_a_frame_that_is_no_text_gets_an_error_and_the_connection_lives() -> None:
    async with open_server() as server:
        wire = await dial(server.registration)
        await wire.send(b'{"id":"1","method":"\xff"}')
        assert (await receive(wire))["id"] is None
        await wire.send(rpc.request("2", "hello", {}))
        assert (await receive(wire))["id"] == "2"
        await wire.close()


async def test_an_answer_may_be_larger_than_what_may_be_asked() -> None:
    async with open_server() as server:
        wire = await dial(server.registration)
        await wire.send(rpc.request("1", "hello", {}))
        await receive(wire)
        [surface] = server.front.surfaces.all()
        surface.notify("large", "x" * (2 * rpc.MAX_FRAME))
        assert len(await asyncio.wait_for(wire.receive(), PATIENCE_S)) > 2 * rpc.MAX_FRAME
        await wire.close()


async def test_the_end_of_the_daemon_is_the_end_of_the_wire() -> None:
    async with open_server() as server:
        wire = await dial(server.registration)
        await server.front.close_sockets()
        with pytest.raises(EOFError):
            await asyncio.wait_for(wire.receive(), PATIENCE_S)
        with pytest.raises(UserError, match="has closed the connection"):
            await wire.send(rpc.request("1", "hello", {}))


async def test_who_may_not_is_turned_away() -> None:
    async with open_server(find_bar=lambda _pid: "No.") as server:
        with pytest.raises(UserError, match=r"refused this command: No\."):
            await dial(server.registration)
        assert server.front.surfaces.all() == []


async def test_who_asks_for_less_gets_less() -> None:
    async with open_server() as server:
        wire = await dial(server.registration, scope="orders")
        await wire.send(rpc.request("1", "hello", {}))
        await receive(wire)
        [surface] = server.front.surfaces.all()
        pid = os.getpid()
        assert surface.origin == Origin(door="terminal", scope="orders", credential=f"pid {pid}", pid=pid)
        await wire.close()


async def test_nobody_there_is_said_with_the_next_step(tmp_path: Path) -> None:
    gone = make_registration(socket=str(tmp_path / "gone.sock"))
    with pytest.raises(UserError, match=r"does not answer at .*gone\.sock"):
        await dial(gone)
