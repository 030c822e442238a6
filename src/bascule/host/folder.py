"""The data folder: everything the product writes lies in it, and only its owner can look inside."""

import hashlib
import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path

import platformdirs
from msgspec import Struct

from bascule.core.faults import CannotGoOn

VARIABLE = "BASCULE_HOME"
OURS_ONLY = 0o700


class FolderRefused(CannotGoOn):
    """The data folder cannot be used; the text says why and what to do."""


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
    def lock(self) -> Path:
        return self.root / "bascule.lock"

    @property
    def children(self) -> Path:
        return self.root / "children.json"

    @property
    def log(self) -> Path:
        return self.root / "logs" / "bascule.log"

    @property
    def attachments(self) -> Path:
        return self.root / "attachments"

    @property
    def demo(self) -> Path:
        return self.root / "demo"


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
    """Make the folder where it is missing, and see that nobody else can look inside."""
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
