"""`bascule diff apply`: a diff reviewed in the terminal, and written only after a yes typed there."""

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bascule.cli import complain, say
from bascule.cli.connect.start_options import find_workspace, open_data_folder
from bascule.cli.terminal.change_review import NO_TERMINAL, choose_part, is_confirmed, name_files, summary
from bascule.cli.terminal.hunk_picker import LatePiece
from bascule.cli.terminal.recorder import STOPPED, Recorder, tell_mended
from bascule.core.faults import UserError
from bascule.model.edits import EditRefused

if TYPE_CHECKING:
    from bascule.host.edits.planning import Planned
    from bascule.host.files.data_folder import Folder
    from bascule.host.terminal import Terminal

NOT_ALLOWED = (
    "bascule.allowApplyPatch is false here, so no diff is applied. Change it in settings.toml, "
    "and in .vscode/settings.json where this workspace sets it."
)
NOTHING_CHOSEN = "Nothing was written: nothing of it was chosen."
NOT_CONFIRMED = "Nothing was written: it was not confirmed."


def run(args: argparse.Namespace) -> int:
    """No flag, setting or variable answers for the person."""
    from bascule.cli.diff import read_diff

    folder = open_data_folder(demo=False)
    workspace = Path(find_workspace(args))
    tell_mended(folder)
    planned = _plan(workspace, read_diff(args.file), args.strip, folder)
    recorder = Recorder(folder, "apply", workspace=str(workspace), hash=planned.plan.hash)
    recorder.about(name_files(file.path for file in planned.plan.files))
    if not _is_allowed(folder, workspace):
        return _refuse(recorder.not_allowed(NOT_ALLOWED))
    with recorder.noting_ctrl_c(NOT_CONFIRMED):
        agreed = _review(planned, workspace, recorder, stdin_is_taken=args.file == "-")
    if isinstance(agreed, str):
        return _refuse(agreed)
    recorder.answered_yes()
    if not _is_allowed(folder, workspace):  # forbidden while the question stood
        return _refuse(recorder.not_allowed(NOT_ALLOWED))
    return _write(folder, workspace, agreed, recorder)


def _review(
    planned: "Planned", workspace: Path, recorder: Recorder, *, stdin_is_taken: bool
) -> "Planned | str":
    """What the person said yes to, or why nothing is written; a no is on record."""
    from bascule.host.terminal import person_here

    with person_here(stdin_is_taken=stdin_is_taken) as terminal:
        if terminal is None:
            return recorder.rejected(NO_TERMINAL)
        part = _choose(terminal, planned, workspace)
        if part is None:
            return recorder.answered_no(NOTHING_CHOSEN)
        recorder.about(name_files(file.path for file in part.plan.files), hash=part.plan.hash)
        if not is_confirmed(terminal, part, str(workspace), "Write these changes?"):
            return recorder.answered_no(NOT_CONFIRMED)
    return part


def _choose(terminal: "Terminal", planned: "Planned", workspace: Path) -> "Planned | None":
    """What the person takes of it, planned anew; None for nothing."""
    from bascule.core.diff.preview import preview_parts
    from bascule.host.edits.planning import plan_part

    before = planned.before
    pieces = [
        LatePiece(file.path, partial(preview_parts, file, before.get(file.source or file.path, b"")))
        for file in planned.plan.files
    ]
    chosen = choose_part(terminal, pieces, "Apply")
    if not chosen:
        return None
    if all(one.hunks is None for one in chosen) and len(chosen) == len(planned.plan.files):
        return planned  # all of it; writing looks at the files once more
    part = plan_part(workspace, planned, chosen)
    if isinstance(part, EditRefused):
        raise UserError(part.why)
    return part


def _write(folder: "Folder", workspace: Path, planned: "Planned", recorder: Recorder) -> int:
    from bascule.host.edits.apply import apply_plan
    from bascule.host.edits.journal import journals_in

    plan = planned.plan
    with recorder.noting_ctrl_c(STOPPED, "cancelled"):
        done = apply_plan(workspace, plan, confirmed=plan.hash, journal_folder=journals_in(folder.root))
    recorder.ended(done)
    if isinstance(done, EditRefused):
        return _refuse(done.why)
    say(f"Written: {summary(plan)}.\nUndo it with: bascule undo {done.journal[-8:]}")
    return 0


def _plan(workspace: Path, text: str, strip: int | None, folder: "Folder") -> "Planned":
    from bascule.core.diff.parse import parse_diff
    from bascule.host.edits.apply import find_bar
    from bascule.host.edits.journal import journals_in
    from bascule.host.edits.planning import plan_diff

    bar = find_bar(workspace, journals_in(folder.root))
    diff = bar or parse_diff(text, strip)
    planned = diff if isinstance(diff, EditRefused) else plan_diff(workspace, diff)
    if isinstance(planned, EditRefused):
        raise UserError(planned.why)
    return planned


def _is_allowed(folder: "Folder", workspace: Path) -> bool:
    from bascule.host.config.settings_files import read_settings

    return read_settings(folder, workspace).allow_apply_patch


def _refuse(why: str) -> int:
    complain(why)
    return 1
