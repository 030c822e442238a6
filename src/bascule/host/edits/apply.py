"""Edits on the disk: all files of a confirmed plan or none, and each that is finished can be undone."""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from bascule.core.diff.plan.edit_plan import hash_plan
from bascule.core.diff.refusal import DiffRefused, refusal
from bascule.host.clock import new_id, now_ms
from bascule.host.edits.journal import (
    Journal,
    JournalDamaged,
    JournalDraft,
    UndoJournals,
    is_undone,
    records_of,
)
from bascule.host.edits.rewrite import NotRestored, put_back, rewrite
from bascule.host.edits.steps import EditStep, parse_path, parse_plan
from bascule.host.edits.survey import EmptiedFolder, Survey, Surveyor, undoing
from bascule.host.files.confined_path import speakable
from bascule.host.files.dir_handle import FileTraits, NotWritable, open_root
from bascule.host.files.dir_handles import DirHandles, Parts
from bascule.host.locks.short_lock import Busy, guarded, wait_if_lockable
from bascule.model.edits import Applied, EditPlan, EditRefused

MAX_NAMED = 5  # files that one sentence names
log = logging.getLogger("bascule.edits")


class Recovered(Struct, frozen=True, kw_only=True):
    """An edit that a crash cut off, and how it ended."""

    journal: str
    workspace: str
    hash: str  # of the plan
    files: tuple[str, ...]
    left: tuple[str, ...] = ()  # changed by somebody since, and therefore not touched
    failed: tuple[str, ...] = ()  # to be tried again at the next start
    why: str = ""  # where nothing could be done at all

    @property
    def is_whole(self) -> bool:
        return not (self.left or self.failed or self.why)


class FinishedEdit(Struct, frozen=True, kw_only=True):
    """A finished edit, for a list."""

    journal: str
    workspace: str
    hash: str
    at_ms: int
    files: tuple[str, ...]
    undoes: str = ""
    undone: bool = False


class EditWork(Struct, frozen=True, kw_only=True):
    steps: tuple[EditStep, ...]
    copied: dict[Parts, str] = {}
    likes: dict[Parts, FileTraits] = {}  # of folders that may have to be made again
    leaves: tuple[Parts, ...] = ()  # folders that go if they are empty then
    hash: str
    undoes: str = ""


def apply_plan(
    workspace: Path, plan: EditPlan, *, confirmed: str, journal_folder: Path
) -> Applied | EditRefused:
    """Write exactly what was shown. `confirmed` is the hash that the person's yes named.

    `workspace` is the real place, without links: one that was put there since leads elsewhere."""
    if plan.hash != hash_plan(plan.files):
        return EditRefused(why="Edit refused: the plan is not the one that its hash tells. Review it again.")
    if confirmed != plan.hash:
        return EditRefused(
            why=f"Edit refused: the yes was for {confirmed[:12] or 'nothing'}, and this plan is "
            f"{plan.short}. Review it and answer again."
        )

    def write(journals: UndoJournals) -> Applied:
        steps, copied = parse_plan(plan)
        return _run(journals, workspace, EditWork(steps=tuple(steps), copied=copied, hash=plan.hash))

    return _answer(journal_folder, write)


def undo(journal_id: str, *, journal_folder: Path) -> Applied | EditRefused:
    """Every file as it was before that edit, or a refusal that names the one that has changed since."""

    def take_back(journals: UndoJournals) -> Applied:
        journal = get_undoable(journals, journal_id)
        with undoing():
            return _run(journals, Path(journal.workspace), inverse(journals, journal))

    return _answer(journal_folder, take_back)


def recover(journal_folder: Path) -> list[Recovered]:
    """At every start: what a crash cut off is put back. An edit that runs at this moment is let be."""
    journals = UndoJournals(journal_folder)
    if not journal_folder.is_dir():
        return []
    try:
        with guarded(journals.lock):
            return _recover(journals)
    except Busy:
        return []


def find_cut_off(journal_folder: Path) -> list[Journal]:
    """Edits that a crash cut off and that are not put back yet; nothing is changed. The latest first."""
    journals = UndoJournals(journal_folder)
    if not journal_folder.is_dir() or not journals.lock.exists():
        return []
    try:
        with guarded(journals.lock, patience_s=0):
            return _unfinished(journals)
    except Busy:
        return []  # it is being written at this moment


def find_bar(workspace: Path, journal_folder: Path) -> EditRefused | None:
    """Why no plan can be made here: the files are not what they were, nor what they will be."""
    for journal in find_cut_off(journal_folder):
        if journal.workspace == str(workspace):
            return _not_put_back(journal).answer
    return None


def list_past(journal_folder: Path) -> list[FinishedEdit]:
    """Finished edits, the latest first."""
    journals = UndoJournals(journal_folder)
    done = [journal for journal in journals.all() if journals.state(journal.id) == "done"]
    return [
        FinishedEdit(
            journal=one.id,
            workspace=one.workspace,
            hash=one.hash,
            at_ms=one.at_ms,
            files=tuple(record.path for record in one.records),
            undoes=one.undoes,
            undone=is_undone(one, done),
        )
        for one in reversed(done)
    ]


# -- one at a time --


def _answer(journal_folder: Path, act: Callable[[UndoJournals], Applied]) -> Applied | EditRefused:
    """Alone with the journals of this data folder: two edits never stand in each other's way."""
    journals = UndoJournals(journal_folder)
    try:
        journals.prepare()
        with guarded(journals.lock):
            _recover(journals)
            return act(journals)
    except DiffRefused as refused:
        return refused.answer
    except Busy:
        return EditRefused(why="Edit refused: another edit is being written. Try again when it is done.")
    except OSError as fault:
        return EditRefused(why=f"Edit refused: {fault.filename or 'the journal'}: {fault.strerror}.")


@contextmanager
def opened_ground(workspace: Path) -> Iterator[DirHandles]:
    """The folders of a workspace, through no link; `DiffRefused` where it is missing."""
    try:
        root = open_root(workspace)
    except OSError as fault:
        raise refusal(f"the workspace {workspace} cannot be opened: {fault.strerror}.") from None
    with closing(root), closing(DirHandles(root)) as ground:
        if speakable(str(root.path)) != str(root.path):
            raise refusal("the path of the workspace is no UTF-8, so no journal can name it. Rename it.")
        yield ground


@contextmanager
def _grounded(workspace: Path) -> Iterator[DirHandles]:
    """Barred to a Bascule that keeps its data elsewhere."""
    with opened_ground(workspace) as ground:
        if ground.root.fd is not None:
            wait_if_lockable(ground.root.fd)
        yield ground


# -- an edit --


def _run(journals: UndoJournals, workspace: Path, work: EditWork) -> Applied:
    with _grounded(workspace) as ground:
        if not work.undoes and ground.root.path != workspace:
            raise refusal(f"the workspace {workspace} leads to {ground.root.path} now. Begin again there.")
        _check_earlier(journals, ground)
        journal, survey = _keep(journals, ground, work)
        _carry_out(journals, ground, journal, lambda: rewrite(ground, survey, journal, work.leaves))
    _prune(journals)
    return Applied(
        journal=journal.id,
        hash=journal.hash,
        files=tuple(record.path for record in journal.records),
        at_ms=journal.at_ms,
    )


def _prune(journals: UndoJournals) -> None:
    """All is written: whatever the folder of journals has now, that is the answer."""
    try:
        journals.prune()
    except OSError as fault:
        log.warning("earlier undo journals stay: %s", fault)


def _keep(journals: UndoJournals, ground: DirHandles, work: EditWork) -> tuple[Journal, Survey]:
    """Everything checked, and what is there now safe on the disk; nothing of the workspace touched."""
    journal_id = new_id("edit")
    try:
        with closing(JournalDraft(journals, journal_id)) as draft:
            survey = Surveyor(ground, draft.keep).survey(work.steps, work.copied, work.likes)
            journal = Journal(
                id=journal_id,
                workspace=str(ground.root.path),
                hash=work.hash,
                at_ms=now_ms(),
                records=tuple(records_of(survey)),
                makes=tuple("/".join(parts) for parts in survey.makes),
                empties=_going(survey, work),
                undoes=work.undoes,
            )
            draft.seal(journal)
    except BaseException:
        journals.forget(journal_id)
        raise
    return journal, survey


def _going(survey: Survey, work: EditWork) -> tuple[EmptiedFolder, ...]:
    """An undo takes only the folders that its edit made: any other was there before, even if it was empty."""
    if not work.undoes:
        return survey.empties
    return tuple(folder for folder in survey.empties if folder.parts in work.leaves)


def _carry_out(
    journals: UndoJournals, ground: DirHandles, journal: Journal, write: Callable[[], None]
) -> None:
    try:
        write()
        journals.mark(journal.id, "done")
    except BaseException as fault:  # Ctrl+C too: nothing stays half done
        if not journals.unmark(journal.id):  # all is written, and the journal says so
            if isinstance(fault, OSError):
                return
            raise
        residue = put_back(ground, journals, journal)
        with suppress(OSError):  # then it is looked at once more at the next start
            _close(journals, journal, residue)
        if residue != NotRestored() and isinstance(fault, DiffRefused | OSError):
            raise DiffRefused(EditRefused(why=f"{_reason(fault)} {_describe(residue)}")) from None
        raise


def _reason(fault: DiffRefused | OSError) -> str:
    return fault.answer.why if isinstance(fault, DiffRefused) else f"Edit refused: {fault.strerror}."


def _close(journals: UndoJournals, journal: Journal, residue: NotRestored) -> None:
    """What may still go at the next start stays open; what cannot is reported once and kept to be read."""
    if residue.failed:
        return
    if residue.left:
        journals.mark(journal.id, "left")
    else:
        journals.forget(journal.id)


def _describe(residue: NotRestored) -> str:
    parts = []
    if residue.failed:
        parts.append(f"Not put back yet: {name_files(residue.failed)}; the next start tries again.")
    if residue.left:
        parts.append(f"Changed by somebody meanwhile, and left as it is: {name_files(residue.left)}.")
    return " ".join(parts)


def name_files(paths: tuple[str, ...]) -> str:
    more = len(paths) - MAX_NAMED
    return ", ".join(paths[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


# -- taking back --


def get_undoable(journals: UndoJournals, journal_id: str) -> Journal:
    done = [journal for journal in journals.all() if journals.state(journal.id) == "done"]
    journal = next((one for one in done if one.id == journal_id), None)
    if journal is None:
        raise _no_undo(f"there is no edit {journal_id!r} any more. `bascule undo` lists them.")
    if is_undone(journal, done):
        raise _no_undo(f"{journal_id} is already undone.")
    return journal


def _no_undo(why: str) -> DiffRefused:
    return DiffRefused(EditRefused(why=f"Undo refused: {why}"))


def inverse(journals: UndoJournals, journal: Journal) -> EditWork:
    try:
        steps = tuple(_inverse_steps(journals, journal))
    except JournalDamaged as broken:
        raise _no_undo(f"{broken}.") from None
    made = tuple(tuple(path.split("/")) for path in journal.makes)
    likes = {folder.parts: folder.like for folder in journal.empties}
    return EditWork(steps=steps, likes=likes, leaves=made, hash=journal.hash, undoes=journal.id)


def _inverse_steps(journals: UndoJournals, journal: Journal) -> Iterable[EditStep]:
    for record in journal.records:
        before = record.before
        yield EditStep(
            path=record.path,
            parts=parse_path(record.path),
            before_hash=record.after_hash,
            after=None if before is None else journals.read_before(journal, before),
            traits=None if before is None else before.traits,
        )


# -- after a crash --


def _recover(journals: UndoJournals) -> list[Recovered]:
    journals.sweep()
    damaged = [_give_up(journals, one) for one in _unfinished_ids(journals) if journals.find(one) is None]
    return [*damaged, *(_recover_one(journals, journal) for journal in _unfinished(journals))]


def _unfinished_ids(journals: UndoJournals) -> list[str]:
    """The latest first: an edit is put back onto what stood before it."""
    return [one for one in reversed(journals.ids()) if journals.state(one) == "unfinished"]


def _unfinished(journals: UndoJournals) -> list[Journal]:
    return [journal for journal in map(journals.find, _unfinished_ids(journals)) if journal is not None]


def _give_up(journals: UndoJournals, journal_id: str) -> Recovered:
    """Reported once; what is left of the journal stays to be looked at."""
    journals.mark(journal_id, "left")
    why = f"its journal {journals.path(journal_id)} cannot be read."
    return Recovered(journal=journal_id, workspace="an unknown folder", hash="", files=(), why=why)


def _recover_one(journals: UndoJournals, journal: Journal) -> Recovered:
    residue, why = NotRestored(), ""
    try:
        with _grounded(Path(journal.workspace)) as ground:
            residue = put_back(ground, journals, journal)
            _close(journals, journal, residue)
    except (DiffRefused, Busy, OSError, NotWritable) as fault:
        why = str(fault) or "another Bascule is writing in this workspace"
    return Recovered(
        journal=journal.id,
        workspace=journal.workspace,
        hash=journal.hash,
        files=tuple(record.path for record in journal.records),
        left=residue.left,
        failed=residue.failed,
        why=why,
    )


def _check_earlier(journals: UndoJournals, ground: DirHandles) -> None:
    """On top of an edit that could not be put back no other is written."""
    open_ones = [one for one in _unfinished(journals) if one.workspace == str(ground.root.path)]
    if open_ones:
        raise _not_put_back(open_ones[0])


def _not_put_back(journal: Journal) -> DiffRefused:
    files = name_files(tuple(record.path for record in journal.records))
    return refusal(
        f"an earlier edit of {files} was cut off and could not be put back yet. "
        "Check that these files and their folders can be written, then try again."
    )
