"""What an edit or its undoing would do, from the real files and without writing: shown before the question."""

from pathlib import Path

from msgspec import Struct

from bascule.core.diff.plan import plan_edits
from bascule.core.diff.refusal import Refused, refusal
from bascule.host.edits import get_undoable, inverse, opened_ground
from bascule.host.foothold import Unfit
from bascule.host.ground import Ground
from bascule.host.journal import Shelf
from bascule.host.steps import parse_path, parse_plan
from bascule.host.survey import Surveyor, fitting, read_file
from bascule.model.edits import Diff, EditPlan, EditRefused, Moved, PlannedFile


class Turn(Struct, frozen=True, kw_only=True):
    """One file, before and after; None where there is none."""

    path: str
    before: bytes | None
    after: bytes | None
    source: str | None = None
    is_copy: bool = False
    executable: bool | None = None  # None: as it was
    additions: int | None = None  # None: to be counted
    deletions: int | None = None
    moved: tuple[Moved, ...] = ()


class EditPreview(Struct, frozen=True):
    plan: EditPlan
    turns: tuple[Turn, ...]


class UndoPreview(Struct, frozen=True):
    journal: str
    workspace: str
    hash: str
    turns: tuple[Turn, ...]


def preview_edit(workspace: Path, diff: Diff) -> EditPreview | EditRefused:
    """The plan of a diff, with every refusal that writing it now would meet."""
    try:
        with opened_ground(workspace) as ground:
            reader = _Reader(ground)
            plan = plan_edits(diff, reader.read)
            if isinstance(plan, EditRefused):
                return plan
            steps, copied = parse_plan(plan)
            Surveyor(ground, len).survey(steps, copied)
            return EditPreview(plan, tuple(_turn(file, reader.known) for file in plan.files))
    except Refused as refused:
        return refused.answer


def preview_undo(journal_id: str, *, journal_folder: Path) -> UndoPreview | EditRefused:
    shelf = Shelf(journal_folder)
    try:
        journal = get_undoable(shelf, journal_id)
        work = inverse(shelf, journal)
        now: list[bytes | None] = []
        with opened_ground(Path(journal.workspace)) as ground:
            Surveyor(ground, len).survey(work.steps, {})
            for step in work.steps:
                found = _Reader(ground).read(step.path)
                now.append(None if isinstance(found, EditRefused) else found)
    except Refused as refused:
        return refused.answer
    turns = (
        Turn(path=step.path, before=before, after=step.after)
        for step, before in zip(work.steps, now, strict=True)
    )
    return UndoPreview(journal.id, journal.workspace, journal.hash, tuple(turns))


class _Reader:
    """Regular files of the workspace, through no link; what was read is what the plan is bound to."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self.known: dict[str, bytes] = {}

    def read(self, path: str) -> bytes | EditRefused | None:
        try:
            data = self._read(path)
        except FileNotFoundError:
            return None  # nor its folder
        except Unfit as unfit:
            return refusal(f"{path} {unfit}.", path).answer
        except Refused as refused:
            return refused.answer
        if data is not None:
            self.known[path] = data
        return data

    def _read(self, path: str) -> bytes | None:
        *folder, name = parse_path(path)
        with self._ground.at(tuple(folder)) as here, fitting(path):
            return None if here.look(name) is None else read_file(here, name)[0]


def _turn(file: PlannedFile, known: dict[str, bytes]) -> Turn:
    return Turn(
        path=file.path,
        before=known.get(file.path if file.source is None else file.source),
        after=file.after,
        source=file.source,
        is_copy=file.kind == "copy",
        executable=None if file.mode_after is None else bool(file.mode_after & 0o111),
        additions=file.additions,
        deletions=file.deletions,
        moved=file.moved,
    )
