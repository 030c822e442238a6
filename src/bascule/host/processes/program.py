"""The file that a program's name runs, found without trusting a workspace; and those of a process."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import psutil

MAX_LINKS = 40  # followed on the way to one folder, as systems do


class SearchPath:
    """PATH for agents, and for the programs that we run ourselves: without folders that agents may write.

    With an activated environment it leads into a project, and there an agent could put a `git`."""

    def __init__(
        self, environ: Mapping[str, str], is_written: Callable[[str], bool] = lambda _folder: True
    ) -> None:
        self._is_written = is_written  # False for a folder in which no agent writes without a question
        self.whole = absolute_only(environ.get("PATH", os.defpath))
        self._written: frozenset[str] = frozenset()
        self.text = self.whole

    def exclude(self, folders: Iterable[str]) -> None:
        new = {folder for folder in folders if folder not in self._written and self._is_written(folder)}
        if new:
            self._written |= new
            self.text = _without(self.text, self._written)

    @property
    def folders(self) -> tuple[str, ...]:
        """Of the whole, each by every name."""
        entries = [entry for entry in self.whole.split(os.pathsep) if entry]
        return tuple(dict.fromkeys(way for entry in entries for way in (entry, os.path.realpath(entry))))

    @property
    def environ(self) -> dict[str, str]:
        return {"PATH": self.text}

    def environ_outside(self, workspace: str | Path) -> dict[str, str]:
        """For a program about a workspace that perhaps no agent was in yet: none that the workspace holds."""
        folder = str(workspace)
        if folder in self._written or not self._is_written(folder):
            return self.environ
        return {"PATH": _without(self.text, frozenset((folder,)))}


def _without(path: str, folders: frozenset[str]) -> str:
    return os.pathsep.join(entry for entry in path.split(os.pathsep) if not _lies_below(entry, folders))


def _lies_below(entry: str, folders: frozenset[str]) -> bool:
    """Also where a link on the way to it does: that link could be turned elsewhere."""
    return any(str(place) in folders for place in _places_on_the_way(entry))


def _places_on_the_way(entry: str) -> Iterator[Path]:
    """Every folder and link that is passed until the real folder is reached."""
    here, *left = Path(os.path.normpath(entry)).parts
    place, links = Path(here), 0
    while left:
        name = left.pop(0)
        place = place.parent if name == ".." else place / name
        yield place
        if links < MAX_LINKS and place.is_symlink():
            links += 1
            target = place.readlink()
            if target.is_absolute():
                place, left = Path(target.anchor), [*target.parts[1:], *left]
            else:
                place, left = place.parent, [*target.parts, *left]


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
