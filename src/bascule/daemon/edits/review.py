"""The review of a run: exactly what it changed, whether that is still there, and how to revert it."""

import asyncio
import time
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import asdict, replace

from bascule.core.diff.make.compose import Composed, compose
from bascule.core.diff.make.reverse import loosened, reverse_file, reverse_hunk
from bascule.core.diff.place.in_place import is_in_place
from bascule.core.diff.plan.choose import by_path, pick_numbers
from bascule.core.diff.refusal import DiffRefused, refusal
from bascule.core.diff.show.shown_diff import count_lines, show_file, show_hunk
from bascule.core.session.run_edits import Observed, Version, edits_of, notes_of
from bascule.daemon.agents.roster import Roster
from bascule.daemon.edits.workspace_observer import WorkspaceObserver
from bascule.daemon.sessions.hub import Hub
from bascule.host.edits.planning import read_file, try_diffs
from bascule.host.edits.recovery import make_whole
from bascule.host.files.run_evidence import EvidenceStep
from bascule.model.asks import Refuse
from bascule.model.blocks import Block
from bascule.model.edits import Diff, EditRefused, FileDiff, Hunk, ShownHunk
from bascule.model.ids import RunId, SessionId
from bascule.model.protocol.edits import ChosenFile, ReviewedFile, ReviewedHunk, RunReview
from bascule.model.said import Said

MAX_TRIED = 2_000  # hunks of one run that are looked for in the files
TRY_S = 10.0  # and no longer than this
MAX_SHOWN = 4_000_000  # characters of hunks in one answer
REVERTED = "already reverted"
NOT_TRIED = "not looked for, because the run changed too much"
LOOSE = "It also changed between two edits of the run, so each edit has hunks of its own."
BY_COMMAND = (
    "A command of the run changed it. If you edited it while that command ran, your changes are included."
)
TOO_LONG = "Its hunks are too long to be shown here; it can be reverted as a whole."
BOTH = "A command of the run changed it too."
UNKNOWN = "Its earlier content is unknown: {why}."


class ReversedHunk(Struct, frozen=True):
    """A hunk, the other way round, as it fits the file that is there; or why it does not."""

    hunk: Hunk
    why: str = ""
    is_reverted: bool = False  # the file is as it was before the run, there


class RunChanges(Struct, frozen=True, kw_only=True):
    """What a run changed, and what is unknown about it."""

    workspace: str
    run: RunId
    files: tuple[Composed, ...]
    note: str


class Reverting(NamedTuple):
    """A diff that takes hunks of a run back."""

    diff: Diff
    run: str
    is_all: bool  # nothing of the run is left after it


class Reviews:
    def __init__(self, *, root: Path, hub: Hub, roster: Roster, observer: WorkspaceObserver) -> None:
        self._root = root
        self._hub = hub
        self._roster = roster
        self._observer = observer

    async def review(self, session: SessionId, run_id: str) -> RunReview | Refuse:
        found = await self._tell(session, run_id)
        if isinstance(found, Refuse):
            return found
        return await asyncio.to_thread(_review, session, found)

    async def revert(
        self, session: SessionId, run_id: str, chosen: tuple[ChosenFile, ...]
    ) -> Reverting | Refuse:
        """A diff that takes the chosen hunks back; what else changed since stays."""
        found = await self._tell(session, run_id)
        if isinstance(found, Refuse):
            return found
        return await asyncio.to_thread(taking_back, found, chosen)

    async def _tell(self, session: SessionId, run_id: str) -> RunChanges | Refuse:
        head = self._roster.get(session)
        run = next((run for run in reversed(head.runs) if run_id in ("", run.id)), None)
        if run is None:
            if run_id:
                return Refuse(f"There is no run {run_id} in this session.")
            return Refuse("Nothing was run yet.", said=Said("review.no_run"))
        barred = await asyncio.to_thread(make_whole, self._root, Path(head.workspace))
        if barred is not None:
            return Refuse(barred.why)
        seen = await self._observer.recall(session, run.id, head.workspace)
        blocks = [block for block in (await self._hub.read(session)).blocks if block.run == run.id]
        if not blocks:
            return Refuse(f"The log of {run.id} is not here. Load the earlier part of the session first.")
        files, unreadable = await asyncio.to_thread(_compose, blocks, seen.steps)
        note = notes_of(
            blocks,
            is_running=run.outcome == "running",
            was_watched=seen.was_watched,
            is_whole=seen.is_whole,
            unreadable=unreadable,
        )
        return RunChanges(workspace=head.workspace, run=run.id, files=files, note=note)


def _compose(blocks: list[Block], steps: tuple[EvidenceStep, ...]) -> tuple[tuple[Composed, ...], list[str]]:
    """For a thread: what commands changed is compared line by line."""
    edits, unreadable = edits_of(blocks, _changes(steps))
    return tuple(compose(edits)), unreadable


def _changes(steps: tuple[EvidenceStep, ...]) -> list[Observed]:
    return [
        Observed(
            block=step.block,
            path=step.path,
            before=Version(step.before.state, step.before.data),
            after=Version(step.after.state, step.after.data),
        )
        for step in steps
    ]


# -- whether it is still there --


def fit_all(workspace: str, files: tuple[Composed, ...]) -> list[list[ReversedHunk]]:
    """Each hunk tried by itself on the file as it is now; nothing is written."""
    left, until = MAX_TRIED, time.monotonic() + TRY_S
    fits: list[list[ReversedHunk]] = []
    for one in files:
        left -= len(one.file.hunks)
        is_tried = left >= 0 and time.monotonic() < until
        fits.append(_fit_file(Path(workspace), one) if is_tried else _untried(one))
    return fits


def _untried(one: Composed) -> list[ReversedHunk]:
    return [ReversedHunk(reverse_hunk(hunk), NOT_TRIED) for hunk in one.file.hunks]


def _fit_file(workspace: Path, one: Composed) -> list[ReversedHunk]:
    file = one.file
    if file.kind in ("add", "delete") and not one.loose:
        whole = reverse_file(file)
        (refused,) = try_diffs(workspace, [Diff((whole,))])
        undone = refused is not None and try_diffs(workspace, [Diff((file,))]) == [None]
        why = REVERTED if undone else _why(refused)
        return [ReversedHunk(hunk, why, undone) for hunk in whole.hunks]
    hunks = [reverse_hunk(hunk) for hunk in file.hunks]
    tried = try_diffs(workspace, [_alone(file, hunk) for hunk in hunks])
    now = read_file(workspace, file.path) or b""
    return [
        _fit_hunk(workspace, file, hunk, done, refused, now)
        for hunk, done, refused in zip(hunks, file.hunks, tried, strict=True)
    ]


def _fit_hunk(
    workspace: Path, file: FileDiff, hunk: Hunk, done: Hunk, refused: EditRefused | None, now: bytes
) -> ReversedHunk:
    """Where it was, its lines tell whether it is reverted. Elsewhere it is, where what the run did could be
    done again: removed lines would fit a second time, at the beginning or the end of the file, or loosely."""
    is_before, is_after = is_in_place(done, now), is_in_place(hunk, now)
    if is_before and not is_after:
        return ReversedHunk(hunk, REVERTED, is_reverted=True)
    is_there = is_after and not is_before
    if refused is None and (is_there or not _adds_at_edge(hunk)):
        return ReversedHunk(hunk)
    if not is_there and try_diffs(workspace, [_alone(file, done)]) == [None]:
        return ReversedHunk(hunk, REVERTED, is_reverted=True)
    return ReversedHunk(hunk) if refused is None else _fit_loosely(workspace, file, hunk, refused)


def _adds_at_edge(hunk: Hunk) -> bool:
    """No line before it, or none after it, tells whether it was added already."""
    return "+" in (hunk.lines[0].sign, hunk.lines[-1].sign)


def _fit_loosely(workspace: Path, file: FileDiff, hunk: Hunk, refused: EditRefused) -> ReversedHunk:
    """With less around it, where the lines themselves stand at one place only."""
    looser = list(loosened(hunk))
    tried = try_diffs(workspace, [_alone(file, one) for one in looser])
    fitting = [one for one, why in zip(looser, tried, strict=True) if why is None]
    return ReversedHunk(fitting[0]) if fitting else ReversedHunk(hunk, _why(refused))


def _alone(file: FileDiff, hunk: Hunk) -> Diff:
    return Diff((FileDiff(kind="update", path=file.path, hunks=(hunk,)),))


def _why(refused: EditRefused | None) -> str:
    """Without the words for a diff of somebody else's."""
    return refused.reason if refused is not None else ""


# -- what is shown --


def _review(session: SessionId, found: RunChanges) -> RunReview:
    fits = fit_all(found.workspace, found.files)
    shown = within(found.files)
    return RunReview(
        session_id=session,
        run_id=found.run,
        files=tuple(
            _reviewed(one, fit, is_shown=one in shown) for one, fit in zip(found.files, fits, strict=True)
        ),
        unified="".join(show_file(one.file) for one in shown),
        note=found.note,
    )


def within(files: tuple[Composed, ...]) -> list[Composed]:
    """Those whose hunks are shown: as many as fit into one answer, the first ones first."""
    left = MAX_SHOWN
    shown: list[Composed] = []
    for one in files:
        size = sum(len(line.text) + 2 for hunk in one.file.hunks for line in hunk.lines)
        if size <= left:
            left -= size
            shown.append(one)
    return shown


def _reviewed(one: Composed, fits: list[ReversedHunk], *, is_shown: bool) -> ReviewedFile:
    file = one.file
    additions, deletions = count_lines(file)
    return ReviewedFile(
        path=_name(one),
        kind=file.kind,
        additions=additions,
        deletions=deletions,
        hunks=tuple(
            _reviewed_hunk(show_hunk(hunk, number), fit)
            for number, (hunk, fit) in enumerate(zip(file.hunks, fits, strict=True), 1)
            if is_shown
        ),
        moved_to=file.path if file.source else "",
        by="agent" if "agent" in one.by else "command",
        note=_note(one) if is_shown else TOO_LONG,
    )


def _reviewed_hunk(shown: ShownHunk, fit: ReversedHunk) -> ReviewedHunk:
    return ReviewedHunk(**asdict(shown), there=not fit.why, why=fit.why, reverted=fit.is_reverted)


def _note(one: Composed) -> str:
    notes = (
        (UNKNOWN.format(why=one.unknown), bool(one.unknown)),
        (BY_COMMAND, one.by == ("command",)),
        (BOTH, len(one.by) > 1),
        (LOOSE, one.loose),
    )
    return " ".join(note for note, holds in notes if holds)


# -- taking it back --


def taking_back(found: RunChanges, chosen: tuple[ChosenFile, ...]) -> Reverting | Refuse:
    fits = fit_all(found.workspace, found.files)
    try:
        wanted = by_path(chosen, tuple(map(_name, found.files)))
        files = [(one, fit) for one, fit in zip(found.files, fits, strict=True) if _name(one) in wanted]
        if len(files) > len(wanted):
            raise refusal("two files of this run have that name. Revert them by hand.")
        back = [_back(one, fit, wanted[_name(one)]) for one, fit in files]
    except DiffRefused as refused:
        return Refuse(refused.answer.why)
    left = [
        fit
        for one, tried in zip(found.files, fits, strict=True)
        for number, fit in enumerate(tried, 1)
        if not fit.why and not _takes(wanted.get(_name(one)), number)
    ]
    return Reverting(Diff(tuple(back)), found.run, not left)


def _name(one: Composed) -> str:
    return one.file.source or one.file.path


def _takes(chosen: ChosenFile | None, number: int) -> bool:
    return chosen is not None and (chosen.hunks is None or number in chosen.hunks)


def _back(one: Composed, fits: list[ReversedHunk], chosen: ChosenFile) -> FileDiff:
    file = one.file
    if one.unknown:
        raise refusal(f"{file.path} cannot be reverted: {one.unknown}.", file.path)
    numbers = pick_numbers(chosen, len(fits))
    reverted = {number for number, fit in enumerate(fits, 1) if number in numbers and fit.is_reverted}
    if reverted and (chosen.hunks is not None or reverted == numbers):
        what = file.path if reverted == numbers else f"{file.path}, hunk {min(reverted)}"
        raise refusal(f"{what} is {REVERTED}.", file.path)
    numbers -= reverted
    hunks = tuple(fit.hunk for number, fit in enumerate(fits, 1) if number in numbers)
    if len(hunks) == len(fits):
        return replace(reverse_file(file), hunks=hunks)
    if not hunks or file.kind == "delete":
        what = "nothing of it is chosen" if not hunks else "a deleted file is restored whole or not at all"
        raise refusal(f"{file.path}: {what}.", file.path)
    return FileDiff(kind="update", path=file.path, hunks=hunks)
