"""Surfaces: everyone who is connected, over any transport; nobody waits for the slow one."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Raw

from bascule.core.consent.access_events import may_be_sent
from bascule.core.consent.who import describe_who
from bascule.core.faults import UserError
from bascule.core.wire import rpc
from bascule.core.wire.pending_calls import PendingCalls
from bascule.core.wire.rpc import RpcError
from bascule.daemon.surfaces.call_slots import CallSlots
from bascule.daemon.surfaces.views import SurfaceView
from bascule.host.processes.tasks import Tasks
from bascule.model.consent.audit import Local, Outside
from bascule.model.consent.origin import Origin
from bascule.model.ids import SessionId
from bascule.model.protocol.runs import UiCapabilities, UiContext
from bascule.model.protocol.table import METHODS
from bascule.model.protocol.ui import UiToastNotify

MAX_OPEN_REQUESTS = 64  # of one surface; what comes on top is refused as busy
MAX_OPEN_URGENT = 64  # of those that never wait behind others
MAX_UNREAD = 1_000  # frames that wait for a transport; above it nothing more is begun for this surface
MAX_UNREAD_BYTES = 16 * 1024 * 1024
MAX_UNSAID = 10_000  # frames, from anyone; a surface that takes none is dropped
MAX_UNSAID_BYTES = 256 * 1024 * 1024
MAX_SHOWN_METHOD = 100  # characters of a name that the peer made up
UI_TIMEOUT_S = 24 * 3600.0  # a person may sleep over a question; silence is never a yes

# A surface that waits for a person can still ping, answer and stop: these have places of their own.
URGENT = frozenset(
    {
        "initialize",
        "daemon.ping",
        "ask.answer",
        "ask.list",
        "agent.restart",
        "run.cancel",
        "session.interrupt",
        "session.unwatch",
        "test.cancel",
        "pane.write",
        "pane.resize",
        "pane.ack",
    }
)

CRASHED = "{method} failed unexpectedly. `bascule logs` has details."

log = logging.getLogger("bascule.surfaces")

T = TypeVar("T")
Dispatch = Callable[["Surface", str, Raw], Awaitable[object]]
Instead = Callable[[], object]  # params of the same method, or None
Handler = Callable[[Any, "Surface", Any], Awaitable[object]]  # of a method: the app, who asks, its params


class SurfaceClosed(Exception):
    """Nothing more will be said."""


class Surface:
    """One connection. What it may see and say is the same for all; the form depends on what it supports."""

    def __init__(
        self,
        surface_id: str,
        *,
        origin: Origin,
        workspace: str,
        dispatch: Dispatch,
        on_closed: Callable[[], None],
    ) -> None:
        self.id = surface_id
        self.origin = origin
        self.workspace = workspace
        self.name: str = origin.door
        self.initialized = False
        self.capabilities = UiCapabilities()
        self.context = UiContext()
        self.current: SessionId | None = None  # where a prompt without a session goes
        self.model = ""  # of the next session
        self.effort = ""
        self.views: dict[str, SurfaceView] = {}
        self.news = asyncio.Event()
        self._dispatch = dispatch
        self._on_closed = on_closed
        self._tasks = Tasks()
        self._places = CallSlots(MAX_OPEN_REQUESTS)
        self._urgent_places = CallSlots(MAX_OPEN_URGENT)
        self._unsaid: deque[bytes] = deque()
        self._unsaid_bytes = 0
        self._taken = asyncio.Event()  # by the transport
        self._begun = 0  # requests that are not answered yet
        self._settled = asyncio.Event()
        self._asked: PendingCalls[str, str] = PendingCalls(lambda count: f"ui_{count}")
        self._dialog = asyncio.Lock()
        self._leaving: dict[str, Callable[[], None]] = {}
        self._closed = False

    @property
    def label(self) -> str:
        """What others see when it drives a session; stays the same as long as it is connected."""
        where = "" if self.origin.is_here else "outside: "
        return f"{where}{self.name} ({self.id[-4:]})"

    @property
    def shown(self) -> str:
        """What others see when it answers."""
        return f"device {self.origin.device_name} ({self.id[-4:]})" if self.origin.device else self.label

    @property
    def who(self) -> Local | Outside:
        """For the record."""
        return describe_who(self.origin, self.label)

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
        places = self._urgent_places if message.method in URGENT else self._places
        is_placed = await places.take()
        if self._closed:
            return
        if not is_placed:
            self._refuse_busy(message)
            return
        self._begun += 1
        self._tasks.start(f"{message.method[:MAX_SHOWN_METHOD]} of {self.id}", self._work(message, places))

    async def _work(self, message: rpc.Request | rpc.Notification, places: CallSlots) -> None:
        try:
            if isinstance(message, rpc.Request):
                self.say(await self._reply(message))
            else:
                await self._hear(message)
        finally:
            self._begun -= 1
            places.give_back()
            self._settled.set()

    def _refuse_busy(self, message: rpc.Request | rpc.Notification) -> None:
        shown = message.method[:MAX_SHOWN_METHOD]
        if isinstance(message, rpc.Notification):
            log.warning("%s has too many open calls; its %s was dropped", self.id, shown)
            return
        why = f"{MAX_OPEN_REQUESTS} calls of this connection are still open, so {shown} was not begun. "
        self.say(rpc.error(message.id, rpc.BUSY, why + "Answer or cancel what waits, then try again."))

    async def _reply(self, request: rpc.Request) -> bytes:
        done = await self._carry_out(request.method, request.params)
        if isinstance(done, RpcError):
            return rpc.error(request.id, done.code, done.message, done.data)
        try:
            return rpc.result(request.id, done)
        except Exception:  # the fence of a reply that cannot be written
            log.exception("the reply to %s of %s cannot be written", request.method, self.id)
            return rpc.error(request.id, rpc.INTERNAL_ERROR, CRASHED.format(method=request.method))

    async def _carry_out(self, method: str, params: Raw) -> object | RpcError:
        """The result; a no is a value here."""
        try:
            return await self._dispatch(self, method, params)
        except RpcError as refused:
            return refused
        except UserError as fault:
            return RpcError(rpc.FAILED, str(fault))
        except Exception:  # the fence of a request: one that crashes does not take the connection along
            log.exception("%s of %s crashed", method, self.id)
            return RpcError(rpc.INTERNAL_ERROR, CRASHED.format(method=method))

    async def _hear(self, given: rpc.Notification) -> None:
        """JSON-RPC: a notification gets no answer."""
        known = METHODS.get(given.method)
        if known is None or known.way != "surface to daemon":
            return
        done = await self._carry_out(given.method, given.params)
        if isinstance(done, RpcError):
            log.info("%s said %s, which was refused: %s", self.id, given.method, done.message[:500])

    def _take_reply(self, reply: rpc.Reply) -> None:
        """A dialog may have been left open after its question was withdrawn: nobody waits for that one."""
        if reply.error is not None:
            self._asked.refuse(str(reply.id), RpcError(rpc.FAILED, str(reply.error)))
        else:
            self._asked.answer(str(reply.id), reply.result)

    # -- out --

    def say(self, frame: bytes) -> None:
        if self._closed:
            return
        if len(self._unsaid) >= MAX_UNSAID or self._unsaid_bytes >= MAX_UNSAID_BYTES:
            log.warning("%s reads nothing any more; it is disconnected", self.id)
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
        answer: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        try:
            with self._asked.wait(answer, method) as our_id:
                self.say(rpc.request(our_id, method, params))
                async with asyncio.timeout(UI_TIMEOUT_S):
                    raw = await answer
        except TimeoutError:
            raise RpcError(rpc.USER_CANCELLED, f"Nobody answered {method} in time.") from None
        except asyncio.CancelledError:
            if (said := instead()) is not None:
                self.say(rpc.request(self._asked.name(), method, said))
            raise
        try:
            return msgspec.json.decode(raw, type=kind)
        except msgspec.DecodeError as broken:
            raise RpcError(rpc.INVALID_PARAMS, f"The answer to {method} cannot be read: {broken}.") from None

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
        self._asked.cancel()
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

    def __init__(
        self,
        *,
        dispatch: Dispatch,
        new_id: Callable[[str], str],
        opened: Callable[[str], None] = lambda _folder: None,
    ) -> None:
        self._dispatch = dispatch
        self._opened = opened
        self._new_id = new_id
        self._connected: dict[str, Surface] = {}
        self._left = asyncio.Event()

    def connect(self, origin: Origin, *, workspace: str = "") -> Surface:
        """One folder is one workspace, however it is written. A page has none of its own choosing."""
        self._forget_closed()
        workspace = self.open_folder(workspace) if origin.door in ("terminal", "stdio") else ""
        surface = Surface(
            self._new_id(origin.door),
            origin=origin,
            workspace=workspace,
            dispatch=self._dispatch,
            on_closed=self._left.set,
        )
        self._connected[surface.id] = surface
        return surface

    def open_folder(self, workspace: str) -> str:
        """The folder that a local command was called in: from now on others may work in it too."""
        folder = str(Path(workspace).resolve()) if workspace else ""
        if folder:
            self._opened(folder)
        return folder

    def all(self) -> list[Surface]:
        return [surface for surface in self._connected.values() if not surface.closed]

    def broadcast(self, method: str, params: object) -> None:
        """To all who mirror state, and may know this."""
        for surface in self.all():
            mirrors = surface.initialized and surface.capabilities.supports_session_sync
            if mirrors and may_be_sent(surface.origin, method):
                surface.notify(method, params)

    def toast(self, toast: UiToastNotify) -> None:
        """To those who do not mirror state: the others make their own words of it."""
        for surface in self.all():
            if surface.initialized and not surface.capabilities.supports_session_sync:
                surface.notify("ui.toast", toast)

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
        await asyncio.gather(*(surface.finish() for surface in self._connected.values()))
