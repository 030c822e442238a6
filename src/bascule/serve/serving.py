"""The daemon's doors, from the bound socket to the registration file, and back."""

import asyncio
import os
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from msgspec import Struct

from bascule.core.status import shown_status
from bascule.daemon.app import App
from bascule.host.folder import Folder
from bascule.host.listener import LOOPBACK, Exposure, Listener, ListenRefused, bind
from bascule.host.registration import (
    Registration,
    find_last_port,
    make_registration,
    remove_registration,
    write_last_port,
    write_registration,
)
from bascule.serve.http import Front, RouteInfo, StatusReport
from bascule.serve.keys import Keys
from bascule.serve.rules import LOOPBACK_NAMES


class Outside(Struct, frozen=True):
    """A second door, for other machines."""

    address: str
    port: int
    names: tuple[str, ...]  # as the certificate has them
    exposure: Exposure


class Serving:
    """What the owner of the process sees of it."""

    def __init__(self, app: App, registration: Registration, keys: Keys) -> None:
        self.registration = registration
        self.asked_to_stop = asyncio.Event()  # by `bascule down`; the owner then leaves
        self._app = app
        self._keys = keys
        self._leaving = asyncio.Event()

    def shut(self) -> None:
        """Nobody can come any more; whoever is here hears that we go."""
        self._leaving.set()

    @property
    def url(self) -> str:
        return self.registration.url

    def new_link(self, workspace: str = "") -> str:
        """A URL that lets a browser in, once."""
        return f"{self.url}?token={self._keys.new_link(workspace)}"

    def open_front(self, keys: Keys) -> Front:
        return Front(
            surfaces=self._app.surfaces,
            shelf=self._app.shelf,
            keys=keys,
            report=self._report,
            asked_to_stop=self.asked_to_stop,
            leaving=self._leaving,
        )

    def _report(self, routes: tuple[RouteInfo, ...]) -> StatusReport:
        return StatusReport(
            version=self.registration.version,
            pid=os.getpid(),
            started_at=self.registration.started_at,
            surfaces=len(self._app.surfaces.all()),
            sessions=Counter(shown_status(head) for head in self._app.hub.heads()),
            routes=routes,
        )


@asynccontextmanager
async def serving(
    app: App, folder: Folder, *, port: int = 0, outside: Outside | None = None
) -> AsyncIterator[Serving]:
    """Serve until left. Nothing is announced before it listens."""
    async with AsyncExitStack() as stack:
        sock = bind(LOOPBACK, port) if port else _bind_again(folder)
        stack.callback(sock.close)
        keys = Keys(now_s=time.monotonic)
        registration = make_registration(port=sock.getsockname()[1], token=keys.bearer)
        open_doors = Serving(app, registration, keys)
        front = open_doors.open_front(keys)
        gate = front.behind_gate("http", LOOPBACK_NAMES, registration.port)
        await stack.enter_async_context(Listener(gate, sock))
        stack.push_async_callback(front.let_go)
        if outside is not None:
            await stack.enter_async_context(_outer_door(outside, open_doors))
        write_last_port(folder, registration.port)
        write_registration(folder, registration)
        stack.callback(remove_registration, folder, registration)
        yield open_doors


def _bind_again(folder: Folder) -> socket.socket:
    """Where it listened last: a browser keeps theme, drafts and permissions of a page by its port."""
    last = find_last_port(folder)
    if last is not None:
        with suppress(ListenRefused):  # somebody else is there now
            return bind(LOOPBACK, last)
    return bind(LOOPBACK, 0)


@asynccontextmanager
async def _outer_door(outside: Outside, open_doors: Serving) -> AsyncIterator[None]:
    """Its own keys: what lets a program in here does not let anybody in from the network."""
    sock = bind(outside.address, outside.port, outside.exposure)
    with sock:
        keys = Keys(now_s=time.monotonic, bearer=outside.exposure.credential)
        front = open_doors.open_front(keys)
        shown = f"[{outside.address}]" if ":" in outside.address else outside.address
        gate = front.behind_gate("https", (shown, *outside.names), sock.getsockname()[1])
        async with Listener(gate, sock, exposure=outside.exposure):
            try:
                yield
            finally:
                await front.let_go()
