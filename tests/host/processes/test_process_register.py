"""The register and reaping: what an earlier owner left is found and ended, and nobody else is touched."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psutil
import pytest
from tests.host.trees import SLEEP, TREE, is_alive, started

from bascule.host.processes.agent_descent import AgentDescent
from bascule.host.processes.process_register import (
    MARKER,
    ProcessRecord,
    Reaped,
    Register,
    reap,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scenes are made of sessions and signals")

# A whole owner: starts the tree as its child, tells everyone's pid, and waits to be killed.
OWNER = f"""
import asyncio, sys
from pathlib import Path
from bascule.host.processes.child import Child
from bascule.host.processes.process_register import Register

async def main():
    register = Register(Path(sys.argv[1]), sys.argv[2])
    child = await Child.start([sys.executable, "-c", {TREE!r}, "stubborn"], cwd=Path("/"), env={{}},
                              register=register, on_stderr=print)
    said = b""
    while b"ready" not in said:  # or it would die of a pipe that nobody reads
        said += await child.read(1000)
    print(child.pid, said.decode().splitlines()[0], flush=True)
    await child.wait()

asyncio.run(main())
"""


@pytest.fixture
def innocent() -> Iterator[subprocess.Popen[bytes]]:
    """A process that nobody here may touch."""
    process = subprocess.Popen([sys.executable, "-c", SLEEP])
    yield process
    process.kill()
    process.wait()


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


def test_what_stayed_in_a_dead_childs_session_is_reaped_too(register: Register) -> None:
    """It forgot its environment, and whoever started it is gone: the session still tells whose it is."""
    code = (
        "import subprocess, sys\n"
        f"print(subprocess.Popen([sys.executable, '-c', {SLEEP!r}], env={{}}, stdout=-3).pid, flush=True)\n"
        "sys.stdin.read()"
    )
    leader = subprocess.Popen(
        [sys.executable, "-c", code],
        start_new_session=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert leader.stdout is not None
    left = int(leader.stdout.readline())
    register.add(
        ProcessRecord(leader.pid, psutil.Process(leader.pid).create_time(), "x", register.new_marker())
    )
    leader.communicate()
    assert is_alive(left)
    assert [(one.pid, one.why) for one in reap(register)] == [(left, "descendant")]
    assert not is_alive(left)


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
        register.add(ProcessRecord(orphan, started_s - 5, "codex", register.new_marker()))
        register.add(ProcessRecord(orphan, started_s, "codex", register.new_marker()))  # but it has no marker
        register.add(ProcessRecord(innocent.pid, 0.0, "codex", register.new_marker()))
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


def test_what_we_started_is_kin_and_what_started_us_is_not(tmp_path: Path) -> None:
    descent = AgentDescent(Register(tmp_path / "children.json", "f_1"))
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env={}) as child:
        assert descent.is_of_a_child(child.pid)
        child.communicate()
    assert descent.is_of_a_child(child.pid)  # gone
    assert not descent.is_of_a_child(os.getpid())
    assert not descent.is_of_a_child(os.getppid())


def test_what_a_joined_agent_started_is_kin_once_it_is_known(tmp_path: Path) -> None:
    """Seen from a process that started none of them."""
    code = (
        "import sys; from pathlib import Path\n"
        "from bascule.host.processes.agent_descent import AgentDescent\n"
        "from bascule.host.processes.process_register import Register\n"
        "register = Register(Path(sys.argv[1]), 'f')\n"
        "agent, *pids = map(int, sys.argv[2:])\n"
        "descent = AgentDescent(register)\n"
        "print([descent.is_of_a_child(pid) for pid in pids])\n"
        "register.note_other(agent)\n"
        "print([descent.is_of_a_child(pid) for pid in pids], register.records)"
    )
    sleeper = [sys.executable, "-c", "input()"]
    starter = f"import subprocess as s; one = s.Popen({sleeper!r}); print(one.pid, flush=True); one.wait()"
    start = partial(subprocess.Popen[str], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    marked = {**os.environ, "CODEX_THREAD_ID": "t"}  # and nobody of its family above it
    with (
        start([sys.executable, "-c", starter]) as agent,
        start(sleeper, env=marked) as detached,
        start(sleeper) as mine,
    ):
        assert agent.stdout is not None
        pids = (agent.pid, int(agent.stdout.readline()), detached.pid, mine.pid)
        said = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "c.json"), str(agent.pid), *map(str, pids)],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for one in (agent, detached, mine):
            one.communicate("\n")
    assert said.splitlines() == ["[False, False, False, False]", "[True, True, True, False] ()"]


def test_a_mark_in_the_environment_is_descent_for_its_own_folder_only(tmp_path: Path) -> None:
    """Seen from a process that did not start it."""
    code = (
        "import sys; from pathlib import Path\n"
        "from bascule.host.processes.agent_descent import AgentDescent\n"
        "from bascule.host.processes.process_register import Register\n"
        "one = AgentDescent(Register(Path(sys.argv[1]), sys.argv[2]))\n"
        "print(one.is_of_a_child(int(sys.argv[3])))"
    )
    marked = {**os.environ, "BASCULE_CHILD": "f_0:x,f_1:y"}
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env=marked) as child:
        said = [
            subprocess.run(
                [sys.executable, "-c", code, str(tmp_path / "children.json"), folder, str(child.pid)],
                check=True,
                capture_output=True,
                text=True,
            ).stdout.strip()
            for folder in ("f_0", "f_1", "f_2", "f")
        ]
        child.communicate()
    assert said == ["True", "True", "False", "False"]
