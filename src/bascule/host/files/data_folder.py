"""The data folder: everything the product writes lies in it, and only its owner can look inside."""

import errno
import hashlib
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import platformdirs
from msgspec import Struct

from bascule.core.faults import UserError

VARIABLE = "BASCULE_HOME"
OURS_ONLY = 0o700


class FolderRefused(UserError):
    """The data folder cannot be used; the text says why and what to do."""


# What a disk says no with: full, over the quota, read-only, somebody else's, broken.
DISK_ERRORS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}
)
NEXT = {
    errno.ENOSPC: "Free some space, then try again.",
    errno.EDQUOT: "Free some space, then try again.",
    errno.EFBIG: "Files may not grow here: raise that limit (ulimit -f), then try again.",
    errno.EROFS: "Make it writable, or set BASCULE_HOME to another folder.",
}


@contextmanager
def naming_disk_faults(root: Path) -> Iterator[None]:
    """What the disk refuses becomes one sentence: what, where, what next."""
    try:
        yield
    except OSError as fault:
        said = describe_disk_fault(fault)
        if said is None:
            raise
        raise FolderRefused(f"The data folder {root} cannot be used: {said}") from None


def describe_disk_fault(fault: OSError) -> str | None:
    """None when it is no fault of a disk."""
    if fault.errno not in DISK_ERRORS:
        return None
    where = f" ({fault.filename})" if fault.filename else ""
    then = NEXT.get(fault.errno, "Check that it belongs to you and that you can write to it.")
    return f"{fault.strerror}{where}. {then}"


DEMO_PROJECT = "project"  # the one folder of ours that is a workspace


class Folder(Struct, frozen=True):
    root: Path

    @property
    def id(self) -> str:
        """The same for every process that uses this folder, and different for every other folder."""
        return hashlib.sha256(os.path.normcase(self.root).encode("utf-8", "surrogateescape")).hexdigest()[:16]

    @property
    def settings(self) -> Path:
        return self.root / "settings.toml"

    @property
    def database(self) -> Path:
        return self.root / "bascule.db"

    @property
    def orders(self) -> Path:
        return self.root / "orders.db"

    @property
    def lock(self) -> Path:
        return self.root / "bascule.lock"

    @property
    def children(self) -> Path:
        return self.root / "children.json"

    @property
    def log(self) -> Path:
        return self.root / "logs" / "bascule.log"

    @property
    def agents(self) -> Path:
        """Empty folders that agents' children start in."""
        return self.root / "agents"

    @property
    def git(self) -> Path:
        """Empty repositories, for as long as Git is asked something."""
        return self.root / "git"

    @property
    def trust(self) -> Path:
        return self.root / "trust.json"

    @property
    def attachments(self) -> Path:
        return self.root / "attachments"

    @property
    def panes(self) -> Path:
        """What terminal panes showed, as text."""
        return self.root / "panes"

    @property
    def demo(self) -> Path:
        return self.root / "demo"

    @property
    def project(self) -> Path:
        return self.root / DEMO_PROJECT


def with_outer(folder: Folder) -> tuple[Folder, ...]:
    """The folder, and with the demo the one that it lies in."""
    around = Folder(find_root(os.environ))
    return (folder, around) if folder.root == around.demo else (folder,)


def find_root(environ: Mapping[str, str]) -> Path:
    """Where the data folder is or would be; nothing is made."""
    named = environ.get(VARIABLE)
    if named is None:
        return platformdirs.user_data_path("bascule", appauthor=False).resolve()
    if not named.strip():
        raise FolderRefused(f"{VARIABLE} is set but empty. Name a folder in it, or unset it.")
    return Path(named).expanduser().resolve()


def find_home(environ: Mapping[str, str]) -> str:
    """The person's own folder, empty where the system knows none."""
    try:
        return str((Path(environ["HOME"]) if "HOME" in environ else Path.home()).resolve())
    except (OSError, RuntimeError):
        return ""


def open_folder(root: Path) -> Folder:
    """Make the folder where it is missing, and make sure that nobody else can look inside."""
    try:
        root.mkdir(mode=OURS_ONLY, parents=True, exist_ok=True)
        if sys.platform != "win32":  # there the profile's access list keeps others out
            _close_to_others(root)
        folder = Folder(root)
        folder.log.parent.mkdir(mode=OURS_ONLY, exist_ok=True)
    except FileExistsError as fault:
        raise FolderRefused(f"The data folder {fault.filename} is a file. {_elsewhere()}") from None
    except OSError as fault:
        raise FolderRefused(
            f"The data folder {root} cannot be used: {fault.strerror} ({fault.filename}). {_elsewhere()}"
        ) from None
    return folder


if sys.platform != "win32":

    def _close_to_others(root: Path) -> None:
        state = root.stat()
        if state.st_uid != os.geteuid():
            raise FolderRefused(
                f"The data folder {root} belongs to another user (uid {state.st_uid}). {_elsewhere()}"
            )
        if stat.S_IMODE(state.st_mode) & 0o777 == OURS_ONLY:
            return
        if not _is_ours(root):
            raise FolderRefused(
                f"{root} holds files that are not Bascule's, and others can read it, so it is not made the "
                f"data folder. {_elsewhere()}"
            )
        root.chmod(OURS_ONLY)


def _is_ours(root: Path) -> bool:
    """Empty, or with something of ours in it: never take away access to somebody's project or home."""
    folder = Folder(root)
    known = (folder.settings, folder.database, folder.lock, folder.children, folder.log, folder.demo)
    return any(path.exists() for path in known) or not any(root.iterdir())


def _elsewhere() -> str:
    return f"Set {VARIABLE} to a folder of your own."
