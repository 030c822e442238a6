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
        """The next line that is typed."""
        self.show(question)
        return self.keys.readline(MAX_ANSWER).strip()

    def show(self, question: str) -> None:
        """What was typed before the question was shown does not count."""
        forget_typed(self.keys)
        self.screen.write(question)
        self.screen.flush()


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


def leave_nothing_typed() -> None:
    """What was typed for us and not read must not be run by the shell."""
    if sys.stdin is not None and sys.stdin.isatty() and is_in_front(sys.stdin):
        forget_typed(sys.stdin)


if sys.platform == "win32":
    import msvcrt

    KEYS, SCREEN = "CONIN$", "CONOUT$"

    def forget_typed(_keys: TextIO) -> None:
        while msvcrt.kbhit():
            msvcrt.getch()

    def has_typed(_keys: TextIO) -> bool:
        return bool(msvcrt.kbhit())

    def is_in_front(_keys: TextIO) -> bool:
        return True

else:
    import os
    import select
    import termios

    KEYS = SCREEN = "/dev/tty"

    def forget_typed(keys: TextIO) -> None:
        termios.tcflush(keys.fileno(), termios.TCIFLUSH)

    def has_typed(keys: TextIO) -> bool:
        """A whole line waits to be read."""
        return bool(select.select([keys], [], [], 0)[0])

    def is_in_front(keys: TextIO) -> bool:
        """A process in the background may not touch the terminal, and is stopped for it."""
        try:
            return os.tcgetpgrp(keys.fileno()) == os.getpgrp()
        except OSError:
            return True  # it is not the terminal that the jobs of this session share
