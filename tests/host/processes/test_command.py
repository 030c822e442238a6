"""Commands that a person typed: real ones, with real children, ended in every way."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.host.trees import TREE, is_alive

from bascule.host.processes import command
from bascule.host.processes.command import MAX_COMMAND, Tail, run_command, run_shell
from bascule.host.processes.process_register import MARKER, Register, look
from bascule.model.asks import Refuse
from bascule.model.protocol.runs import ShellExecResult, Truncated

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scenes are made of sh and signals")


async def run(register: Register, text: str, cwd: Path, timeout_s: float = 20) -> ShellExecResult:
    ran = await run_shell(text, cwd=cwd, timeout_s=timeout_s, register=register)
    assert isinstance(ran, ShellExecResult), ran
    assert 0 <= ran.duration_ms < 20_000
    return replace(ran, duration_ms=0)


async def test_it_tells_what_it_printed_and_how_it_ended(register: Register, tmp_path: Path) -> None:
    text = 'echo "in $PWD" | tr a-z A-Z; printf "no newline" >&2; exit 3'
    assert await run(register, text, tmp_path) == ShellExecResult(
        command_preview=text,
        exit_code=3,
        stdout=f"IN {tmp_path}".upper() + "\n",
        stderr="no newline",
        truncated=Truncated(),
        duration_ms=0,
    )
    assert register.records == ()


async def test_it_has_nobody_to_read_from(register: Register, tmp_path: Path) -> None:
    ran = await run(register, "cat; read x; echo end=$?", tmp_path)
    assert (ran.stdout, ran.exit_code) == ("end=1\n", 0)


async def test_a_signal_has_its_name(register: Register, tmp_path: Path) -> None:
    ran = await run(register, "kill -9 $$", tmp_path)
    assert (ran.exit_code, ran.signal) == (None, "SIGKILL")


async def test_of_much_output_the_end_is_kept(
    register: Register, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "MAX_OUTPUT", 1_000)
    ran = await run(register, "i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done", tmp_path)
    assert ran.stdout.endswith("line 1998\nline 1999\n")
    assert len(ran.stdout) == 1_000
    assert ran.truncated == Truncated(stdout=True, combined=True)
    ran = await run(register, "yes error | head -c 3000000 >&2; echo out", tmp_path)
    assert (ran.stdout, len(ran.stderr)) == ("out\n", 1_000)
    assert ran.truncated == Truncated(stderr=True, combined=True)


def test_a_cut_character_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "MAX_OUTPUT", 4)
    tail = Tail()
    for byte in "aä€€".encode():
        tail.add(bytes([byte]))
    assert (tail.text(), tail.truncated) == ("€", True)


async def test_a_command_that_takes_too_long_is_ended_with_all_that_it_started(
    register: Register, tmp_path: Path
) -> None:
    script = tmp_path / "tree.py"
    script.write_text(TREE)
    ran = await run(register, f"{sys.executable} {script} stubborn", tmp_path, timeout_s=3)
    assert (ran.exit_code, ran.signal) == (None, "SIGTERM")
    assert ran.stderr == "bascule: stopped after 3 s, with all that it had started.\n"
    started = [int(pid) for pid in ran.stdout.splitlines()[0].strip("[]").split(",")]
    assert len(started) == 4
    assert [is_alive(pid) for pid in started] == [False] * 4


async def test_what_stays_behind_in_the_background_goes_with_it(register: Register, tmp_path: Path) -> None:
    ran = await run(register, "sleep 1000 & echo $!", tmp_path)
    assert (ran.exit_code, is_alive(int(ran.stdout))) == (0, False)


async def test_a_cancelled_command_is_ended_with_all_that_it_started(
    register: Register, tmp_path: Path
) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    text = f"sleep 1000 & echo $! $$ > {fifo}; sleep 1000"
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(run(register, text, tmp_path))
        pids = [int(pid) for pid in (await asyncio.to_thread(fifo.read_text)).split()]
        assert [is_alive(pid) for pid in pids] == [True, True]
        running.cancel()
    assert running.cancelled()
    assert [is_alive(pid) for pid in pids] == [False, False]
    assert register.records == ()


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 4, 6, 10, 20, 40])
async def test_a_cancel_at_any_moment_leaves_nothing(register: Register, tmp_path: Path, steps: int) -> None:
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(run(register, "sleep 1000 & sleep 1000", tmp_path))
        for _ in range(steps):
            await asyncio.sleep(0)
        running.cancel()
    assert running.cancelled()
    marks = [mark for one in look() for mark in one.marks if mark.startswith(register.folder_id)]
    assert (marks, register.records) == ([], ())


@pytest.mark.parametrize(
    ("text", "timeout_s", "why"),
    [
        ("  ", 1, "A command has 1 to 32768 characters, and no NUL."),
        ("x" * (MAX_COMMAND + 1), 1, "A command has 1 to 32768 characters, and no NUL."),
        ("echo\0", 1, "A command has 1 to 32768 characters, and no NUL."),
        ("true", 0, "A command may take up to 300 s, not 0 s."),
        ("true", float("nan"), "A command may take up to 300 s, not nan s."),
        ("true", 301, "A command may take up to 300 s, not 301 s."),
    ],
)
async def test_what_cannot_be_run_is_refused(
    register: Register, tmp_path: Path, text: str, timeout_s: float, why: str
) -> None:
    assert await run_shell(text, cwd=tmp_path, timeout_s=timeout_s, register=register) == Refuse(why)


async def test_an_argv_goes_through_no_shell(register: Register, tmp_path: Path) -> None:
    argv = [sys.executable, "-c", "import sys; print(sys.argv[1:])", "$HOME; exit 1"]
    ran = await run_command(argv, cwd=tmp_path, timeout_s=20, register=register)
    assert isinstance(ran, ShellExecResult)
    assert (ran.stdout, ran.exit_code) == ("['$HOME; exit 1']\n", 0)
    gone = await run_command(["no-such-program"], cwd=tmp_path, timeout_s=1, register=register)
    assert gone == Refuse("Cannot start no-such-program: there is no such program.")


async def test_a_command_gets_none_of_our_variables(
    register: Register, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BASCULE_HOME", "/secret")
    monkeypatch.setenv("bascule_token", "secret")
    monkeypatch.setenv("NOT_OURS", "kept")
    code = "import os; print(sorted(n for n in os.environ if 'bascule' in n.lower()), os.environ['NOT_OURS'])"
    ran = await run_command([sys.executable, "-c", code], cwd=tmp_path, timeout_s=20, register=register)
    assert not isinstance(ran, Refuse)
    assert ran.stdout == f"{[MARKER]} kept\n"
