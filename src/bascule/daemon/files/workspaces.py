"""The files of the workspaces that sessions and surfaces have, and of no other folder."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from bascule.core.bounded import forget_oldest
from bascule.core.prompts.file_ranking import PathIndex
from bascule.daemon.agents.roster import Roster
from bascule.host.files.confined_path import find_folder, find_inside, find_moved
from bascule.host.files.private_places import NOTHING_PRIVATE, PrivatePaths
from bascule.host.files.workspace_files import Listing, list_dir, read_text, search_text
from bascule.host.git.git_files import find_git_bar, without_git
from bascule.model.asks import Refuse
from bascule.model.ids import SessionId
from bascule.model.protocol.files import (
    FindFilesParams,
    FoundFiles,
    ListDirParams,
    ListedDir,
    ReadFile,
    ReadFileParams,
    SearchedFiles,
    SearchFilesParams,
)

T = TypeVar("T")

FRESH_S = 3.0  # a person types a word in less; a new file is found after it
MAX_LISTED = 8  # workspaces whose files are remembered; the one not used for longest goes first
MAX_FOUND = 200
MAX_AT_ONCE = 4  # looks at the disk: one slow folder does not hold up all the rest


class ListedWorkspace(Struct, frozen=True):
    listing: Listing
    index: PathIndex
    at_s: float


class Workspaces:
    """`own` is the workspace of the surface that asks; a session's id chooses that session's.

    No path of a workspace comes from the wire: what no session and no surface has cannot be named."""

    def __init__(
        self,
        *,
        roster: Roster,
        private: PrivatePaths = NOTHING_PRIVATE,
        scan: Callable[[Path], Listing],
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._roster = roster
        self._private = private
        self._scan = scan
        self._clock_s = clock_s
        self._seen: dict[str, ListedWorkspace] = {}
        self._scans: dict[str, asyncio.Lock] = {}
        self._looks = asyncio.Semaphore(MAX_AT_ONCE)

    async def get(self, session_id: str, own: str) -> str | Refuse:
        """SessionMissing where there is no such session."""
        workspace = self._roster.get(SessionId(session_id)).workspace if session_id else own
        if not workspace:
            return Refuse("Name a session: this surface has no workspace of its own.")
        return await asyncio.to_thread(find_moved, workspace) or workspace

    async def find_files(self, params: FindFilesParams, own: str) -> FoundFiles | Refuse:
        workspace = await self.get(params.session_id, own)
        if isinstance(workspace, Refuse):
            return workspace
        seen = await self._see(workspace)
        files = seen.index.find(params.query, min(max(params.limit, 1), MAX_FOUND))
        return FoundFiles(files=tuple(files), truncated=seen.listing.truncated)

    async def list_dir(self, params: ListDirParams, own: str) -> ListedDir | Refuse:
        return await self._read_allowed(params, own, lambda place: list_dir(place, params.path))

    async def read_file(self, params: ReadFileParams, own: str) -> ReadFile | Refuse:
        return await self._read_allowed(
            params, own, lambda place: read_text(place, params.path, params.offset, params.limit)
        )

    async def _read_allowed(
        self, params: ListDirParams | ReadFileParams, own: str, read: Callable[[Path], T | Refuse]
    ) -> T | Refuse:
        """Touches the disk in a thread, and only where the path may be seen."""
        workspace = await self.get(params.session_id, own)
        if isinstance(workspace, Refuse):
            return workspace
        async with self._looks:
            barred = await asyncio.to_thread(self.find_bar, workspace, params.path)
            return await asyncio.to_thread(read, Path(workspace)) if barred is None else barred

    def find_bar(self, workspace: str, path: str) -> Refuse | None:
        """By where it really lies; one that leads out is refused by who opens it."""
        found = find_inside(Path(workspace), path)
        if isinstance(found, Refuse):
            return None
        return find_git_bar(found) or self._private.find_bar(Path(workspace), found.real)

    async def search(self, params: SearchFilesParams, own: str) -> SearchedFiles | Refuse:
        workspace = await self.get(params.session_id, own)
        if isinstance(workspace, Refuse):
            return workspace
        listing = (await self._see(workspace)).listing
        async with self._looks:
            return await asyncio.to_thread(search_text, Path(workspace), params.query, params.limit, listing)

    async def find_folder(self, session_id: str, own: str, named: str) -> Path | Refuse:
        """A folder of the workspace for a command to run in; the workspace itself when none is named."""
        workspace = await self.get(session_id, own)
        if isinstance(workspace, Refuse):
            return workspace
        async with self._looks:
            return await asyncio.to_thread(find_folder, Path(workspace), named)

    async def listing(self, workspace: str) -> Listing:
        return (await self._see(workspace)).listing

    async def _see(self, workspace: str) -> ListedWorkspace:
        """Looked at again after a few seconds, and by one at a time."""
        async with self._scans.setdefault(workspace, asyncio.Lock()):
            seen = self._seen.pop(workspace, None)
            if seen is None or self._clock_s() - seen.at_s > FRESH_S:
                async with self._looks:
                    seen = await asyncio.to_thread(self._look, workspace)
            self._seen[workspace] = seen
        self._forget()
        return seen

    def _look(self, workspace: str) -> ListedWorkspace:
        place = Path(workspace)
        listing = without_git(place, self._private.without(place, self._scan(place)))
        return ListedWorkspace(listing, PathIndex(listing.files), self._clock_s())

    def _forget(self) -> None:
        forget_oldest(self._seen, MAX_LISTED)
        for workspace, lock in list(self._scans.items()):
            if workspace not in self._seen and not lock.locked():
                del self._scans[workspace]
