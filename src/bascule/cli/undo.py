"""`bascule undo`: the edits that can be taken back, and one of them taken back after a yes."""

import argparse
from typing import TYPE_CHECKING

from bascule.cli import complain, say
from bascule.cli.connect.start_options import add_place, open_data_folder
from bascule.cli.terminal.change_review import NO_TERMINAL, is_confirmed, name_files
from bascule.cli.terminal.recorder import STOPPED, Recorder, tell_mended
from bascule.core.diff.visible import visible
from bascule.core.faults import UserError
from bascule.core.session.growing_text import shorten
from bascule.model.edits import EditRefused

if TYPE_CHECKING:
    from bascule.host.edits.apply import FinishedEdit
    from bascule.host.files.data_folder import Folder

EXAMPLES = """\
examples:
  bascule undo                               list the edits that were made here
  bascule undo last                          undo the latest one; asks first"""
SHORTEST_ID = 4  # characters that may stand for a whole id
NOT_CONFIRMED = "Nothing was undone: it was not confirmed."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id",
        metavar="ID",
        nargs="?",
        help="the edit, or the end of its id, or `last`; without it they are listed",
    )
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    from bascule.host.edits.apply import list_past
    from bascule.host.edits.journal import journals_in

    folder = open_data_folder(demo=args.demo)
    tell_mended(folder)
    pasts = list_past(journals_in(folder.root))
    if args.id is None:
        return _list(pasts)
    return _undo(folder, pick(pasts, args.id))


def pick(pasts: "list[FinishedEdit]", name: str) -> "FinishedEdit":
    if name == "last":
        found = [past for past in pasts if not past.undone and not past.undoes][:1]
    else:
        near = [past for past in pasts if len(name) >= SHORTEST_ID and past.journal.endswith(name)]
        found = [past for past in pasts if past.journal == name] or near
    if len(found) != 1:
        if name == "last":
            raise UserError("There is no edit to undo.")
        what = "several edits" if found else "no edit"
        raise UserError(f"{name!r} names {what}. `bascule undo` lists them.")
    return found[0]


def _list(pasts: "list[FinishedEdit]") -> int:
    from bascule.host.clock import local_time

    if not pasts:
        say("No edits to undo.")
    for past in pasts:
        state = " (undone)" if past.undone else f" (undid {past.undoes[-8:]})" if past.undoes else ""
        files = shorten(name_files(past.files), 60)
        say(f"{past.journal[-8:]}  {local_time(past.at_ms):%Y-%m-%d %H:%M}  {files}{state}")
        say(f"          {visible(past.workspace)}")
    return 0


def _undo(folder: "Folder", past: "FinishedEdit") -> int:
    from bascule.host.edits.journal import journals_in
    from bascule.host.edits.planning import plan_undo
    from bascule.host.terminal import person_here

    recorder = Recorder(folder, "undo", workspace=past.workspace, hash=past.hash)
    recorder.about(f"{past.journal}: {name_files(past.files)}")
    planned = plan_undo(past.journal, journal_folder=journals_in(folder.root))
    if isinstance(planned, EditRefused):
        recorder.ended(planned)
        return _refuse(planned.why)
    with recorder.noting_ctrl_c(NOT_CONFIRMED), person_here(stdin_is_taken=False) as terminal:
        if terminal is None:
            return _refuse(recorder.rejected(NO_TERMINAL))
        if not is_confirmed(terminal, planned, past.workspace, f"Undo {past.journal[-8:]}?"):
            return _refuse(recorder.answered_no(NOT_CONFIRMED))
    recorder.answered_yes()
    return _write(folder, past, recorder)


def _write(folder: "Folder", past: "FinishedEdit", recorder: Recorder) -> int:
    from bascule.host.edits.apply import undo
    from bascule.host.edits.journal import journals_in

    with recorder.noting_ctrl_c(STOPPED, "cancelled"):
        done = undo(past.journal, journal_folder=journals_in(folder.root))
    recorder.ended(done)
    if isinstance(done, EditRefused):
        return _refuse(done.why)
    say(f"Undone: {name_files(past.files)}.\nDo it again with: bascule undo {done.journal[-8:]}")
    return 0


def _refuse(why: str) -> int:
    complain(why)
    return 1
