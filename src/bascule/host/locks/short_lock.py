"""A short lock between threads and processes: held for one piece of work, and waited for only so long."""

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bascule.host.locks.flock import try_lock

PATIENCE_S = 10.0
LOOK_S = 0.02
# What systems say of a folder that cannot be locked: over NFS none can.
UNLOCKABLE = {errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.EOPNOTSUPP}
FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


class Busy(Exception):
    """Somebody else has had it all the time that was waited."""


@contextmanager
def guarded(path: Path, *, patience_s: float = PATIENCE_S) -> Iterator[None]:
    """Alone with what this lock file stands for, or `Busy`. Gone with the process, however it goes."""
    fd = os.open(path, FLAGS, 0o600)
    try:
        wait_for(fd, patience_s=patience_s)
        yield
    finally:
        os.close(fd)  # which releases it


def wait_for(fd: int, *, patience_s: float = PATIENCE_S) -> None:
    until = time.monotonic() + patience_s
    while not try_lock(fd):
        if time.monotonic() >= until:
            raise Busy
        time.sleep(LOOK_S)  # no system can wait for a lock with a limit


def wait_if_lockable(fd: int) -> None:
    """For a lock that is one more, beside another: where there can be none it is done without."""
    try:
        wait_for(fd)
    except OSError as fault:
        if fault.errno not in UNLOCKABLE:
            raise
