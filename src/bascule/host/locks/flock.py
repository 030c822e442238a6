"""How a file descriptor is locked without waiting: what differs between the systems."""

import os
import sys

if sys.platform == "win32":
    import msvcrt

    LOCKED_BYTE = 1 << 30  # a lock here bars the byte itself, so it lies far beyond what is written

    def try_lock(fd: int, *, shared: bool = False) -> bool:  # noqa: ARG001  (there is only one kind here)
        os.lseek(fd, LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(fd: int) -> None:
        os.lseek(fd, LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def try_lock(fd: int, *, shared: bool = False) -> bool:
        """Each opened file is a holder of its own, so that threads bar each other too."""
        try:
            fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_UN)
