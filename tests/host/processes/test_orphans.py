"""Orphans: what a child detached from itself is still known as ours, and ends with us."""

import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from bascule.host.processes.liveness import is_alive
from bascule.host.processes.process_register import Register, reap

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans to us")

# A child detaches a sleeper in a session of its own with an empty environment, and ends.
DETACH = 'env -i PATH="$PATH" setsid -f sh -c \'echo $$ > "$0"; exec sleep 60\' "$1" >/dev/null 2>&1'
OWNER = """
import asyncio, subprocess, sys
from pathlib import Path
from bascule.host.processes.orphans import adopting_orphans
from bascule.host.processes.agent_descent import AgentDescent
from bascule.host.processes.process_register import Register

async def main(folder: Path, detach: str, ends_them: bool) -> None:
    register = Register(folder / "children.json", "f_0")
    async with adopting_orphans(register, ends_them=ends_them):
        found = folder / "pid"
        subprocess.run(["sh", "-c", detach, "sh", str(found)], check=True)
        while not (found.exists() and found.read_text().strip()):
            await asyncio.sleep(0.01)
        print(AgentDescent(register).is_of_a_child(int(found.read_text())))

asyncio.run(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "end"))
"""


def run_owner(folder: Path, how: str) -> tuple[str, psutil.Process | None]:
    done = subprocess.run(
        [sys.executable, "-c", OWNER, str(folder), DETACH, how], capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    pid = int((folder / "pid").read_text())
    try:
        return done.stdout.strip(), psutil.Process(pid)
    except psutil.NoSuchProcess:
        return done.stdout.strip(), None


def test_a_detached_process_is_known_and_ends_with_us(tmp_path: Path) -> None:
    assert run_owner(tmp_path, "end") == ("True", None)


def test_a_detached_process_may_be_followed_without_being_ended(tmp_path: Path) -> None:
    known, left = run_owner(tmp_path, "follow")
    assert (known, left is not None) == ("True", True)
    assert left is not None
    left.kill()


def test_an_orphan_is_registered_for_the_next_start_and_collected_when_it_ends(tmp_path: Path) -> None:
    """Seen from outside: the register names it while it runs, and it leaves no zombie."""
    code = OWNER.replace("print(", "await asyncio.sleep(3)\n        print(", 1)
    code = "import bascule.host.processes.orphans as o\no.LOOK_S = 0.2\n" + code
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path), DETACH, "end"], stdout=subprocess.PIPE
    ) as owner:
        register = tmp_path / "children.json"
        while not (register.exists() and b"sleep" in register.read_bytes()):
            assert owner.poll() is None
            time.sleep(0.02)
        orphan = psutil.Process(int((tmp_path / "pid").read_text()))
        orphan.kill()
        while b"sleep" in register.read_bytes():
            assert owner.poll() is None
            time.sleep(0.02)
        assert not psutil.pid_exists(orphan.pid)
        owner.kill()


def test_an_adopted_process_is_ended_by_the_next_start_after_a_crash(tmp_path: Path) -> None:
    code = OWNER.replace("print(", "await asyncio.sleep(60)\n        print(", 1)
    code = "import bascule.host.processes.orphans as o\no.LOOK_S = 0.1\n" + code
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path), DETACH, "end"]) as owner:
        register = tmp_path / "children.json"
        while not (register.exists() and b"sleep" in register.read_bytes()):
            assert owner.poll() is None
            time.sleep(0.02)
        owner.kill()
    orphan = psutil.Process(int((tmp_path / "pid").read_text()))
    reaped = reap(Register(register, "f_0"))
    assert orphan.pid in [one.pid for one in reaped]  # who detached it may still have been there
    assert not is_alive(orphan)


def test_afterwards_orphans_go_to_the_system_again(tmp_path: Path) -> None:
    code = (
        OWNER.rstrip()
        + """
import ctypes
on = ctypes.c_int()
ctypes.CDLL(None).prctl(37, ctypes.byref(on), 0, 0, 0)
print(on.value)
"""
    )
    words = [sys.executable, "-c", code, str(tmp_path), DETACH, "end"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["True", "0"]
