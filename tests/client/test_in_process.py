"""A wire to a daemon in the same process carries the same frames as a socket."""

import json

import pytest
from msgspec import Raw

from bascule.client.in_process import InProcessWire
from bascule.core.wire import rpc
from bascule.daemon.surfaces.surfaces import Surface, SurfaceClosed, Surfaces
from bascule.host.clock import new_id
from bascule.model.consent.origin import Origin


async def echo(_surface: Surface, method: str, _params: Raw) -> object:
    return method


async def test_frames_go_both_ways_one_at_a_time() -> None:
    surfaces = Surfaces(dispatch=echo, new_id=new_id)
    surface = surfaces.connect(Origin(door="terminal"))
    wire = InProcessWire(surface, SurfaceClosed)
    await wire.send(rpc.request("1", "hello", {}))
    await wire.send(rpc.request("2", "again", {}))
    assert [json.loads(await wire.receive())["result"] for _ in range(2)] == ["hello", "again"]
    surface.notify("last", {})
    surface.close()
    assert json.loads(await wire.receive())["method"] == "last"
    with pytest.raises(EOFError):
        await wire.receive()
    await surfaces.close()
