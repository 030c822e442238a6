"""Openings: a workspace is a folder that somebody at this machine opened; a wire cannot name others."""

from pathlib import Path

from bascule.daemon.sessions.hub import Hub
from bascule.host.config.trust_store import TrustStore
from bascule.host.files.private_places import Private
from bascule.model.asks import Refuse
from bascule.model.consent.origin import Door, Origin

LOCAL: frozenset[Door] = frozenset({"terminal", "stdio"})  # a command or program of this person's own
NOT_OPEN = (
    "{folder} was not opened at this machine. Run `bascule up` in that folder, or `bascule ask`; "
    "then it can be used from here."
)


class OpenedFolders:
    def __init__(self, *, hub: Hub, store: TrustStore, private: Private) -> None:
        self._hub = hub
        self._store = store
        self._private = private

    def open(self, folder: str) -> None:
        """Somebody here was in that folder, or named it."""
        if self._private.find_bar_to_open(Path(folder)) is None and Path(folder).is_dir():
            self._store.open(folder)

    def find_bar(self, folder: str, origin: Origin) -> Refuse | None:
        """Why no session may begin there; `folder` is a real path."""
        barred = self._private.find_bar_to_open(Path(folder))
        if barred is not None or origin.door in LOCAL:
            return barred
        known = self._store.is_open(folder) or any(head.workspace == folder for head in self._hub.heads())
        return None if known else Refuse(NOT_OPEN.format(folder=folder))
