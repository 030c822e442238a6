"""Which files may be linked: those of the workspace, attachments, and images that a block names."""

import asyncio
import base64
import binascii
from collections.abc import Iterator
from pathlib import Path

from bascule.core.text.media_type import is_image
from bascule.daemon.agents.roster import Roster
from bascule.daemon.files.file_links import FileLink, FileLinks
from bascule.daemon.sessions.hub import Hub
from bascule.host.files.attachments import MAX_FILE, Attachments
from bascule.host.files.confined_path import ConfinedPath, find_lone, find_named, speakable
from bascule.host.files.private_places import PrivatePaths
from bascule.host.git.git_files import find_git_bar
from bascule.model.asks import Refuse
from bascule.model.blocks import Block, ImageBlock, UserBlock
from bascule.model.consent.origin import Door, Origin
from bascule.model.ids import SessionId
from bascule.model.protocol.setup import AttachParams, LinkedFile, LinkParams

SCHEME = "bascule-file:"  # and an id: how a prompt names a linked file
LOCAL: frozenset[Door] = frozenset({"terminal", "stdio"})
MAX_BASE64 = (MAX_FILE + 2) // 3 * 4


class FileAccess:
    """A missing session raises SessionMissing; a file that may not be shown is a Refuse."""

    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        file_links: FileLinks,
        attachments: Attachments,
        private: PrivatePaths,
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._file_links = file_links
        self._attachments = attachments
        self._private = private
        self._keeping = (
            asyncio.Lock()
        )  # one at a time: the ceiling of a session holds for two that come at once

    async def attach(self, params: AttachParams) -> LinkedFile | Refuse:
        session = SessionId(params.session_id)
        self._roster.get(session)
        data = _decode(params)
        if isinstance(data, Refuse):
            return data
        async with self._keeping:
            kept = await asyncio.to_thread(self._attachments.keep, session, params.name, data)
        return kept if isinstance(kept, Refuse) else await self._link(FileLink(session, kept, False))

    async def link(self, params: LinkParams) -> LinkedFile | Refuse:
        session = SessionId(params.session_id)
        workspace = Path(self._roster.get(session).workspace)
        named = params.path in _find_images((await self._hub.read(session)).blocks)
        found = await asyncio.to_thread(self._find, session, workspace, params.path, named)
        return found if isinstance(found, Refuse) else await self._link(found)

    def _find(self, session: SessionId, workspace: Path, path: str, named: bool) -> FileLink | Refuse:
        attached = self._attachments.find(session, path)
        if isinstance(attached, ConfinedPath):
            return FileLink(session, attached, False)
        inside = self._check(workspace, find_named(workspace, path))
        if isinstance(inside, ConfinedPath):
            return FileLink(session, inside, False)
        lone = self._check(workspace, find_lone(path)) if named else inside
        return FileLink(session, lone, True) if isinstance(lone, ConfinedPath) else inside

    def _check(self, workspace: Path, found: ConfinedPath | Refuse) -> ConfinedPath | Refuse:
        """By where it really lies, not by how it was named."""
        if isinstance(found, Refuse):
            return found
        return find_git_bar(found) or self._private.find_bar(workspace, found.real) or found

    async def _link(self, wanted: FileLink) -> LinkedFile | Refuse:
        seen = await self._file_links.look(wanted)
        if isinstance(seen, Refuse):
            return seen
        return LinkedFile(
            file_id=self._file_links.put(wanted),
            path=speakable(str(wanted.place.real)),
            name=seen.name,
            size=seen.size,
            media_type=seen.media_type,
        )

    async def find_path(self, session: SessionId, image: str, origin: Origin) -> str | Refuse:
        """As an agent takes an image: by its path where it is attached, linked or in the workspace."""
        if image.startswith(("data:", "http://", "https://")):
            return image
        if not image.startswith(SCHEME):
            return await asyncio.to_thread(self._find_image, session, image, origin)
        wanted = self._file_links.find(image.removeprefix(SCHEME))
        if wanted is None or wanted.session != session:
            return Refuse("This session does not have a file of this prompt. Attach it again.")
        seen = await self._file_links.look(wanted)
        if isinstance(seen, Refuse):
            return seen
        if not is_image(seen.media_type):
            return Refuse(f"{seen.name} is not an image. Mention it in the text instead.")
        return str(wanted.place.real)

    def _find_image(self, session: SessionId, path: str, origin: Origin) -> str | Refuse:
        """A program of this person's own may name any image that is not private; a page may not."""
        found = self._find(session, Path(self._roster.get(session).workspace), path, origin.door in LOCAL)
        return found if isinstance(found, Refuse) else str(found.place.real)


def _decode(params: AttachParams) -> bytes | Refuse:
    if len(params.data) > MAX_BASE64:
        return Refuse(f"An attached file has at most {MAX_FILE} bytes. Put it into the workspace instead.")
    try:
        return base64.b64decode(params.data, validate=True)
    except (binascii.Error, ValueError):
        return Refuse("data: This is not base64.")


def _find_images(blocks: tuple[Block, ...]) -> set[str]:
    return {path for block in blocks for path in _images_of(block) if path}


def _images_of(block: Block) -> Iterator[str]:
    if isinstance(block, ImageBlock):
        yield block.path
    elif isinstance(block, UserBlock):
        yield from block.images
