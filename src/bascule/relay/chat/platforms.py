"""The one small interface to a chat: a name, and a way to say something to somebody."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.relay.replies import ChatReply
from bascule.relay.chat.json_client import PushFailed


class Recipient(Struct, frozen=True, kw_only=True):
    """Of an outcome: who asked, in which chat, and for what."""

    user: str
    chat: str = ""  # empty: the person's own
    command_id: str = ""  # the same again is the same message, and is shown once
    others: tuple[str, ...] = ()  # commands whose outcomes are in the same message


class ChatPlatform(Protocol):
    name: str
    is_led: bool = False  # by one node at a time, which sends all its outcomes
    joins: bool = False  # several outcomes can be one message

    @property
    def can_send(self) -> bool:
        """Whether it can be tried here and now."""
        return True

    async def send(self, to: Recipient, reply: ChatReply) -> None:
        """`PushFailed` where it did not arrive; `FileFailed` where all but its file did."""

    async def tell(self, to: Recipient, text: str, number: int) -> None:
        """How a command goes on, before its outcome: the numbered message about it. `PushFailed` where it
        did not arrive."""
        await self.send(replace(to, command_id=f"{to.command_id}.{number}"), ChatReply(text))


class FileFailed(PushFailed):
    """The text has arrived, the file that belongs to it has not."""


@contextmanager
def sending_file() -> Iterator[None]:
    try:
        yield
    except PushFailed as fault:
        raise FileFailed(f"its file was not taken: {fault}") from None
