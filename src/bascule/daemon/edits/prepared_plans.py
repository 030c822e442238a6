"""A plan as surfaces are shown it: its previews made once, beside the event loop, and kept with it."""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from bascule.core.diff.show.preview import preview
from bascule.host.edits.planning import Planned
from bascule.model.blocks import FileEdit
from bascule.model.edits import EditRefused, FileKind, PlannedFile
from bascule.model.protocol.edits import Prepared, PreparedFile, Viewed, ViewedFile

CHANGE: dict[FileKind, Literal["add", "delete", "update"]] = {
    "add": "add",
    "copy": "add",
    "delete": "delete",
    "update": "update",
    "rename": "update",
}


class Ready(Struct, frozen=True):
    planned: Planned
    previews: tuple[str, ...]  # one a file

    @property
    def size(self) -> int:
        """Bytes, about."""
        after = sum(len(file.after or b"") for file in self.planned.plan.files)
        return after + sum(map(len, self.planned.before.values())) + sum(map(len, self.previews))


def make_ready(plan: Callable[[], Planned | EditRefused]) -> Ready | EditRefused:
    """For a thread: a long file takes its time to compare."""
    planned = plan()
    if isinstance(planned, EditRefused):
        return planned
    return Ready(planned, tuple(preview(file, _before(planned, file) or b"") for file in planned.plan.files))


def as_prepared(diff_id: str, ready: Ready) -> Prepared:
    plan = ready.planned.plan
    return Prepared(
        diff_id=diff_id,
        hash=plan.hash,
        files=tuple(map(_prepared, plan.files)),
        preview="".join(ready.previews),
    )


def _prepared(file: PlannedFile) -> PreparedFile:
    return PreparedFile(
        path=file.path,
        kind=file.kind,
        additions=file.additions,
        deletions=file.deletions,
        moved=file.moved,
    )


def as_viewed(diff_id: str, ready: Ready) -> Viewed:
    files = ready.planned.plan.files
    return Viewed(diff_id=diff_id, files=tuple(_viewed(ready.planned, file) for file in files))


def _viewed(planned: Planned, file: PlannedFile) -> ViewedFile:
    return ViewedFile(path=file.path, before=_text(_before(planned, file)), after=_text(file.after))


def _text(content: bytes | None) -> str | None:
    return None if content is None else content.decode("utf-8", "replace")


def as_edits(ready: Ready) -> tuple[FileEdit, ...]:
    """For a question."""
    files = ready.planned.plan.files
    return tuple(_edit(file, shown) for file, shown in zip(files, ready.previews, strict=True))


def _edit(file: PlannedFile, shown: str) -> FileEdit:
    return FileEdit(
        path=file.source or file.path,
        change=CHANGE[file.kind],
        moved_to=file.path if file.source else None,
        diff=shown,
        additions=file.additions,
        deletions=file.deletions,
    )


def _before(planned: Planned, file: PlannedFile) -> bytes | None:
    return planned.before.get(file.source or file.path) if file.kind != "add" else None
