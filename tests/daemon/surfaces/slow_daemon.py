"""A daemon behind surfaces whose slow calls wait until a test lets them end."""

import asyncio
import json
from typing import Any

import msgspec
from msgspec import Raw
from tests.patience import PATIENCE_S

from bascule.core.faults import UserError
from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.surfaces.surfaces import Surface, Surfaces
from bascule.host.clock import new_id
from bascule.model.protocol.ui import UiConfirmResult

FAULTS: dict[str, Exception] = {
    "refuse": RpcError(rpc.BUSY, "The agent is at work.", {"driver": "somebody"}),
    "stop": UserError("There is no Codex here."),
    "crash": ZeroDivisionError(),
}


class SlowDaemon:
    """Behind the surfaces: what is asked for waits for `go`, unless it is quick."""

    def __init__(self) -> None:
        self.surfaces = Surfaces(dispatch=self.dispatch, new_id=new_id)
        self.begun = 0
        self.go = asyncio.Event()
        self.heard: list[str] = []

    async def dispatch(self, surface: Surface, method: str, params: Raw) -> object:
        self.begun += 1
        self.heard.append(method)
        if method in FAULTS:
            raise FAULTS[method]
        if method == "slow":
            await self.go.wait()
        if method == "session.list":
            await surface.ask("ui.confirm.request", {}, UiConfirmResult)
        return msgspec.json.decode(params)


async def hear(surface: Surface) -> list[dict[str, Any]]:
    async with asyncio.timeout(PATIENCE_S):
        return [json.loads(frame) for frame in await surface.frames()]


def ask(call: str, method: str = "quick", params: object = ()) -> bytes:
    return rpc.request(call, method, params)


async def settle(turns: int = 200) -> None:
    """Whatever can go on without anybody outside has gone on."""
    for _ in range(turns):
        await asyncio.sleep(0)
