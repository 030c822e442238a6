"""Telling apart: a process of this user, and one that an agent started."""

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import psutil

from bascule.core.bounded import forget_oldest
from bascule.host.processes.liveness import read_environ
from bascule.host.processes.process_register import (
    Register,
    RunningProcess,
    find_in_sessions,
    is_recorded,
    is_same_start,
    see,
)

MAX_ANCESTORS = 256
MAX_KNOWN = 256
OTHERS_MARK = b"\0CODEX_THREAD_ID="  # in the environment of all that a Codex runs, no matter who started it


# What a person types in a pane is started by one of these, and by nothing else.
SHELLS = frozenset({"bash", "dash", "sh", "zsh", "fish", "ksh", "mksh", "busybox", "pwsh", "tcsh"})


class AgentDescent:
    """Whether we, or an agent that was joined, started it or one above it; not where a pane is next to it.

    One that is gone counts."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._known: dict[tuple[int, float], bool] = {}  # looking again costs milliseconds
        self._others: frozenset[tuple[int, float]] = frozenset()  # as they were known then

    def is_of_a_child(self, pid: int) -> bool:
        if self._others != self._register.others:
            self._others = self._register.others
            self._known.clear()
        try:
            process = psutil.Process(pid)
            name = (pid, process.create_time())
            if name not in self._known:
                self._known[name] = _is_of_a_child(process, self._register)
                forget_oldest(self._known, MAX_KNOWN)
            return self._known[name]
        except psutil.Error:
            return True


def _is_of_a_child(process: psutil.Process, register: Register) -> bool:
    family = [see(process), *_see_all(process.parents()[:MAX_ANCESTORS])]
    if process.pid == os.getpid() or _is_typed_in_a_pane(family, register):
        return False
    # All that we start is started for an agent; one that has just begun may not be in the register yet.
    return any(
        one.pid == os.getpid() or _is_child(one, register) or _is_of_another(one, register) for one in family
    )


def _is_of_another(one: RunningProcess, register: Register) -> bool:
    """Of an agent that was joined. What it detached is known by its environment alone."""
    if not register.others:
        return False
    is_other = any(one.pid == pid and is_same_start(one, started_s) for pid, started_s in register.others)
    return is_other or OTHERS_MARK in b"\0" + read_environ(one.pid)


def _is_typed_in_a_pane(family: Sequence[RunningProcess], register: Register) -> bool:
    """Between the process and the pane's own shell are shells alone: whatever an agent runs has it above.

    After `exec AGENT` the pane's own process is a shell no more."""
    panes = [record for record in register.records if record.is_pane]
    for place, one in enumerate(family):
        if any(is_recorded(one, record) for record in panes):
            return _is_shell(one.pid)
        is_ours = any(mark.startswith(f"{register.folder_id}:") for mark in one.marks)
        if is_ours or (place > 0 and not _is_shell(one.pid)):
            return False
    return False


def _is_shell(pid: int) -> bool:
    """By the file that it runs; its name is its own word."""
    try:
        return Path(psutil.Process(pid).exe()).name in SHELLS
    except psutil.Error:
        return False


def _see_all(processes: Iterable[psutil.Process]) -> Iterator[RunningProcess]:
    """Those that can be seen: what is above a login belongs to the system."""
    for process in processes:
        with contextlib.suppress(psutil.Error):
            yield see(process)


def _is_child(one: RunningProcess, register: Register) -> bool:
    prefix = register.folder_id + ":"
    recorded = any(is_recorded(one, record) for record in register.records)
    marked = any(mark.startswith(prefix) for mark in one.marks)
    return recorded or marked or bool(find_in_sessions([one], register.records))
