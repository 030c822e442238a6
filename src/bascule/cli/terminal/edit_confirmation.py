"""An edit on this terminal: its Ask, shown in full as on every surface, and answered by a yes typed here."""

from typing import TYPE_CHECKING

from rich.text import Text

from bascule.cli.terminal.change_review import choose_part, console_on, show_change
from bascule.cli.terminal.confirmed_call import ShownQuestion, TerminalDialog, call_and_answer
from bascule.cli.terminal.hunk_picker import ShownChange
from bascule.cli.wording import fit
from bascule.client.link import LinkRefused
from bascule.core.diff.show.shown_diff import show_lines
from bascule.core.text.visible import visible
from bascule.model.asks import Ask, FilesSubject
from bascule.model.blocks import FileEdit
from bascule.model.ids import short_id
from bascule.model.protocol import edits

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined
    from bascule.host.terminal import Terminal

WHAT = {"add": "new", "delete": "deleted", "update": "changed"}
NOTHING_CHOSEN = "Nothing was written: no hunk was selected."
NOT_CONFIRMED = "Nothing was written: it was not confirmed."


async def choose_here(
    link: "Joined", terminal: "Terminal", prepared: edits.Prepared
) -> edits.Prepared | None:
    """What the person takes of it, prepared again; None for nothing."""
    pieces = pieces_of(prepared)
    chosen = await choose_part(terminal, pieces, "Apply")
    if not chosen:
        return None
    if all(one.hunks is None for one in chosen) and len(chosen) == len(prepared.files):
        return prepared  # all of it; writing looks at the files once more
    wanted = edits.SelectParams(diff_id=prepared.diff_id, files=chosen)
    part: edits.Prepared = await link.call("edits.select", wanted)
    return part


async def apply_here(
    link: "Joined", terminal: "Terminal | None", prepared: edits.Prepared, workspace: str
) -> edits.Written:
    moved = {file.path: file for file in prepared.files if file.moved}
    dialog = _dialog(prepared.hash, workspace, "Write these changes?", moved)
    return await _call(link, terminal, "edits.apply", edits.DiffRef(diff_id=prepared.diff_id), dialog)


async def undo_here(link: "Joined", terminal: "Terminal | None", written: edits.WrittenEdit) -> edits.Written:
    dialog = _dialog(written.hash, written.workspace, f"Undo {short_id(written.undo_id)}?", {})
    return await _call(link, terminal, "edits.undo", edits.UndoParams(undo_id=written.undo_id), dialog)


async def _call(
    link: "Joined", terminal: "Terminal | None", method: str, params: object, dialog: TerminalDialog
) -> edits.Written:
    done: edits.Written | LinkRefused = await call_and_answer(link, terminal, method, params, dialog)
    return edits.Written(status="error", summary=done.message) if isinstance(done, LinkRefused) else done


def _dialog(plan: str, workspace: str, question: str, moved: dict[str, edits.PreparedFile]) -> TerminalDialog:
    """Nothing is left out, because a yes must not rest on what was not shown."""

    def show(terminal: "Terminal", ask: Ask) -> None:
        assert isinstance(ask.subject, FilesSubject)
        files = ask.subject.files
        show_change(terminal, "".join(file.diff for file in files))
        console = console_on(terminal)
        console.print()
        for file in files:
            console.print(_title(file, moved.get(file.moved_to or file.path)))
        where = f"{summary(files)} in {visible(workspace)}, plan {plan[:12]}"
        console.print(fit(where, terminal.screen))

    return TerminalDialog(show=show, question=lambda _ask: ShownQuestion(f"{question} "))


def _title(file: FileEdit, moved: edits.PreparedFile | None) -> Text:
    name = visible(file.path if file.moved_to is None else f"{file.path} → {file.moved_to}")
    what = "renamed" if file.moved_to and file.change == "update" else WHAT[file.change]
    title = Text.assemble("  ", (name, "bold"), f" ({what}) ")
    title.append(f"+{file.additions}", style="green").append(" ").append(f"−{file.deletions}", style="red")
    for hunk in moved.moved if moved else ():
        unit = "line" if abs(hunk.offset) == 1 else "lines"
        title.append(f" hunk {hunk.hunk} found {hunk.offset:+d} {unit} away", style="yellow")
    return title


def summary(files: "tuple[FileEdit, ...] | tuple[edits.PreparedFile, ...]") -> str:
    count = f"{len(files)} file{'' if len(files) == 1 else 's'}"
    additions = sum(file.additions for file in files)
    deletions = sum(file.deletions for file in files)
    return f"{count}, +{additions} −{deletions}"


def pieces_of(prepared: edits.Prepared) -> list[ShownChange]:
    """Its files and their hunks, numbered as `edits.select` has them."""
    return [
        ShownChange(path=file.path, head=file.head, hunks=tuple(map(show_lines, file.hunks)))
        for file in prepared.files
    ]
