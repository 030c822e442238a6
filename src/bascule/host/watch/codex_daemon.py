"""Codex's shared daemon, listened to: it is asked what is loaded, and never resumed, answered or driven."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from bascule import __version__
from bascule.core.watch.codex_socket import SocketReader
from bascule.core.watch.places import SOCKET
from bascule.host.network.local_socket import find_peer
from bascule.host.watch.faults import WatchFaults, why_of
from bascule.model.watch import Signal

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

OPEN_TIMEOUT_S = 5.0
ANSWER_TIMEOUT_S = 10.0  # for an answer of the handshake; afterwards silence is fine
FIRST_WAIT_S = 1.0
MAX_WAIT_S = 30.0
MAX_FRAME = 4 * 1024 * 1024
MAX_LOADED = 500  # threads that are looked at
MAX_PAGES = 20
SocketFile = tuple[int, int, int]  # where it is, which it is, and when it was made

# All that is ever said. Nothing here opens, resumes, answers or changes a thread.
SAYS = frozenset({"initialize", "initialized", "thread/loaded/list", "thread/read"})


class SocketLied(Exception):
    """What came is not what this socket should say."""


class CodexDaemon:
    """`run` until cancelled: waits for the socket, listens, and comes back with more patience each time."""

    def __init__(
        self,
        home: str,
        deliver: Callable[[list[Signal]], None],
        faults: WatchFaults,
        now_ms: Callable[[], int],
        *,
        note_agent: Callable[[int], None],
        first_wait_s: float = FIRST_WAIT_S,
        answer_timeout_s: float = ANSWER_TIMEOUT_S,
    ) -> None:
        self.path = os.path.join(home, SOCKET)  # noqa: PTH118
        self._deliver = deliver
        self._faults = faults
        self._now_ms = now_ms
        self._note_agent = note_agent  # the process that listens there
        self._first_wait_s = first_wait_s
        self._answer_timeout_s = answer_timeout_s
        self._reader = SocketReader()
        self._last_id = 0
        self.connected = asyncio.Event()

    def has_loaded(self, thread: str) -> bool:
        """As far as the daemon says now."""
        return self.connected.is_set() and self._reader.is_loaded(thread)

    async def run(self) -> None:
        wait_s = self._first_wait_s
        while True:
            which = await asyncio.to_thread(_find_file, self.path)
            if which is not None:
                from websockets.exceptions import ConnectionClosed, InvalidHandshake

                try:
                    await self._listen()
                    wait_s = self._first_wait_s
                except ConnectionRefusedError:
                    wait_s = min(MAX_WAIT_S, wait_s * 2)
                    self._note_refused()
                except (OSError, TimeoutError, InvalidHandshake, ConnectionClosed, SocketLied) as fault:
                    wait_s = min(MAX_WAIT_S, wait_s * 2)
                    self._faults.report(self.path, _say_why(fault))
                finally:
                    self.connected.clear()
                    self._deliver(self._reader.lose())
            else:
                self._faults.forget(self.path)
            if await self._wait_for_another(which, wait_s):
                wait_s = self._first_wait_s

    async def _wait_for_another(self, which: SocketFile | None, wait_s: float) -> bool:
        """As long as that, but no longer than until another file is there: that of the next daemon."""
        until_s = asyncio.get_running_loop().time() + wait_s
        while (left_s := until_s - asyncio.get_running_loop().time()) > 0:
            await asyncio.sleep(min(left_s, self._first_wait_s))
            if await asyncio.to_thread(_find_file, self.path) != which:
                return True
        return False

    def _note_refused(self) -> None:
        """The socket of a daemon that has ended is no fault: there is nothing to hear."""
        if Path(self.path).is_socket():
            self._faults.forget(self.path)
        else:
            self._faults.report(self.path, "it is not a socket")

    async def _listen(self) -> None:
        """Returns when the daemon closes the connection as it should."""
        from websockets.asyncio.client import unix_connect

        async with unix_connect(
            self.path,
            uri="ws://localhost/",
            compression=None,
            max_size=MAX_FRAME,
            open_timeout=OPEN_TIMEOUT_S,
            close_timeout=1.0,
        ) as socket:
            if (peer := find_peer(socket.transport.get_extra_info("socket"))) is not None:
                self._note_agent(peer.pid)
            async with asyncio.timeout(3 * self._answer_timeout_s):
                await self._begin(socket)
            self._faults.forget(self.path)
            self.connected.set()
            async for frame in socket:
                await self._take(socket, _parse(frame))

    async def _begin(self, socket: "ClientConnection") -> None:
        client = {"name": "bascule_watch", "title": "Bascule", "version": __version__}
        await self._ask(socket, "initialize", {"clientInfo": client})
        await self._say(socket, {"method": "initialized"})
        cursor, seen = None, 0
        for _ in range(MAX_PAGES):
            page = await self._ask(socket, "thread/loaded/list", {"cursor": cursor} if cursor else {})
            ids = page.get("data")
            for thread in ids if isinstance(ids, list) else []:
                if isinstance(thread, str) and seen < MAX_LOADED:
                    seen += 1
                    await self._look(socket, thread)
            cursor = page.get("nextCursor")
            if not isinstance(cursor, str) or not cursor:
                return

    async def _look(self, socket: "ClientConnection", thread: str) -> None:
        """What is known of a thread: read, which does not open it."""
        answer = await self._ask(socket, "thread/read", {"threadId": thread, "includeTurns": False})
        self._deliver(self._reader.take(answer.get("thread")))

    async def _ask(self, socket: "ClientConnection", method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Whatever else comes before the answer is heard: a busy daemon has much to say."""
        self._last_id += 1
        await self._say(socket, {"id": self._last_id, "method": method, "params": params})
        async with asyncio.timeout(self._answer_timeout_s):
            while True:
                message = _parse(await socket.recv())
                if message.get("id") == self._last_id and "method" not in message:
                    result = message.get("result")
                    return result if isinstance(result, dict) else {}
                self._hear(message)

    async def _say(self, socket: "ClientConnection", message: dict[str, Any]) -> None:
        assert message["method"] in SAYS
        await socket.send(msgspec.json.encode(message).decode())

    async def _take(self, socket: "ClientConnection", message: dict[str, Any]) -> None:
        thread = self._hear(message)
        if thread and self._reader.needs_look(thread):
            await self._look(socket, thread)

    def _hear(self, message: dict[str, Any]) -> str:
        """The thread that it is about. What the daemon asks of us is left to those who drive it."""
        method, params = message.get("method"), message.get("params")
        if not isinstance(method, str) or "id" in message:
            return ""
        signals = self._reader.feed(method, params, self._now_ms())
        self._deliver(signals)
        return signals[0].session if signals else ""


def _find_file(path: str) -> SocketFile | None:
    """None where there is none."""
    try:
        state = Path(path).stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino, state.st_ctime_ns


def _say_why(fault: Exception) -> str:
    match fault:
        case TimeoutError():
            return "it does not answer"
        case SocketLied():
            return "it sends what Codex does not"
        case OSError():
            return why_of(fault)
        case _:
            return "it closes the connection"


def _parse(frame: str | bytes) -> dict[str, Any]:
    try:
        return msgspec.json.decode(frame, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as broken:
        raise SocketLied(str(broken)) from None
