"""A real terminal for a test: a pty with a program in it, read until something is seen."""

import contextlib
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.patience import PATIENCE_S


class Terminal:
    def __init__(self, argv: list[str], env: Mapping[str, str], cwd: Path) -> None:
        self._ours, theirs = pty.openpty()
        whole = {**os.environ, **env, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
        self.process = subprocess.Popen(
            argv, stdin=theirs, stdout=theirs, stderr=theirs, env=whole, cwd=cwd, start_new_session=True
        )
        os.close(theirs)
        self.seen = ""
        self._from = 0

    def until(self, text: str) -> str:
        """What was shown since the last call, up to and with `text`."""
        deadline = time.monotonic() + PATIENCE_S
        while (at := self.seen.find(text, self._from)) < 0:
            assert time.monotonic() < deadline, f"{text!r} did not come; seen: {self.seen[self._from :]}"
            assert self._read() or text in self.seen[self._from :], f"{text!r} never came; seen: {self.seen}"
        shown = self.seen[self._from : at + len(text)]
        self._from = at + len(text)
        return shown

    def type(self, line: str) -> None:
        os.write(self._ours, (line + "\n").encode())

    def press_ctrl_c(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def end(self) -> int:
        """Read to the end; the exit code."""
        while self._read():
            pass
        return self.process.wait(PATIENCE_S)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], PATIENCE_S)
        if not ready:
            return False
        try:
            data = os.read(self._ours, 65536)
        except OSError:
            return False  # the other side is closed
        self.seen += data.decode("utf-8", "replace")
        return bool(data)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE_S)
        os.close(self._ours)


@contextlib.contextmanager
def terminal(*words: str, home: Path, cwd: Path) -> Iterator[Terminal]:
    """`bascule` with these words, in a terminal of its own."""
    opened = Terminal([sys.executable, "-m", "bascule", *words], {"BASCULE_HOME": str(home)}, cwd)
    try:
        yield opened
    finally:
        opened.close()
