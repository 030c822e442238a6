"""The two settings files, read under a ceiling and handed to `core.settings`."""

import os
import stat
from pathlib import Path

from bascule.core.settings.reading import MAX_FILE, SettingProblem, SettingsRefused, Source, merge_settings
from bascule.host.config.trust_store import TrustStore
from bascule.host.files.data_folder import Folder
from bascule.model.settings import Settings

WORKSPACE_FILE = ".vscode/settings.json"
OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # a pipe must not hold us


def read_settings(folder: Folder, workspace: Path | None, trust: TrustStore | None = None) -> Settings:
    """The settings in effect in this workspace, or `SettingsRefused` with every problem.

    Of a workspace file that nobody trusted, only what tightens holds."""
    user = read_source("settings.toml", folder.settings)
    theirs = read_source(WORKSPACE_FILE, workspace / WORKSPACE_FILE) if workspace else None
    if workspace is None or theirs is None:
        return merge_settings(user, None)
    store = trust or TrustStore(folder.trust)
    return merge_settings(user, theirs, trusted=store.trusts_settings(str(workspace), theirs.data))


def stamp_settings(folder: Folder, workspace: Path | None) -> tuple[object, ...]:
    """Another one as soon as a file of the two is another, came or went."""
    files = (folder.settings, *([workspace / WORKSPACE_FILE] if workspace else []))
    return tuple(map(_stamp, files))


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        state = path.stat()
    except (OSError, ValueError):
        return None
    return state.st_mtime_ns, state.st_ino, state.st_size


def read_source(name: str, path: Path) -> Source | None:
    try:
        return Source(name, str(path), _read_file(path))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as fault:
        problem = SettingProblem(name, None, f"the file cannot be read: {fault.strerror}")
        raise SettingsRefused([problem], [str(path)]) from None


def _read_file(path: Path) -> bytes:
    fd = os.open(path, OPEN)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(0, "it is not a plain file")
    with os.fdopen(fd, "rb") as file:
        return file.read(MAX_FILE + 1)  # one more than is allowed, so that the excess is seen
