"""A WeCom smart robot as a chat: a message opens a stream that follows its command to the outcome."""

import asyncio
import logging
import secrets
from collections.abc import Callable

from msgspec import Struct, field

from bascule.core.relay.dev_commands import PREFIX, Language, find_language
from bascule.core.relay.replies import ChatReply, cut_message, say
from bascule.relay.chat.budget import ChatBudget
from bascule.relay.chat.intake import ChatMessage, Intake
from bascule.relay.chat.json_client import PushFailed
from bascule.relay.chat.platforms import ChatPlatform, Recipient, sending_file
from bascule.relay.storage.database import StoreAway
from bascule.relay.storage.records import CommandState
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.wecom.bot_connection import BotConnection
from bascule.relay.wecom.bot_frames import RESPOND, SEND, BotMessage, file_body, push_body, stream_body
from bascule.relay.wecom.bot_upload import upload_file

LASTS_MS = 570_000  # WeCom ends a stream after 10 minutes
GOING: dict[CommandState, str] = {"taken": "working", "inLine": "in_line"}  # what a stream says of each
QUIET_MS = 240_000  # and after 6 minutes without an update
LOOK_S = 2.0
MAX_STREAMS = 500

log = logging.getLogger("bascule.relay")


class Stream(Struct):
    """One answer that is still being written, in the chat where it was asked for."""

    req_id: str
    id: str
    chat: str
    language: Language
    text: str
    began_ms: int
    updated_ms: int
    state: CommandState = "queued"  # as it shows it
    line: str = ""  # how the command goes, below the first words
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)  # one update after the other

    @property
    def shown(self) -> str:
        return f"{self.text}\n{self.line}" if self.line else self.text


class WeComBot(ChatPlatform):
    name = "wecom-bot"
    is_led = True
    joins = True

    def __init__(
        self,
        *,
        connection: BotConnection,
        store: RelayStore,
        budget: ChatBudget,
        now_ms: Callable[[], int],
    ) -> None:
        self._connection = connection
        self._store = store
        self._budget = budget
        self._now_ms = now_ms
        self._streams: dict[str, Stream] = {}  # by command

    @property
    def can_send(self) -> bool:
        return self._connection.is_open

    async def run(self, intake: Intake) -> None:
        await self._connection.run(lambda req_id, message: self.take(intake, req_id, message))

    # -- in --

    async def take(self, intake: Intake, req_id: str, message: BotMessage) -> None:
        words = message.text.content if message.msgtype == "text" else message.voice.content
        language = find_language(words or "中")
        if message.msgtype not in ("text", "voice"):
            await self._reply(req_id, message.chat, say("text_only", language))
            return
        said = ChatMessage(
            platform=self.name,
            id=message.msgid,
            user=message.sender.userid,
            text=without_mention(words) if message.chattype == "group" else words,
            chat=message.chat,
            direct=True,  # WeCom passes on only what is said to the robot
        )
        try:
            taken = await intake.take(said)
        except StoreAway as fault:  # WeCom does not send it again
            log.warning("a message could not be stored: %s", fault)
            await self._reply(req_id, message.chat, say("not_stored", language))
            return
        if not taken.command_id:
            if taken.text:
                await self._reply(req_id, message.chat, taken.text)
            return
        now_ms = self._now_ms()
        stream = Stream(
            req_id,
            secrets.token_hex(12),
            message.chat,
            language,
            taken.text,
            began_ms=now_ms,
            updated_ms=now_ms,
        )
        if len(self._streams) < MAX_STREAMS:
            self._streams[taken.command_id] = stream
        await self._write(stream, taken.text, is_last=taken.command_id not in self._streams)

    async def _reply(self, req_id: str, chat: str, text: str) -> None:
        now_ms = self._now_ms()
        stream = Stream(req_id, secrets.token_hex(12), chat, "en", text, began_ms=now_ms, updated_ms=now_ms)
        await self._write(stream, text, is_last=True)

    # -- out --

    async def send(self, to: Recipient, reply: ChatReply) -> None:
        """The end of its stream; where that is over, a message of its own. The streams of those that share
        the message end later, when there is room for it."""
        stream, chat = self._streams.pop(to.command_id, None), to.chat or to.user
        if stream is None or not await self._fits(stream, reply.text, is_last=True):
            await self._connection.call(SEND, push_body(chat, cut_message(reply.text)))
        for name in to.others:
            if (other := self._streams.get(name)) is not None:
                other.state = "done"
        if reply.file is not None:
            with sending_file():
                media = await upload_file(self._connection, reply.file)
                await self._connection.call(SEND, file_body(chat, media))

    async def tell(self, to: Recipient, text: str, number: int) -> None:  # noqa: ARG002  # a stream is updated
        if (stream := self._streams.get(to.command_id)) is not None:
            stream.state, stream.line = "asking", text
            if await self._fits(stream, stream.shown, is_last=False):
                return
            self._streams.pop(to.command_id, None)
        await self._connection.call(SEND, push_body(to.chat or to.user, cut_message(text)))

    async def _fits(self, stream: Stream, text: str, *, is_last: bool) -> bool:
        """Whether WeCom still takes it into the stream."""
        try:
            await self._update(stream, text, is_last=is_last)
        except PushFailed as fault:
            log.info("a stream is over, so what follows is sent on its own: %s", fault)
            return False
        return True

    async def look_after_streams(self) -> None:
        """Again and again: what the machine has taken is said, and no stream ends by WeCom's clock."""
        for command_id, stream in list(self._streams.items()):
            now_ms = self._now_ms()
            if stream.state == "done":
                await self._end_stream(command_id, stream)
                continue
            if now_ms - stream.began_ms >= LASTS_MS:
                self._streams.pop(command_id, None)
                await self._write(stream, say("follows", stream.language, id=command_id), is_last=True)
                continue
            command = await self._store.find_command(command_id)
            if command is None or command.outcome is not None:
                continue  # its outcome is on its way
            if stream.state != command.state and (going := GOING.get(command.state)):
                stream.state = command.state
                stream.line = say(going, stream.language, machine=command.machine)
                await self._write(stream, stream.shown)
            elif now_ms - stream.updated_ms >= QUIET_MS:
                minutes = (now_ms - stream.began_ms) // 60_000
                waiting = say("waiting", stream.language, minutes=str(minutes))
                await self._write(stream, f"{stream.shown}\n{waiting}")

    async def _end_stream(self, command_id: str, stream: Stream) -> None:
        """Its outcome was part of another message."""
        elsewhere = say("elsewhere", stream.language, id=command_id)
        is_over = self._now_ms() - stream.began_ms >= LASTS_MS  # WeCom ends it
        if is_over or await self._write(stream, elsewhere, is_last=True):
            self._streams.pop(command_id, None)

    async def _write(self, stream: Stream, text: str, *, is_last: bool = False) -> bool:
        """What is not the outcome: it may be left out. Whether there was room for it."""
        if not self._budget.take(self.name, stream.chat, is_outcome=False):
            return False
        try:
            await self._update(stream, text, is_last=is_last)
        except PushFailed as fault:
            log.warning("an answer was not taken by the chat: %s", fault)
        return True

    async def _update(self, stream: Stream, text: str, *, is_last: bool) -> None:
        async with stream.writing:
            stream.updated_ms = self._now_ms()
            body = stream_body(stream.id, cut_message(text), is_last=is_last)
            await self._connection.call(RESPOND, body, stream.req_id)


def without_mention(text: str) -> str:
    """In a group a message begins with the robot's name: @Robot, then a blank of some kind."""
    text = text.strip()
    if not text.startswith("@") or PREFIX.match(text) is not None:
        return text
    _, *rest = text.split(None, 1)
    return rest[0] if rest else text
