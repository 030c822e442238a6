"""Folders watched for changed names: by inotify where there is some left, else by looking."""

import asyncio
import errno
import os
from collections.abc import Callable
from pathlib import Path

from bascule.host.watch.faults import WatchFaults, why_of
from bascule.host.watch.inotify import ChangedName, Inotify

POLL_S = 1.0
MAX_FOLDERS = 20_000
MAX_POLLED_NAMES = 20_000  # of one folder
LIMITS = {errno.ENOSPC: "max_user_watches", errno.EMFILE: "max_user_instances"}  # of Linux, for each user

FolderId = tuple[int, int]
Look = dict[str, tuple[int, int, int]]  # name: when it was changed, its size, which file it is


class DirWatch:
    """`add` folders, then wait for `next`: names that may have changed, each once."""

    def __init__(
        self, faults: WatchFaults, *, poll_s: float = POLL_S, make: Callable[[], Inotify] = Inotify
    ) -> None:
        self._faults = faults
        self._poll_s = poll_s
        self._folders: dict[str, FolderId] = {}
        self._faulty: set[str] = set()  # those that could not be added the last time
        self._polled: dict[str, Look] = {}
        self._news: dict[ChangedName, None] = {}
        self._woken = asyncio.Event()
        self._inotify: Inotify | None = None
        try:
            self._inotify = make()
        except OSError as fault:
            self._report_none_left(fault)
        if self._inotify is not None:
            asyncio.get_running_loop().add_reader(self._inotify.fd, self._hear)

    def _report_none_left(self, fault: OSError) -> None:
        """The system's own words for it speak of space on a device, or of open files."""
        limit = LIMITS.get(fault.errno or 0)
        why = (
            f"fs.inotify.{limit} is reached; a higher limit helps"
            if limit
            else f"of inotify: {why_of(fault)}"
        )
        instead = f"they are looked at every {self._poll_s:g} s instead"
        self._faults.report("some folders", f"{instead}, because {why}")

    def add(self, folder: str) -> bool:
        """False where it cannot be watched at all; it may be asked for again later."""
        try:
            which = identify(folder)
            if self._folders.get(folder) == which:
                return True
            self._leave(folder)
            if len(self._folders) >= MAX_FOLDERS:
                self._faults.report("more folders", f"{MAX_FOLDERS} folders are watched already")
                return False
            if self._inotify is None:
                self._polled[folder] = _look(folder)
            else:
                self._add_notified(folder, self._inotify)
        except FileNotFoundError:
            self._is_over(folder)
            return False
        except OSError as fault:
            self._faulty.add(folder)
            self._faults.report(folder, why_of(fault))
            return False
        self._is_over(folder)
        self._folders[folder] = which
        return True

    def _is_over(self, folder: str) -> None:
        """What was said of it here."""
        if folder in self._faulty:
            self._faulty.remove(folder)
            self._faults.forget(folder)

    def _leave(self, folder: str) -> None:
        """It was moved away, and another has its name now."""
        if self._folders.pop(folder, None) is not None and self._inotify is not None:
            self._inotify.remove(folder)

    def put_back(self, changed: ChangedName) -> None:
        """To be given by `next` once more, after the others."""
        self._news[changed] = None
        self._woken.set()

    def _add_notified(self, folder: str, inotify: Inotify) -> None:
        try:
            inotify.add(folder)
        except (FileNotFoundError, PermissionError, NotADirectoryError):
            raise
        except OSError as fault:  # no watches left
            self._report_none_left(fault)
            self._polled[folder] = _look(folder)

    async def next(self) -> list[ChangedName]:
        """Waits until something may have changed."""
        while not self._news:
            wait_s = self._poll_s if self._polled else None
            try:
                await asyncio.wait_for(self._woken.wait(), wait_s)
            except TimeoutError:
                await self._poll()
            self._woken.clear()
        news, self._news = list(self._news), {}
        return news

    def _hear(self) -> None:
        assert self._inotify is not None
        for changed in self._inotify.read():
            if not changed.name:
                self._folders.pop(changed.folder, None)
            self._news[changed] = None
        self._woken.set()

    async def _poll(self) -> None:
        for folder, before in list(self._polled.items()):
            try:
                now = await asyncio.to_thread(_look, folder)
            except OSError:
                del self._polled[folder]
                self._folders.pop(folder, None)
                self._news[ChangedName(folder, "")] = None
                continue
            self._polled[folder] = now
            for name in before.keys() | now.keys():
                if before.get(name) != now.get(name):
                    self._news[ChangedName(folder, name)] = None

    def close(self) -> None:
        if self._inotify is not None:
            asyncio.get_running_loop().remove_reader(self._inotify.fd)
            self._inotify.close()


def identify(folder: str) -> FolderId:
    """Which folder it is, whatever its name."""
    state = Path(folder).stat()
    return state.st_dev, state.st_ino


def _look(folder: str) -> Look:
    seen: Look = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if len(seen) >= MAX_POLLED_NAMES:
                break
            try:
                state = entry.stat(follow_symlinks=False)
            except OSError:
                continue  # it went while we looked
            seen[entry.name] = (state.st_mtime_ns, state.st_size, state.st_ino)
    return seen
