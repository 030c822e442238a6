"""What the processes in a pane prove: which is an agent's, and which session's files are open there."""

import os
from collections.abc import Iterator, Mapping

import psutil

MAX_PROCESSES = 200  # of one pane
MAX_FILES = 1_000  # of one process


def find_pane_of(pid: int, shells: Mapping[str, int]) -> str | None:
    """The pane whose shell is above a process, or became it by `exec`. `shells` are pids, by pane."""
    try:
        above = {pid, *(parent.pid for parent in psutil.Process(pid).parents())}
    except psutil.Error:
        return None
    return next((pane for pane, shell in shells.items() if shell in above), None)


def find_pane_with_open(name_part: str, shells: Mapping[str, int]) -> str | None:
    """The pane in which a process has a file open whose name holds that part."""
    for pane, shell in shells.items():
        if any(name_part in path.rpartition("/")[2] for path in _list_open(shell)):
            return pane
    return None


def _list_open(shell: int) -> Iterator[str]:
    try:
        first = psutil.Process(shell)
        below = first.children(recursive=True)[:MAX_PROCESSES]
    except psutil.Error:
        return
    for process in (first, *below):
        folder = f"/proc/{process.pid}/fd"
        try:
            for number in os.listdir(folder)[:MAX_FILES]:  # noqa: PTH208
                yield os.readlink(f"{folder}/{number}")  # noqa: PTH115
        except OSError:
            continue  # it went, or this system has no such folder
