"""A change to files as a terminal shows it before the question: every file, its counts, every line."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from bascule.cli.render import DIFF_STYLES
from bascule.core.comparing import compare, count_changes
from bascule.core.diff.visible import visible

if TYPE_CHECKING:
    from bascule.host.preview import Turn
    from bascule.host.terminal import Terminal

YES = "yes"
QUESTION = f'Type "{YES}" to {{what}}, or anything else to leave everything as it is: '


def show_turns(terminal: "Terminal", turns: Iterable["Turn"]) -> None:
    """Nothing is left out: a yes must not rest on what was not shown."""
    console = Console(file=terminal.screen, highlight=False, markup=False, emoji=False, soft_wrap=True)
    for turn in turns:
        console.print(_title(turn))
        for line in compare(turn.before, turn.after):
            console.print(Text("  " + line, style=DIFF_STYLES.get(line[:1], "")))


def _title(turn: "Turn") -> Text:
    additions, deletions = count(turn)
    title = Text.assemble((_name(turn), "bold"), f" ({_what(turn)}) ")
    title.append(f"+{additions}", style="green").append(" ").append(f"−{deletions}", style="red")
    for moved in turn.moved:
        title.append(f" hunk {moved.hunk} found {moved.offset:+d} lines away", style="yellow")
    return title


def _name(turn: "Turn") -> str:
    return visible(turn.path if turn.source is None else f"{turn.source} → {turn.path}")


def _what(turn: "Turn") -> str:
    if turn.source is not None:
        what = "copied" if turn.is_copy else "renamed"
    elif turn.before is None:
        what = "new"
    else:
        what = "deleted" if turn.after is None else "changed"
    bits = {True: ", executable", False: ", not executable", None: ""}
    return what + bits[turn.executable]


def count(turn: "Turn") -> tuple[int, int]:
    if turn.additions is None or turn.deletions is None:
        return count_changes(turn.before, turn.after)
    return turn.additions, turn.deletions


def summary(turns: Iterable["Turn"]) -> str:
    turns = list(turns)
    counts = [count(turn) for turn in turns]
    files = f"{len(turns)} file{'' if len(turns) == 1 else 's'}"
    return f"{files}, +{sum(more for more, _ in counts)} −{sum(less for _, less in counts)}"


def ask_yes(terminal: "Terminal", what: str) -> bool:
    """The word in full: neither Enter nor a y is a yes to written files."""
    return terminal.ask(QUESTION.format(what=what)).lower() == YES


def name_files(paths: Iterable[str]) -> str:
    return ", ".join(visible(path) for path in paths)
