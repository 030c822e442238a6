"""Openings: a workspace is a folder that somebody at this machine opened; a wire cannot name others."""

import asyncio
from pathlib import Path

from bascule.daemon.consent.record import Record
from bascule.daemon.sessions.hub import Hub
from bascule.host.config.trust_store import TrustStore
from bascule.host.files.folder_list import find_named_folder, list_folders
from bascule.host.files.private_places import PrivatePaths
from bascule.host.processes.program import SearchPath
from bascule.host.processes.tasks import whole
from bascule.model.asks import Refuse
from bascule.model.consent.audit import Asker
from bascule.model.consent.origin import Door, Origin
from bascule.model.protocol.trust import ListedFolders

LOCAL: frozenset[Door] = frozenset({"terminal", "stdio"})  # a command or program of this person's own
NOT_OPEN = (
    "{folder} was not opened at this machine. Run `bascule up` in that folder, or `bascule ask`; "
    "then it can be used from here."
)


class OpenedFolders:
    def __init__(
        self,
        *,
        hub: Hub,
        store: TrustStore,
        private: PrivatePaths,
        record: Record,
        search_path: SearchPath,
        home: str,
    ) -> None:
        self._hub = hub
        self._store = store
        self._private = private
        self._record = record
        self._search_path = search_path
        self._home = home

    def open(self, folder: str) -> None:
        """Somebody here was in that folder, or named it. From now on no program is taken from it."""
        if self._private.find_bar_to_open(Path(folder)) is None and Path(folder).is_dir():
            self._search_path.exclude([folder])
            self._store.open(folder)

    def list(self, folder: str) -> ListedFolders | Refuse:
        """What a person chooses from; touches the disk."""
        return list_folders(folder, self._home, self._private)

    async def choose(self, named: str, by: Asker) -> str | Refuse:
        """A person at this machine chose it in a page. Whether its own files are obeyed is asked later."""
        folder = await asyncio.to_thread(find_named_folder, named, self._home)
        barred = folder if isinstance(folder, Refuse) else self._private.find_bar_to_open(folder)
        if barred is not None:
            return barred
        name = str(folder)
        if not self._store.is_open(name):
            entry = self._record.entry("folder", "done", asker=by, asked=f"open {name}", workspace=name)

            async def keep() -> None:
                await self._record.write(entry)
                self.open(name)

            await whole(f"open {name}", keep())
        return name

    def find_bar(self, folder: str, origin: Origin) -> Refuse | None:
        """Why no session may begin there; `folder` is a real path."""
        barred = self._private.find_bar_to_open(Path(folder))
        if barred is not None or origin.door in LOCAL:
            return barred
        known = self._store.is_open(folder) or any(head.workspace == folder for head in self._hub.heads())
        return None if known else Refuse(NOT_OPEN.format(folder=folder))
