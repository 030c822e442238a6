"""Plans made against the real files: of a diff, and of taking an edit back. Nothing is written."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.diff.content import Content
from bascule.core.diff.make.compare import count_changes, find_groups, whole_lines
from bascule.core.diff.plan.choose import choose
from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.refusal import DiffRefused, refusal
from bascule.host.edits.apply import get_undoable, inverse, opened_ground
from bascule.host.edits.journal import Journal, UndoJournals
from bascule.host.edits.steps import EditStep, parse_path, parse_plan
from bascule.host.edits.survey import Surveyor, is_runnable, read_bytes, undoing, unfit
from bascule.host.files.dir_handle import NotWritable
from bascule.host.files.dir_handles import DirHandles, Parts
from bascule.model.edits import Diff, EditPlan, EditRefused, FileKind, PlannedFile
from bascule.model.protocol.edits import ChosenFile


class Planned(Struct, frozen=True):
    plan: EditPlan
    before: dict[str, bytes]  # the very bytes that the plan is bound to, for showing


def plan_diff(workspace: Path, diff: Diff) -> Planned | EditRefused:
    """Refused with every reason for which writing it now would be."""
    try:
        with opened_ground(workspace) as ground:
            reader = _Reader(ground, lists=True)
            plan = plan_edits(diff, reader.read, reader.runs.get)
            if isinstance(plan, EditRefused):
                return plan
            steps, copied = parse_plan(plan)
            Surveyor(ground, len, reader.known, reader.names).survey(steps, copied)
            return Planned(plan, reader.known)
    except DiffRefused as refused:
        return refused.answer


def plan_part(workspace: Path, planned: Planned, chosen: Sequence[ChosenFile]) -> Planned | EditRefused:
    """Only what was chosen of a plan; refused where a file of it has changed since."""
    plan = choose(planned.plan, planned.before, chosen)
    if isinstance(plan, EditRefused):
        return plan
    try:
        with opened_ground(workspace) as ground:
            steps, copied = parse_plan(plan)
            Surveyor(ground, len).survey(steps, copied)
    except DiffRefused as refused:
        return refused.answer
    return Planned(plan, planned.before)


def try_diffs(workspace: Path, diffs: Sequence[Diff]) -> list[EditRefused | None]:
    """Of each by itself: why it does not fit the files as they are, or None."""
    try:
        with opened_ground(workspace) as ground:
            reader = _Reader(ground)
            plans = [plan_edits(diff, reader.read, reader.runs.get) for diff in diffs]
    except DiffRefused as refused:
        return [refused.answer for _ in diffs]
    return [plan if isinstance(plan, EditRefused) else None for plan in plans]


def read_file(workspace: Path, path: str) -> bytes | None:
    """None where there is none that a diff could change."""
    try:
        with opened_ground(workspace) as ground:
            data = _Reader(ground).read(path)
    except DiffRefused:
        return None
    return data if isinstance(data, bytes) else None


def plan_undo(journal_id: str, *, journal_folder: Path) -> Planned | EditRefused:
    """What taking it back would change now; the hash is that of the edit."""
    journals = UndoJournals(journal_folder)
    try:
        journal = get_undoable(journals, journal_id)
        steps = inverse(journals, journal).steps
        with undoing(), opened_ground(Path(journal.workspace)) as ground:
            Surveyor(ground, len).survey(steps, {})
            return _planned_undo(journal, steps, _Reader(ground))
    except DiffRefused as refused:
        return refused.answer


def _planned_undo(journal: Journal, steps: tuple[EditStep, ...], reader: "_Reader") -> Planned:
    files = tuple(_counted(_file(step), reader.read(step.path)) for step in steps)
    return Planned(EditPlan(files=files, hash=journal.hash), reader.known)


def _file(step: EditStep) -> PlannedFile:
    kind: FileKind = "update" if step.after is not None else "delete"
    if step.before_hash is None:
        kind = "add"
    return PlannedFile(path=step.path, kind=kind, before_hash=step.before_hash, after=step.after)


def _counted(file: PlannedFile, before: bytes | EditRefused | None) -> PlannedFile:
    old, new = Content(before if isinstance(before, bytes) else b""), Content(file.after or b"")
    additions, deletions = count_changes(find_groups(whole_lines(old), whole_lines(new)))
    return replace(file, additions=additions, deletions=deletions)


class _Reader:
    """Regular files of the workspace, through no link."""

    def __init__(self, ground: DirHandles, *, lists: bool = False) -> None:
        self._ground = ground
        self._lists = lists  # each folder, once: a survey needs that anyway
        self.known: dict[str, bytes] = {}
        self.runs: dict[str, bool] = {}  # whether a file may be run, as Git asks
        self.names: dict[Parts, set[str]] = {}

    def read(self, path: str) -> bytes | EditRefused | None:
        try:
            data = self._read(path)
        except FileNotFoundError:
            return None  # nor its folder
        except NotWritable as unfit:
            return refusal(f"{path} {unfit}.", path).answer
        except DiffRefused as refused:
            return refused.answer
        except OSError as fault:
            return refusal(f"{path}: {fault.strerror}. Check that its folder can be opened.", path).answer
        if data is not None:
            self.known[path] = data
        return data

    def _read(self, path: str) -> bytes | None:
        parts = parse_path(path)
        above = parts[:-1]
        with self._ground.at(above) as here:
            try:
                if self._lists and above not in self.names:
                    self.names[above] = here.names()
                data, mode = read_bytes(here, parts[-1])
            except FileNotFoundError:
                return None
            except (NotWritable, OSError) as fault:
                raise unfit(path, fault) from None
        self.runs[path] = is_runnable(mode)
        return data
