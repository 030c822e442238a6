"""A change to files on a terminal: every file and every line of it shown, then one question."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import COLOR_SYSTEMS, Console
from rich.style import Style
from rich.text import Text

from bascule.cli.terminal.hunk_picker import HunkPicker, LatePiece, ShownChange
from bascule.cli.terminal.render import DIFF_STYLES
from bascule.cli.terminal.yes_no import ask_yes_no
from bascule.core.diff.preview import previews
from bascule.core.diff.visible import visible
from bascule.core.text.plain import plain
from bascule.model.edits import EditPlan, PlannedFile
from bascule.model.protocol.edits import ChosenFile

if TYPE_CHECKING:
    from bascule.host.edits.planning import Planned
    from bascule.host.terminal import Terminal

NO_TERMINAL = (
    "Nobody was asked, because there is no terminal to ask on. "
    "Run it in a terminal, where you can read the changes and answer."
)
WHAT = {"add": "new", "delete": "deleted", "update": "changed", "rename": "renamed", "copy": "copied"}


def is_confirmed(terminal: "Terminal", planned: "Planned", workspace: str, what: str) -> bool:
    """Nothing is left out, because a yes must not rest on what was not shown."""
    for shown in previews(planned.plan.files, planned.before):
        show_change(terminal, shown)
    console = console_on(terminal)
    console.print()
    for file in planned.plan.files:
        console.print(_title(file))
    console.print(f"{summary(planned.plan)} in {visible(workspace)}, plan {planned.plan.short}")
    return ask_yes_no(terminal, what)


def console_on(terminal: "Terminal") -> Console:
    return Console(file=terminal.screen, highlight=False, markup=False, emoji=False, soft_wrap=True)


def show_change(terminal: "Terminal", unified: str) -> None:
    """In one stroke: a style is looked up for each line, and nothing else is done to it."""
    console = console_on(terminal)
    codes = {sign: _codes(console, style) for sign, style in DIFF_STYLES.items()}
    lines = plain(unified).rstrip("\n").split("\n")
    styled = [before + line + after for line in lines for before, after in (codes.get(line[:1], UNSTYLED),)]
    terminal.screen.write("\n".join([*styled, ""]))
    terminal.screen.flush()


UNSTYLED = ("", "")
MIDDLE = "x"  # something to be styled, which no code of a terminal holds


def _codes(console: Console, style: str) -> tuple[str, str]:
    """What switches the style on and off on this terminal."""
    if console.color_system is None or console.no_color:
        return UNSTYLED
    system = COLOR_SYSTEMS[console.color_system]
    before, _, after = Style.parse(style).render(MIDDLE, color_system=system).partition(MIDDLE)
    return before, after


def choose_part(
    terminal: "Terminal", pieces: Sequence[ShownChange | LatePiece], verb: str
) -> tuple[ChosenFile, ...]:
    """Hunk by hunk, by keys; none where it was stopped. What has a single part needs no choice."""
    choosing = HunkPicker(pieces, verb)
    if len(pieces) == 1 and len(pieces[0].parts) == 1:
        choosing.feed("a")
    while not choosing.is_done:
        show_change(terminal, choosing.text)
        said = choosing.feed(terminal.ask(choosing.question))
        if said:
            console_on(terminal).print(said)
    return choosing.chosen()


def _title(file: PlannedFile) -> Text:
    name = visible(file.path if file.source is None else f"{file.source} → {file.path}")
    title = Text.assemble("  ", (name, "bold"), f" ({WHAT[file.kind]}) ")
    title.append(f"+{file.additions}", style="green").append(" ").append(f"−{file.deletions}", style="red")
    if file.mode_after is not None:
        title.append(" executable" if file.mode_after & 0o111 else " not executable", style="yellow")
    for moved in file.moved:
        title.append(f" hunk {moved.hunk} found {moved.offset:+d} lines away", style="yellow")
    return title


def summary(plan: EditPlan) -> str:
    files = f"{len(plan.files)} file{'' if len(plan.files) == 1 else 's'}"
    additions = sum(file.additions for file in plan.files)
    deletions = sum(file.deletions for file in plan.files)
    return f"{files}, +{additions} −{deletions}"


def name_files(paths: Iterable[str]) -> str:
    return ", ".join(visible(path) for path in paths)
