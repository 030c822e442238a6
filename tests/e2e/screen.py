"""Terminals that a test looks at: what a program draws, and a pty with a program in it."""

import asyncio
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
from collections.abc import Callable, Mapping
from pathlib import Path

import psutil
import pyte
from pyte.screens import Margins
from tests.patience import PATIENCE_S

COLUMNS, ROWS = 120, 60
CHUNK = 64 * 1024

WHERE = 6

KEYS = {"enter": "\r", "esc": "\x1b", "tab": "\t", "down": "\x1b[B"}


class Emulator(pyte.Screen):
    """Keeps what scrolls off the top, and answers what the program asks of its terminal."""

    def __init__(self, answer: Callable[[str], None]) -> None:
        super().__init__(COLUMNS, ROWS)
        self.scrolled: list[str] = []
        self._answer = answer

    def index(self) -> None:
        top, bottom = self.margins or Margins(0, self.lines - 1)
        if self.cursor.y == bottom and top == 0:
            self.scrolled.append(self.line(0))
        super().index()

    def line(self, y: int) -> str:
        """The cell after a wide character is empty."""
        return "".join(self.buffer[y][x].data for x in range(self.columns)).rstrip()

    def report_device_status(self, mode: int, **_private: bool) -> None:
        """Where the cursor is: in the last column while it waits there to begin the next line."""
        if mode == WHERE:
            self._answer(f"\x1b[{self.cursor.y + 1};{min(self.cursor.x, self.columns - 1) + 1}R")


class Drawn:
    """What a program draws. until() waits for what is to be seen; type() and press() are the person."""

    def __init__(self, type_in: Callable[[str], None]) -> None:
        self.type = type_in
        self._emulator = Emulator(type_in)
        self._stream = pyte.ByteStream(self._emulator)
        self._drawn = asyncio.Event()
        self._ended = False

    def draw(self, data: bytes) -> None:
        """Empty: the program has ended."""
        self._ended = not data
        self._stream.feed(data)
        self._drawn.set()

    # -- the eyes --

    def lines(self) -> list[str]:
        """What is on the screen now."""
        return [self._emulator.line(y) for y in range(ROWS)]

    def text(self) -> str:
        """All of it, from what scrolled off the top to the last line."""
        return "\n".join([*self._emulator.scrolled, *self.lines()]).rstrip()

    async def until(self, text: str, *, times: int = 1) -> str:
        """All that is seen, as soon as that is seen so many times."""
        return await self.until_holds(lambda: self.text().count(text) >= times, f"{text!r} × {times}")

    async def until_on_screen(self, text: str) -> str:
        return await self.until_holds(lambda: text in "\n".join(self.lines()), f"{text!r} on the screen")

    async def until_gone(self, text: str) -> str:
        return await self.until_holds(lambda: text not in "\n".join(self.lines()), f"no {text!r}")

    async def until_holds(self, holds: Callable[[], bool], what: str) -> str:
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not holds():
                    assert not self._ended, f"it ended before it showed {what}; seen:\n{self.text()}"
                    await self._drawn.wait()
                    self._drawn.clear()
        except TimeoutError:
            raise AssertionError(f"it never showed {what}; seen:\n{self.text()}") from None
        return self.text()

    # -- the hands --

    def press(self, *keys: str) -> None:
        self.type("".join(KEYS.get(key, key) for key in keys))

    async def say(self, text: str) -> None:
        """Typed, seen where it is typed, and sent."""
        before = self.text().count(text)
        self.type(text)
        await self.until(text, times=before + 1)
        self.press("enter")


class Screen(Drawn):
    """A program on a pty of its own."""

    def __init__(self, argv: list[str], env: Mapping[str, str], cwd: Path) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            argv, stdin=theirs, stdout=theirs, stderr=theirs, env=dict(env), cwd=cwd, start_new_session=True
        )
        os.close(theirs)
        os.set_blocking(self._ours, False)
        super().__init__(self._write)
        asyncio.get_running_loop().add_reader(self._ours, self._read)

    def _write(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def _read(self) -> None:
        try:
            data = os.read(self._ours, CHUNK)
        except OSError:  # that is how Linux says that the other side is closed
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._ours)
        self.draw(data)

    # -- the end --

    def close(self) -> None:
        """The program is killed, as a closed window kills it; what it had started must end by itself."""
        started = psutil.Process(self.process.pid).children(recursive=True) if not self._ended else []
        ends = [end for process in started if (end := find_end(process.pid)) is not None]
        self.process.kill()
        self.process.wait(PATIENCE_S)
        if not self._ended:
            asyncio.get_running_loop().remove_reader(self._ours)
        os.close(self._ours)
        for end in ends:
            ready, _, _ = select.select([end], [], [], PATIENCE_S)
            os.close(end)
            assert ready, f"one of {started} did not end"


def find_end(pid: int) -> int | None:
    """Readable when the process has ended, also while not collected; None where it is gone."""
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        return None
