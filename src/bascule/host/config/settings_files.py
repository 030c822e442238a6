"""The two settings files, read under a ceiling and handed to `core.settings`."""

import os
import stat
from pathlib import Path

from bascule.core.settings.reading import (
    MAX_FILE,
    MergedSettings,
    SettingProblem,
    SettingsRefused,
    Source,
    merge_settings,
    merge_workspace,
)
from bascule.host.config.trust_store import TrustStore, read_inventory
from bascule.host.files.data_folder import Folder, find_home
from bascule.model.settings import Settings

WORKSPACE_FILE = ".vscode/settings.json"
OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # a pipe must not hold us


def read_settings(folder: Folder, workspace: Path | None, trust: TrustStore | None = None) -> Settings:
    """The settings in effect in this workspace, or `SettingsRefused` with every problem of the user's."""
    return read_merged(folder, workspace, trust).settings


def read_merged(
    folder: Folder, workspace: Path | None, trust: TrustStore | None = None, *, trusted: bool | None = None
) -> MergedSettings:
    """With what is ignored of the workspace's file. `trusted`: as if it were, or as if it were not."""
    user = read_source("settings.toml", folder.settings)
    if workspace is None:
        return MergedSettings(merge_settings(user, None))
    try:
        theirs = read_source(WORKSPACE_FILE, workspace / WORKSPACE_FILE)
    except SettingsRefused as refused:
        return MergedSettings(merge_settings(user, None), ignored=refused.problems)
    if theirs is None:
        return MergedSettings(merge_settings(user, None))
    if trusted is None:
        store = trust or _look(folder, workspace)
        trusted = store.trusts_settings(str(workspace), theirs.data)
    return merge_workspace(user, theirs, trusted=trusted)


def _look(folder: Folder, workspace: Path) -> TrustStore:
    """For those who have no store that is kept up to date."""
    store = TrustStore(folder.trust)
    found = store.leave_out_own(str(workspace), read_inventory(workspace, find_home(os.environ)))
    store.note_content(str(workspace), found.files)
    return store


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
