"""What we started, on disk for the next start to find, and how to see and end any of it."""

import asyncio
import contextlib
import math
import os
import sys
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
import psutil

from bascule.host.clock import new_id
from bascule.host.files.atomic_file import replace_file
from bascule.host.processes.liveness import is_alive, is_over, read_environ, read_stat

MARKER = "BASCULE_CHILD"  # in the environment of a child, and so of all that it starts
MAX_REGISTER = 1024 * 1024
SAME_START_S = 1.0  # two readings of one process's start differ by less, no matter who reads
MAX_ROUNDS = 50  # of killing: a child may start others while it is being ended
ROUND_S = 0.5
POLL_S = 0.02
RARE_POLL_S = 0.05  # on the event loop, where others want to go on


class ProcessRecord(msgspec.Struct, frozen=True):
    pid: int
    started_s: float  # with the pid this names one process for ever
    program: str
    marker: str
    adopted: bool = False  # an orphan, which may have cleared its environment
    is_pane: bool = False  # a shell at the person's own hands


class Register:
    """The children of one data folder, on disk before they are used."""

    def __init__(self, path: Path, folder_id: str) -> None:
        self.folder_id = folder_id
        self.process_scan = ProcessScan()
        self._path = path
        self._records = {record.marker: record for record in _read_register(path)}
        self._others: set[tuple[int, float]] = set()

    @property
    def others(self) -> frozenset[tuple[int, float]]:
        """Agents that somebody else started and that are used here, as pid and start: never ended by us."""
        return frozenset(self._others)

    def note_other(self, pid: int) -> None:
        """What it starts is an agent's, like what our own start."""
        try:
            above = {os.getpid(), *(one.pid for one in psutil.Process().parents())}
            if pid > 0 and pid not in above:  # a service manager may hold the socket; all is below that
                self._others.add((pid, psutil.Process(pid).create_time()))
        except psutil.Error:
            return

    @property
    def records(self) -> tuple[ProcessRecord, ...]:
        return tuple(self._records.values())

    def new_marker(self) -> str:
        return f"{self.folder_id}:{new_id('child')}"

    def add(self, record: ProcessRecord) -> None:
        self.replace([*self.records, record])

    def remove(self, marker: str) -> None:
        self.replace([record for record in self.records if record.marker != marker])

    def replace(self, records: Iterable[ProcessRecord]) -> None:
        self._records = {record.marker: record for record in records}
        data = msgspec.json.encode(self.records)
        replace_file(self._path, data, durable=False)  # what a power cut loses died with the power


def _read_register(path: Path) -> list[ProcessRecord]:
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(MAX_REGISTER), type=list[ProcessRecord])
    except (FileNotFoundError, msgspec.DecodeError):
        return []  # the markers still find what it named


# Looking: who runs, who started whom, and who carries which marker


class RunningProcess(NamedTuple):
    pid: int
    started_s: float
    parent: int
    session: int | None
    marks: tuple[str, ...]


if sys.platform == "linux":

    def look() -> list[RunningProcess]:
        """Every living process of this user."""
        booted_s = psutil.boot_time()
        seen = (_find_mine(pid, booted_s) for pid in psutil.pids())
        return [one for one in seen if one is not None]

    def _find_mine(pid: int, booted_s: float) -> RunningProcess | None:
        """With as few files read as possible: there are hundreds of processes."""
        try:
            stat = read_stat(pid)
            if stat.is_kernel:
                return None
            if not _is_mine(pid) or (stat.is_zombie and is_over(psutil.Process(pid))):
                return None
            return RunningProcess(pid, booted_s + stat.started_s, stat.parent, stat.session, _read_marks(pid))
        except (OSError, psutil.Error):
            return None  # it went while we looked, or it is not ours to look at

else:

    def look() -> list[RunningProcess]:
        """Every living process of this user."""
        seen = []
        for process in psutil.process_iter():
            try:
                with process.oneshot():  # each of its files is read once
                    if _is_mine(process.pid) and not is_over(process):
                        seen.append(see(process))
            except psutil.Error:
                continue  # it went while we looked, or it is not ours to look at
        return seen


class ProcessScan:
    """One look for all who ask at the same time: fifty children that end together do not take fifty."""

    def __init__(self) -> None:
        self._looking = asyncio.Lock()
        self._asked = 0
        self._answered = 0
        self._seen: list[RunningProcess] = []

    async def look(self) -> list[RunningProcess]:
        """Begun after it was asked for, so that what it shows is never older than the question."""
        self._asked += 1
        mine = self._asked
        async with self._looking:
            if self._answered < mine:
                asked = self._asked
                self._seen = await asyncio.to_thread(look)
                self._answered = asked
            return self._seen


def see(process: psutil.Process) -> RunningProcess:
    with process.oneshot():
        pid = process.pid
        return RunningProcess(
            pid, process.create_time(), process.ppid(), _find_session(pid), _read_marks(pid)
        )


def _read_marks(pid: int) -> tuple[str, ...]:
    """None are known where the environment is hidden; one that is empty says that it holds none."""
    environ = b"\0" + read_environ(pid)
    _, found, value = environ.partition(f"\0{MARKER}=".encode())
    return tuple(os.fsdecode(value.partition(b"\0")[0]).split(",")) if found or len(environ) > 1 else ()


if sys.platform == "win32":

    def _is_mine(pid: int) -> bool:  # noqa: ARG001  (others' are not readable here)
        return True

    def _find_session(pid: int) -> int | None:  # noqa: ARG001
        return None

else:

    def _is_mine(pid: int) -> bool:
        me = os.getuid()
        if sys.platform == "linux" and os.stat(f"/proc/{pid}").st_uid == me:  # noqa: PTH116 - hundreds
            return True
        return bool(psutil.Process(pid).uids().real == me)  # one that hides itself belongs to root

    def _find_session(pid: int) -> int | None:
        try:
            return os.getsid(pid)
        except OSError:
            return None


def with_descendants(seen: Sequence[RunningProcess], roots: Iterable[int]) -> set[int]:
    """The roots and all that they started, as far as the parents still say so."""
    started_s = {one.pid: one.started_s for one in seen}
    family, size = set(roots), -1
    while size != len(family):
        size = len(family)
        family |= {
            one.pid
            for one in seen
            if one.parent in family and started_s.get(one.parent, one.started_s) <= one.started_s
        }
    return family


def find_processes(seen: Iterable[RunningProcess], pids: Collection[int]) -> list[psutil.Process]:
    """Those of them that still run."""
    found = []
    for one in seen:
        if one.pid in pids:
            with contextlib.suppress(psutil.Error):
                process = psutil.Process(one.pid)
                if is_same_start(one, process.create_time()):
                    found.append(process)
    return found


def is_same_start(one: RunningProcess, started_s: float) -> bool:
    return abs(one.started_s - started_s) <= SAME_START_S


def is_recorded(one: RunningProcess, record: ProcessRecord) -> bool:
    """The same process, not a later one that was given its number."""
    same = one.pid == record.pid and is_same_start(one, record.started_s)
    bare = record.adopted or record.is_pane  # they may have no mark, or not ours
    return same and (bare or not one.marks or record.marker in one.marks)


# Killing


def kill_until_gone(find: Callable[[], list[psutil.Process]]) -> None:
    """Kill what `find` gives until it gives nothing; those killed may have started others meanwhile."""
    for _ in range(MAX_ROUNDS):
        found = find()
        if not found:
            return
        for process in found:
            send(process.kill)
        wait_until_gone(found, ROUND_S)


def wait_until_gone(processes: Iterable[psutil.Process], limit_s: float) -> None:
    """In short waits, because psutil's takes a zombie for alive and some systems collect them late."""
    left = list(filter(is_alive, processes))
    for _ in range(math.ceil(limit_s / POLL_S)):
        if not left:
            return
        psutil.wait_procs(left, timeout=POLL_S)
        left = list(filter(is_alive, left))


async def kill_until_gone_async(find: Callable[[], Awaitable[list[psutil.Process]]]) -> None:
    """As `kill_until_gone`, while others go on."""
    for _ in range(MAX_ROUNDS):
        found = await find()
        if not found:
            return
        for process in found:
            send(process.kill)
        await gone_within(found, ROUND_S)


async def gone_within(processes: Iterable[psutil.Process], limit_s: float) -> None:
    """No longer than until the last of them is gone."""
    left = list(filter(is_alive, processes))
    for _ in range(math.ceil(limit_s / RARE_POLL_S)):
        if not left:
            return
        await asyncio.sleep(RARE_POLL_S)
        left = list(filter(is_alive, left))


def send(signal: Callable[[], None]) -> None:
    try:
        signal()  # psutil checks first that the number was not given to another process
    except psutil.Error:
        return


# Reaping


class Reaped(msgspec.Struct, frozen=True):
    pid: int
    program: str
    why: Literal["recorded", "marked", "descendant"]


def reap(register: Register) -> list[Reaped]:
    """End what an earlier owner of the folder left running. The caller owns the folder now."""
    reaped: dict[int, Reaped] = {}
    seen: list[RunningProcess] = []

    def find() -> list[psutil.Process]:
        nonlocal seen
        seen = look()
        why = _find_leftovers(seen, register)
        found = find_processes(seen, why)
        reaped.update({p.pid: Reaped(p.pid, _find_name(p), why[p.pid]) for p in found if p.pid not in reaped})
        return found

    kill_until_gone(find)
    alive = _find_spared(seen)
    register.replace([record for record in register.records if record.pid in alive])
    return list(reaped.values())


def _find_leftovers(
    seen: Sequence[RunningProcess], register: Register
) -> dict[int, Literal["recorded", "marked", "descendant"]]:
    prefix = register.folder_id + ":"
    recorded = {one.pid for one in seen if any(is_recorded(one, record) for record in register.records)}
    marked = {one.pid for one in seen if any(mark.startswith(prefix) for mark in one.marks)}
    roots = recorded | marked | find_in_sessions(seen, register.records)
    left = with_descendants(seen, roots) - _find_spared(seen)
    return {
        pid: "recorded" if pid in recorded else "marked" if pid in marked else "descendant" for pid in left
    }


def find_in_sessions(seen: Sequence[RunningProcess], records: Iterable[ProcessRecord]) -> set[int]:
    """What stayed in a child's session: its number is given to nobody else while one of them lives."""
    present = {one.pid: one for one in seen}
    ours = [
        record for record in records if record.pid not in present or is_recorded(present[record.pid], record)
    ]
    began_s = {record.pid: record.started_s - SAME_START_S for record in ours}
    return {one.pid for one in seen if one.session in began_s and one.started_s >= began_s[one.session]}


def _find_spared(seen: Sequence[RunningProcess]) -> set[int]:
    """This process, what it started, and what it was started from (perhaps an agent's own shell)."""
    above = {parent.pid for parent in psutil.Process().parents()}
    return with_descendants(seen, {os.getpid()}) | above


def _find_name(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.Error:
        return "?"
