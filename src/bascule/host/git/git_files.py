"""Git's own files, which nobody is shown: an address in its configuration may hold a token."""

import os
from pathlib import Path

from bascule.core.paths import is_git
from bascule.host.files.confined_path import ConfinedPath, speakable
from bascule.host.files.workspace_files import Listing
from bascule.model.asks import Refuse

MARK = ".git"
TELLING = ("HEAD", "config")  # one of them is listed where a repository's own files are


def find_git_bar(found: ConfinedPath) -> Refuse | None:
    """Why a file is not shown, by where it really lies."""
    if not (any(map(is_git, found.real.parts)) or _is_of_repository(found.root, found.parts)):
        return None
    return Refuse(f"{speakable('/'.join(found.parts))} belongs to Git itself, and is not shown.")


def find_git_bar_to_open(real: Path) -> Refuse | None:
    """An agent that may write there would change what Git runs."""
    below = (Path(real.anchor), real.parts[1:])
    if not (any(map(is_git, real.parts)) or _is_of_repository(*below) or _is_repository(real)):
        return None
    return Refuse(f"{speakable(str(real))} belongs to Git itself. Open the folder of the project.")


def without_git(workspace: Path, listing: Listing) -> Listing:
    """The files of a workspace, without those of repositories whose folder has another name than `.git`."""
    named = {name.rpartition("/")[0] for name in listing.files if name.rpartition("/")[2] in TELLING}
    below = tuple(f"{folder}/" if folder else "" for folder in named if _is_repository(workspace / folder))
    if not below:
        return listing
    kept = [
        name
        for name in listing.files
        if not (name.startswith(below) and _is_of_repository(workspace, tuple(name.split("/"))))
    ]
    return Listing(tuple(kept), listing.truncated)


def _is_of_repository(root: Path, parts: tuple[str, ...]) -> bool:
    """A bare one, or the folder that a file `.git` names. A work tree inside of one is not Git's own."""
    place = root
    for name in parts:
        if _is_repository(place) and not os.path.lexists(place / name / MARK):
            return True
        place /= name
    return False


def _is_repository(folder: Path) -> bool:
    """As Git recognises one."""
    is_marked = os.path.lexists(folder / "HEAD")
    return is_marked and (folder / "objects").is_dir() and (folder / "refs").is_dir()
