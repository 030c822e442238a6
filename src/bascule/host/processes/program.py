"""The file that a program's name runs, found without trusting a workspace; and those of a process."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path

import psutil

from bascule.core.paths import fold_path

MAX_LINKS = 40  # followed on the way to one folder, as systems do
SYSTEM_PATH = os.pathsep.join(entry for entry in os.defpath.split(os.pathsep) if Path(entry).is_absolute())


class SearchPath:
    """PATH for agents, and for the programs that we run ourselves: without folders that agents may write.

    With an activated environment it leads into a project, and there an agent could put a `git`."""

    def __init__(
        self, environ: Mapping[str, str], is_written: Callable[[str], bool] = lambda _folder: True
    ) -> None:
        self._is_written = is_written  # False for a folder in which no agent writes without a question
        self.whole = absolute_only(environ.get("PATH", os.defpath))
        self._written: set[str] = set()
        self._names: set[str] = set()  # of those, as they are compared
        self.text = self.whole

    def exclude(self, folders: Iterable[str]) -> None:
        new = {folder for folder in folders if folder not in self._written and self._is_written(folder)}
        if new:
            self._written |= new
            self._names |= _names(new)
            self.text = _without(self.text, self._names)

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
        return {"PATH": _without(self.text, _names([folder]))}


def _names(folders: Iterable[str]) -> set[str]:
    """By every name, as a PATH may hold any of them."""
    return {_fold(Path(way)) for folder in folders for way in (folder, os.path.realpath(folder))}


def _without(path: str, names: AbstractSet[str]) -> str:
    return _join(entry for entry in path.split(os.pathsep) if not _lies_below(entry, names))


def _join(entries: Iterable[str]) -> str:
    """An empty PATH would mean the current folder, so the system's own is there instead."""
    return os.pathsep.join(entries) or SYSTEM_PATH


def _lies_below(entry: str, names: AbstractSet[str]) -> bool:
    """Also where a link on the way to it does: that link could be turned elsewhere."""
    return any(_fold(place) in names for place in _places_on_the_way(entry))


def _fold(place: Path) -> str:
    """In capitals or not it may be the same folder; too much is left out rather than too little."""
    return fold_path(str(place))


def _places_on_the_way(entry: str) -> Iterator[Path]:
    """Every folder and link that is passed until the real folder is reached.

    `..` after a link leads out of the folder that the link names, so it is not taken out before."""
    anchor, *left = Path(entry).parts
    place, links = Path(anchor if os.name == "nt" else os.sep), 0  # `//` is the same folder
    while left:
        name = left.pop(0)
        place = place.parent if name == ".." else place / name
        yield place
        if links < MAX_LINKS and place.is_symlink():
            links += 1
            target = place.readlink()
            if target.is_absolute():
                anchor = target.anchor if os.name == "nt" else os.sep
                place, left = Path(anchor), [*target.parts[1:], *left]
            else:
                place, left = place.parent, [*target.parts, *left]


def find_program(name: str, environ: Mapping[str, str], cwd: Path | None = None) -> Path | None:
    """The file that `name` runs. A relative entry of PATH is passed over: it would be the workspace's.

    A relative path is one from `cwd`, where the program is to run; without `cwd` it names none."""
    if Path(name).name != name:
        path = (cwd or Path()) / Path(name).expanduser()
        return _find_executable(path, environ) if path.is_absolute() else None
    for entry in environ.get("PATH", os.defpath).split(os.pathsep):
        if Path(entry).is_absolute() and (found := _find_executable(Path(entry, name), environ)):
            return found
    return None


def absolute_only(path: str) -> str:
    """A PATH without entries that lead somewhere else in each folder."""
    return _join(entry for entry in path.split(os.pathsep) if Path(entry).is_absolute())


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
