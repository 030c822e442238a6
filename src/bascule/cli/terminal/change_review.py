"""A change to files on a terminal: its lines in colour, and chosen hunk by hunk."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import COLOR_SYSTEMS, Console
from rich.style import Style

from bascule.cli.plain_console import PlainConsole
from bascule.cli.terminal.hunk_picker import HunkPicker, ShownChange
from bascule.cli.terminal.keyboard import Closed, beside, read_answer
from bascule.core.text.plain import plain
from bascule.model.protocol.edits import ChosenFile

if TYPE_CHECKING:
    from bascule.host.terminal import Terminal


DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan", "\\": "dim"}


def console_on(terminal: "Terminal") -> Console:
    return PlainConsole(file=terminal.screen, soft_wrap=True)


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


async def choose_part(
    terminal: "Terminal", pieces: Sequence[ShownChange], verb: str
) -> tuple[ChosenFile, ...]:
    """Hunk by hunk, by keys; none where it was stopped. What has a single part needs no choice."""
    choosing = HunkPicker(pieces, verb)
    if len(pieces) == 1 and len(pieces[0].parts) == 1:
        choosing.feed("a")
    while not choosing.is_done:
        text = choosing.text
        await beside(lambda text=text: show_change(terminal, text))  # type: ignore[misc]
        try:
            said = choosing.feed(await read_answer(terminal, choosing.question))
        except Closed:
            said = choosing.feed("q")
        if said:
            console_on(terminal).print(said)
    return choosing.chosen()
