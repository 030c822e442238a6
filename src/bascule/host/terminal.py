"""The terminal that a person sits at: for a question that nothing else may answer."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TextIO

from msgspec import Struct

MAX_ANSWER = 1_000


class Terminal(Struct, frozen=True):
    keys: TextIO
    screen: TextIO

    def ask(self, question: str) -> str:
        """The next line that is typed. What was typed before the question was shown does not count."""
        forget_typed(self.keys)
        self.screen.write(question)
        self.screen.flush()
        return self.keys.readline(MAX_ANSWER).strip()


@contextmanager
def person_here(*, stdin_is_taken: bool) -> Iterator[Terminal | None]:
    """Where standard input and output are a terminal, that; else the one that the command was begun from."""
    if not stdin_is_taken and sys.stdin.isatty() and sys.stdout.isatty():
        yield Terminal(sys.stdin, sys.stdout)
        return
    with ExitStack() as stack:
        found: Terminal | None = None  # a script, a service, an agent
        with suppress(OSError):
            keys = stack.enter_context(Path(KEYS).open(encoding="utf-8"))
            screen = stack.enter_context(Path(SCREEN).open("w", encoding="utf-8"))
            found = Terminal(keys, screen)
        yield found


if sys.platform == "win32":
    import msvcrt

    KEYS, SCREEN = "CONIN$", "CONOUT$"

    def forget_typed(_keys: TextIO) -> None:
        while msvcrt.kbhit():
            msvcrt.getch()

else:
    import termios

    KEYS = SCREEN = "/dev/tty"

    def forget_typed(keys: TextIO) -> None:
        termios.tcflush(keys.fileno(), termios.TCIFLUSH)
