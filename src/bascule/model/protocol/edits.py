"""edits.* and test.run: what is written or run here, only after a yes."""

from typing import Literal

from msgspec import Struct

from bascule.model.edits import FileKind, Moved


class PrepareParams(Struct, frozen=True, kw_only=True):
    session_id: str
    diff: str  # unified, or in Codex's own format; prose around it is let pass


class PreparedFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    path: str
    kind: FileKind
    additions: int
    deletions: int
    moved: tuple[Moved, ...] = ()  # hunks that were found elsewhere than the diff says


class Prepared(Struct, frozen=True, kw_only=True):
    """`hash` covers every path and byte; a yes is bound to it."""

    diff_id: str
    hash: str
    files: tuple[PreparedFile, ...]
    preview: str  # unified, made from the bytes before and after


class DiffRef(Struct, frozen=True, kw_only=True):
    diff_id: str


class ViewedFile(Struct, frozen=True, kw_only=True):
    path: str
    before: str | None  # None: there is none
    after: str | None


class Viewed(Struct, frozen=True, kw_only=True):
    diff_id: str
    files: tuple[ViewedFile, ...]


class Written(Struct, frozen=True, kw_only=True, omit_defaults=True):
    status: Literal["ok", "rejected", "error"]
    summary: str
    undo_id: str = ""


class UndoParams(Struct, frozen=True, kw_only=True):
    session_id: str
    undo_id: str


class RunTestParams(Struct, frozen=True, kw_only=True):
    session_id: str
    command: str = ""  # the project's own when empty


class RanTest(Struct, frozen=True, kw_only=True, omit_defaults=True):
    status: Literal["ok", "error", "rejected"]
    summary: str
    command: str = ""
    exit_code: int | None = None
    logs: str = ""  # the end of what it printed
    duration_ms: int = 0
