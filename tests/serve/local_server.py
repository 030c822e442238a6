"""A front with its gates on real sockets, and an echo instead of the application behind it."""

import asyncio
import secrets
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from msgspec import Raw
from starlette.types import ASGIApp

from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.files.file_links import FileLinks
from bascule.daemon.surfaces.surfaces import Surface, Surfaces
from bascule.host.clock import new_id
from bascule.host.files.data_folder import Folder
from bascule.host.network.listener import LOOPBACK, Bar, Listener, bind
from bascule.host.network.local_socket import bind_local
from bascule.host.network.registration import Registration, make_registration
from bascule.model.consent.origin import Origin
from bascule.serve.http import Front, RouteInfo, StatusReport
from bascule.serve.keys import Keys
from bascule.serve.rules import KEY_HEADER, LOOPBACK_NAMES
from bascule.serve.selftest.attack_runner import Keyring
from bascule.serve.selftest.inspection import new_link, sign_in
from bascule.serve.selftest.probe import ProbeResponse, RawWebSocket, ask, make_request
from bascule.serve.serving import LOCAL_LIMITS, PAGE_LIMITS


class LocalServer:
    """A front with both doors: the socket for programs, the port for browsers."""

    def __init__(self, front: Front, port: int, socket: str) -> None:
        self.front = front
        self.keys = front.keys
        self.port = port
        self.host = f"127.0.0.1:{port}"
        self.socket = socket
        self.program = Keyring(port, socket=socket)

    @property
    def registration(self) -> Registration:
        return make_registration(port=self.port, socket=self.socket)

    async def ask(
        self, method: str, target: str, headers: dict[str, str], body: bytes = b""
    ) -> ProbeResponse:
        """At the port."""
        return await asyncio.to_thread(ask, self.port, make_request(method, target, headers.items(), body))

    async def tell(
        self, method: str, target: str, headers: dict[str, str] | None = None, body: bytes = b""
    ) -> ProbeResponse:
        """At the socket, as a program of this user."""
        whole = {"Host": "localhost", **(headers or {})}
        return await asyncio.to_thread(ask, self.socket, make_request(method, target, whole.items(), body))

    async def open_socket(self) -> RawWebSocket:
        return await asyncio.to_thread(RawWebSocket, self.socket, {"Host": "localhost"})

    async def new_link(self) -> str:
        return await asyncio.to_thread(new_link, self.program)

    async def sign_in(self) -> Keyring:
        return await asyncio.to_thread(sign_in, self.program)

    async def browser(self) -> dict[str, str]:
        """The headers of a page of ours."""
        keys = await self.sign_in()
        origin = f"http://{self.host}"
        return {
            "Host": self.host,
            "Cookie": keys.cookie,
            KEY_HEADER: keys.key,
            "Origin": origin,
            "Sec-Fetch-Site": "same-origin",
        }


NOT_FOR_A_PAGE = ("session.create", "workspace.read", "trust.add", "trust.inspect")


async def echo(surface: Surface, method: str, params: Raw) -> object:
    if method == "crash":
        raise ZeroDivisionError
    if method in NOT_FOR_A_PAGE and surface.origin.door == "page":
        raise RpcError(rpc.FAILED, "as the application says for a folder that nobody opened")
    return {"method": method, "params": msgspec.json.decode(params)}


def make_front(keys: Keys, port: int, *, is_outside: bool = False) -> Front:
    def report(routes: tuple[RouteInfo, ...]) -> StatusReport:
        return StatusReport(version="0", pid=1, started_at="", surfaces=0, sessions={}, routes=routes)

    async def link(workspace: str) -> str:
        return f"http://127.0.0.1:{port}/#token={keys.new_link(workspace)}"

    async def note(_origin: Origin, _asked: str) -> None:
        pass

    return Front(
        surfaces=Surfaces(dispatch=echo, new_id=new_id),
        file_links=FileLinks(new_secret=lambda: secrets.token_urlsafe(24)),
        keys=keys,
        report=report,
        new_link=link,
        note_pass=note,
        asked_to_stop=asyncio.Event(),
        leaving=asyncio.Event(),
        is_outside=is_outside,
    )


Wrap = Callable[[Front, int], ASGIApp]


@asynccontextmanager
async def open_server(
    wrap: Wrap | None = None, find_bar: Bar = lambda _pid: None
) -> AsyncIterator[LocalServer]:
    """`wrap` may leave the gate out, to see that the attacks would succeed."""
    sock = bind(LOOPBACK, 0)
    port = sock.getsockname()[1]
    front = make_front(Keys(now_s=time.monotonic), port)
    app = wrap(front, port) if wrap else front.behind_gate("http", LOOPBACK_NAMES, port)
    with tempfile.TemporaryDirectory(prefix="bascule-") as place:
        local, path = bind_local(Folder(Path(place)), {"XDG_RUNTIME_DIR": place})
        async with (
            Listener(app, sock, limits=PAGE_LIMITS),
            Listener(front.behind_local_gate(), local, limits=LOCAL_LIMITS, find_bar=find_bar),
        ):
            yield LocalServer(front, port, str(path))
            await front.close_sockets()
            await front.surfaces.close()
