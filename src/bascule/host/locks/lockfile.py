"""The lock on a data folder: one process owns it for its life, and others can read who that is.

The folder itself is locked too, where the system can: a lock file can be deleted while its owner lives."""

import os
import sys
import weakref
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import msgspec
import psutil

from bascule.core.faults import UserError
from bascule.host.clock import local_time
from bascule.host.locks.flock import try_lock, unlock
from bascule.host.locks.lock_holder import find_holder

MAX_CONTENT = 64 * 1024
MAX_TRIES = 10  # when the file is deleted again and again while we lock it
SLACK_S = 2.0  # the clock may have been set since, and both times are rounded


class Owner(msgspec.Struct, frozen=True):
    pid: int
    started_at: str  # when the process started: ISO, to the second, with the offset
    command: str  # empty: not known


class Owned(UserError):
    """Another process has the folder; `owner` is None in the moment before it has signed."""

    def __init__(self, path: Path, owner: Owner | None) -> None:
        self.owner = owner
        super().__init__(
            f"The data folder {path.parent} is in use by {_describe(owner)}. "
            "Stop it, or set BASCULE_HOME to another folder."
        )


def _describe(owner: Owner | None) -> str:
    if owner is None:
        return "another bascule that is just starting"
    return f"bascule (pid {owner.pid}, started {say_start(owner.started_at)})"


def say_start(started_at: str) -> str:
    """As a clock on this machine showed it."""
    return f"{datetime.fromisoformat(started_at).astimezone():%Y-%m-%d %H:%M:%S}"


class Lock:
    """Held until released or until the process is gone, however it goes."""

    def __init__(self, path: Path, owner: Owner, fd: int, folder: int | None) -> None:
        self._path = path
        self._owner = owner
        self._fd: int | None = fd
        self._folder = folder  # None where a folder cannot be locked
        if sys.platform != "win32":
            _forget_in_children(self)

    def release(self) -> None:
        if self._fd is None:
            return
        os.ftruncate(self._fd, 0)
        unlock(self._fd)
        if self._folder is not None:
            unlock(self._folder)
        self.drop()

    def look_after(self) -> Literal["kept", "renewed", "lost"]:
        """A lock file that somebody deleted is made again; lost when the folder itself is another one now."""
        if self._fd is None or _is_at(self._fd, self._path):
            return "kept"
        if self._folder is not None and not _is_at(self._folder, self._path.parent):
            return "lost"
        try:
            fd = _open(self._path)
        except OSError:
            return "lost"
        if not try_lock(fd, shared=False):
            os.close(fd)
            return "lost"
        try:
            _sign(fd, self._owner)
        except OSError:
            os.close(fd)
            return "lost"
        old, self._fd = self._fd, fd
        os.close(old)
        return "renewed"

    def drop(self) -> None:
        """Drop our handle only: in a forked child the lock stays the parent's."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
        if self._folder is not None:
            os.close(self._folder)
            self._folder = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


if sys.platform != "win32":

    def _forget_in_children(lock: Lock) -> None:
        """Fork hooks cannot be removed, so this one holds the lock only weakly."""
        weak = weakref.ref(lock)

        def forget() -> None:
            held = weak()
            if held is not None:
                held.drop()

        os.register_at_fork(after_in_child=forget)


def acquire(path: Path, *, command: str) -> Lock:
    """Own the folder that this lock file lies in, or raise `Owned`."""
    owner = Owner(os.getpid(), _started_at(os.getpid()), command)
    folder = _lock_folder(path)
    try:
        fd = _lock_file(path)
        try:
            _sign(fd, owner)
        except OSError:
            os.close(fd)
            raise
    except (OSError, Owned):
        if folder is not None:
            os.close(folder)
        raise
    return Lock(path, owner, fd, folder)


def _lock_folder(path: Path) -> int | None:
    """None where folders cannot be opened or locked: on Windows, and on some network file systems."""
    if sys.platform == "win32":
        return None
    fd = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if try_lock(fd, shared=False):
            return fd
    except OSError:
        os.close(fd)
        return None
    os.close(fd)
    raise Owned(path, _read_content(path) or _find_by_folder(path))


def _lock_file(path: Path) -> int:
    """The file that has this name now: one that was deleted meanwhile would keep nobody out."""
    for _ in range(MAX_TRIES):
        fd = _open(path)
        if not try_lock(fd, shared=False):
            os.close(fd)
            raise Owned(path, _read_content(path))
        if _is_at(fd, path):
            return fd
        os.close(fd)
    raise Owned(path, None)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)


def _is_at(fd: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(fd), path.stat())
    except OSError:
        return False


def _sign(fd: int, owner: Owner) -> None:
    os.ftruncate(fd, 0)
    os.lseek(fd, 0, os.SEEK_SET)
    os.write(fd, msgspec.json.encode(owner) + b"\n")


def find_owner(path: Path) -> Owner | None:
    """Who owns the folder now. Content left by a process that is gone does not count."""
    owner = _read_content(path)
    if owner is None or not _is_alive(owner) or _is_free(path):
        return _find_by_folder(path)
    return owner


def _find_by_folder(path: Path) -> Owner | None:
    """As the system knows it, when the lock file says nothing: it was deleted, or is not signed yet."""
    pid = find_holder(path.parent)
    try:
        return Owner(pid, _started_at(pid), "") if pid is not None else None
    except psutil.Error:
        return None


def _read_content(path: Path) -> Owner | None:
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(MAX_CONTENT), type=Owner)
    except (OSError, msgspec.DecodeError):
        return None


def _is_alive(owner: Owner) -> bool:
    """Asked before the lock is tried, so that looking hardly ever blocks an acquirer."""
    try:
        started_s = psutil.Process(owner.pid).create_time()
    except psutil.Error:
        return False
    return abs(started_s - datetime.fromisoformat(owner.started_at).timestamp()) <= SLACK_S


def _is_free(path: Path) -> bool:
    fd = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        free = try_lock(fd, shared=True)
        if free:
            unlock(fd)
        return free
    finally:
        os.close(fd)


def _started_at(pid: int) -> str:
    started_ms = int(psutil.Process(pid).create_time() * 1000)
    return local_time(started_ms).isoformat(timespec="seconds")
