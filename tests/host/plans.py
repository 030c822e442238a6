"""Plans made by hand, a workspace to write them to, and a look at all that a folder holds."""

import hashlib
import os
import stat
from pathlib import Path

from bascule.core.diff.plan.edit_plan import hash_plan
from bascule.model.edits import EditPlan, FileKind, PlannedFile


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def planned(
    workspace: Path,
    path: str,
    after: bytes | None,
    *,
    source: str | None = None,
    mode_after: int | None = None,
    copy: bool = False,
) -> PlannedFile:
    """As a planner would have it: whatever lies there now is what must be there."""
    before = read(workspace, path)
    return PlannedFile(
        path=path,
        kind=kind_of(before, after, source, copy=copy),
        before_hash=None if before is None else sha256(before),
        after=after,
        source=source,
        source_hash=None if source is None else sha256((workspace / source).read_bytes()),
        mode_after=mode_after,
    )


def kind_of(before: bytes | None, after: bytes | None, source: str | None, *, copy: bool) -> FileKind:
    if source is not None:
        return "copy" if copy else "rename"
    if after is None:
        return "delete"
    return "add" if before is None else "update"


def read(workspace: Path, path: str) -> bytes | None:
    try:
        return (workspace / path).read_bytes()
    except OSError:
        return None


def plan_of(*files: PlannedFile) -> EditPlan:
    return EditPlan(files=files, hash=hash_plan(files))


Seen = dict[str, tuple[int, bytes]]


def look(folder: Path) -> Seen:
    """Every file with its mode and bytes (of a link, where it leads), and every folder."""
    return {path.relative_to(folder).as_posix(): _one(path) for path in sorted(folder.rglob("*"))}


def _one(path: Path) -> tuple[int, bytes]:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return mode, os.fsencode(path.readlink())
    return mode, path.read_bytes() if stat.S_ISREG(mode) else b""
