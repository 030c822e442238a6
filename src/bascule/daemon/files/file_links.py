"""File links: files that a surface may fetch, each by an id that cannot be guessed."""

import asyncio
from collections.abc import Callable

from msgspec import Struct

from bascule.core.bounded import forget_oldest
from bascule.core.text.media_type import HEAD, find_media_type, is_image
from bascule.host.files.confined_path import ConfinedPath, speakable
from bascule.host.files.workspace_files import Beginning, read_beginning
from bascule.model.asks import Refuse
from bascule.model.ids import SessionId

MAX_LINKS = 2_000  # the one that was not asked for longest goes first
MAX_SERVED = 32 * 1024 * 1024  # bytes
MAX_AT_ONCE = 4  # files being read

GONE = "There is no such file here any more. Ask for its link again."


class FileLink(Struct, frozen=True):
    """`place` holds no link: whatever is put in its way later is not followed."""

    session: SessionId
    place: ConfinedPath
    only_image: bool  # a block named it as one: it is shown as that, or not at all


class FileContent(Struct, frozen=True):
    """A file as it is now; `body` is all of it, or just how it begins."""

    name: str
    size: int
    media_type: str
    body: bytes


class FileLinks:
    def __init__(self, *, new_secret: Callable[[], str]) -> None:
        self._new_secret = new_secret
        self._by_id: dict[str, FileLink] = {}
        self._ids: dict[FileLink, str] = {}
        self._reading = asyncio.Semaphore(MAX_AT_ONCE)

    def put(self, link: FileLink) -> str:
        """Its id: the same one as long as it stands here."""
        file_id = self._ids.pop(link, None) or self._new_secret()
        self._by_id.pop(file_id, None)
        self._by_id[file_id], self._ids[link] = link, file_id
        forget_oldest(self._by_id, MAX_LINKS)
        forget_oldest(self._ids, MAX_LINKS)  # in the same order
        return file_id

    def find(self, file_id: str) -> FileLink | None:
        return self._by_id.get(file_id)

    async def look(self, link: FileLink) -> FileContent | Refuse:
        """What it is, without reading on."""
        return await self._see(link, HEAD)

    async def read(self, file_id: str) -> FileContent | Refuse:
        """All of it, read again: what it was when its link was made says nothing of now."""
        link = self._by_id.get(file_id)
        return Refuse(GONE) if link is None else await self._see(link, MAX_SERVED + 1)

    async def _see(self, link: FileLink, most: int) -> FileContent | Refuse:
        async with self._reading:
            begun = await asyncio.to_thread(read_beginning, link.place, most)
        if isinstance(begun, Refuse):
            return begun
        return _judge(link, begun)


def _judge(link: FileLink, begun: Beginning) -> FileContent | Refuse:
    name = speakable(link.place.real.name)
    media_type = find_media_type(begun.head)
    if link.only_image and not is_image(media_type):
        return Refuse(f"{name} is not an image: it does not begin like PNG, JPEG, GIF or WebP.")
    if max(begun.size, len(begun.head)) > MAX_SERVED:
        return Refuse(f"{name} has {begun.size} bytes; {MAX_SERVED} is the most that can be shown.")
    return FileContent(name=name, size=begun.size, media_type=media_type, body=begun.head)
