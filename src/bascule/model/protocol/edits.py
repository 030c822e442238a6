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


class ReviewedHunk(Struct, frozen=True, kw_only=True, omit_defaults=True):
    number: int  # from 1
    text: str  # unified, with its @@ line
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
    note: str = ""  # what is not known of this run


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


class UndoParams(Struct, frozen=True, kw_only=True):
    session_id: str
    undo_id: str


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
