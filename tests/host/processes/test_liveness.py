"""A process whose main thread has ended is shown as a zombie, and goes on: it is seen, known and ended."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from bascule.host.processes.agent_descent import AgentDescent
from bascule.host.processes.liveness import is_alive, is_over, read_children
from bascule.host.processes.process_register import MARKER, Register, look, reap

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="threads end alone on Linux")

# Another thread starts a child, says so, and lives on while the main one ends without the process.
HEADLESS = """
import ctypes, subprocess, sys, threading, time
def live():
    child = subprocess.Popen(["sleep", "60"])
    print(child.pid, flush=True)
    time.sleep(60)
threading.Thread(target=live).start()
exit_alone = {"x86_64": 60, "aarch64": 93}[__import__("platform").machine()]
ctypes.CDLL(None).syscall(exit_alone, 0)
"""


@pytest.fixture
def headless(register: Register) -> Iterator[tuple[psutil.Process, int]]:
    env = {**os.environ, MARKER: register.new_marker()}
    with subprocess.Popen([sys.executable, "-c", HEADLESS], stdout=subprocess.PIPE, env=env) as started:
        assert started.stdout is not None
        child = int(started.stdout.readline())
        process = psutil.Process(started.pid)
        while process.status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.01)
        yield process, child
        started.kill()
        if psutil.pid_exists(child):
            psutil.Process(child).kill()


@pytest.fixture
def register(tmp_path: Path) -> Register:
    return Register(tmp_path / "children.json", f"f_{os.getpid()}_{tmp_path.name}")


def test_it_is_alive_and_has_its_children_and_marks(
    register: Register, headless: tuple[psutil.Process, int]
) -> None:
    process, child = headless
    assert (is_alive(process), is_over(process)) == (True, False)
    assert read_children(process.pid) == [child]
    (seen,) = [one for one in look() if one.pid == process.pid]
    assert [mark.partition(":")[0] for mark in seen.marks] == [register.folder_id]
    assert AgentDescent(register).is_of_a_child(child)


def test_the_next_start_ends_it(tmp_path: Path, register: Register) -> None:
    """Started by an owner that is gone, so that it is nobody's child here."""
    env = {**os.environ, MARKER: register.new_marker()}
    code = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {HEADLESS!r}])"
    with (tmp_path / "said").open("wb") as said:
        subprocess.run([sys.executable, "-c", code], env=env, stdout=said, check=True)
    while not (tmp_path / "said").read_bytes().endswith(b"\n"):
        time.sleep(0.01)
    child = psutil.Process(int((tmp_path / "said").read_text()))
    process = child.parent()
    assert process is not None
    while process.status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    assert {one.pid for one in reap(register)} == {process.pid, child.pid}
    assert not is_alive(process)
    assert not is_alive(child)


def test_one_that_only_waits_to_be_collected_is_over() -> None:
    with subprocess.Popen(["true"]) as ended:
        process = psutil.Process(ended.pid)
        while process.status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.01)
        assert (is_alive(process), is_over(process)) == (False, True)
