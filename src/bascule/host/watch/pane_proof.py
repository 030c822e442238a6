"""What the processes in a pane prove: which is an agent's, and which session's files are open there."""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import psutil

MAX_PROCESSES = 400  # of all panes
MAX_FILES = 1_000  # of one process


class PaneProgram(NamedTuple):
    """A process in a pane."""

    pane: str
    pid: int
    words: tuple[str, ...]

    @property
    def cwd(self) -> str:
        try:
            return psutil.Process(self.pid).cwd()
        except (psutil.Error, OSError):
            return ""


IsAgent = Callable[[tuple[str, ...]], bool]


def find_pane_of(pid: int, shells: Mapping[str, int]) -> str | None:
    """The pane whose shell is above a process, or became it by `exec`. `shells` are pids, by pane."""
    try:
        above = {pid, *(parent.pid for parent in psutil.Process(pid).parents())}
    except psutil.Error:
        return None
    return next((pane for pane, shell in shells.items() if shell in above), None)


def find_pane_with_open(name_part: str, shells: Mapping[str, int], is_agent: IsAgent) -> str | None:
    """The pane in which an agent has a file open whose name holds that part."""
    for program in list_programs(shells):
        if is_agent(program.words) and any(name_part in name for name in _list_open(program.pid)):
            return program.pane
    return None


def list_programs(shells: Mapping[str, int]) -> list[PaneProgram]:
    """A pane's shell leads a session of the system. What left it, as a daemon does, is in no pane."""
    panes = {shell: pane for pane, shell in shells.items()}
    if not panes:
        return []
    found = [(pid, panes[leader]) for pid in psutil.pids() if (leader := _find_leader(pid)) in panes]
    return [PaneProgram(pane, pid, _read_words(pid)) for pid, pane in found[:MAX_PROCESSES]]


def _find_leader(pid: int) -> int:
    try:
        return os.getsid(pid)
    except (OSError, AttributeError):  # it went, or this system has no such thing
        return -1


def _read_words(pid: int) -> tuple[str, ...]:
    try:
        return tuple(psutil.Process(pid).cmdline())
    except (psutil.Error, OSError):
        return ()


def _list_open(pid: int) -> Iterator[str]:
    """Names of files, without their folders."""
    folder = f"/proc/{pid}/fd"
    try:
        for number in os.listdir(folder)[:MAX_FILES]:  # noqa: PTH208
            yield os.readlink(f"{folder}/{number}").rpartition("/")[2]  # noqa: PTH115
    except OSError:
        return  # it went, or this system has no such folder
