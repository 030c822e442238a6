"""WeCom's long connection for one smart robot: subscribed, kept alive, and made again after a pause."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable

import msgspec

from bascule.core.wire.pending_calls import PendingCalls
from bascule.host.clock import spread
from bascule.host.network.socket_link import LinkFailed, SocketLink, dial_server
from bascule.host.processes.tasks import Tasks
from bascule.relay.chat.json_client import PushFailed
from bascule.relay.config import WeComBotConfig
from bascule.relay.wecom.bot_frames import (
    EVENT,
    FRAME,
    HEARTBEAT,
    MESSAGE,
    MESSAGE_BODY,
    REPLACED,
    SUBSCRIBE,
    BotFrame,
    BotMessage,
    make_frame,
)

MAX_FRAME = 1024 * 1024  # bytes
MAX_AT_ONCE = 100  # messages that are being answered; more are not taken
ANSWER_S = 10.0
HEARTBEAT_S = 30.0
MAX_FAILED = 4  # connections in a row
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 30.0
REPLACED_PAUSE_S = 60.0  # two that take the robot from each other would answer nobody

Take = Callable[[str, BotMessage], Awaitable[None]]

log = logging.getLogger("bascule.relay")


class BotConnection:
    def __init__(self, config: WeComBotConfig, *, heartbeat_s: float = HEARTBEAT_S) -> None:
        self._config = config
        self._heartbeat_s = heartbeat_s
        self._calls: PendingCalls[str, None] = PendingCalls(lambda _count: secrets.token_hex(12))
        self._socket: SocketLink | None = None
        self._is_replaced = False
        self._tries = 0  # in a row

    @property
    def is_open(self) -> bool:
        return self._socket is not None

    async def run(self, take: Take) -> None:
        """Until it is cancelled, or failed several times in a row: another node may reach WeCom. Each message
        goes to `take` with the id that a reply needs."""
        failed = 0
        while failed < MAX_FAILED:
            self._is_replaced = False
            try:
                await self._serve(take)
                failed = self._tries = 0
            except (LinkFailed, PushFailed) as fault:
                failed += 1
                log.warning("WeCom's long connection failed: %s", fault)
            self._tries += 1
            await asyncio.sleep(self._pause_s(self._tries))

    def _pause_s(self, tries: int) -> float:
        if self._is_replaced:
            return REPLACED_PAUSE_S
        return spread(min(FIRST_PAUSE_S * 2.0 ** min(tries - 1, 10), LONGEST_PAUSE_S))

    async def _serve(self, take: Take) -> None:
        """One connection, from its start to its end."""
        socket = await dial_server(self._config.url, most_bytes=MAX_FRAME, timeout_s=ANSWER_S, ping_s=None)
        try:
            async with Tasks() as tasks:
                await self._work(socket, take, tasks)
        finally:
            self._socket = None
            await socket.close()

    async def _work(self, socket: SocketLink, take: Take, tasks: Tasks) -> None:
        reading = tasks.start("frames of WeCom", self._read(socket, take))
        who = {"bot_id": self._config.bot_id, "secret": self._config.secret}
        await self._call(socket, SUBSCRIBE, who)
        self._socket = socket
        log.info("connected to WeCom as %s", self._config.bot_id)
        beating = tasks.start("heartbeat to WeCom", self._beat(socket))
        await asyncio.wait({reading, beating}, return_when=asyncio.FIRST_COMPLETED)

    async def _beat(self, socket: SocketLink) -> None:
        """Ends where WeCom does not answer."""
        while True:
            await asyncio.sleep(self._heartbeat_s)
            try:
                await self._call(socket, HEARTBEAT, None)
            except PushFailed as fault:
                log.warning("WeCom did not answer a heartbeat: %s", fault)
                return

    async def _read(self, socket: SocketLink, take: Take) -> None:
        async with Tasks() as tasks:
            try:
                while not self._is_replaced:
                    self._take_frame(await socket.receive(), take, tasks)
            except EOFError:
                return
            finally:
                self._calls.fail(lambda: PushFailed("the connection to WeCom ended"))

    def _take_frame(self, data: bytes, take: Take, tasks: Tasks) -> None:
        try:
            frame = FRAME.decode(data)
            message = MESSAGE_BODY.decode(frame.body) if frame.cmd in (MESSAGE, EVENT) else None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            log.warning("WeCom sent a frame that cannot be read")
            return
        if message is None:
            self._take_answer(frame)
        elif frame.cmd == EVENT:
            if message.event.eventtype == REPLACED:
                log.warning("another connection of this WeCom robot took over")
                self._is_replaced = True
        elif len(tasks.names) >= MAX_AT_ONCE:
            log.warning("too many messages at once; one was not taken")
        else:
            tasks.start(f"message {message.msgid[:40]}", _started(take, frame.headers.req_id, message))

    def _take_answer(self, frame: BotFrame) -> None:
        name = frame.headers.req_id
        if frame.errcode:
            self._calls.refuse(name, PushFailed(f"WeCom answered {frame.errcode}: {frame.errmsg[:200]}"))
        else:
            self._calls.answer(name, frame.body)

    async def call(self, cmd: str, body: object, req_id: str | None = None) -> msgspec.Raw:
        """Returns once WeCom has taken it, with its answer; one at a time for each request id."""
        if self._socket is None:
            raise PushFailed("WeCom's long connection is not open")
        return await self._call(self._socket, cmd, body, req_id)

    async def _call(
        self, socket: SocketLink, cmd: str, body: object, req_id: str | None = None
    ) -> msgspec.Raw:
        answer: asyncio.Future[msgspec.Raw] = asyncio.get_running_loop().create_future()
        with self._calls.wait(answer, None, req_id) as name:
            try:
                async with asyncio.timeout(ANSWER_S):
                    await socket.send(make_frame(cmd, name, body))
                    return await answer
            except TimeoutError:
                raise PushFailed(f"WeCom did not answer within {ANSWER_S:.0f} s") from None
            except EOFError:
                raise PushFailed("the connection to WeCom ended") from None


async def _started(take: Take, req_id: str, message: BotMessage) -> None:
    await take(req_id, message)
