"""What was written, brought to the disk: file by file, or with one call for a whole file system."""

import ctypes
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

MANY = 30  # files; from there on one call for all is quicker
THREADS = 8


def flush_each(flushes: Sequence[Callable[[], None]]) -> None:
    """Many of them side by side: most of the time is spent waiting for the disk."""
    if len(flushes) < MANY:
        for flush in flushes:
            flush()
        return
    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(flush) for flush in flushes]:
            done.result()


def sync_file_system(fd: int) -> bool:
    """Everything on the file system that this is on; False where the system has no such call."""
    if SYNCFS is None:
        return False
    if SYNCFS(fd) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return True


def _find_syncfs() -> Callable[[int], int] | None:
    if sys.platform != "linux":
        return None
    try:
        found: Callable[[int], int] = ctypes.CDLL(None, use_errno=True).syncfs
    except (AttributeError, OSError):
        return None
    return found


SYNCFS = _find_syncfs()
