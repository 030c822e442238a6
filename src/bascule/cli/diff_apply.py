"""`bascule diff apply`: a diff reviewed in the terminal, and written only after a yes typed there."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import complain, say
from bascule.cli.opening import add_workspace, find_workspace, open_data_folder
from bascule.cli.recording import Recorder
from bascule.cli.reviewing import ask_yes, name_files, show_turns, summary
from bascule.core.faults import CannotGoOn
from bascule.model.edits import Applied, EditRefused

if TYPE_CHECKING:
    from bascule.host.folder import Folder
    from bascule.host.preview import EditPreview
    from bascule.host.terminal import Terminal

MAX_DIFF = 64 * 1024 * 1024  # bytes
NO_TERMINAL = (
    "Nobody was asked, because there is no terminal to ask on. "
    "Run it where you can read the changes and type yes: nothing else can."
)
NOT_ALLOWED = "bascule.allowApplyPatch is false here, so no diff is applied. Change it in settings.toml."
NOT_CONFIRMED = "Nothing was written: it was not confirmed."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the diff; - is standard input")
    add_workspace(parser)


def run(args: argparse.Namespace) -> int:
    from bascule.host.edits import recover
    from bascule.host.journal import journals_in
    from bascule.host.terminal import person_here

    folder = open_data_folder(demo=False)
    workspace = Path(find_workspace(args))
    recover(journals_in(folder.root))
    preview = read_preview(workspace, read_diff(args.file))
    recorder = Recorder(folder, "apply", workspace=str(workspace), hash=preview.plan.hash)
    recorder.about(name_files(file.path for file in preview.plan.files))
    if not is_allowed(folder, workspace):
        return _refuse(recorder.not_allowed(NOT_ALLOWED))
    with person_here(stdin_is_taken=args.file == "-") as terminal:
        if terminal is None:
            return _refuse(recorder.rejected(NO_TERMINAL))
        return _review(folder, workspace, preview, recorder, terminal)


def _review(
    folder: "Folder", workspace: Path, preview: "EditPreview", recorder: Recorder, terminal: "Terminal"
) -> int:
    from bascule.host.edits import apply_plan
    from bascule.host.journal import journals_in

    plan = preview.plan
    show_turns(terminal, preview.turns)
    terminal.screen.write(f"\n{summary(preview.turns)} in {workspace}, plan {plan.short}\n")
    if not ask_yes(terminal, "write this"):
        return _refuse(recorder.answered_no(NOT_CONFIRMED))
    recorder.answered_yes()
    done = apply_plan(workspace, plan, confirmed=plan.hash, journal_folder=journals_in(folder.root))
    recorder.ended(done)
    if isinstance(done, EditRefused):
        return _refuse(done.why)
    say(f"Written: {summary(preview.turns)}.\nUndo it with: bascule undo {short_journal(done)}")
    return 0


def short_journal(applied: Applied) -> str:
    return applied.journal[-8:]


def _refuse(why: str) -> int:
    complain(why)
    return 1


def read_diff(name: str) -> str:
    """Bytes that are no UTF-8 are carried through."""
    try:
        data = sys.stdin.buffer.read(MAX_DIFF + 1) if name == "-" else _read_file(Path(name))
    except OSError as fault:
        raise CannotGoOn(f"{name} cannot be read: {fault.strerror}.") from None
    if len(data) > MAX_DIFF:
        raise CannotGoOn(f"{name} is over {MAX_DIFF} bytes. Apply it in parts.")
    return data.decode("utf-8", "surrogateescape")


def _read_file(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_DIFF + 1)


def read_preview(workspace: Path, text: str) -> "EditPreview":
    """The plan and what it does, or `CannotGoOn` with the refusal."""
    from bascule.core.diff.parse import parse_diff
    from bascule.host.preview import preview_edit

    diff = parse_diff(text)
    preview = diff if isinstance(diff, EditRefused) else preview_edit(workspace, diff)
    if isinstance(preview, EditRefused):
        raise CannotGoOn(preview.why)
    return preview


def is_allowed(folder: "Folder", workspace: Path) -> bool:
    from bascule.host.settings import read_settings

    settings: dict[str, object] = msgspec.to_builtins(read_settings(folder, workspace))
    return settings.get("allowApplyPatch", True) is not False
