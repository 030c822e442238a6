"""A front with its gate on a real socket, and an echo instead of the application behind it."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec
from msgspec import Raw
from starlette.types import ASGIApp

from bascule.daemon.shelf import Shelf
from bascule.daemon.surfaces import Surface, Surfaces
from bascule.host.clock import new_id
from bascule.host.listener import LOOPBACK, Listener, bind
from bascule.serve.http import Front, RouteInfo, StatusReport
from bascule.serve.inspection import sign_in
from bascule.serve.keys import Keys
from bascule.serve.probe import Answer, RawWebSocket, ask, make_request
from bascule.serve.rules import LOOPBACK_NAMES
from bascule.serve.siege import Keyring


class House:
    def __init__(self, front: Front, port: int) -> None:
        self.front = front
        self.keys = front.keys
        self.port = port
        self.host = f"127.0.0.1:{port}"

    @property
    def bearer(self) -> dict[str, str]:
        return {"Host": self.host, "Authorization": f"Bearer {self.keys.bearer}"}

    async def ask(self, method: str, target: str, headers: dict[str, str], body: bytes = b"") -> Answer:
        return await asyncio.to_thread(ask, self.port, make_request(method, target, headers.items(), body))

    async def open_socket(self) -> RawWebSocket:
        return await asyncio.to_thread(RawWebSocket, self.port, self.bearer)

    async def sign_in(self) -> Keyring:
        return await asyncio.to_thread(sign_in, self.port, self.keys.bearer)

    async def browser(self) -> dict[str, str]:
        """The headers of a page of ours."""
        keys = await self.sign_in()
        origin = f"http://{self.host}"
        return {"Host": self.host, "Cookie": keys.cookie, "Origin": origin, "Sec-Fetch-Site": "same-origin"}


async def echo(_surface: Surface, method: str, params: Raw) -> object:
    if method == "crash":
        raise ZeroDivisionError
    return {"method": method, "params": msgspec.json.decode(params)}


def make_front() -> Front:
    def report(routes: tuple[RouteInfo, ...]) -> StatusReport:
        return StatusReport(version="0", pid=1, started_at="", surfaces=0, sessions={}, routes=routes)

    return Front(
        surfaces=Surfaces(dispatch=echo, new_id=new_id),
        shelf=Shelf(new_secret=lambda: secrets.token_urlsafe(24)),
        keys=Keys(now_s=time.monotonic),
        report=report,
        asked_to_stop=asyncio.Event(),
        leaving=asyncio.Event(),
    )


@asynccontextmanager
async def open_house(wrap: Callable[[Front, int], ASGIApp] | None = None) -> AsyncIterator[House]:
    """`wrap` may leave the gate out, to see that the attacks would succeed."""
    front = make_front()
    sock = bind(LOOPBACK, 0)
    port = sock.getsockname()[1]
    app = wrap(front, port) if wrap else front.behind_gate("http", LOOPBACK_NAMES, port)
    async with Listener(app, sock):
        yield House(front, port)
        await front.let_go()
        await front.surfaces.close()
