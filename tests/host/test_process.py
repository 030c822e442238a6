"""Children that talk, and that leave nothing behind: real processes, killed in every order."""

import asyncio
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from bascule.host.process import (
    MARKER,
    MAX_STDERR_LINE,
    Child,
    ChildNotStarted,
    Reaped,
    Record,
    Register,
    find_program,
    reap,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scenes are made of sessions and signals")

SLEEP = "import signal; signal.pause()"

# Starts one grandchild in the session, one in its own session, one in its own session whose parent is gone,
# and one in the session that forgot its environment; tells their pids; then does what its argument says.
TREE = f"""
import json, os, signal, subprocess, sys
sleep = [sys.executable, "-c", {SLEEP!r}]
quiet = dict(stdin=-3, stdout=-3, stderr=-3)
near = subprocess.Popen(sleep, **quiet)
far = subprocess.Popen(sleep, start_new_session=True, **quiet)
bare = subprocess.Popen(sleep, env={{}}, **quiet)
starter = "import subprocess, sys; print(subprocess.Popen(sys.argv[1:], stdin=-3, stdout=-3, stderr=-3).pid)"
lost = subprocess.run([sys.executable, "-c", starter, *sleep], capture_output=True, start_new_session=True)
print(json.dumps([near.pid, far.pid, bare.pid, int(lost.stdout)]), flush=True)
match sys.argv[1]:
    case "until-eof": sys.stdin.read()
    case "die": os.kill(os.getpid(), signal.SIGKILL)
    case "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("ready", flush=True)
        while True: signal.pause()
"""

# A whole owner: starts the tree as its child, tells everyone's pid, and waits to be killed.
OWNER = f"""
import asyncio, sys
from pathlib import Path
from bascule.host.process import Child, Register

async def main():
    register = Register(Path(sys.argv[1]), sys.argv[2])
    child = await Child.start([sys.executable, "-c", {TREE!r}, "stubborn"], cwd=Path("/"), env={{}},
                              register=register, on_stderr=print)
    print(child.pid, (await child.read(1000)).decode(), flush=True)
    await child.wait()

asyncio.run(main())
"""


@pytest.fixture
def register(tmp_path: Path) -> Register:
    return Register(tmp_path / "children.json", f"folder-{os.getpid()}-{tmp_path.name}")


@asynccontextmanager
async def started(register: Register, *argv: str, **env: str) -> AsyncIterator[Child]:
    child = await Child.start(
        [sys.executable, "-c", *argv], cwd=Path("/"), env=env, register=register, on_stderr=print
    )
    try:
        yield child
    finally:
        await child.end(grace_s=0)


@pytest.fixture
def innocent() -> Iterator[subprocess.Popen[bytes]]:
    """A process that nobody here may touch."""
    process = subprocess.Popen([sys.executable, "-c", SLEEP])
    yield process
    process.kill()
    process.wait()


def is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


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
    told = json.loads(await child.read(1000))
    await child.end()
    assert told == [str(tmp_path), child.pid, "b", f"outer:1,{child.marker}"]


async def test_it_is_on_disk_while_it_lives_and_no_longer(register: Register, tmp_path: Path) -> None:
    path = tmp_path / "children.json"
    async with started(register, SLEEP) as child:
        record = Record(child.pid, psutil.Process(child.pid).create_time(), sys.executable, child.marker)
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


async def test_its_death_is_told_while_a_grandchild_still_holds_the_pipes(register: Register) -> None:
    script = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {SLEEP!r}]).pid)"
    async with started(register, script) as child:
        pid = int(await child.read(100))
        assert await asyncio.wait_for(child.wait(), 10) == 0
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


def test_a_program_is_never_taken_from_a_relative_entry_of_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("workspace", "bin"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "codex").write_text("#!/bin/sh\n")
        (tmp_path / folder / "codex").chmod(0o700)
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "codex").write_text("not to be run")
    monkeypatch.chdir(tmp_path / "workspace")
    path = os.pathsep.join([".", "", str(tmp_path / "plain"), str(tmp_path / "bin")])
    assert find_program("codex", {"PATH": path}) == tmp_path / "bin" / "codex"
    assert find_program("codex", {"PATH": "."}) is None
    assert find_program("../bin/codex", {"PATH": ""}) == tmp_path / "workspace" / ".." / "bin" / "codex"


def test_the_next_start_reaps_what_a_killed_owner_left(register: Register, tmp_path: Path) -> None:
    path = tmp_path / "children.json"
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(path), register.folder_id], stdout=subprocess.PIPE, text=True
    )
    with owner:
        assert owner.stdout is not None
        pid, _, pids = owner.stdout.readline().partition(" ")
        left = [int(pid), *json.loads(pids)]
        owner.kill()
    assert [is_alive(one) for one in left] == [True] * 5
    reaped = reap(Register(path, register.folder_id))
    assert [is_alive(one) for one in left] == [False] * 5
    assert {one.pid: one.why for one in reaped} == {
        left[0]: "recorded",
        left[1]: "marked",
        left[2]: "marked",
        left[3]: "descendant",  # it forgot its environment, but its parent still lived
        left[4]: "marked",
    }
    assert Register(path, register.folder_id).records == ()
    assert reap(Register(path, register.folder_id)) == []


def start_orphan(**env: str) -> int:
    """The pid of a sleeper whose parent is gone."""
    starter = (
        f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {SLEEP!r}], stdout=-3).pid)"
    )
    done = subprocess.run(
        [sys.executable, "-c", starter],
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        check=True,
        start_new_session=True,
    )
    return int(done.stdout)


def test_a_marked_process_is_reaped_without_a_record_and_one_of_another_folder_is_not(
    register: Register,
) -> None:
    ours = start_orphan(**{MARKER: f"outer:1,{register.new_marker()}"})
    theirs = start_orphan(**{MARKER: f"other-{register.folder_id}:child"})
    try:
        name = psutil.Process(ours).name()
        assert reap(register) == [Reaped(ours, name, "marked")]
        assert (is_alive(ours), is_alive(theirs)) == (False, True)
    finally:
        os.kill(theirs, signal.SIGKILL)


def test_a_number_that_was_given_to_another_program_is_never_touched(
    register: Register, innocent: subprocess.Popen[bytes]
) -> None:
    orphan = start_orphan()
    try:
        started_s = psutil.Process(orphan).create_time()
        register.add(Record(orphan, started_s - 5, "codex", register.new_marker()))
        register.add(Record(orphan, started_s, "codex", register.new_marker()))  # but it has no marker
        register.add(Record(innocent.pid, 0.0, "codex", register.new_marker()))
        assert reap(register) == []
        assert is_alive(orphan)
        assert innocent.poll() is None
    finally:
        os.kill(orphan, signal.SIGKILL)


async def test_reaping_spares_the_children_of_the_living_owner(register: Register) -> None:
    async with started(register, SLEEP) as child:
        assert reap(register) == []
        assert child.exit_code is None
        assert [record.pid for record in register.records] == [child.pid]


@pytest.mark.parametrize("content", [b"", b"{", b'[{"pid": "x"}]', b"null"])
def test_a_spoilt_register_is_an_empty_one(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "children.json"
    path.write_bytes(content)
    assert Register(path, "f").records == ()
