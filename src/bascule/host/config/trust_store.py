"""Workspace trust on the disk: what lies in a folder for agents to obey, and what was decided about it."""

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bascule.core.bounded import forget_oldest
from bascule.core.consent.folder_trust import (
    MAX_FILE,
    WORKSPACE_FILE,
    FoundFile,
    Inventory,
    hash_settings,
    take_inventory,
)
from bascule.core.faults import UserError
from bascule.host.files.atomic_file import replace_file
from bascule.host.files.plain_file import read_plain
from bascule.model.consent.trust import TrustedFolder

MAX_FILES = 400  # looked at in one folder; more than that and it cannot be trusted
MAX_BYTES = 8 * 1024 * 1024  # of all of them
MAX_DEPTH = 6  # below .codex/skills and the like
MAX_FOLDERS = 5_000  # decided about; the oldest decision is forgotten first

# In the workspace and in every folder above it, up to the root of its project: that is where Codex looks.
PLAIN_FILES = (
    "AGENTS.md", "AGENTS.override.md", ".codex/config.toml", ".codex/hooks.json",
    "CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".mcp.json",
    ".claude/settings.json", ".claude/settings.local.json",
)  # fmt: skip
HOME_FILES = ("AGENTS.md", "AGENTS.override.md", "CLAUDE.md", ".mcp.json")
FOLDERS = (
    ".codex/rules", ".codex/hooks", ".codex/skills", ".codex/agents", ".codex/prompts", ".agents/skills",
    ".claude/hooks", ".claude/skills", ".claude/agents", ".claude/commands",
)  # fmt: skip
ROOT_MARK = ".git"  # a file in a worktree


# -- what lies in a folder --


def read_inventory(workspace: Path, home: str = "") -> Inventory:
    """Links are followed as Codex follows them: what counts is the content that an agent would see.

    The home folder's own .codex and .claude are the person's, not a project's."""
    places = find_project(workspace)
    reading = _Reading(workspace, places[-1])
    for place in places:
        reading.read_place(place, HOME_FILES if str(place) == home else PLAIN_FILES)
    reading.read(workspace / WORKSPACE_FILE)
    return take_inventory(
        reading.found,
        skills=tuple(reading.skills),
        folders=tuple(map(str, places)),
        truncated=reading.truncated,
    )


def find_project(workspace: Path) -> list[Path]:
    """The workspace, then the folders above it up to the root of its project; only itself without a root.

    Codex passes over some marks that are no repository, and where it does, what lies above counts too."""
    above = [workspace, *workspace.parents]
    for is_root in (_is_repository, _is_marked):
        found = next((at for at, place in enumerate(above) if is_root(place)), None)
        if found is not None:
            return above[: found + 1]
    return [workspace]


def _is_repository(place: Path) -> bool:
    mark = place / ROOT_MARK
    try:
        return mark.is_file() if not mark.is_dir() else os.path.lexists(mark / "HEAD")
    except OSError:
        return False


def _is_marked(place: Path) -> bool:
    return os.path.lexists(place / ROOT_MARK)


class _Reading:
    def __init__(self, workspace: Path, root: Path) -> None:
        self._workspace = workspace
        self._root = os.path.realpath(root)
        self._bytes = 0
        self.found: list[FoundFile] = []
        self.skills: list[str] = []
        self.truncated = False

    def read_place(self, place: Path, names: tuple[str, ...]) -> None:
        for name in names:
            self.read(place / name)
        for name in FOLDERS if names is PLAIN_FILES else ():
            for path in self._walk(place / name, 0):
                self.read(path)
                if path.name == "SKILL.md":
                    self._add_skill(path)

    def _add_skill(self, path: Path) -> None:
        ways = dict.fromkeys([str(path), os.path.realpath(path)])
        self.skills += [way for way in ways if _is_text(way)]
        self.truncated = self.truncated or not all(map(_is_text, ways))

    def read(self, path: Path) -> None:
        if not os.path.lexists(path):
            return
        if len(self.found) >= MAX_FILES or self._bytes > MAX_BYTES or not _is_text(str(path)):
            self.truncated = True
            return
        self.found.append(self._read(path))
        self._bytes += len(self.found[-1].data)

    def _read(self, path: Path) -> FoundFile:
        shown = Path(os.path.relpath(path, self._workspace)).as_posix()
        try:
            data = read_plain(path, MAX_FILE + 1)
        except OSError as fault:
            return FoundFile(shown, problem=f"cannot be read: {fault.strerror or 'it is not a plain file'}")
        if len(data) > MAX_FILE:
            return FoundFile(shown, data, f"is larger than {MAX_FILE} bytes")
        leads = Path(os.path.realpath(path))
        if not leads.is_relative_to(self._root):  # shown to nobody: it may be a secret of the person's own
            return FoundFile(shown, data, f"is a link that leads out of the folder, to {_plain(leads)}")
        return FoundFile(shown, data)

    def _walk(self, folder: Path, depth: int) -> Iterator[Path]:
        """Files in the order of their names; linked folders too, no deeper than Codex looks."""
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            return
        for entry in entries[:MAX_FILES]:
            if not entry.is_dir():
                yield folder / entry.name
            elif depth < MAX_DEPTH and not self.truncated:
                yield from self._walk(folder / entry.name, depth + 1)
            else:
                self.truncated = True
        self.truncated = self.truncated or len(entries) > MAX_FILES


def _is_text(path: str) -> bool:
    """Whether its name can be shown and sent as it is: two that cannot might look the same."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _plain(path: Path) -> str:
    return str(path).encode("utf-8", "backslashreplace").decode()


# -- what was decided --


class _Stored(Struct, frozen=True):
    folders: tuple[TrustedFolder, ...] = ()
    opened: tuple[str, ...] = ()  # folders that somebody at this machine opened
    own_settings: dict[str, str] = {}  # by folder, the hash of a settings file that a person set here


class TrustStore:
    """One small file, read again when it changes: a command may write it while a daemon runs."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: tuple[int, int, int] | None = None
        self._stored = _Stored()
        self._changed: set[str] = set()  # folders that are not as they were when it was decided

    def list(self) -> tuple[TrustedFolder, ...]:
        return self._read().folders

    def find(self, folder: str) -> TrustedFolder | None:
        return next((one for one in self.list() if one.folder == folder), None)

    def note_content(self, folder: str, files: dict[str, str]) -> None:
        """What the folder holds now: once a file of it has changed, its settings count no more either."""
        known = self.find(folder)
        (self._changed.add if known is not None and known.files != files else self._changed.discard)(folder)

    def has_changed(self, folder: str) -> bool:
        """As far as was noted here."""
        return folder in self._changed

    def trusts_settings(self, folder: str, data: bytes) -> bool:
        """Whether these very bytes of its settings file were in the folder when it was trusted."""
        if self._read().own_settings.get(folder) == hash_settings(data):
            return True  # a person set them here
        known = None if self.has_changed(folder) else self.find(folder)
        digest = known.files.get(WORKSPACE_FILE) if known and known.decision == "trusted" else None
        return digest is not None and digest == hash_settings(data)

    def leave_out_own(self, folder: str, found: Inventory) -> Inventory:
        """Settings that a person set here need no trust, and give the folder none."""
        own = self._read().own_settings.get(folder)
        if own is None or found.files.get(WORKSPACE_FILE) != own:
            return found
        return replace(
            found,
            findings=tuple(one for one in found.findings if one.path != WORKSPACE_FILE),
            files={path: digest for path, digest in found.files.items() if path != WORKSPACE_FILE},
        )

    def put_own_settings(self, folder: str, digest: str) -> None:
        own = {**self._read().own_settings, folder: digest}
        forget_oldest(own, MAX_FOLDERS)
        self._write(replace(self._stored, own_settings=own))

    def put(self, decided: TrustedFolder) -> None:
        others = [one for one in self.list() if one.folder != decided.folder]
        self._changed.discard(decided.folder)
        self._write(replace(self._stored, folders=tuple([*others, decided][-MAX_FOLDERS:])))

    def remove(self, folder: str) -> bool:
        kept = tuple(one for one in self.list() if one.folder != folder)
        self._changed.discard(folder)
        known = len(kept) < len(self._stored.folders)
        if known:
            self._write(replace(self._stored, folders=kept))
        return known

    @property
    def opened(self) -> tuple[str, ...]:
        return self._read().opened

    def is_open(self, folder: str) -> bool:
        return folder in self._read().opened

    def open(self, folder: str) -> None:
        opened = self._read().opened
        if folder not in opened:
            self._write(replace(self._stored, opened=(*opened, folder)[-MAX_FOLDERS:]))

    @property
    def stamp(self) -> tuple[int, int, int] | None:
        """Another one as soon as a decision changes."""
        try:
            state = self._path.stat()
        except OSError:
            return None
        return state.st_mtime_ns, state.st_ino, state.st_size

    def _read(self) -> _Stored:
        stamp = self.stamp
        if stamp is None:
            self._stamp, self._stored = None, _Stored()
        elif stamp != self._stamp:
            self._stored = self._decode()
            self._stamp = stamp
        return self._stored

    def _decode(self) -> _Stored:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=_Stored)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as fault:
            raise UserError(
                f"{self._path} cannot be read: {fault}. Remove it: every folder is then asked about again."
            ) from None

    def _write(self, stored: _Stored) -> None:
        try:
            replace_file(self._path, msgspec.json.format(msgspec.json.encode(stored)))
        except OSError as fault:
            raise UserError(f"{self._path} cannot be written: {fault.strerror}. Nothing changed.") from None
        self._stamp, self._stored = self.stamp, stored
