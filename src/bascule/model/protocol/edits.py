"""edits.* and test.run: what is written or run here, only after a yes."""

from typing import Literal

from msgspec import Struct

from bascule.model.edits import FileKind, Moved, ShownHunk
from bascule.model.said import Said


class PrepareParams(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Unified, or in Codex's own format; prose around the diff is ignored."""

    session_id: str = ""  # empty: the surface's own workspace, in no conversation
    diff: str = ""
    data: bytes = b""  # the diff in base64 instead: not every file is UTF-8
    strip: int | None = None  # folders to remove from its names, as `git apply -p`; null: the names tell


class PreparedFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    path: str
    kind: FileKind
    additions: int
    deletions: int
    source: str = ""  # of a rename or a copy
    mode: str = ""  # a new one, in octal
    moved: tuple[Moved, ...] = ()  # hunks that were found elsewhere than the diff says
    head: str = ""  # what a unified diff has above the hunks
    hunks: tuple[ShownHunk, ...] = ()


class Prepared(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`hash` covers every path and byte; a yes is bound to it."""

    diff_id: str
    hash: str
    files: tuple[PreparedFile, ...]
    preview: str  # the same as one diff
    bar: str = ""  # why it may not be applied at the moment


class ChosenFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    path: str
    hunks: tuple[int, ...] | None = None  # from 1, as the preview has them; None: all of the file


class SelectParams(Struct, frozen=True, kw_only=True):
    """What a person accepts of a diff; the rest is left out."""

    diff_id: str
    files: tuple[ChosenFile, ...]


class RunRef(Struct, frozen=True, kw_only=True):
    session_id: str
    run_id: str = ""  # the latest one when empty


class ReviewedHunk(ShownHunk, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    there: bool = True  # as the run wrote it; False: changed or reverted since
    why: str = ""  # where it cannot be reverted
    reverted: bool = False  # the file is as it was before the run, there


class ReviewedFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    path: str
    kind: FileKind
    additions: int
    deletions: int
    hunks: tuple[ReviewedHunk, ...] = ()
    moved_to: str = ""
    by: Literal["agent", "command"] = "agent"  # a command of the run wrote it, not the agent's own edit
    note: str = ""  # binary, too large, also edited by the person


class RunReview(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one run changed, apart from the person's own edits."""

    session_id: str
    run_id: str
    files: tuple[ReviewedFile, ...]
    unified: str  # the same as one diff
    note: str = ""  # what is unknown about this run


class RevertParams(Struct, frozen=True, kw_only=True):
    """Prepare a diff that takes these back; `edits.apply` then asks and writes it."""

    session_id: str
    run_id: str
    files: tuple[ChosenFile, ...]


class LineComment(Struct, frozen=True, kw_only=True, omit_defaults=True):
    path: str
    line: int  # from 1, in the file after the change, or before it
    text: str
    side: Literal["before", "after"] = "after"
    quote: str = ""  # the line itself


class CommentParams(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Comments on lines of a review go back to the agent as the next prompt."""

    session_id: str
    comments: tuple[LineComment, ...]
    text: str = ""  # said before them
    how: Literal["start", "queue", "steer"] = "queue"
    key: str = ""


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
    declined: bool = False  # a person said no
    said: Said | None = None  # the summary, where it is ours


class UndoParams(Struct, frozen=True, kw_only=True):
    undo_id: str
    session_id: str = ""  # empty: an edit in any workspace, asked about in no conversation


class WrittenEdit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finished edit: `undo_id` undoes it."""

    undo_id: str
    workspace: str
    at_ms: int
    hash: str  # of its plan
    files: tuple[str, ...]  # the first ones
    count: int  # of all its files
    undoes: str = ""  # the edit that this one undid
    undone: bool = False


class WrittenEdits(Struct, frozen=True, kw_only=True):
    edits: tuple[WrittenEdit, ...]  # the latest first


class RunTestParams(Struct, frozen=True, kw_only=True):
    session_id: str
    command: str = ""  # the project's own when empty


class RanTest(Struct, frozen=True, kw_only=True, omit_defaults=True):
    status: Literal["ok", "error", "rejected", "cancelled"]
    summary: str
    command: str = ""
    exit_code: int | None = None
    logs: str = ""  # the end of what it printed
    duration_ms: int = 0
