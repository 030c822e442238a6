"""A settings file, written: one key of it, whole or not at all, and never where it would be refused."""

import os
import stat
from pathlib import Path

from msgspec import Struct

from bascule.core.faults import UserError
from bascule.core.settings.jsonc_file import set_jsonc
from bascule.core.settings.reading import SettingProblem, SettingsRefused, Source, merge_settings
from bascule.core.settings.toml_file import set_toml
from bascule.host.config.settings_files import WORKSPACE_FILE, read_source
from bascule.host.files.atomic_file import replace_file
from bascule.host.files.data_folder import Folder
from bascule.model.asks import Refuse
from bascule.model.protocol.setup import Scope
from bascule.model.settings import Setting, Settings

USER_FILE = "settings.toml"
MARK = b"\xef\xbb\xbf"  # editors on Windows put it first


class SettingWrite(Struct, frozen=True):
    """A change of one key, checked and not written yet."""

    path: Path
    before: bytes | None  # of the file; None: there is none
    data: bytes
    held: Settings  # what holds in that scope now
    holds: Settings  # and what will


def prepare_setting(
    folder: Folder, workspace: Path | None, row: Setting, value: object | None, scope: Scope
) -> SettingWrite | Refuse:
    """By the same rules as reading; `SettingsRefused` where a file that counts for it is bad already.

    What a clone's file says keeps nobody from changing their own."""
    user = read_source(USER_FILE, folder.settings)
    is_theirs = scope == "workspace" and workspace is not None
    theirs = read_source(WORKSPACE_FILE, workspace / WORKSPACE_FILE) if workspace and is_theirs else None
    merge_settings(user, theirs)
    if scope == "user":
        path: Path | Refuse = Path(os.path.realpath(folder.settings))  # it may be kept elsewhere, and linked
    else:
        path = _find_workspace_file(workspace)
    if isinstance(path, Refuse):
        return path
    present = user if scope == "user" else theirs
    data = _edit(present.data if present else b"", row, value, scope)
    if isinstance(data, Refuse):
        return data
    source = Source(USER_FILE if scope == "user" else WORKSPACE_FILE, str(path), data)
    try:
        held = merge_settings(user, theirs)
        holds = merge_settings(*((source, None) if scope == "user" else (user, source)))
    except SettingsRefused as refused:
        return Refuse(" ".join(problem.text for problem in refused.problems))
    return SettingWrite(path, present.data if present else None, data, held, holds)


def write_setting(change: SettingWrite) -> None:
    if change.data != (change.before or b""):
        _replace(change.path, change.before, change.data)


def _edit(data: bytes, row: Setting, value: object | None, scope: Scope) -> bytes | Refuse:
    text = data.decode("utf-8-sig")
    edited = set_toml(text, row.key, value) if scope == "user" else set_jsonc(text, row.key, value)
    if isinstance(edited, Refuse):
        return edited
    return (MARK if data.startswith(MARK) else b"") + edited.encode()


def _find_workspace_file(workspace: Path | None) -> Path | Refuse:
    if workspace is None:
        return Refuse("Name a session: without one there is no workspace to set it in.")
    root = Path(os.path.realpath(workspace))
    real = Path(os.path.realpath(workspace / WORKSPACE_FILE))
    if not real.is_relative_to(root):
        return Refuse(f"{WORKSPACE_FILE} leads out of the workspace, so it is not written.")
    return real


def _replace(path: Path, before: bytes | None, data: bytes) -> None:
    """The mode stays."""

    def check() -> None:
        if (path.read_bytes() if path.exists() else None) != before:
            raise _refused(path, "it was changed by somebody else just now. Try again.")

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(path.stat().st_mode) if before is not None else 0o600
        replace_file(path, data, mode=mode, check=check)
    except OSError as fault:
        raise _refused(path, f"the file cannot be written: {fault.strerror}") from None


def _refused(path: Path, why: str) -> UserError:
    return SettingsRefused([SettingProblem(path.name, None, why)], [str(path)])
