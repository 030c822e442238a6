"""A path inside a folder: what is opened lies in it, whatever links say, no matter who changes them."""

import errno
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath

from msgspec import Struct

from bascule.host.files.process_links import find_process_link
from bascule.model.asks import RealPath, Refuse

MAX_PATH = 4_096
ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:")
# Windows opens a device under these names, in every folder and with every ending.
DEVICE_NAME = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*([.:].*)?", re.IGNORECASE)

FILE_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a FIFO is opened, seen for what it is, and closed
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOINHERIT", 0)
)


class ConfinedPath(Struct, frozen=True):
    """A file or folder that was found inside: real places, without any link."""

    root: Path
    parts: tuple[str, ...]  # below the root

    @property
    def real(self) -> Path:
        return self.root.joinpath(*self.parts)


def find_moved(workspace: str) -> Refuse | None:
    """A workspace is kept under its real name: where that leads elsewhere, a link was put in its place."""
    try:
        real = os.path.realpath(workspace)
    except (OSError, ValueError):
        real = ""
    if real == workspace:
        return None
    return Refuse(f"{workspace} now leads somewhere else, so nothing is read, written or run there.")


def find_linked(workspace: str, paths: Iterable[str]) -> tuple[RealPath, ...]:
    """Those of an agent's paths that lead elsewhere than they say, because a folder in them is a link."""
    root, found = Path(workspace), list[RealPath]()
    for path in paths:
        if real := find_real(str(root / path)):
            inside = Path(real).is_relative_to(root)
            shown = Path(real).relative_to(root).as_posix() if inside else real
            found.append(RealPath(path=path, real=shown, is_outside=not inside))
    return tuple(found)


def is_mixed(workspace: str, paths: Iterable[str]) -> bool:
    """Whether some of an agent's paths are inside and some outside, by their names or where they lead."""
    root, named = Path(workspace), list(paths)
    inside = {Path(os.path.normpath(root / path)).is_relative_to(root) for path in named}
    return len(inside | {not link.is_outside for link in find_linked(workspace, named)}) > 1


def find_existing(workspace: str, paths: Iterable[str]) -> tuple[str, ...]:
    """Those of an agent's paths at which there is something."""
    return tuple(path for path in paths if os.path.lexists(Path(workspace, path)))


def find_real(path: str) -> str:
    """Where a link in a path makes it lead; empty where there is none. Below /proc where that is another
    place for each process."""
    said = os.path.normpath(path)
    if lost := find_process_link(said):
        return lost
    try:
        real = os.path.realpath(said)
    except (OSError, ValueError):
        return ""
    return real if real != said else ""


def find_inside(workspace: Path, relative: str) -> ConfinedPath | Refuse:
    """Where a relative path with `/` leads. Links are followed as long as they stay in the workspace."""
    parts = parse_relative(relative)
    if isinstance(parts, Refuse):
        return parts
    try:
        root = Path(os.path.realpath(workspace, strict=True))
    except (OSError, ValueError):
        return Refuse(f"The workspace {workspace} no longer exists.")
    try:
        real = Path(os.path.realpath(root.joinpath(*parts), strict=True))
    except (OSError, ValueError):
        return Refuse(f"{relative}: there is no such file in the workspace.")
    if not real.is_relative_to(root):
        return Refuse(f"{relative} leads out of the workspace. Only what lies inside it is shown.")
    return ConfinedPath(root, real.relative_to(root).parts)


def parse_relative(relative: str) -> tuple[str, ...] | Refuse:
    """The parts of a path that names something below a folder; none for the folder itself."""
    if "\0" in relative or len(relative) > MAX_PATH:
        return Refuse("That is not a path: it holds a NUL character or is too long.")
    if ABSOLUTE.match(relative):
        return Refuse(f"{relative} is an absolute path. Name files relative to the workspace.")
    parts = tuple(part for part in re.split(SEPARATORS, relative) if part not in ("", "."))
    if ".." in parts:
        return Refuse(f"{relative} leaves the workspace. Name files inside it.")
    if any(map(_is_odd, parts)):
        return Refuse(f"{relative} names a device or a stream, not a file of the workspace.")
    return parts


def find_folder(workspace: Path, named: str) -> Path | Refuse:
    """A folder for a command to run in: the workspace or one inside it, relative or absolute."""
    found = find_named(workspace, named)
    if isinstance(found, Refuse):
        return found
    return found.real if found.real.is_dir() else Refuse(f"{named} is not a folder.")


def find_named(workspace: Path, named: str) -> ConfinedPath | Refuse:
    """As `find_inside`; an absolute path is taken too, where it lies in the workspace."""
    if "\0" in named or len(named) > MAX_PATH:
        return Refuse("That is not a path: it holds a NUL character or is too long.")
    path = PurePath(named)
    if path.is_absolute():
        bases = (workspace, Path(os.path.realpath(workspace)))
        base = next((base for base in bases if path.is_relative_to(base)), None)
        if base is None:
            return Refuse(f"{named} is not inside the workspace {workspace}.")
        named = path.relative_to(base).as_posix()
    return find_inside(workspace, named)


def find_lone(named: str) -> ConfinedPath | Refuse:
    """One file wherever it is, by its absolute path: in its own folder, and nothing beside it."""
    if "\0" in named or len(named) > MAX_PATH or not PurePath(named).is_absolute():
        return Refuse("That is not an absolute path.")
    try:
        real = Path(os.path.realpath(named, strict=True))
    except (OSError, ValueError):
        return Refuse(f"{named}: there is no such file.")
    return ConfinedPath(real.parent, (real.name,))


@contextmanager
def opened(found: ConfinedPath, kind: int = stat.S_IFREG) -> Iterator[int | Refuse]:
    """The descriptor of a regular file (or `stat.S_IFDIR`), checked after it was opened."""
    fd = _try_open(found, kind)
    try:
        yield fd
    finally:
        if isinstance(fd, int):
            os.close(fd)


def _try_open(found: ConfinedPath, kind: int) -> int | Refuse:
    try:
        return open_inside(found, kind)
    except FileNotFoundError:
        return Refuse(f"{_shown(found)} no longer exists.")
    except OSError as fault:
        changed = fault.errno in (errno.ELOOP, errno.ENOTDIR)
        why = "it changed while it was being opened" if changed else fault.strerror
        return Refuse(f"{_shown(found)} cannot be opened: {why}.")


@contextmanager
def listed(found: ConfinedPath) -> Iterator["Iterator[os.DirEntry[str]] | Refuse"]:
    """What a folder holds, one after the other."""
    with opened_folder(found) as folder:
        if isinstance(folder, Refuse):
            yield folder
            return
        with os.scandir(folder) as entries:
            yield entries


class WrongFileKind(OSError):
    """It is there, but it is not what was asked for."""


def _shown(found: ConfinedPath) -> str:
    return speakable("/".join(found.parts)) or "."


def speakable(name: str) -> str:
    """A name as it can be shown: bytes that are no text are replaced."""
    return name.encode("utf-8", "replace").decode()


def _check_kind(mode: int, kind: int) -> None:
    if stat.S_IFMT(mode) != kind:
        raise WrongFileKind(0, "it is not a folder" if kind == stat.S_IFDIR else "it is not a regular file")


if sys.platform == "win32":
    import ctypes
    import msvcrt

    SEPARATORS = r"[/\\]"
    MAX_FINAL = 32_768

    def _is_odd(part: str) -> bool:
        return ":" in part or part != part.rstrip(" .") or DEVICE_NAME.fullmatch(part) is not None

    def open_inside(found: ConfinedPath, kind: int) -> int:
        """A link that was put in its place since is seen by the name of what was opened."""
        _check_kind(os.lstat(found.real).st_mode, kind)
        fd = os.open(found.real, FILE_FLAGS)
        try:
            _check_kind(os.fstat(fd).st_mode, kind)
            if os.path.normcase(_final_path(fd)) != os.path.normcase(found.real):
                raise WrongFileKind(0, "it changed while it was being opened")
        except OSError:
            os.close(fd)
            raise
        return fd

    @contextmanager
    def opened_folder(found: ConfinedPath) -> Iterator[Path | Refuse]:
        """A folder has no descriptor here: it goes by its name, and what is opened in it is checked again."""
        is_there = found.real.is_dir()
        yield found.real if is_there else Refuse(f"{_shown(found)} cannot be opened: it is not a folder.")

    def _final_path(fd: int) -> str:
        name = ctypes.create_unicode_buffer(MAX_FINAL)
        handle = ctypes.c_void_p(msvcrt.get_osfhandle(fd))
        if not ctypes.windll.kernel32.GetFinalPathNameByHandleW(handle, name, MAX_FINAL, 0):
            raise ctypes.WinError()
        if name.value.startswith("\\\\?\\UNC\\"):
            return "\\" + name.value[7:]
        return name.value.removeprefix("\\\\?\\")

else:
    SEPARATORS = "/"

    def _is_odd(_part: str) -> bool:
        return False

    def open_inside(found: ConfinedPath, kind: int) -> int:
        """From folder to folder, following no link: the real path has none, unless it was changed since."""
        folder = os.open(found.root, FILE_FLAGS | os.O_DIRECTORY)
        try:
            for part in found.parts[:-1]:
                inner = os.open(part, FILE_FLAGS | os.O_DIRECTORY, dir_fd=folder)
                os.close(folder)
                folder = inner
            return _open_last(folder, found.parts[-1] if found.parts else ".", kind)
        finally:
            os.close(folder)

    def _open_last(folder: int, name: str, kind: int) -> int:
        # Looked at first: opening is already doing something to some devices.
        _check_kind(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode, kind)
        fd = os.open(name, FILE_FLAGS, dir_fd=folder)
        try:
            _check_kind(os.fstat(fd).st_mode, kind)
        except OSError:
            os.close(fd)
            raise
        return fd

    @contextmanager
    def opened_folder(found: ConfinedPath) -> Iterator[int | Refuse]:
        with opened(found, stat.S_IFDIR) as fd:
            yield fd
