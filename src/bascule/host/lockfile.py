"""The lock on a data folder: one process owns it for its life, and others can read who that is."""

import os
import sys
import weakref
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
import psutil

from bascule.core.faults import CannotGoOn
from bascule.host.clock import local_time
from bascule.host.flock import try_lock, unlock

MAX_CONTENT = 64 * 1024
SLACK_S = 2.0  # the clock may have been set since, and both times are rounded


class Owner(msgspec.Struct, frozen=True):
    pid: int
    started_at: str  # when the process started: ISO, to the second, with the offset
    command: str


class Owned(CannotGoOn):
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
    since = datetime.fromisoformat(owner.started_at)
    return f"bascule (pid {owner.pid}, started {since:%Y-%m-%d %H:%M:%S})"


class Lock:
    """Held until released or until the process is gone, however it goes."""

    def __init__(self, fd: int) -> None:
        self._fd: int | None = fd
        if sys.platform != "win32":
            _forget_in_children(self)

    def release(self) -> None:
        if self._fd is None:
            return
        os.ftruncate(self._fd, 0)
        unlock(self._fd)
        self.drop()

    def drop(self) -> None:
        """Let go of our handle only: in a forked child the lock stays the parent's."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

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
        """Fork hooks cannot be taken back, so this one holds the lock only weakly."""
        weak = weakref.ref(lock)

        def forget() -> None:
            held = weak()
            if held is not None:
                held.drop()

        os.register_at_fork(after_in_child=forget)


def acquire(path: Path, *, command: str) -> Lock:
    """Own the folder that this lock file lies in, or raise `Owned`."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    if not try_lock(fd, shared=False):
        os.close(fd)
        raise Owned(path, _read_content(path))
    _sign(fd, Owner(os.getpid(), _started_at(os.getpid()), command))
    return Lock(fd)


def _sign(fd: int, owner: Owner) -> None:
    os.ftruncate(fd, 0)
    os.lseek(fd, 0, os.SEEK_SET)
    os.write(fd, msgspec.json.encode(owner) + b"\n")


def find_owner(path: Path) -> Owner | None:
    """Who owns the folder now. Content left by a process that is gone does not count."""
    owner = _read_content(path)
    if owner is None or not _is_alive(owner) or _is_free(path):
        return None
    return owner


def _read_content(path: Path) -> Owner | None:
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(MAX_CONTENT), type=Owner)
    except (OSError, msgspec.DecodeError):
        return None


def _is_alive(owner: Owner) -> bool:
    """Asked before the lock is tried, so that looking hardly ever stands in an acquirer's way."""
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
