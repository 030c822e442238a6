"""The file that a program's name runs, found without trusting the workspace."""

import os
from collections.abc import Mapping
from pathlib import Path


def find_program(name: str, environ: Mapping[str, str]) -> Path | None:
    """The file that `name` runs. A relative entry of PATH is passed over: it would be the workspace's."""
    if Path(name).name != name:
        return _find_executable(Path(name).expanduser().absolute(), environ)
    for entry in environ.get("PATH", os.defpath).split(os.pathsep):
        if Path(entry).is_absolute() and (found := _find_executable(Path(entry, name), environ)):
            return found
    return None


def absolute_only(path: str) -> str:
    """A PATH without entries that lead somewhere else in each folder."""
    return os.pathsep.join(entry for entry in path.split(os.pathsep) if Path(entry).is_absolute())


def _find_executable(path: Path, environ: Mapping[str, str]) -> Path | None:
    suffixes = ["", *environ.get("PATHEXT", ".COM;.EXE;.BAT;.CMD").split(";")] if os.name == "nt" else [""]
    for suffix in suffixes:
        candidate = path.with_name(path.name + suffix)
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
    return None
