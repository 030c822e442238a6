"""A folder of a workspace, held open: what is done in it is done there, whatever links say meanwhile."""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from msgspec import Struct

MAX_FILE = 256 * 1024 * 1024  # bytes of a file that is rewritten
CHUNK = 1024 * 1024

BASE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | BASE
CREATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | BASE
ACCESS_LIST = "system.posix_acl_access"
ACCESS_LISTS = (ACCESS_LIST, "system.posix_acl_default")  # of a folder, for itself and for what is made in it


class NotWritable(Exception):
    """What is there cannot be written to; the text goes after the path."""


class FileTraits(Struct, frozen=True, gc=False):
    """What a file is beside its bytes."""

    mode: int  # the permission bits
    uid: int = -1
    gid: int = -1
    labels: dict[str, bytes] = {}  # extended attributes, with them the access list


class DirHandle:
    """Nothing here follows a link. Names are single parts, never a path."""

    def __init__(self, path: Path, fd: int | None) -> None:
        self.path = path
        self.fd = fd  # None: this system has no descriptors of folders, so it goes by name
        self.new_owner: tuple[int, int] | None = None  # of files made here, where they get no access list
        self._listed: set[str] = set()  # regular files, when it was listed

    def __enter__(self) -> "DirHandle":
        """For a block in which it is used; the opener closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def close(self) -> None:
        if self.fd is not None:
            os.close(self.fd)

    def _at(self, name: str) -> str:
        if name in ("", ".", "..") or "/" in name:
            raise NotWritable("is not a plain name")
        return name if self.fd is not None else str(self.path / name)

    def twin(self) -> "DirHandle":
        return DirHandle(self.path, None if self.fd is None else os.dup(self.fd))

    @property
    def identity(self) -> tuple[int, int]:
        state = self.path.stat() if self.fd is None else os.fstat(self.fd)
        return state.st_dev, state.st_ino

    @property
    def traits(self) -> FileTraits:
        if self.fd is None:
            return FileTraits(stat.S_IMODE(self.path.stat().st_mode))
        return read_traits(self.fd, os.fstat(self.fd))

    @property
    def is_alive(self) -> bool:
        return self.fd is None or os.fstat(self.fd).st_nlink > 0

    def names(self) -> set[str]:
        with os.scandir(self.path if self.fd is None else self.fd) as listed:
            entries = list(listed)
        self._listed = {entry.name for entry in entries if entry.is_file(follow_symlinks=False)}
        return {entry.name for entry in entries}

    def look(self, name: str) -> os.stat_result | None:
        try:
            return os.stat(self._at(name), dir_fd=self.fd, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def enter(self, name: str) -> "DirHandle":
        """A folder in this one; `FileNotFoundError` where there is none."""
        state = os.stat(self._at(name), dir_fd=self.fd, follow_symlinks=False)
        if _is_link(state):
            raise NotWritable("is behind a symbolic link, and nothing is written through links")
        if not stat.S_ISDIR(state.st_mode):
            raise NotWritable(
                f"needs {name} as a folder, and it is a file. Move {name} away first, or use another name"
            )
        return DirHandle(self.path / name, _open_folder(self._at(name), self.fd))

    def make_folder(self, name: str, traits: FileTraits | None = None) -> None:
        """`traits`: exactly these; otherwise as the system makes it."""
        with suppress(FileExistsError):  # what it is then is seen when it is entered
            os.mkdir(self._at(name), 0o777 if traits is None else 0o700, dir_fd=self.fd)
            if traits is not None and self.fd is not None:
                with closing(self.enter(name)) as made:
                    give_folder_traits(made.fd, traits)

    def remove_folder(self, name: str) -> None:
        os.rmdir(self._at(name), dir_fd=self.fd)

    def open(self, name: str) -> tuple[int, os.stat_result]:
        """A regular file with this one name, for reading."""
        at = self._at(name)
        if name not in self._listed:  # looked at first: opening is already doing something to some devices
            check_fit(os.stat(at, dir_fd=self.fd, follow_symlinks=False))
        fd = os.open(at, READ, dir_fd=self.fd)
        try:
            state = os.fstat(fd)
            check_fit(state)
        except BaseException:
            os.close(fd)
            raise
        return fd, state

    def create(self, name: str, mode: int = 0o600) -> int:
        return os.open(self._at(name), CREATE, mode, dir_fd=self.fd)

    def rename(self, name: str, to: str) -> None:
        os.replace(self._at(name), self._at(to), src_dir_fd=self.fd, dst_dir_fd=self.fd)

    def rename_where_nothing_is(self, name: str, to: str) -> None:
        """`FileExistsError` where something is, even if it came this moment."""
        try:
            os.link(
                self._at(name), self._at(to), src_dir_fd=self.fd, dst_dir_fd=self.fd, follow_symlinks=False
            )
        except FileExistsError:
            raise
        except (NotImplementedError, OSError):  # a system or a file system without hard links
            self._rename_after_a_look(name, to)
        else:
            self.remove(name)

    def _rename_after_a_look(self, name: str, to: str) -> None:
        if self.look(to) is not None:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), to)
        os.rename(self._at(name), self._at(to), src_dir_fd=self.fd, dst_dir_fd=self.fd)

    def remove(self, name: str) -> None:
        os.unlink(self._at(name), dir_fd=self.fd)

    def sync_file(self, name: str) -> None:
        flags = READ if self.fd is not None else os.O_RDWR | BASE  # Windows flushes only what it may write
        fd = os.open(self._at(name), flags, dir_fd=self.fd)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)

    def sync(self) -> None:
        if self.fd is not None:
            os.fsync(self.fd)


def open_root(workspace: Path) -> DirHandle:
    """The workspace itself may be named through links: the person named it."""
    real = Path(os.path.realpath(workspace, strict=True))
    if not real.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(real))
    return DirHandle(real, _open_folder(str(real), None))


@contextmanager
def walked(root: DirHandle, parts: tuple[str, ...]) -> Iterator[DirHandle]:
    """The folder that lies below the root, from part to part."""
    here = root
    try:
        for part in parts:
            inner = here.enter(part)
            if here is not root:
                here.close()
            here = inner
        yield here
    finally:
        if here is not root:
            here.close()


def check_fit(state: os.stat_result) -> None:
    is_plain = stat.S_ISREG(state.st_mode) and not _is_link(state)
    if is_plain and state.st_nlink == 1 and state.st_size <= MAX_FILE:
        return
    if _is_link(state):
        raise NotWritable("is a symbolic link, and nothing is written through links")
    if stat.S_ISDIR(state.st_mode):
        raise NotWritable("is a folder. Move it away first, or use another name")
    if not stat.S_ISREG(state.st_mode):
        raise NotWritable("is a device, a pipe or a socket, not a regular file")
    if state.st_nlink > 1:
        raise NotWritable(
            f"has {state.st_nlink} names (hard links), and writing one would part it from the others"
        )
    if state.st_size > MAX_FILE:
        raise NotWritable(f"is over {MAX_FILE} bytes")


def read_all(fd: int, size: int) -> bytes:
    """`size` is what it should be. One byte over the ceiling is enough to see that there is more."""
    first = os.read(fd, size + 1)
    if len(first) == size:
        return first  # all of it, and then nothing
    pieces, left = [first], MAX_FILE + 1 - len(first)
    while left > 0 and (piece := os.read(fd, min(CHUNK, left))):
        pieces.append(piece)
        left -= len(piece)
    if left <= 0:
        raise NotWritable(f"is over {MAX_FILE} bytes")
    return b"".join(pieces)


def write_all(fd: int, data: bytes) -> None:
    written = os.write(fd, data[:CHUNK])
    if written == len(data):
        return
    rest = memoryview(data)[written:]
    while rest:
        rest = rest[os.write(fd, rest[:CHUNK]) :]


# What differs between the systems: descriptors of folders, owners and extended attributes

if sys.platform == "win32":

    def _is_link(state: os.stat_result) -> bool:
        return bool(state.st_file_attributes & stat.FILE_ATTRIBUTE_REPARSE_POINT)  # junctions too

    def _open_folder(_name: str, _above: int | None) -> int | None:
        return None

    def read_traits(_fd: int, state: os.stat_result) -> FileTraits:
        return FileTraits(stat.S_IMODE(state.st_mode))

    def give_traits(_fd: int, _traits: FileTraits) -> tuple[int, int] | None:
        """The access list comes from the folder; there is no owner or mode to carry over."""
        return None

    def give_folder_traits(_fd: int | None, _traits: FileTraits) -> None:
        pass

    def give_mode(_fd: int, _mode: int) -> None:
        pass

else:

    def _is_link(state: os.stat_result) -> bool:
        return stat.S_ISLNK(state.st_mode)

    def _open_folder(name: str, above: int | None) -> int:
        return os.open(name, READ | os.O_DIRECTORY, dir_fd=above)

    def read_traits(fd: int, state: os.stat_result) -> FileTraits:
        return FileTraits(stat.S_IMODE(state.st_mode), state.st_uid, state.st_gid, _read_labels(fd))

    def give_traits(fd: int, traits: FileTraits) -> tuple[int, int] | None:
        """The owner first: changing it takes away bits of the mode.

        Whose it was when it was made; None where its folder gave it an access list as well."""
        state = os.fstat(fd)
        if traits.uid >= 0 and (state.st_uid, state.st_gid) != (traits.uid, traits.gid):
            os.fchown(fd, traits.uid, traits.gid)
        was_plain = _give_labels(fd, traits.labels)
        os.fchmod(fd, traits.mode)  # after the access list: it would widen one that the folder gave
        return (state.st_uid, state.st_gid) if was_plain else None

    def give_folder_traits(fd: int | None, traits: FileTraits) -> None:
        """Its owner as far as the person may: the files in it do not depend on that."""
        assert fd is not None
        if traits.uid >= 0:  # a journal of an older version knows no more than the mode
            with suppress(PermissionError):
                os.fchown(fd, traits.uid, traits.gid)
            _give_labels(fd, traits.labels)
        os.fchmod(fd, traits.mode)

    def give_mode(fd: int, mode: int) -> None:
        """The person's umask may have taken some of it away."""
        if stat.S_IMODE(os.fstat(fd).st_mode) != mode:
            os.fchmod(fd, mode)


if sys.platform == "linux":

    def _list_labels(fd: int) -> list[str]:
        try:
            return os.listxattr(fd)
        except OSError:
            return []  # a file system that has none

    def _read_labels(fd: int) -> dict[str, bytes]:
        names = _list_labels(fd)
        try:
            return {name: os.getxattr(fd, name) for name in names} if names else {}
        except OSError:
            return {}

    def _give_labels(fd: int, labels: dict[str, bytes]) -> bool:
        """Whether it had no access list before."""
        there = _list_labels(fd)
        for name in ACCESS_LISTS:
            if name in there and name not in labels:
                os.removexattr(fd, name)
        for name, value in labels.items():
            try:
                os.setxattr(fd, name, value)
            except OSError:
                if name in ACCESS_LISTS:  # without it the mode would let other people in
                    raise
        return ACCESS_LIST not in there

else:

    def _read_labels(_fd: int) -> dict[str, bytes]:
        return {}

    def _give_labels(_fd: int, _labels: dict[str, bytes]) -> bool:
        return False
