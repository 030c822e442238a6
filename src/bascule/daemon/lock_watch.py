"""Looks after the lock on the data folder, and says when the folder is no longer ours."""

import logging
from collections.abc import Callable

from bascule.daemon.surfaces.notices import Notices
from bascule.host.clock import now_ms
from bascule.host.files.data_folder import Folder
from bascule.host.locks.lockfile import Lock
from bascule.model.protocol.sessions import DaemonNotice

NOTICE = "folder"

log = logging.getLogger("bascule.lock")


class LockWatch:
    """Called every few seconds."""

    def __init__(
        self, lock: Lock, folder: Folder, notices: Notices, now_ms: Callable[[], int] = now_ms
    ) -> None:
        self._lock = lock
        self._folder = folder
        self._notices = notices
        self._now_ms = now_ms
        self._is_lost = False

    def __call__(self) -> None:
        match self._lock.look_after():
            case "kept":
                self._find()
            case "renewed":
                log.warning("%s had been deleted while we run; it was made again", self._folder.lock)
                self._find()
            case "lost":
                self._lose()

    def _find(self) -> None:
        if self._is_lost:
            self._is_lost = False
            self._notices.withdraw(NOTICE, f"The data folder {self._folder.root} is back.")

    def _lose(self) -> None:
        if self._is_lost:
            return
        self._is_lost = True
        self._notices.put(
            DaemonNotice(
                id=NOTICE,
                kind="folder_gone",
                text=f"The data folder {self._folder.root} was removed or replaced while Bascule was "
                "running. New changes may be lost. Stop Bascule with `bascule down`, then start it again.",
                detail=str(self._folder.root),
                since_ms=self._now_ms(),
            )
        )
