"""Agent children: each in its own session, marked and registered, and ended with all that it started."""

import asyncio
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import psutil

from bascule.host.clock import new_id
from bascule.host.tasks import Tasks

MARKER = "BASCULE_CHILD"  # in the environment of a child, and so of all that it starts
GRACE_S = 2.0
MAX_UNREAD = 1024 * 1024  # bytes of stdout that wait here before the child is made to wait
MAX_STDERR_LINE = 16 * 1024
MAX_REGISTER = 1024 * 1024
SAME_START_S = 1.0  # two readings of one process's start differ by less, whoever reads
MAX_ROUNDS = 50  # of killing: a child may start others while it is being ended
ROUND_S = 0.5
POLL_S = 0.02


class ChildNotStarted(Exception):
    """The program could not be run; the text says which and why."""


# Finding the program


def find_program(name: str, environ: Mapping[str, str]) -> Path | None:
    """The file that `name` runs. A relative entry of PATH is passed over: it would be the workspace's."""
    if Path(name).name != name:
        return _find_executable(Path(name).expanduser().absolute(), environ)
    for entry in environ.get("PATH", os.defpath).split(os.pathsep):
        if Path(entry).is_absolute() and (found := _find_executable(Path(entry, name), environ)):
            return found
    return None


def _find_executable(path: Path, environ: Mapping[str, str]) -> Path | None:
    suffixes = ["", *environ.get("PATHEXT", ".COM;.EXE;.BAT;.CMD").split(";")] if os.name == "nt" else [""]
    for suffix in suffixes:
        candidate = path.with_name(path.name + suffix)
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
    return None


# The register: what we started, for the next start to find


class Record(msgspec.Struct, frozen=True):
    pid: int
    started_s: float  # with the pid this names one process for ever
    program: str
    marker: str


class Register:
    """The children of one data folder, on disk before they are used."""

    def __init__(self, path: Path, folder_id: str) -> None:
        self.folder_id = folder_id
        self._path = path
        self._records = {record.marker: record for record in _read_register(path)}

    @property
    def records(self) -> tuple[Record, ...]:
        return tuple(self._records.values())

    def new_marker(self) -> str:
        return f"{self.folder_id}:{new_id('child')}"

    def add(self, record: Record) -> None:
        self.replace([*self.records, record])

    def remove(self, marker: str) -> None:
        self.replace([record for record in self.records if record.marker != marker])

    def replace(self, records: Iterable[Record]) -> None:
        self._records = {record.marker: record for record in records}
        fresh = self._path.with_name(self._path.name + ".new")
        fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(fd, "wb") as file:  # no fsync: what a power cut loses died with the power
            file.write(msgspec.json.encode(self.records))
        fresh.replace(self._path)


def _read_register(path: Path) -> list[Record]:
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(MAX_REGISTER), type=list[Record])
    except (FileNotFoundError, msgspec.DecodeError):
        return []  # the markers still find what it named


# Looking: who runs, who started whom, and who carries which marker


class Seen(NamedTuple):
    process: psutil.Process
    pid: int
    started_s: float
    parent: int
    session: int | None
    marks: tuple[str, ...]


def look() -> list[Seen]:
    """Every living process of this user."""
    seen = []
    for process in psutil.process_iter():
        try:
            if _is_mine(process) and process.status() != psutil.STATUS_ZOMBIE:
                seen.append(_see(process))
        except psutil.Error:
            continue  # it went while we looked, or it is not ours to look at
    return seen


def _see(process: psutil.Process) -> Seen:
    with process.oneshot():
        return Seen(
            process,
            process.pid,
            process.create_time(),
            process.ppid(),
            _find_session(process.pid),
            _read_marks(process),
        )


def _read_marks(process: psutil.Process) -> tuple[str, ...]:
    """None are known where the environment is hidden; one that is empty says that it holds none."""
    try:
        environ = process.environ()
    except (psutil.AccessDenied, OSError):
        return ()
    return tuple(environ.get(MARKER, "").split(",")) if environ else ()  # macOS hides by giving nothing


if sys.platform == "win32":
    NEW_GROUP: dict[str, Any] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}

    def _is_mine(process: psutil.Process) -> bool:  # noqa: ARG001  (others' are not readable here)
        return True

    def _find_session(pid: int) -> int | None:  # noqa: ARG001
        return None

else:
    NEW_GROUP: dict[str, Any] = {"start_new_session": True}

    def _is_mine(process: psutil.Process) -> bool:
        return process.uids().real == os.getuid()

    def _find_session(pid: int) -> int | None:
        try:
            return os.getsid(pid)
        except OSError:
            return None


def with_descendants(seen: Sequence[Seen], roots: Iterable[int]) -> set[int]:
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


def _is_recorded(one: Seen, record: Record) -> bool:
    """The same process, not a later one that was given its number."""
    same = one.pid == record.pid and abs(one.started_s - record.started_s) <= SAME_START_S
    return same and (not one.marks or record.marker in one.marks)


# Killing


def _kill_until_gone(find: Callable[[], list[psutil.Process]]) -> None:
    """Kill what `find` gives until it gives nothing; those killed may have started others meanwhile."""
    for _ in range(MAX_ROUNDS):
        found = find()
        if not found:
            return
        for process in found:
            _send(process.kill)
        _wait_until_gone(found, ROUND_S)


def _wait_until_gone(processes: Iterable[psutil.Process], limit_s: float) -> None:
    """In short waits, because psutil's takes a zombie for alive and some systems collect them late."""
    left = list(filter(_is_alive, processes))
    for _ in range(math.ceil(limit_s / POLL_S)):
        if not left:
            return
        psutil.wait_procs(left, timeout=POLL_S)
        left = list(filter(_is_alive, left))


def _send(signal: Callable[[], None]) -> None:
    try:
        signal()  # psutil checks first that the number was not given to another process
    except psutil.Error:
        return


class Reaped(msgspec.Struct, frozen=True):
    pid: int
    program: str
    why: Literal["recorded", "marked", "descendant"]


def reap(register: Register) -> list[Reaped]:
    """End what an earlier owner of the folder left running. The caller owns the folder now."""
    reaped: dict[int, Reaped] = {}

    def find() -> list[psutil.Process]:
        seen = look()
        why = _find_leftovers(seen, register)
        found = [one.process for one in seen if one.pid in why]
        reaped.update({p.pid: Reaped(p.pid, _find_name(p), why[p.pid]) for p in found if p.pid not in reaped})
        return found

    _kill_until_gone(find)
    alive = _find_spared(look())
    register.replace([record for record in register.records if record.pid in alive])
    return list(reaped.values())


def _find_leftovers(
    seen: Sequence[Seen], register: Register
) -> dict[int, Literal["recorded", "marked", "descendant"]]:
    prefix = register.folder_id + ":"
    recorded = {one.pid for one in seen if any(_is_recorded(one, record) for record in register.records)}
    marked = {one.pid for one in seen if any(mark.startswith(prefix) for mark in one.marks)}
    left = with_descendants(seen, recorded | marked) - _find_spared(seen)
    return {
        pid: "recorded" if pid in recorded else "marked" if pid in marked else "descendant" for pid in left
    }


def _find_spared(seen: Sequence[Seen]) -> set[int]:
    """This process, what it started, and what it was started from (perhaps an agent's own shell)."""
    above = {parent.pid for parent in psutil.Process().parents()}
    return with_descendants(seen, {os.getpid()}) | above


def _find_name(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.Error:
        return "?"


# One child


class _Pipes(asyncio.subprocess.SubprocessStreamProtocol):
    """Says when the child is gone, even while something it started still holds its pipes."""

    def __init__(self) -> None:
        super().__init__(limit=MAX_UNREAD, loop=asyncio.get_running_loop())
        self.exited = asyncio.Event()
        self.released = asyncio.Event()
        self._held = {0, 1, 2}

    def process_exited(self) -> None:
        super().process_exited()
        self.exited.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        super().pipe_connection_lost(fd, exc)
        self._held.discard(fd)
        if not self._held:
            self.released.set()


class Child:
    """A running agent: its pipes, and an end that leaves nothing of it behind."""

    def __init__(
        self,
        program: str,
        marker: str,
        register: Register,
        transport: asyncio.SubprocessTransport,
        pipes: _Pipes,
    ) -> None:
        self.program = program
        self.marker = marker
        self.pid = transport.get_pid()
        self._register = register
        self._transport = transport
        self._pipes = pipes
        self._tasks = Tasks()
        self._leader = _find_process(self.pid)  # signals go by it: asyncio's own may steal the exit code
        self._ending = asyncio.Lock()
        self._ended = False

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        register: Register,
        on_stderr: Callable[[str], None],
    ) -> "Child":
        """Run `argv` in `cwd`, with `env` added to our environment; on disk before it is handed out."""
        marker = register.new_marker()
        whole = {**os.environ, **env}
        whole[MARKER] = ",".join(filter(None, [os.environ.get(MARKER), marker]))
        transport, pipes = await _spawn(argv, cwd, whole)
        child = cls(argv[0], marker, register, transport, pipes)
        try:
            child._sign_in()
        except OSError:
            await child.end(grace_s=0)
            raise
        child._pump(on_stderr)
        return child

    def _sign_in(self) -> None:
        if self._leader is not None:
            self._register.add(Record(self.pid, self._leader.create_time(), self.program, self.marker))

    def _pump(self, on_stderr: Callable[[str], None]) -> None:
        stderr = self._pipes.stderr
        assert stderr is not None
        self._tasks.start(f"{self.program}[{self.pid}] stderr", _pump_lines(stderr, on_stderr))

    @property
    def exit_code(self) -> int | None:
        """None while it runs; below zero is the signal that ended it."""
        return self._transport.get_returncode()

    async def read(self, most: int) -> bytes:
        """What stdout has, `most` bytes of it; empty when it is closed."""
        assert self._pipes.stdout is not None
        return await self._pipes.stdout.read(most)

    def write(self, data: bytes) -> None:
        """To stdin, in order. One writer calls this, and drains before the next."""
        assert self._pipes.stdin is not None
        if self._pipes.stdin.is_closing():
            raise BrokenPipeError(f"{self.program} (pid {self.pid}) no longer reads")
        self._pipes.stdin.write(data)

    async def drain(self) -> None:
        """Wait until the child has taken most of it; `ConnectionError` when it no longer reads."""
        assert self._pipes.stdin is not None
        await self._pipes.stdin.drain()

    async def wait(self) -> int:
        """Until the process itself is gone; what it started may still run, see `end`."""
        await self._pipes.exited.wait()
        code = self.exit_code
        assert code is not None
        return code

    async def end(self, *, grace_s: float = GRACE_S) -> int:
        """Close stdin, then ask, then kill; afterwards nothing that it started is alive."""
        async with self._ending:
            if not self._ended:
                await self._end(grace_s)
                self._ended = True
        return await self.wait()

    async def _end(self, grace_s: float) -> None:
        known = await asyncio.to_thread(self._find_family)  # while the parents still say who is whose
        try:
            await self._ask_to_go(grace_s)
            await asyncio.to_thread(self._kill, known)
        except asyncio.CancelledError:
            self._kill(known)  # it must not outlive us, so nobody gets a turn before it is gone
            raise
        await self.wait()
        await self._let_go()
        self._register.remove(self.marker)

    async def _ask_to_go(self, grace_s: float) -> None:
        assert self._pipes.stdin is not None
        self._pipes.stdin.close()
        await self._exits_within(grace_s)
        family = await asyncio.to_thread(self._find_family)
        for process in family:
            _send(process.terminate)
        others = [process for process in family if process.pid != self.pid]
        gone = asyncio.to_thread(_wait_until_gone, others, grace_s)
        await asyncio.gather(gone, self._exits_within(grace_s))

    def _kill(self, known: Sequence[psutil.Process]) -> None:
        if self._leader is not None:
            _send(self._leader.kill)
        _kill_until_gone(lambda: self._find_others(known))

    async def _exits_within(self, limit_s: float) -> None:
        try:
            await asyncio.wait_for(self._pipes.exited.wait(), limit_s)
        except TimeoutError:
            return

    def _find_family(self) -> list[psutil.Process]:
        """This process and all that it started, found by parent, by session and by marker."""
        seen = look()
        reused = any(one.pid == self.pid and one.process != self._leader for one in seen)
        roots = {
            one.pid
            for one in seen
            if self.marker in one.marks or (not reused and self.pid in (one.pid, one.session))
        }
        family = with_descendants(seen, roots)
        return [one.process for one in seen if one.pid in family]

    def _find_others(self, known: Sequence[psutil.Process]) -> list[psutil.Process]:
        """Without the process itself: its end is asyncio's to collect."""
        still = filter(_is_alive, known)
        return [process for process in {*still, *self._find_family()} if process.pid != self.pid]

    async def _let_go(self) -> None:
        try:
            await asyncio.wait_for(self._pipes.released.wait(), ROUND_S)  # the last of stderr is read
        except TimeoutError:
            self._transport.close()
            await self._pipes.released.wait()
        self._transport.close()
        await self._tasks.close()


async def _spawn(
    argv: Sequence[str], cwd: Path, env: Mapping[str, str]
) -> tuple[asyncio.SubprocessTransport, _Pipes]:
    found = _get_program(argv[0], cwd, env)
    try:
        return await asyncio.get_running_loop().subprocess_exec(
            _Pipes, str(found), *argv[1:], cwd=cwd, env=env, **NEW_GROUP
        )
    except OSError as fault:
        raise ChildNotStarted(f"Cannot start {found}: {fault.strerror}.") from None


def _get_program(name: str, cwd: Path, env: Mapping[str, str]) -> Path:
    found = find_program(name, env)
    if found is None:
        raise ChildNotStarted(f"Cannot start {name}: there is no such program.")
    if not cwd.is_dir():
        raise ChildNotStarted(f"Cannot start {name}: the folder {cwd} does not exist.")
    return found


async def _pump_lines(stream: asyncio.StreamReader, on_line: Callable[[str], None]) -> None:
    """Each line as text; of one that does not end, its beginning."""
    partial = b""
    while chunk := await stream.read(MAX_STDERR_LINE):
        *lines, partial = (partial + chunk).split(b"\n")
        for line in lines:
            on_line(_read_line(line))
        partial = partial[: MAX_STDERR_LINE + 1]
    if partial:
        on_line(_read_line(partial))


def _read_line(line: bytes) -> str:
    text = line[:MAX_STDERR_LINE].decode("utf-8", "replace").rstrip("\r")
    return text if len(line) <= MAX_STDERR_LINE else text + "… (cut)"


def _find_process(pid: int) -> psutil.Process | None:
    """None when it is gone already."""
    try:
        return psutil.Process(pid)
    except psutil.NoSuchProcess:
        return None


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
