"""Private places: our data folder, the usual credentials, browsers' profiles. Nobody is shown them."""

import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from bascule.host.files.confined_path import speakable
from bascule.host.files.data_folder import DEMO_PROJECT
from bascule.host.files.workspace_files import Listing
from bascule.host.git.git_files import find_git_bar_to_open
from bascule.model.asks import Refuse

# Below the person's home. Not all that is secret, but what is so on nearly every machine.
CREDENTIALS = (
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".config/gcloud", ".config/gh", ".docker/config.json",
    ".netrc", ".git-credentials", ".config/git/credentials", ".pypirc", ".npmrc", ".cargo/credentials.toml",
    ".codex/auth.json", ".claude/.credentials.json",
)  # fmt: skip
# What browsers keep: the key of our own page, which opens this machine's terminals together with a cookie
# that every local server is sent; and all that a person is signed in to.
BROWSERS = (
    ".mozilla", ".librewolf", ".zen", ".config/BraveSoftware", ".config/chromium", ".config/google-chrome",
    ".config/google-chrome-beta", ".config/microsoft-edge", ".config/opera", ".config/vivaldi",
    "snap/brave", "snap/chromium", "snap/firefox", "snap/opera",
    ".var/app/com.brave.Browser", ".var/app/com.google.Chrome", ".var/app/com.microsoft.Edge",
    ".var/app/io.gitlab.librewolf-community", ".var/app/org.chromium.Chromium",
    ".var/app/org.mozilla.firefox",
    ".local/share/keyrings", ".password-store",
    "Library/Application Support/BraveSoftware", "Library/Application Support/Firefox",
    "Library/Application Support/Google/Chrome", "Library/Application Support/Microsoft Edge",
    "Library/Cookies", "Library/Keychains", "Library/Safari",
)  # fmt: skip
SYSTEM = ("/proc", "/sys", "/dev")
FOR_AGENTS = "attachments"  # in our data folder: what a person gave to an agent is for it to read
LEFT_TO_THE_SANDBOX = ("/dev", "/proc")  # it makes its own
CODEX_SOCKETS = "codex-daemon-"  # in the temp folder; Codex refuses a list that names them
MAX_ENTRIES = 1_000  # of one folder; what comes after them is not readable

HIDES = sys.platform == "linux"  # where it was tried: the sandboxes of other systems get no list


class PrivatePaths(Struct, frozen=True):
    data: tuple[str, ...]  # data folders: ours, and with the demo the one around it; real paths
    credentials: tuple[str, ...]

    def find_bar(self, workspace: Path, real: Path) -> Refuse | None:
        """Why a file of the workspace is not shown, by where it really lies."""
        if self._is_hard_link(real):
            return Refuse(f"{speakable(real.name)} is a link to a private file. It is not shown.")
        if any(real.is_relative_to(place) for place in self.credentials):
            return Refuse(f"{speakable(real.name)} is a credential, or lies among them. It is not shown.")
        root = Path(os.path.realpath(workspace))
        own = any(root.is_relative_to(Path(place) / DEMO_PROJECT) for place in self.data)
        for place in self.data:
            if real.is_relative_to(place) and not (own and real.is_relative_to(root)):
                return Refuse(f"{speakable(real.name)} is Bascule's own, and is not shown.")
        return None

    def _is_hard_link(self, real: Path) -> bool:
        """To open and close one would also drop the locks of our database."""
        return _has_links(real) and _identity(real) in self._find_linked()

    def find_bar_to_any(self, workspace: Path, names: Iterable[str]) -> Refuse | None:
        """Of thousands at once: only what may be private is looked at closely."""
        places = tuple(map(os.path.normcase, (*self.data, *self.credentials)))
        below = tuple(f"{place}{os.sep}" for place in places)
        try:
            for real in _real_places(workspace, names):
                place = os.path.normcase(real)
                if place in places or place.startswith(below) or _has_links(real):
                    barred = self.find_bar(workspace, real)
                    if barred is not None:
                        return barred
        except OSError as fault:
            shown = speakable(os.path.basename(str(fault.filename or workspace)))  # noqa: PTH119
            return Refuse(f"{shown} changed while it was being looked at. Try again.")
        return None

    def without(self, workspace: Path, listing: Listing) -> Listing:
        """The files of a workspace that may be shown; those under another name are looked at when opened."""
        root = Path(os.path.realpath(workspace))
        inner = [Path(place) for place in (*self.data, *self.credentials) if Path(place).is_relative_to(root)]
        below = tuple(place.relative_to(root).as_posix() for place in inner)
        linked = self._find_linked()
        if not below and not linked:
            return listing
        folders = tuple(f"{place}/" for place in below)
        kept = [name for name in listing.files if name not in below and not name.startswith(folders)]
        shown = [name for name in kept if not linked or _identity(root / name) not in linked]
        return Listing(tuple(shown), listing.truncated)

    def _find_linked(self) -> frozenset[tuple[int, int]]:
        """Files of ours and credentials that have another name somewhere."""
        ours = [one for place in self.data for one in _files_below(Path(place))]
        named = [*ours, *(one for place in self.credentials for one in _with_entries(Path(place)))]
        return frozenset(found for one in named if _has_links(one) and (found := _identity(one)))

    def find_bar_to_open(self, real: Path) -> Refuse | None:
        """Why a folder cannot be a workspace at all."""
        if real == Path(real.anchor):
            return Refuse("The whole file system cannot be a workspace. Open the folder of a project.")
        if any(real.is_relative_to(place) for place in SYSTEM):
            return Refuse(f"{speakable(str(real))} belongs to the system. Open the folder of a project.")
        if self.find_bar(real, real) is None:
            return find_git_bar_to_open(real)
        return Refuse(
            f"{speakable(str(real))} holds secrets, and cannot be a workspace. Open another folder."
        )

    def readable_in(self, workspace: Path) -> tuple[str, ...]:
        """All that a sandboxed command may read: everything but what is private. Empty: no list is kept.

        A list of what is readable, not of what is denied: where Codex knows of a denied place it keeps even
        a command that a person allowed to leave the sandbox inside it, without the network."""
        if not (HIDES and (self.data or self.credentials)):
            return ()
        private = tuple(f"{place}{os.sep}" for place in (*self.data, *self.credentials))
        given = [str(Path(place) / FOR_AGENTS) for place in self.data]
        places = (workspace, *_installed_in_temp(workspace))
        own = [str(place) for place in places if not self.lies_below(place)]
        return tuple(dict.fromkeys([*_walk(os.sep, private, f"{workspace}{os.sep}"), *given, *own]))

    def readable_remotely(self, workspace: Path) -> tuple[str, ...]:
        """Of the above, what lies in the workspace: all that is read for somebody who is not here."""
        return tuple(place for place in self.readable_in(workspace) if Path(place).is_relative_to(workspace))

    def hidden_remotely(self, workspace: Path) -> tuple[str, ...]:
        """Our own files; where the workspace lies among them, as the demo's does, those beside it."""
        around = [place for place in self.data if workspace.is_relative_to(place)]
        beside = [Path(place) / entry for place in around for entry in _entries(Path(place))]
        apart = [str(place) for place in beside if not workspace.is_relative_to(place)]
        return (*(place for place in self.data if place not in around), *apart)

    def is_temp_free(self) -> bool:
        """Whether nothing private lies below the temp folder."""
        temp = find_temp()
        return temp is not None and not self.lies_below(temp)

    def lies_below(self, folder: Path) -> bool:
        """Whether something private does."""
        real = os.path.realpath(folder)
        return any(Path(place).is_relative_to(real) for place in (*self.data, *self.credentials))


NOTHING_PRIVATE = PrivatePaths((), ())


def find_private(roots: tuple[Path, ...], *, home: str, named_files: tuple[Path, ...] = ()) -> PrivatePaths:
    """With what this start was given: the key of an outer door, the credentials of an agent."""
    named = [Path(home) / name for name in (*CREDENTIALS, *BROWSERS)] if home else []
    secret = map(os.path.realpath, [*named, *named_files])
    return PrivatePaths(tuple(map(os.path.realpath, roots)), tuple(secret))


def _real_places(workspace: Path, names: Iterable[str]) -> Iterator[Path]:
    """Where each name really lies; a folder on the way is followed once."""
    folders: dict[Path, Path] = {}
    for name in names:
        if "\0" in name:
            continue
        place = workspace / name
        if os.name == "nt" or place.name in ("", os.pardir):  # Windows has short names for long ones
            yield Path(os.path.realpath(place))
            continue
        if place.parent not in folders:
            folders[place.parent] = Path(os.path.realpath(place.parent))
        found = folders[place.parent] / place.name
        yield Path(os.path.realpath(found)) if found.is_symlink() else found


def _with_entries(place: Path) -> Iterator[Path]:
    yield place
    yield from (place / entry for entry in _entries(place))


def _has_links(place: Path) -> bool:
    try:
        seen = place.stat()
    except OSError:
        return False
    return seen.st_nlink > 1 and stat.S_ISREG(seen.st_mode)


def _identity(place: Path) -> tuple[int, int] | None:
    try:
        seen = place.stat()
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


def _files_below(folder: Path) -> Iterator[Path]:
    """Of a data folder: its own and those of the record."""
    for place in (folder, folder / "audit"):
        yield from (place / entry for entry in _entries(place))


def _walk(folder: str, private: tuple[str, ...], workspace: str) -> Iterator[str]:
    """What a folder holds, one by one where something private lies below. All folders end in a separator.

    Of the temp folder only the workspace: what else is there comes and goes, and there can be a lot of it."""
    temp = find_temp()
    is_temp = temp is not None and folder.startswith(f"{temp}{os.sep}")
    for entry in _entries(Path(folder)):
        place = f"{folder}{entry}"
        if place in LEFT_TO_THE_SANDBOX or entry.startswith(CODEX_SOCKETS):
            continue
        real = os.path.realpath(place) if os.path.islink(place) else place  # noqa: PTH114 - thousands of them
        below = real if real.endswith(os.sep) else f"{real}{os.sep}"
        if below.startswith(private):
            continue
        if not any(one.startswith(below) for one in private):
            if not is_temp or f"{place}{os.sep}".startswith(workspace):
                yield place
        elif real == place:  # a link to what holds something private is left out
            yield from _walk(below, private, workspace)


def _installed_in_temp(workspace: Path) -> tuple[Path, ...]:
    """Our own environment, which holds Codex, where somebody tries Bascule from the temp folder."""
    installed, temp = Path(sys.prefix), find_temp()
    if temp is None or not installed.is_relative_to(temp) or installed.is_relative_to(workspace):
        return ()
    return (installed,)


def find_temp() -> Path | None:
    """None where no temp folder can be written, as on a full disk."""
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError:
        return None


def find_temps() -> tuple[str, ...]:
    """Every folder that a sandbox may count as one, by each of its names."""
    named = [os.environ.get("TMPDIR", ""), "/tmp", str(find_temp() or "")]  # noqa: S108 - the folder itself
    return tuple(dict.fromkeys(way for one in named if one for way in (one, os.path.realpath(one))))


def _entries(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir())[:MAX_ENTRIES]
    except OSError:
        return []
