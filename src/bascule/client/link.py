"""A link to a daemon: calls go out, answers and notifications come in, over whichever wire."""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Raw

from bascule import __version__
from bascule.core.faults import DaemonGone, UserError
from bascule.core.wire import rpc
from bascule.core.wire.pending_calls import PendingCalls
from bascule.model.protocol.runs import Client, InitializeParams, InitializeResult, UiCapabilities
from bascule.model.protocol.table import METHODS, VERSION

T = TypeVar("T")


class Wire(Protocol):
    """Frames, one JSON-RPC message each."""

    async def send(self, frame: bytes) -> None: ...

    async def receive(self) -> bytes:
        """The next frame; EOFError when there is none any more."""


class LinkRefused(UserError):
    """The daemon answered with an error."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class LinkLost(DaemonGone):
    """The daemon is gone, or the wire to it."""


class Link:
    """`on_notified(method, params)` is called in the order of the wire, before any later answer is given."""

    def __init__(self, wire: Wire, on_notified: Callable[[str, Raw], None]) -> None:
        self._wire = wire
        self._on_notified = on_notified
        self._calls: PendingCalls[str, str] = PendingCalls(str)
        self._lost = ""

    async def run(self) -> None:
        """Read until the wire ends; somebody must be running this."""
        why = "The link to the daemon broke."
        try:
            while True:
                message = rpc.parse_frame(await self._wire.receive(), most_bytes=None)
                if isinstance(message, rpc.Request):
                    await self._refuse(message)
                else:
                    self._take(message)
        except EOFError:
            why = "The daemon has closed the connection."
        finally:
            self._lose(why)  # nobody waits for an answer any longer, however it ended

    def _take(self, message: rpc.Message) -> None:
        match message:
            case rpc.Notification():
                self._on_notified(message.method, message.params)
            case rpc.Reply():
                if message.error is not None:
                    self._calls.refuse(str(message.id), _refused(message.error))
                else:
                    self._calls.answer(str(message.id), message.result)
            case rpc.Request() | rpc.Fault():
                pass

    async def _refuse(self, asked: rpc.Request) -> None:
        """This side mirrors state and is asked nothing: who asks anyway is not left waiting."""
        why = f"This command does not answer {asked.method}."
        await self._wire.send(rpc.error(asked.id, rpc.METHOD_NOT_FOUND, why))

    def _lose(self, why: str) -> None:
        self._lost = why
        self._calls.fail(lambda: LinkLost(why))

    async def call(self, method: str, params: object) -> Any:
        """The answer, in the struct that the protocol's table names for it."""
        if self._lost:
            raise LinkLost(self._lost)
        answer: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        with self._calls.wait(answer, method) as our_id:
            await self._wire.send(rpc.request(our_id, method, params))
            return msgspec.json.decode(await answer, type=METHODS[method].result)

    async def notify(self, method: str, params: object) -> None:
        """Said without waiting for an answer."""
        if self._lost:
            raise LinkLost(self._lost)
        await self._wire.send(rpc.notification(method, params))

    async def initialize(self, name: str) -> InitializeResult:
        params = InitializeParams(
            protocol_version=VERSION,
            client=Client(name=name, version=__version__),
            ui_capabilities=UiCapabilities(supports_session_sync=True, supports_markdown=True),
        )
        answer: InitializeResult = await self.call("initialize", params)
        if answer.protocol_version != VERSION:
            raise UserError(
                f"The daemon speaks version {answer.protocol_version} of the protocol, "
                f"this command {VERSION}. Restart it: `bascule down`, then `bascule up`."
            )
        return answer


def _refused(error: Any) -> LinkRefused:
    if isinstance(error, dict):
        return LinkRefused(int(error.get("code", 0)), str(error.get("message", "")), error.get("data"))
    return LinkRefused(0, str(error))
