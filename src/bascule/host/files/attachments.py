"""Attachments: files that came over the wire, kept in the data folder for the session they came to."""

import os
import re
import secrets
import shutil
import time
from collections.abc import Collection
from pathlib import Path

from bascule.host.files.confined_path import DEVICE_NAME, ConfinedPath, find_lone
from bascule.model.asks import Refuse

MiB = 1024 * 1024
MAX_FILE = 20 * MiB
MAX_SESSION = 200 * MiB
MAX_FILES = 500  # of one session
MIN_FREE = 500 * MiB  # that must be free on the disk before a file is kept
MAX_NAME = 80  # characters of a name
KEPT_S = 90 * 24 * 3600.0

ODD = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\ud800-\udfff\u200b-\u200f\u202a-\u202e\u2066-\u2069]+')
OURS_ONLY = 0o700


class Attachments:
    """`root/SESSION/…-NAME`: each file written once, readable by its owner alone."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def keep(self, session: str, name: str, data: bytes) -> ConfinedPath | Refuse:
        """`session` is an id of ours, never a word of the peer's."""
        if not data:
            return Refuse(f"{clean_name(name)} is empty. Nothing was kept.")
        if len(data) > MAX_FILE:
            return Refuse(f"{clean_name(name)} has {len(data)} bytes; {MAX_FILE} is the most for one file.")
        folder = self._root / session
        try:
            folder.mkdir(mode=OURS_ONLY, parents=True, exist_ok=True)
            full = _find_full(folder, len(data)) or _find_short(folder)
            return full or find_lone(str(_write(folder, name, data)))
        except OSError as fault:
            return Refuse(f"{clean_name(name)} cannot be kept: {fault.strerror}.")

    def find(self, session: str, path: str) -> ConfinedPath | Refuse:
        """One that was attached to this session, by the path that was given then."""
        found = find_lone(path)
        if isinstance(found, Refuse):
            return found
        ours = found.root == Path(os.path.realpath(self._root)) / session
        return found if ours else Refuse(f"{path} was not attached to this session.")

    def sweep(self, known: Collection[str], *, now_s: float | None = None) -> int:
        """Take away what belongs to no session any more, or is old; how many files or folders went."""
        oldest = (time.time() if now_s is None else now_s) - KEPT_S
        folders = [entry for entry in _entries(self._root) if entry.is_dir(follow_symlinks=False)]
        gone = [folder for folder in folders if folder.name not in known]
        for folder in gone:
            shutil.rmtree(folder.path, ignore_errors=True)
        kept = [entry for folder in folders if folder.name in known for entry in _entries(Path(folder.path))]
        return len(gone) + sum(_remove_old(entry, oldest) for entry in kept)


def clean_name(name: str) -> str:
    """A plain name for any system: no path, no device, nothing that cannot be seen."""
    last = re.split(r"[/\\]", name)[-1]
    plain = ODD.sub("_", last).strip(" .")
    stem, dot, ending = plain.rpartition(".")
    if len(plain) > MAX_NAME:
        ending = ending[:16] if dot and stem else ""
        plain = f"{(stem or plain)[: MAX_NAME - 17]}.{ending}".rstrip(" .")
    if not plain or DEVICE_NAME.fullmatch(plain):
        return f"file_{plain}".rstrip("_")
    return plain


def _find_full(folder: Path, more: int) -> Refuse | None:
    sizes = [entry.stat(follow_symlinks=False).st_size for entry in _entries(folder)]
    if len(sizes) < MAX_FILES and sum(sizes) + more <= MAX_SESSION:
        return None
    return Refuse(
        f"A session keeps at most {MAX_FILES} attached files and {MAX_SESSION} bytes of them. "
        "Put the file into the workspace and name it there, or begin a new session."
    )


def _find_short(folder: Path) -> Refuse | None:
    """On a full disk no answer can be recorded, so attached files leave room for that."""
    if shutil.disk_usage(folder).free >= MIN_FREE:
        return None
    return Refuse(f"Less than {MIN_FREE // MiB} MB of the disk are free. Nothing was kept.")


def _write(folder: Path, name: str, data: bytes) -> Path:
    """Under a name that nobody has yet; what was written in part is taken away again."""
    path = folder / f"{secrets.token_hex(4)}-{clean_name(name)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
            file.write(data)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return path


def _entries(folder: Path) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _remove_old(entry: "os.DirEntry[str]", oldest: float) -> bool:
    try:
        if entry.stat(follow_symlinks=False).st_mtime >= oldest:
            return False
        Path(entry.path).unlink()
    except OSError:
        return False
    return True
