"""A plan as surfaces are shown it: its previews made once, beside the event loop, and kept with it."""

from collections.abc import Callable

from msgspec import Struct

from bascule.core.diff.show.preview import preview_parts
from bascule.core.diff.show.shown_diff import show_lines
from bascule.core.diff.show.unified import CHANGE
from bascule.host.edits.planning import Planned
from bascule.model.blocks import FileEdit
from bascule.model.edits import EditRefused, PlannedFile, ShownHunk
from bascule.model.protocol.edits import Prepared, PreparedFile, Viewed, ViewedFile


class Ready(Struct, frozen=True):
    planned: Planned
    heads: tuple[str, ...]  # one a file, as a unified diff has them
    hunks: tuple[tuple[ShownHunk, ...], ...]
    previews: tuple[str, ...]  # both as text

    @property
    def size(self) -> int:
        """Bytes, about."""
        after = sum(len(file.after or b"") for file in self.planned.plan.files)
        return after + sum(map(len, self.planned.before.values())) + 2 * sum(map(len, self.previews))


def make_ready(plan: Callable[[], Planned | EditRefused]) -> Ready | EditRefused:
    """For a thread: a long file takes its time to compare."""
    planned = plan()
    if isinstance(planned, EditRefused):
        return planned
    parts = [preview_parts(file, _before(planned, file) or b"") for file in planned.plan.files]
    return Ready(
        planned,
        tuple(head for head, _ in parts),
        tuple(hunks for _, hunks in parts),
        tuple(head + "".join(map(show_lines, hunks)) for head, hunks in parts),
    )


def as_prepared(diff_id: str, ready: Ready, bar: str = "") -> Prepared:
    """`bar`: why it may not be applied."""
    plan = ready.planned.plan
    return Prepared(
        diff_id=diff_id,
        hash=plan.hash,
        files=tuple(map(_prepared, plan.files, ready.heads, ready.hunks)),
        preview="".join(ready.previews),
        bar=bar,
    )


def _prepared(file: PlannedFile, head: str, hunks: tuple[ShownHunk, ...]) -> PreparedFile:
    return PreparedFile(
        path=file.path,
        kind=file.kind,
        additions=file.additions,
        deletions=file.deletions,
        source=file.source or "",
        mode="" if file.mode_after is None else f"{0o100000 | file.mode_after:o}",
        moved=file.moved,
        head=head,
        hunks=hunks,
    )


def as_viewed(diff_id: str, ready: Ready) -> Viewed:
    files = ready.planned.plan.files
    return Viewed(
        diff_id=diff_id,
        files=tuple(
            ViewedFile(path=file.path, before=_text(_before(ready.planned, file)), after=_text(file.after))
            for file in files
        ),
    )


def _text(content: bytes | None) -> str | None:
    return None if content is None else content.decode("utf-8", "replace")


def as_edits(ready: Ready) -> tuple[FileEdit, ...]:
    """For a question."""
    files = ready.planned.plan.files
    return tuple(map(_edit, files, ready.previews, ready.hunks))


def _edit(file: PlannedFile, shown: str, hunks: tuple[ShownHunk, ...]) -> FileEdit:
    return FileEdit(
        path=file.source or file.path,
        change=CHANGE[file.kind],
        moved_to=file.path if file.source else None,
        diff=shown,
        additions=file.additions,
        deletions=file.deletions,
        hunks=hunks,
    )


def _before(planned: Planned, file: PlannedFile) -> bytes | None:
    return planned.before.get(file.source or file.path) if file.kind != "add" else None
