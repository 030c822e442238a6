"""Linux's inotify: which names in which folders have changed. Other systems have none of it."""

import contextlib
import ctypes
import errno
import os
import struct
import sys
from typing import NamedTuple

WATCHED = 0x2 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400  # modify, close, move, create, delete, itself gone
ONLY_FOLDERS = 0x01000000
OVERFLOW = 0x4000
GONE = 0x8000  # the watch has ended with its folder
HEAD = struct.Struct("iIII")
READ = 64 * 1024


class ChangedName(NamedTuple):
    folder: str  # empty: anything may have changed
    name: str  # empty: the folder itself


class Inotify:
    """OSError from `add` where the system has no watches left."""

    def __init__(self) -> None:
        if not sys.platform.startswith("linux"):
            raise OSError(errno.ENOSYS, "this system has no inotify")
        self._libc = ctypes.CDLL(None, use_errno=True)
        self.fd = self._call(self._libc.inotify_init1, os.O_NONBLOCK | os.O_CLOEXEC)
        self._folders: dict[int, str] = {}

    @staticmethod
    def _call(function: "ctypes._NamedFuncPointer", *given: object) -> int:
        done = int(function(*given))
        if done < 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
        return done

    def add(self, folder: str) -> None:
        name = ctypes.c_char_p(os.fsencode(folder))
        watch = self._call(
            self._libc.inotify_add_watch, self.fd, name, ctypes.c_uint32(WATCHED | ONLY_FOLDERS)
        )
        self._folders[watch] = folder

    def remove(self, folder: str) -> None:
        """Also one that has another name by now."""
        for watch in [watch for watch, name in self._folders.items() if name == folder]:
            del self._folders[watch]
            with contextlib.suppress(OSError):  # it ended by itself
                self._call(self._libc.inotify_rm_watch, self.fd, watch)

    def read(self) -> list[ChangedName]:
        try:
            data = os.read(self.fd, READ)
        except BlockingIOError:
            return []
        changed, at = [], 0
        while at + HEAD.size <= len(data):
            watch, mask, _, size = HEAD.unpack_from(data, at)
            name = os.fsdecode(data[at + HEAD.size : at + HEAD.size + size].rstrip(b"\0"))
            at += HEAD.size + size
            if mask & OVERFLOW:
                changed.append(ChangedName("", ""))
            elif watch in self._folders:
                is_gone = bool(mask & GONE)
                folder = self._folders.pop(watch) if is_gone else self._folders[watch]
                changed.append(ChangedName(folder, "" if is_gone else name))
        return changed

    def close(self) -> None:
        os.close(self.fd)
