"""One local command from start to end: what it printed, how it ended, and nothing of it left running."""

import asyncio
import base64
import codecs
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.session.growing_text import shorten
from bascule.host.processes.child import Child, ChildNotStarted
from bascule.host.processes.process_register import Register
from bascule.host.processes.tasks import Tasks
from bascule.model.asks import Refuse
from bascule.model.protocol.runs import ShellExecResult, Truncated

MAX_OUTPUT = 256 * 1024  # bytes of each stream; the last ones are kept
MAX_COMMAND = 32 * 1024
MAX_TIMEOUT_S = 300.0
PREVIEW = 200  # characters
READ_SIZE = 64 * 1024
GRACE_S = 1.0


class Tail:
    """The end of a stream, under a ceiling."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self.truncated = False

    def add(self, chunk: bytes) -> None:
        self._kept += chunk
        if len(self._kept) > 2 * MAX_OUTPUT:
            self._cut()

    def text(self) -> str:
        self._cut()
        return self._kept.decode("utf-8", "replace")

    def _cut(self) -> None:
        if len(self._kept) > MAX_OUTPUT:
            del self._kept[:-MAX_OUTPUT]
            self.truncated = True
            while self._kept[:1] and 0x80 <= self._kept[0] < 0xC0:  # the rest of a character
                del self._kept[:1]


class _Command(Child):
    """A child that nobody speaks to: its stdin is at its end, and its stderr is kept as it came."""

    stderr: Tail

    def _pump(self, on_stderr: Callable[[str], None]) -> None:
        self.stderr = Tail()
        assert self._pipes.stdin is not None
        assert self._pipes.stderr is not None
        self._pipes.stdin.close()
        keeping = _keep(self._pipes.stderr.read, self.stderr, on_stderr)
        self._tasks.start(f"{self.program}[{self.pid}] stderr", keeping)


if sys.platform == "win32":

    def shell_argv(command: str) -> list[str]:
        """Encoded, for the rules by which Windows quotes are not the shell's."""
        script = f"{command}\nif ($null -ne $LASTEXITCODE) {{ exit $LASTEXITCODE }}"
        encoded = base64.b64encode(script.encode("utf-16-le")).decode()
        options = ["-NoProfile", "-NonInteractive", "-OutputFormat", "Text", "-EncodedCommand", encoded]
        system = os.environ.get("SYSTEMROOT", r"C:\Windows")  # not from PATH, which may lead into a project
        return [rf"{system}\System32\WindowsPowerShell\v1.0\powershell.exe", *options]

else:

    def shell_argv(command: str) -> list[str]:
        """The platform's shell with what a person typed for it."""
        return ["/bin/sh", "-c", command]


async def run_shell(
    command: str, *, cwd: Path, timeout_s: float, register: Register, stop: asyncio.Event | None = None
) -> ShellExecResult | Refuse:
    """A command that a person typed at this machine, and said yes to."""
    if not command.strip() or len(command) > MAX_COMMAND or "\0" in command:
        return Refuse(f"A command has 1 to {MAX_COMMAND} characters, and no NUL.")
    ran = await run_command(shell_argv(command), cwd=cwd, timeout_s=timeout_s, register=register, stop=stop)
    return ran if isinstance(ran, Refuse) else replace(ran, command_preview=shorten(command, PREVIEW))


async def run_command(
    argv: Sequence[str], *, cwd: Path, timeout_s: float, register: Register, stop: asyncio.Event | None = None
) -> ShellExecResult | Refuse:
    """Ends when the command does, late, on `stop` or when cancelled: with all that it started."""
    if not 0 < timeout_s <= MAX_TIMEOUT_S:
        return Refuse(f"A command may take up to {MAX_TIMEOUT_S:.0f} s, not {timeout_s} s.")
    ran = await run_watched(argv, cwd=cwd, timeout_s=timeout_s, register=register, stop=stop)
    if isinstance(ran, Refuse):
        return ran
    return _late(ran.result, timeout_s) if ran.ended == "late" else ran.result


class Ran(Struct, frozen=True):
    result: ShellExecResult
    ended: Literal["itself", "late", "stopped"]


async def run_watched(
    argv: Sequence[str],
    *,
    cwd: Path,
    timeout_s: float,
    register: Register,
    heard: Callable[[str], None] | None = None,
    stop: asyncio.Event | None = None,
) -> Ran | Refuse:
    """`heard` gets what it prints, on either stream, as it comes; `stop` ends it with all its children."""
    began = time.monotonic()
    heard = heard or _unused
    try:
        child = await _start(argv, cwd, register, heard)
    except ChildNotStarted as refused:
        return Refuse(str(refused))
    stdout = Tail()
    async with Tasks() as tasks:
        reading = tasks.start(f"{child.program}[{child.pid}] stdout", _keep(child.read, stdout, heard))
        if stop is not None:
            tasks.start(f"stop {child.program}[{child.pid}]", _end_on(stop, child))
        try:
            in_time = await _exits_within(child, timeout_s)
        finally:
            code = await child.end(grace_s=GRACE_S)
        await reading
    duration_ms = round((time.monotonic() - began) * 1000)
    result = _result(shorten(" ".join(argv), PREVIEW), code, stdout, child.stderr, duration_ms)
    stopped = stop is not None and stop.is_set()
    return Ran(result, "stopped" if stopped else "itself" if in_time else "late")


async def _end_on(stop: asyncio.Event, child: Child) -> None:
    await stop.wait()
    await child.end(grace_s=GRACE_S)


async def _start(
    argv: Sequence[str], cwd: Path, register: Register, heard: Callable[[str], None]
) -> _Command:
    """A cancel in the midst of it waits until there is something to end: half a child cannot be ended."""
    start = _Command.start(argv, cwd=cwd, env={}, register=register, on_stderr=heard)
    starting = asyncio.get_running_loop().create_task(start, name=f"start {argv[0]}")
    try:
        child = await asyncio.shield(starting)
    except asyncio.CancelledError:
        await asyncio.wait([starting])
        if starting.exception() is None:
            await starting.result().end(grace_s=0)
        raise
    assert isinstance(child, _Command)
    return child


async def _keep(read: Callable[[int], Awaitable[bytes]], tail: Tail, heard: Callable[[str], None]) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while chunk := await read(READ_SIZE):
        tail.add(chunk)
        if text := decoder.decode(chunk):
            heard(text)
    if text := decoder.decode(b"", final=True):
        heard(text)


async def _exits_within(child: Child, timeout_s: float) -> bool:
    try:
        async with asyncio.timeout(timeout_s):
            await child.wait()
    except TimeoutError:
        return False
    return True


def _result(preview: str, code: int, stdout: Tail, stderr: Tail, duration_ms: int) -> ShellExecResult:
    out, err = stdout.text(), stderr.text()
    cut = Truncated(
        stdout=stdout.truncated, stderr=stderr.truncated, combined=stdout.truncated or stderr.truncated
    )
    return ShellExecResult(
        command_preview=preview,
        exit_code=code if code >= 0 else None,
        signal=_signal_name(-code) if code < 0 else None,
        stdout=out,
        stderr=err,
        truncated=cut,
        duration_ms=duration_ms,
    )


def _late(result: ShellExecResult, timeout_s: float) -> ShellExecResult:
    """Its exit code says nothing: it was made to go."""
    note = f"bascule: stopped after {timeout_s:g} s, with all that it had started.\n"
    said = f"{result.stderr.rstrip()}\n{note}".lstrip()
    return replace(result, exit_code=None, signal=result.signal or "SIGTERM", stderr=said)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _unused(_line: str) -> None:
    return
