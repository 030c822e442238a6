"""Texts as this terminal shows them: wrapped at words, with commands as they can be typed here."""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

NAME = "bascule"
COMMAND = re.compile(rf"(?<![\w./-]){NAME} (?=([a-z]+)\b)")
# Those that work on the demo's own data with --demo.
DEMO_VERBS = (
    "ask",
    "audit",
    "bridge",
    "devices",
    "diff apply",
    "down",
    "hooks",
    "logs",
    "orders",
    "review",
    "runtime",
    "selftest",
    "session",
    "sessions",
    "settings",
    "status",
    "trust",
    "undo",
    "up",
    "watch",
)


def as_started(text: str, verbs: Sequence[str], argv: Sequence[str]) -> str:
    """`bascule undo` is `.venv/bin/bascule undo --demo` for who started it so, and is in the demo."""
    program = find_program(argv[0] if argv else "")
    demo = "--demo" in argv or argv[1:2] == ["demo"]

    def typed(found: re.Match[str]) -> str:
        return f"{program} " if found[1] in verbs else found[0]

    shown = COMMAND.sub(typed, text) if program != NAME else text
    return _with_demo(shown, program) if demo else shown


def _with_demo(text: str, program: str) -> str:
    """After the verb, unless the command says it already. A pipe begins another command."""
    verbs = "|".join(DEMO_VERBS)
    pattern = rf"({re.escape(program)} (?:{verbs}))\b(?![^`|\n]*--demo)"
    return re.sub(pattern, r"\1 --demo", text)


def find_program(started: str) -> str:
    """What to type for `bascule`: its name where it is on PATH, else the way it was started."""
    if shutil.which(NAME) or Path(started).name != NAME:
        return NAME
    try:
        path = os.path.relpath(started)
    except ValueError:  # on another drive
        return started
    return path if not path.startswith("..") else started


def fit(text: str, stream: TextIO) -> str:
    """On a terminal, long lines are broken between words; nowhere else."""
    if not stream.isatty():
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join(_wrap(line, width) for line in text.split("\n"))


def _wrap(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(
        line.strip(),
        width,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def written(text: str, verbs: Sequence[str], stream: TextIO) -> str:
    return fit(as_started(text, verbs, sys.argv), stream)
