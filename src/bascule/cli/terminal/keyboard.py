"""Lines from the terminal, read beside the event loop; a line is never lost to a question withdrawn."""

import asyncio
import getpass
import os
import re
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from bascule.host.terminal import Terminal

MAX_TYPED = 4_096  # bytes; a terminal gives no longer line
QUIET_S = 0.4  # without a line before a question counts as shown, as on the page
MAX_PIECES = 10  # of a paste that are waited for

PASTE_BEGINS, PASTE_ENDS = "\x1b[200~", "\x1b[201~"
PASTE = re.compile(r"(\x1b\[20[01]~)")

Asked = TypeVar("Asked")


class Closed(Exception):
    """The terminal has nothing more to say."""


class TypedLine(NamedTuple):
    text: str | None  # None: the terminal is closed
    at_s: float


class Keyboard:
    """One reader thread at a time; the next to ask gets the line that an earlier one left."""

    def __init__(self) -> None:
        self._pending: asyncio.Future[TypedLine] | None = None
        self._counts_from_s = 0.0  # a line that was typed before does not count

    @property
    def is_terminal(self) -> bool:
        return sys.stdin is not None and sys.stdin.isatty()

    @property
    def is_free(self) -> bool:
        """A terminal that no question is still reading from."""
        return self.is_terminal and self._pending is None

    async def line(self, *, secret: bool = False) -> str:
        """The next line without its end. Cancelling keeps what will be typed for the next call."""
        while True:
            if self._pending is None:
                self._pending = self._begin(secret=secret)
            typed = await asyncio.shield(self._pending)
            self._pending = None
            if typed.text is None:
                raise Closed
            if typed.at_s >= self._counts_from_s:
                return typed.text

    async def typed_line(self) -> str:
        """The next line as it was typed by hand: what was pasted is left out, and may leave nothing."""
        _mark_pastes(True)
        try:
            is_inside = False
            while True:
                parts = PASTE.split(await self.line())
                typed = ""
                for part in parts:
                    if part in (PASTE_BEGINS, PASTE_ENDS):
                        is_inside = part == PASTE_BEGINS
                    elif not is_inside:
                        typed += part
                if not is_inside:
                    return typed
        finally:
            _mark_pastes(False)

    async def forget_typed(self) -> None:
        """A line that was typed or pasted before a question was shown does not answer it."""
        if not self.is_terminal:
            return
        from bascule.host.terminal import forget_typed, has_typed

        for _ in range(MAX_PIECES):  # a long paste comes in pieces
            forget_typed(sys.stdin)
            await asyncio.sleep(QUIET_S)
            if not has_typed(sys.stdin):
                break
        forget_typed(sys.stdin)
        self._counts_from_s = time.monotonic()

    def _begin(self, *, secret: bool) -> "asyncio.Future[TypedLine]":
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[TypedLine] = loop.create_future()

        def tell(line: TypedLine) -> None:
            if not answer.done():
                answer.set_result(line)

        def read() -> None:
            text = _read_secret() if secret else _read_line()
            if not loop.is_closed():
                loop.call_soon_threadsafe(tell, TypedLine(text, time.monotonic()))

        threading.Thread(target=read, name="keyboard", daemon=True).start()
        return answer


def _mark_pastes(on: bool) -> None:
    """Terminals then put marks around what is pasted; those that can't ignore it."""
    if sys.stdout is not None and sys.stdout.isatty():
        sys.stdout.write("\x1b[?2004h" if on else "\x1b[?2004l")
        sys.stdout.flush()


def _read_line() -> str | None:
    try:
        line = sys.stdin.readline()
    except (OSError, ValueError):
        return None
    return line.rstrip("\r\n") if line else None


def _read_secret() -> str | None:
    try:
        return getpass.getpass("")
    except (OSError, EOFError):
        return None


async def beside(work: Callable[[], Asked]) -> Asked:
    """Done in a thread that holds nothing up: not the event loop, and not the end of this process."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Asked] = loop.create_future()

    def settle(tell: Callable[[], None]) -> None:
        if not answer.done():
            tell()

    def act() -> None:
        try:
            result = work()
        except (OSError, ValueError) as fault:
            resolve = partial(answer.set_exception, fault)
        else:
            resolve = partial(answer.set_result, result)
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, resolve)

    threading.Thread(target=act, name="beside", daemon=True).start()
    return await answer


async def read_answer(terminal: "Terminal", question: str) -> str:
    """The next line that is typed. A caller that stops waiting leaves no reader behind."""
    if sys.platform == "win32":  # its console cannot be waited for
        return await beside(lambda: terminal.ask(question))
    terminal.show(question)
    loop, keys = asyncio.get_running_loop(), terminal.keys.fileno()
    typed: asyncio.Future[bytes] = loop.create_future()

    def read() -> None:
        loop.remove_reader(keys)
        try:
            line = os.read(keys, MAX_TYPED)
        except OSError:
            line = b""  # the terminal is gone: nothing was said
        if not typed.done():
            typed.set_result(line)

    loop.add_reader(keys, read)
    try:
        return (await typed).decode(errors="replace").strip()
    finally:
        loop.remove_reader(keys)
