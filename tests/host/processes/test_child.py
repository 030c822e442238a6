"""Children that talk, and that leave nothing behind: real processes, killed in every order."""

import asyncio
import json
import os
import signal
import stat
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import psutil
import pytest
from tests.host.trees import SLEEP, TREE, is_alive, started
from tests.patience import PATIENCE_S

from bascule.host.processes.child import MAX_STDERR_LINE, Child, ChildNotStarted
from bascule.host.processes.process_register import MARKER, ProcessRecord, Register, RunningProcess, look

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scenes are made of sessions and signals")


async def read_json(child: Child) -> list[int]:
    line = b""
    while not line.endswith(b"\n"):
        line += await child.read(1)
    pids = json.loads(line)
    assert isinstance(pids, list)
    return pids


async def test_it_reads_and_writes_and_tells_its_exit_code(register: Register) -> None:
    script = "import sys; sys.stdout.write(sys.stdin.readline().upper()); sys.exit(3)"
    async with started(register, script) as child:
        child.write(b"hel")
        child.write(b"lo\n")
        await child.drain()
        assert child.exit_code is None
        assert await child.read(100) == b"HELLO\n"
        assert await child.wait() == 3
        assert await child.read(100) == b""
        assert child.exit_code == 3


async def flood(child: Child) -> None:
    while True:
        child.write(b"x" * 100_000)
        await child.drain()


async def test_a_child_that_no_longer_reads_is_a_connection_error(register: Register) -> None:
    deaf = f"import os; os.close(0); print(flush=True); {SLEEP}"
    async with started(register, deaf) as child:
        assert await child.read(1) == b"\n"
        with pytest.raises(ConnectionError):
            await flood(child)


async def test_stderr_comes_as_lines_and_a_line_without_end_is_cut(register: Register) -> None:
    script = (
        "import sys; e = sys.stderr.buffer; "
        "e.write(b'one\\r\\n\\xfftwo\\n' + b'x' * 1_000_000 + b'\\nlast'); e.flush()"
    )
    lines: list[str] = []
    child = await Child.start(
        [sys.executable, "-c", script], cwd=Path("/"), env={}, register=register, on_stderr=lines.append
    )
    await child.wait()
    await child.end()
    assert lines == ["one", "\ufffdtwo", "x" * MAX_STDERR_LINE + "… (cut)", "last"]


async def test_a_stopped_child_is_ended_at_once(register: Register) -> None:
    """It would hear neither the end of its input nor a signal, however long one waits."""
    async with started(register, SLEEP) as child:
        psutil.Process(child.pid).suspend()
        os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WNOWAIT)
        assert await asyncio.wait_for(child.end(grace_s=3600), PATIENCE_S) == -signal.SIGKILL


async def test_fifty_that_end_together_are_looked_for_together(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each ignores the signal; none waits for another's grace, nor for a look of its own."""
    stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); "
    looks: list[int] = []

    def count() -> list[RunningProcess]:
        looks.append(1)
        return look()

    monkeypatch.setattr("bascule.host.processes.process_register.look", count)
    async with AsyncExitStack() as stack:
        children = [
            await stack.enter_async_context(started(register, stubborn + "\nwhile True: signal.pause()"))
            for _ in range(50)
        ]
        assert {await child.read(1) for child in children} == {b"\n"}
        ends = await asyncio.gather(*(child.end(grace_s=0.2) for child in children))
        assert set(ends) == {-signal.SIGKILL}
        assert len(looks) < len(children)
    assert register.records == ()


async def test_it_runs_in_its_folder_and_session_with_the_added_environment_and_the_marker(
    register: Register, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MARKER, "outer:1")
    script = (
        "import os, json; env = os.environ; "
        f"print(json.dumps([os.getcwd(), os.getsid(0), env['A'], env['{MARKER}']]))"
    )
    child = await Child.start(
        [sys.executable, "-c", script], cwd=tmp_path, env={"A": "b"}, register=register, on_stderr=print
    )
    printed = json.loads(await child.read(1000))
    await child.end()
    assert printed == [str(tmp_path), child.pid, "b", f"outer:1,{child.marker}"]


async def test_it_is_on_disk_while_it_lives_and_no_longer(register: Register, tmp_path: Path) -> None:
    path = tmp_path / "children.json"
    async with started(register, SLEEP) as child:
        record = ProcessRecord(
            child.pid, psutil.Process(child.pid).create_time(), sys.executable, child.marker
        )
        assert Register(path, register.folder_id).records == (record,)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Register(path, register.folder_id).records == ()
    assert [left.name for left in tmp_path.iterdir()] == ["children.json"]


@pytest.mark.parametrize(("how", "code"), [("until-eof", 0), ("stubborn", -signal.SIGKILL)])
async def test_the_end_takes_all_that_it_started(register: Register, how: str, code: int) -> None:
    async with started(register, TREE, how) as child:
        pids = await read_json(child)
        assert [is_alive(pid) for pid in pids] == [True] * 4
        assert await child.end(grace_s=5 if how == "until-eof" else 0.1) == code
        assert [is_alive(pid) for pid in [child.pid, *pids]] == [False] * 5


async def test_the_end_takes_what_a_dead_child_left(register: Register) -> None:
    async with started(register, TREE, "die") as child:
        pids = await read_json(child)
        assert await child.wait() == -signal.SIGKILL
        assert [is_alive(pid) for pid in pids] == [True] * 4
        assert await child.end(grace_s=0.1) == -signal.SIGKILL
        assert [is_alive(pid) for pid in pids] == [False] * 4


async def test_its_death_is_reported_while_a_grandchild_still_holds_the_pipes(register: Register) -> None:
    script = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {SLEEP!r}]).pid)"
    async with started(register, script) as child:
        pid = int(await child.read(100))
        assert await asyncio.wait_for(child.wait(), PATIENCE_S) == 0
        assert is_alive(pid)
        await child.end()
        assert not is_alive(pid)


async def test_an_end_that_is_cancelled_still_ends_it(register: Register) -> None:
    async with started(register, TREE, "stubborn") as child:
        pids = await read_json(child)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await child.end(grace_s=60)
        assert [is_alive(pid) for pid in [child.pid, *pids]] == [False] * 5


async def test_an_end_that_is_cancelled_while_it_looks_for_the_children_still_ends_it(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started(register, TREE, "stubborn") as child:
        pids = await read_json(child)
        with monkeypatch.context() as patched:
            patched.setattr(register.process_scan, "look", asyncio.Event().wait)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await child.end(grace_s=60)
        assert [is_alive(pid) for pid in [child.pid, *pids]] == [False] * 5


async def test_two_may_end_it_at_once(register: Register) -> None:
    async with started(register, SLEEP) as child:
        codes = await asyncio.gather(child.end(grace_s=0), child.end(grace_s=0))
        assert codes[0] == codes[1] < 0
        with pytest.raises(BrokenPipeError, match="no longer reads"):
            child.write(b"x")


async def test_what_cannot_be_started_is_one_sentence(register: Register, tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.write_bytes(b"\x7fELF nonsense")
    bad.chmod(0o700)
    said = []
    for program, cwd in (
        ("no-such-agent", tmp_path),
        (sys.executable, tmp_path / "gone"),
        (str(bad), tmp_path),
    ):
        with pytest.raises(ChildNotStarted) as refused:
            await Child.start([program], cwd=cwd, env={}, register=register, on_stderr=print)
        said.append(str(refused.value))
    assert said == [
        "Cannot start no-such-agent: there is no such program.",
        f"Cannot start {sys.executable}: the folder {tmp_path / 'gone'} does not exist.",
        f"Cannot start {bad}: Exec format error.",
    ]
    assert register.records == ()
