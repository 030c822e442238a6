"""Whether a process still runs, by all its threads: one whose main thread has ended looks like a zombie."""

import contextlib
import os
import sys
from pathlib import Path
from typing import NamedTuple

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
    KERNEL_THREAD = 0x0020_0000  # a flag; nobody's child, and without an environment
    TICKS_PER_S = os.sysconf("SC_CLK_TCK")

    class ProcessStat(NamedTuple):
        is_zombie: bool  # at least its main thread
        parent: int
        session: int
        is_kernel: bool
        started_s: float  # since the machine was started

    def is_over(process: psutil.Process) -> bool:
        """It only waits to be collected. `psutil.Error` where it is gone."""
        if process.status() != psutil.STATUS_ZOMBIE:
            return False
        return all(_read_state(thread) in OVER for thread in _list_threads(process.pid))

    def read_stat(pid: int) -> ProcessStat:
        """All that one file says, for a look at every process. `OSError` where it is gone."""
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - a Path takes as long as the reading
            words = file.read().rpartition(b") ")[2].split()
        return ProcessStat(
            is_zombie=words[0].decode() in OVER,
            parent=int(words[1]),
            session=int(words[3]),
            is_kernel=bool(int(words[6]) & KERNEL_THREAD),
            started_s=int(words[19]) / TICKS_PER_S,
        )

    def read_environ(pid: int) -> bytes:
        """Empty where it is hidden, or where nothing of the process is left."""
        if environ := _read_environ(f"/proc/{pid}"):
            return environ
        return next(filter(None, map(_read_environ, _list_threads(pid))), b"")  # the main thread has ended

    def _read_environ(of: str | Path) -> bytes:
        try:
            with open(f"{of}/environ", "rb") as file:  # noqa: PTH123 - as above
                return file.read()
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

    def read_environ(pid: int) -> bytes:
        """Empty where it is hidden: macOS hides by giving nothing."""
        try:
            environ = psutil.Process(pid).environ()
        except (psutil.Error, OSError):
            return b""
        return b"\0".join(os.fsencode(f"{name}={value}") for name, value in environ.items())

    def read_children(pid: int | None = None) -> list[int]:
        try:
            return [child.pid for child in psutil.Process(pid).children()]
        except psutil.Error:
            return []
