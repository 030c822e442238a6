"""The daemon's doors, from the bound socket to the registration file, and back."""

import asyncio
import os
import secrets
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from bascule.core.session.status import shown_status
from bascule.daemon.consent.doors import OpenDoor
from bascule.daemon.orders.bridge import say_bridge
from bascule.daemon.parts import App
from bascule.host.files.data_folder import Folder
from bascule.host.network.browser_link import remove_handover
from bascule.host.network.connections import ConnectionLimits
from bascule.host.network.local_socket import bind_local, has_local_socket, wait_for_caller
from bascule.host.network.registration import (
    find_last_port,
    make_registration,
    remove_registration,
    write_last_port,
    write_registration,
)
from bascule.host.processes.agent_descent import AgentDescent
from bascule.host.processes.confinement import is_confined
from bascule.host.processes.tasks import Tasks
from bascule.serve.keys import Keys
from bascule.serve.rules import LOOPBACK_NAMES

if TYPE_CHECKING:
    from bascule.host.network.listener import Exposure
    from bascule.serve.http import Front, RouteInfo, StatusReport

# Each door has its own: what fills one leaves the others free.
PAGE_LIMITS = ConnectionLimits(
    unknown=64, unknown_each=64, known=192, known_each=96
)  # loopback is one source
OUTER_LIMITS = ConnectionLimits(unknown=128, unknown_each=48, known=128, known_each=96)
LOCAL_LIMITS = ConnectionLimits(unknown=128, unknown_each=48, known=256, known_each=64)


class OuterDoor(Struct, frozen=True):
    """A second door, for other machines."""

    address: str
    port: int
    names: tuple[str, ...]  # as the certificate has them
    exposure: "Exposure"


class Serving:
    """What the owner of the process sees of it."""

    def __init__(self, app: App, folder: Folder, stack: AsyncExitStack) -> None:
        self.registration = make_registration()
        self.asked_to_stop = asyncio.Event()  # by `bascule down`; the owner then leaves
        self.app = app
        self._folder = folder
        self._stack = stack  # of all that is open
        # Where a process can prove who it is, no token opens the port.
        self._keys = Keys(
            now_s=time.monotonic, bearer="" if has_local_socket() else secrets.token_urlsafe(32)
        )
        self._descent = AgentDescent(app.register)
        self._opening = asyncio.Lock()
        self._is_announced = False
        self._leaving = asyncio.Event()

    def shut(self) -> None:
        """Nobody can connect any more; those who are connected learn that we stop."""
        self._leaving.set()

    @property
    def url(self) -> str:
        return self.registration.url

    def new_link(self, workspace: str = "") -> str:
        """A URL that lets a browser in, once, to work in that folder too.

        Behind the #, so that it is in no log and no request."""
        return f"{self.url}#token={self._keys.new_link(self.app.surfaces.open_folder(workspace))}"

    async def open_local(self, *, at_first_call: bool) -> None:
        """The socket of every local command. What answers there takes longer to load than many a command
        lasts that hosts: for those, until somebody calls."""
        sock, path = bind_local(self._folder, os.environ)
        self._stack.callback(path.unlink, missing_ok=True)
        self._stack.callback(sock.close)
        if at_first_call:
            tasks = await self._stack.enter_async_context(Tasks())
            tasks.start("the local socket", self._answer_calls(sock))
        else:
            await self._listen_local(sock)
        self._register(socket=str(path))

    async def _answer_calls(self, sock: socket.socket) -> None:
        await wait_for_caller(sock)
        await self._listen_local(sock)

    async def _listen_local(self, sock: socket.socket) -> None:
        from bascule.host.network.listener import Listener

        front = self.open_front(self._keys)
        listener = Listener(front.behind_local_gate(), sock, limits=LOCAL_LIMITS, find_bar=self._find_bar)
        await self._stack.enter_async_context(listener)
        self._stack.push_async_callback(front.close_sockets)

    def _find_bar(self, pid: int) -> str | None:
        """An agent's process may never drive the daemon that asks about it, nor one in a sandbox."""
        if is_confined(pid):
            return "A process in a sandbox cannot use Bascule."
        if self._descent.is_of_a_child(pid):
            return "A process that an agent started cannot use Bascule."
        return None

    async def open_page(self, port: int = 0) -> None:
        """The port for browsers, on loopback; once, no matter who asks."""
        from bascule.host.network.listener import LOOPBACK, Listener, bind

        async with self._opening:
            if self.registration.port or self._leaving.is_set():
                return
            sock = bind(LOOPBACK, port) if port else _bind_again(self._folder)
            self._stack.callback(sock.close)
            front = self.open_front(self._keys)
            found = sock.getsockname()[1]
            gate = front.behind_gate("http", LOOPBACK_NAMES, found)
            await self._stack.enter_async_context(Listener(gate, sock, limits=PAGE_LIMITS))
            self._stack.push_async_callback(front.close_sockets)
            write_last_port(self._folder, found)
            self._register(port=found, token=self._keys.bearer)
            self.app.doors.open(OpenDoor("page", self.url, self._keys))
            self._stack.callback(self.app.doors.close, "page")

    def _register(self, **changes: object) -> None:
        """What holds now; the file follows once it has been written for the first time."""
        self.registration = msgspec.structs.replace(self.registration, **changes)
        if self._is_announced:
            write_registration(self._folder, self.registration)

    def announce(self) -> None:
        write_registration(self._folder, self.registration)
        self._is_announced = True

    def withdraw(self) -> None:
        remove_registration(self._folder, self.registration)

    def open_front(self, keys: Keys, *, is_outside: bool = False) -> "Front":
        from bascule.serve.http import Front

        self.app.redactor.watch(keys.secrets)
        return Front(
            surfaces=self.app.surfaces,
            file_links=self.app.file_links,
            keys=keys,
            report=self._report,
            new_link=self._open_and_link,
            note_pass=self.app.devices.note_pass,
            asked_to_stop=self.asked_to_stop,
            leaving=self._leaving,
            is_outside=is_outside,
            start_command=self.app.start_command,
        )

    async def _open_and_link(self, workspace: str) -> str:
        from bascule.host.network.listener import ListenRefused

        await self.open_page()
        if not self.url:
            raise ListenRefused("Bascule is about to stop. Try again in a moment.")
        return self.new_link(workspace)

    def _report(self, routes: "tuple[RouteInfo, ...]") -> "StatusReport":
        from bascule.serve.http import StatusReport

        outside = self.app.doors.find("outside")
        return StatusReport(
            version=self.registration.version,
            pid=os.getpid(),
            started_at=self.registration.started_at,
            surfaces=len(self.app.surfaces.all()),
            sessions=Counter(shown_status(head) for head in self.app.hub.conversations()),
            routes=routes,
            outside=outside.url if outside else "",
            relay=say_bridge(self.app.bridge.state),
            notices=self.app.notices.all(),
        )


@asynccontextmanager
async def serving(
    app: App, folder: Folder, *, port: int = 0, outside: OuterDoor | None = None, for_browsers: bool = True
) -> AsyncIterator[Serving]:
    """Serve until left. Nothing is announced before it listens. Without `for_browsers` there is no TCP port,
    until a local command asks for a link."""
    async with AsyncExitStack() as stack:
        open_doors = Serving(app, folder, stack)
        if has_local_socket():
            await open_doors.open_local(at_first_call=not for_browsers)
        if for_browsers or not has_local_socket():
            await open_doors.open_page(port)
        if outside is not None:
            await stack.enter_async_context(_outer_door(outside, open_doors))
        open_doors.announce()
        stack.callback(remove_handover, folder)
        stack.callback(open_doors.withdraw)
        yield open_doors


def _bind_again(folder: Folder) -> socket.socket:
    """Where it listened last: a browser keeps theme, drafts and permissions of a page by its port."""
    from bascule.host.network.listener import LOOPBACK, ListenRefused, bind

    last = find_last_port(folder)
    if last is not None:
        with suppress(ListenRefused):  # somebody else is there now
            return bind(LOOPBACK, last)
    return bind(LOOPBACK, 0)


@asynccontextmanager
async def _outer_door(outside: OuterDoor, open_doors: Serving) -> AsyncIterator[None]:
    """Its own keys: what lets a program in here does not let anybody in from the network."""
    from bascule.host.network.listener import Listener, bind

    open_doors.app.devices.check_credential(outside.exposure.credential)
    sock = bind(outside.address, outside.port, outside.exposure)
    with sock:
        keys = Keys(now_s=time.monotonic, bearer=outside.exposure.credential)
        shown = f"[{outside.address}]" if ":" in outside.address else outside.address
        port = sock.getsockname()[1]
        url = f"https://{(*outside.names, shown)[0]}:{port}/"

        front = open_doors.open_front(keys, is_outside=True)
        gate = front.behind_gate("https", (shown, *outside.names), port)
        async with Listener(gate, sock, exposure=outside.exposure, limits=OUTER_LIMITS):
            open_doors.app.doors.open(OpenDoor("outside", url, keys))
            try:
                yield
            finally:
                open_doors.app.doors.close("outside")
                await front.close_sockets()
