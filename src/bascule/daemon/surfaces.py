"""Surfaces: whoever is connected, over whichever transport; nobody waits for the slow one."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Raw

from bascule.core import rpc
from bascule.core.faults import CannotGoOn
from bascule.core.rpc import RpcError
from bascule.daemon.views import View
from bascule.host.tasks import Tasks
from bascule.model.ids import SessionId
from bascule.model.protocol.runs import UiCapabilities, UiContext
from bascule.model.protocol.table import METHODS

MAX_OPEN_REQUESTS = 64  # of one surface; after that its transport is not read
MAX_UNREAD = 1_000  # frames that wait for a transport; above it nothing more is begun for this surface
MAX_UNREAD_BYTES = 16 * 1024 * 1024
MAX_UNSAID = 10_000  # frames, whoever says them; a surface that takes none is let go
MAX_UNSAID_BYTES = 256 * 1024 * 1024
MAX_SHOWN_METHOD = 100  # characters of a name that the peer made up
UI_TIMEOUT_S = 24 * 3600.0  # a person may sleep over a question; silence is never a yes

log = logging.getLogger("bascule.surfaces")

T = TypeVar("T")
Dispatch = Callable[["Surface", str, Raw], Awaitable[object]]
Instead = Callable[[], object]  # params of the same method, or None
Handler = Callable[[Any, "Surface", Any], Awaitable[object]]  # of a method: the app, who asks, its params


class SurfaceClosed(Exception):
    """Nothing more will be said."""


class Surface:
    """One connection. What it may see and say is the same for all; how it is told depends on what it can."""

    def __init__(
        self,
        surface_id: str,
        *,
        transport: str,
        workspace: str,
        dispatch: Dispatch,
        on_closed: Callable[[], None],
    ) -> None:
        self.id = surface_id
        self.transport = transport
        self.workspace = workspace
        self.name = transport
        self.initialized = False
        self.capabilities = UiCapabilities()
        self.context = UiContext()
        self.current: SessionId | None = None  # where a prompt without a session goes
        self.model = ""  # of the next session
        self.effort = ""
        self.views: dict[str, View] = {}
        self.news = asyncio.Event()
        self._dispatch = dispatch
        self._on_closed = on_closed
        self._tasks = Tasks()
        self._open = asyncio.Semaphore(MAX_OPEN_REQUESTS)
        self._unsaid: deque[bytes] = deque()
        self._unsaid_bytes = 0
        self._taken = asyncio.Event()  # by the transport
        self._begun = 0  # requests that are not answered yet
        self._settled = asyncio.Event()
        self._asked: dict[str, asyncio.Future[Raw]] = {}
        self._next_id = 0
        self._dialog = asyncio.Lock()
        self._leaving: dict[str, Callable[[], None]] = {}
        self._closed = False

    @property
    def label(self) -> str:
        """What others see when it drives a session."""
        return f"{self.name} ({self.id[-4:]})"

    # -- in --

    async def feed(self, frame: bytes) -> None:
        message = rpc.parse_frame(frame)
        match message:
            case rpc.Request() | rpc.Notification():
                await self._begin(message)
            case rpc.Reply():
                self._take_reply(message)
            case rpc.Fault():
                await self.room()
                self.say(rpc.error(message.id, message.code, message.message))

    async def _begin(self, message: rpc.Request | rpc.Notification) -> None:
        """In the order of the wire; what has to wait for something does not hold up what comes after it."""
        await self.room()
        await self._open.acquire()
        if self._closed:
            return
        self._begun += 1
        work = self._answer(message) if isinstance(message, rpc.Request) else self._hear(message)
        self._tasks.start(f"{message.method[:MAX_SHOWN_METHOD]} of {self.id}", work)

    async def _answer(self, request: rpc.Request) -> None:
        try:
            self.say(await self._reply(request))
        finally:
            self._end()

    def _end(self) -> None:
        self._begun -= 1
        self._open.release()
        self._settled.set()

    async def _reply(self, request: rpc.Request) -> bytes:
        try:
            return rpc.result(request.id, await self._dispatch(self, request.method, request.params))
        except RpcError as refused:
            return rpc.error(request.id, refused.code, refused.message, refused.data)
        except CannotGoOn as fault:
            return rpc.error(request.id, rpc.FAILED, str(fault))
        except Exception:  # the fence of a request: one that crashes does not take the connection along
            log.exception("%s of %s crashed", request.method, self.id)
            return rpc.error(
                request.id, rpc.INTERNAL_ERROR, f"{request.method} crashed. `bascule logs` says how."
            )

    async def _hear(self, told: rpc.Notification) -> None:
        """JSON-RPC: nobody answers a notification."""
        known = METHODS.get(told.method)
        try:
            if known is None or known.way != "surface to daemon":
                return
            reply = await self._reply(rpc.Request("", told.method, told.params))
        finally:
            self._end()
        if b'"error"' in reply:
            log.info("%s said %s, which was refused: %s", self.id, told.method, reply.decode()[:500])

    def _take_reply(self, reply: rpc.Reply) -> None:
        answer = self._asked.pop(str(reply.id), None)
        if answer is None or answer.done():
            return  # a dialog that was left open after its question was withdrawn
        if reply.error is not None:
            answer.set_exception(RpcError(rpc.FAILED, str(reply.error)))
        else:
            answer.set_result(reply.result)

    # -- out --

    def say(self, frame: bytes) -> None:
        if self._closed:
            return
        if len(self._unsaid) >= MAX_UNSAID or self._unsaid_bytes >= MAX_UNSAID_BYTES:
            log.warning("%s takes nothing more; it is let go", self.id)
            self._unsaid.clear()
            self.close()
            return
        self._unsaid.append(frame)
        self._unsaid_bytes += len(frame)
        self.news.set()

    async def room(self) -> None:
        """Waits while the peer leaves too much unread."""
        while not self._closed and (len(self._unsaid) > MAX_UNREAD or self._unsaid_bytes > MAX_UNREAD_BYTES):
            self._taken.clear()
            await self._taken.wait()

    async def settle(self) -> None:
        """Waits until all that was asked is answered, and the transport has taken the answers."""
        while not self._closed and (self._begun or self._unsaid):
            self._settled.clear()
            await self._settled.wait()

    def notify(self, method: str, params: object) -> None:
        self.say(rpc.notification(method, params))

    async def ask(self, method: str, params: object, kind: type[T], *, instead: Instead = lambda: None) -> T:
        """A request to the surface, one at a time: a client with one dialog would lose the first of two.

        Cancelled when the question no longer matters: `instead` then gives what is said in its place."""
        async with self._dialog:
            return await self._ask(method, params, kind, instead)

    async def _ask(self, method: str, params: object, kind: type[T], instead: Instead) -> T:
        our_id = self._name_request()
        answer: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        self._asked[our_id] = answer
        self.say(rpc.request(our_id, method, params))
        try:
            async with asyncio.timeout(UI_TIMEOUT_S):
                raw = await answer
        except TimeoutError:
            raise RpcError(rpc.USER_CANCELLED, f"Nobody answered {method} in time.") from None
        except asyncio.CancelledError:
            if (said := instead()) is not None:
                self.say(rpc.request(self._name_request(), method, said))
            raise
        finally:
            self._asked.pop(our_id, None)
        try:
            return msgspec.json.decode(raw, type=kind)
        except msgspec.DecodeError as broken:
            raise RpcError(rpc.INVALID_PARAMS, f"The answer to {method} cannot be read: {broken}.") from None

    def _name_request(self) -> str:
        self._next_id += 1
        return f"ui_{self._next_id}"

    async def frames(self) -> list[bytes]:
        """Waits for something to say. Called by the transport, as fast as its peer takes it."""
        while not self._closed:
            said = [*self._take_unsaid(), *(frame for view in self.views.values() for frame in view.frames())]
            if said:
                return said
            await self.news.wait()
            self.news.clear()
        if self._unsaid:
            return self._take_unsaid()
        raise SurfaceClosed

    def _take_unsaid(self) -> list[bytes]:
        unsaid = list(self._unsaid)
        self._unsaid.clear()
        self._unsaid_bytes = 0
        self._taken.set()
        self._settled.set()
        return unsaid

    def start(self, name: str, work: Any) -> "asyncio.Task[None]":
        return self._tasks.start(f"{name} of {self.id}", work)

    def on_leaving(self, name: str, do: Callable[[], None]) -> None:
        """Done once when it closes; a later one of the same name takes the place of the earlier."""
        self._leaving[name] = do

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        for do in self._leaving.values():
            do()
        for view in self.views.values():
            view.close()
        self.views.clear()
        for answer in self._asked.values():
            answer.cancel()
        self.news.set()
        self._taken.set()
        self._settled.set()
        self._on_closed()

    @property
    def closed(self) -> bool:
        return self._closed

    async def finish(self) -> None:
        """After close(): its requests end too."""
        await self._tasks.close()


class Surfaces:
    """All that are connected."""

    def __init__(self, *, dispatch: Dispatch, new_id: Callable[[str], str]) -> None:
        self._dispatch = dispatch
        self._new_id = new_id
        self._connected: dict[str, Surface] = {}
        self._left = asyncio.Event()

    def connect(self, *, transport: str, workspace: str = "") -> Surface:
        """One folder is one workspace, however it is written."""
        self._forget_closed()
        surface = Surface(
            self._new_id(transport),
            transport=transport,
            workspace=str(Path(workspace).resolve()) if workspace else "",
            dispatch=self._dispatch,
            on_closed=self._left.set,
        )
        self._connected[surface.id] = surface
        return surface

    def all(self) -> list[Surface]:
        return [surface for surface in self._connected.values() if not surface.closed]

    def broadcast(self, method: str, params: object) -> None:
        """To all who mirror state."""
        for surface in self.all():
            if surface.initialized and surface.capabilities.supports_session_sync:
                surface.notify(method, params)

    async def wait_until_alone(self, with_: Surface) -> None:
        """Until nobody else is connected."""
        while any(surface is not with_ for surface in self.all()):
            self._left.clear()
            await self._left.wait()

    def _forget_closed(self) -> None:
        self._connected = {id_: surface for id_, surface in self._connected.items() if not surface.closed}

    async def close(self) -> None:
        for surface in self._connected.values():
            surface.close()
            await surface.finish()
