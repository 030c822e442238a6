"""The folders of this machine, for a person who looks for a project: names alone, nothing private."""

import os
from itertools import islice
from pathlib import Path

from bascule.host.files.confined_path import speakable
from bascule.host.files.private_places import PrivatePaths
from bascule.model.asks import Refuse
from bascule.model.protocol.trust import ListedFolder, ListedFolders

MAX_LOOKED = 5_000  # entries of one folder
MAX_SHOWN = 500


def list_folders(named: str, home: str, private: PrivatePaths) -> ListedFolders | Refuse:
    """Those in `named`, or in the person's own folder; hidden ones are left out."""
    real = find_named_folder(named, home)
    if isinstance(real, Refuse):
        return real
    try:
        with os.scandir(real) as entries:
            found = [entry for entry in islice(entries, MAX_LOOKED) if _is_shown(entry, private)]
    except OSError as fault:
        return Refuse(f"{speakable(str(real))} can't be read: {fault.strerror}. Choose another folder.")
    found.sort(key=lambda entry: entry.name.casefold())
    return ListedFolders(
        folder=str(real),
        parent="" if real == real.parent else str(real.parent),
        folders=tuple(
            ListedFolder(
                name=entry.name,
                folder=str(real / entry.name),
                is_repository=Path(entry.path, ".git").exists(),
            )
            for entry in found[:MAX_SHOWN]
        ),
        truncated=len(found) > MAX_SHOWN,
        is_repository=(real / ".git").exists(),
        can_open=private.find_bar_to_open(real) is None,
    )


def find_named_folder(named: str, home: str) -> Path | Refuse:
    """As a person writes it, by its real name; `~` is their own."""
    place = Path(home or "/") if not named else Path(home + named[1:]) if named[0] == "~" else Path(named)
    if "\0" in named or not place.is_absolute():
        return Refuse("Enter the whole path of a folder, from / or from ~.")
    real = Path(os.path.realpath(place))
    return real if real.is_dir() else Refuse(f"There is no folder {speakable(named)}.")


def _is_shown(entry: "os.DirEntry[str]", private: PrivatePaths) -> bool:
    if entry.name.startswith(".") or entry.name != speakable(entry.name):
        return False
    try:
        return entry.is_dir() and private.find_bar_to_open(Path(os.path.realpath(entry.path))) is None
    except OSError:
        return False
