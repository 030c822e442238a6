"""The file that a program's name runs, found without trusting the workspace; and those of a process."""

import os
from collections.abc import Mapping
from pathlib import Path

import psutil


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


def find_programs(pid: int) -> tuple[str, ...]:
    """The files that a process and those that it started run from; a wrapper starts the real program."""
    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
    except psutil.Error:
        return ()
    return tuple(dict.fromkeys(found for one in family if (found := _find_file(one))))


def _find_file(process: psutil.Process) -> str:
    try:
        return process.exe()
    except psutil.Error:
        return ""  # it ended, or is somebody else's


def _find_executable(path: Path, environ: Mapping[str, str]) -> Path | None:
    suffixes = ["", *environ.get("PATHEXT", ".COM;.EXE;.BAT;.CMD").split(";")] if os.name == "nt" else [""]
    for suffix in suffixes:
        candidate = path.with_name(path.name + suffix)
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
    return None
