"""Texts from outside: the worst of them take time in proportion to their length, whatever reads them."""

from collections.abc import Callable

import pytest

from bascule.core.commands.shell import summarise, unwrap
from bascule.core.panes.marks import MarkReader
from bascule.core.panes.screen_modes import ScreenModes
from bascule.core.panes.scrollback_text import make_text
from bascule.core.session.growing_text import shorten
from bascule.core.session.titles import name_by_prompt
from bascule.core.text.plain import plain, plain_line
from bascule.core.text.reading_order import keep_order
from bascule.core.text.visible import visible
from bascule.core.watch.hook_lines import parse_hook_line
from bascule.core.watch.labels import make_label
from bascule.core.watch.launch import parse_launch
from bascule.core.watch.logs.rollout_lines import parse_line
from bascule.core.watch.logs.tail_lines import TailLine, TailLines

SIZE = 150_000
READERS: dict[str, Callable[[str], object]] = {
    "plain": plain,
    "plain_line": plain_line,
    "visible": visible,
    "keep_order": keep_order,
    "shorten": lambda text: shorten(text, 200),
    "a label": make_label,
    "a title": name_by_prompt,
    "a command": lambda text: summarise(unwrap(text)),
    "a launch": parse_launch,
    "scrollback": lambda text: make_text(text.encode(), 200_000),
    "marks": lambda text: MarkReader().feed(text.encode()),
    "modes": lambda text: ScreenModes().feed(text.encode()),
    "a hook's line": lambda text: parse_hook_line(text.encode()),
    "a rollout's line": lambda text: parse_line(TailLine(text.encode())),
    "a cut line": lambda text: parse_line(TailLine(text.encode(), is_cut=True)),
    "lines": lambda text: TailLines().feed(text.encode()),
}
PIECES = (
    *("x", "x\r", "\r", "a\r\n", "\n", " ", "\b", "x\b\b"),
    *("\x1b[", "\x1b[0;", "\x1b]", "\x1b]0;x", "\x1b[?1", "\x1b[?1049h", "\x1bP", "\x1b", "\x9b0"),
    *("`", "```\n", "# ", "\\", '"', "sh -c ", "-e ", "cd a && ", "{", '"type":"', "\u05d0 1", "\u202e"),
)


@pytest.mark.parametrize("reader", READERS)
def test_much_of_anything_is_read(reader: str) -> None:
    """Of one that takes more than linear time this would not end."""
    for piece in PIECES:
        for begin, end in (("", ""), ("a\rb\n", "\r!")):
            READERS[reader](begin + piece * (SIZE // len(piece)) + end)
