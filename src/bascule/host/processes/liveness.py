"""Whether a process still runs, by all its threads: one whose main thread has ended looks like a zombie."""

import contextlib
import sys
from pathlib import Path

import psutil

OVER = "ZX"  # states of a thread that has ended


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and not is_over(process)
    except psutil.NoSuchProcess:
        return False


def is_stopped(process: psutil.Process) -> bool:
    """By SIGSTOP or a terminal: it does not even hear that it should end."""
    try:
        return process.status() == psutil.STATUS_STOPPED
    except psutil.Error:
        return False


if sys.platform == "linux":

    def is_over(process: psutil.Process) -> bool:
        """It only waits to be collected. `psutil.Error` where it is gone."""
        if process.status() != psutil.STATUS_ZOMBIE:
            return False
        return all(_read_state(thread) in OVER for thread in _list_threads(process.pid))

    def read_environ(pid: int) -> bytes:
        """Empty where it is hidden, or where nothing of the process is left."""
        if environ := _read_environ(f"/proc/{pid}"):
            return environ
        return next(filter(None, map(_read_environ, _list_threads(pid))), b"")  # the main thread has ended

    def _read_environ(of: str | Path) -> bytes:
        try:
            return Path(of, "environ").read_bytes()
        except OSError:
            return b""

    def read_children(pid: int | None = None) -> list[int]:
        """Of every thread of that process, or of ours; without a look at all others."""
        children: list[int] = []
        for thread in _list_threads(pid or "self"):
            with contextlib.suppress(OSError):  # it has ended
                children += map(int, (thread / "children").read_text().split())
        return children

    def _list_threads(pid: int | str) -> list[Path]:
        try:
            return list(Path(f"/proc/{pid}/task").iterdir())
        except OSError:
            return []

    def _read_state(thread: Path) -> str:
        try:
            return (thread / "stat").read_text("utf-8", "replace").rpartition(") ")[2][:1]
        except OSError:
            return OVER[-1]

else:

    def is_over(process: psutil.Process) -> bool:
        """It only waits to be collected."""
        return process.status() == psutil.STATUS_ZOMBIE

    def read_children(pid: int | None = None) -> list[int]:
        try:
            return [child.pid for child in psutil.Process(pid).children()]
        except psutil.Error:
            return []
