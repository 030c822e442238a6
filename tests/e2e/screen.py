"""A terminal that a test looks at: a pty with a program in it, drawn by an emulator."""

import asyncio
import contextlib
import fcntl
import os
import pty
import struct
import subprocess
import termios
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pyte

COLUMNS, ROWS = 120, 60
HISTORY = 20_000  # lines that may scroll off the top and still be seen
PATIENCE_S = 20.0
CHUNK = 64 * 1024

KEYS = {
    "enter": "\r",
    "esc": "\x1b",
    "tab": "\t",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "ctrl+c": "\x03",
}


class Emulator(pyte.HistoryScreen):
    """What the program asks of its terminal is answered."""

    def __init__(self, answer: Callable[[str], None]) -> None:
        super().__init__(COLUMNS, ROWS, history=HISTORY, ratio=0.5)
        self._answer = answer

    def write_process_input(self, data: str) -> None:
        self._answer(data)


class Screen:
    """until() waits for what is to be seen; type() and press() are the person at the keyboard."""

    def __init__(self, argv: list[str], env: Mapping[str, str], cwd: Path) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            argv, stdin=theirs, stdout=theirs, stderr=theirs, env=dict(env), cwd=cwd, start_new_session=True
        )
        os.close(theirs)
        os.set_blocking(self._ours, False)
        self._emulator = Emulator(self.type)
        self._stream = pyte.ByteStream(self._emulator)
        self._drawn = asyncio.Event()
        self._ended = False
        asyncio.get_running_loop().add_reader(self._ours, self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._ours, CHUNK)
        except BlockingIOError:
            return
        except OSError:  # Linux says so when the other side is closed
            data = b""
        if data:
            self._stream.feed(data)
        else:
            self._ended = True
            asyncio.get_running_loop().remove_reader(self._ours)
        self._drawn.set()

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())
