"""A terminal's output as lines of text: what is left of a pane after a restart."""

import re

from bascule.core.text.plain import plain

# What a full-screen program drew is no scrollback.
FULL_SCREEN = re.compile(rb"\x1b\[\?(?:47|1047|1049)h.*?(?:\x1b\[\?(?:47|1047|1049)l|\Z)", re.DOTALL)
CLEARED = re.compile(rb"\x1b\[[23]J")


def make_text(data: bytes, most: int) -> str:
    """The last lines, `most` characters of them at most; of one that is longer, its end."""
    shown = FULL_SCREEN.sub(b"", data)
    shown = CLEARED.split(shown)[-1] if CLEARED.search(shown) else shown
    lines = [_backspaced(line).rstrip() for line in plain(_keep_backspaces(shown)).split("\n")]
    text = "\n".join(lines).strip("\n")
    last = text[-most:]
    return text if len(text) <= most else last.partition("\n")[2] or last


BACKSPACE = "\ue008"  # a private character in its place, because plain text has no controls


def _keep_backspaces(data: bytes) -> str:
    text = data.decode("utf-8", "replace").replace("\r\r\n", "\r\n")
    return text.replace(BACKSPACE, "").replace("\b", BACKSPACE)


def _backspaced(line: str) -> str:
    """As a person sees it: a backspace moves back, and what follows is written over."""
    if BACKSPACE not in line:
        return line
    shown: list[str] = []
    at = 0
    for character in line:
        if character == BACKSPACE:
            at = max(0, at - 1)
        else:
            shown[at : at + 1] = character
            at += 1
    return "".join(shown)
