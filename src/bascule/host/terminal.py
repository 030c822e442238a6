"""The terminal that a person sits at: for a question that nothing else may answer."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TextIO

from msgspec import Struct


class Terminal(Struct, frozen=True):
    keys: TextIO
    screen: TextIO


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
    import signal
    import termios
    from typing import Self

    KEYS = SCREEN = "/dev/tty"

    def forget_typed(keys: TextIO) -> None:
        termios.tcflush(keys.fileno(), termios.TCIFLUSH)

    class KeyByKey:
        """The terminal hands over each key as it is pressed, and acts on none: not even on Ctrl+C, which
        would throw away the mark before a paste. What is left unread is forgotten at the end."""

        def __init__(self, keys: TextIO, *, echo: bool = False) -> None:
            self.fd = keys.fileno()
            self._off = termios.ICANON | termios.ISIG | termios.IEXTEN | (0 if echo else termios.ECHO)
            self._usual = termios.tcgetattr(self.fd)

        def __enter__(self) -> Self:
            mode = termios.tcgetattr(self.fd)
            mode[3] &= ~self._off
            mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
            termios.tcsetattr(self.fd, termios.TCSAFLUSH, mode)
            return self

        def __exit__(self, *_: object) -> None:
            with suppress(termios.error):  # the terminal is gone
                termios.tcsetattr(self.fd, termios.TCSAFLUSH, self._usual)

        def send(self, number: signal.Signals) -> None:
            """What the terminal does with such a key: to every process of this job, in its usual mode."""
            self.__exit__()
            os.kill(0, number)
            self.__enter__()

    def is_in_front(keys: TextIO) -> bool:
        """A process in the background may not touch the terminal, and is stopped for it."""
        try:
            return os.tcgetpgrp(keys.fileno()) == os.getpgrp()
        except OSError:
            return True  # it is not the terminal that the jobs of this session share
