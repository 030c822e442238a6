"""What the system says of a process that others started: whether it is there, and since when."""

import sys
from pathlib import Path
from typing import Literal

import psutil

from bascule.core.watch.registry import ProcessFacts

ProcessState = Literal["gone", "suspended", "running"]
STATES: dict[str, ProcessState] = {psutil.STATUS_ZOMBIE: "gone", psutil.STATUS_STOPPED: "suspended"}


def read_process(pid: int) -> ProcessFacts:
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return ProcessFacts(is_there=False, pid_domain=read_pid_domain())
        created_at_ms = int(process.create_time() * 1000)
    except psutil.NoSuchProcess:
        return ProcessFacts(is_there=False, pid_domain=read_pid_domain())
    except (psutil.Error, OSError):
        return ProcessFacts(is_there=True, pid_domain=read_pid_domain())
    return ProcessFacts(
        is_there=True,
        proc_start=_read_start(pid),
        created_at_ms=created_at_ms,
        pid_domain=read_pid_domain(),
    )


def read_process_in(processes: str, pid: int) -> ProcessFacts:
    """Of another system that runs here, whose `/proc` is that folder."""
    state, start = _read_stat(Path(processes, str(pid), "stat"))
    is_gone = state == "Z" or (not state and Path(processes, "1").is_dir())
    return ProcessFacts(is_there=not is_gone, proc_start=start)


def read_state(pid: int) -> ProcessState:
    try:
        status = psutil.Process(pid).status()
    except psutil.Error:
        return "gone"
    return STATES.get(status, "running")


def _read_start(pid: int) -> str:
    """As Linux counts it: ticks since the machine started. Empty elsewhere."""
    if not sys.platform.startswith("linux"):
        return ""
    return _read_stat(Path(f"/proc/{pid}/stat"))[1]


def _read_stat(path: Path) -> tuple[str, str]:
    """Linux's letter for what the process does, and when it started; empty where they can't be read."""
    try:
        after_name = path.read_bytes().rpartition(b")")[2].split()
        return after_name[0].decode(), after_name[19].decode()
    except (OSError, IndexError):
        return "", ""


def read_pid_domain() -> str:
    """Which process table this is; empty where the system does not say."""
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""
