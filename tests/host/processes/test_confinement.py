"""A process in a sandbox is told from one that is free, by what it can never shed again."""

import os
import shutil
import subprocess
import sys

import pytest

from bascule.host.processes.confinement import is_confined

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux has these")

WAIT = "print(flush=True); input()"
NO_NEW_PRIVS = f"import ctypes; ctypes.CDLL(None).prctl(38, 1, 0, 0, 0); {WAIT}"
NEW_USER_NAMESPACE = f"import ctypes; assert ctypes.CDLL(None).unshare(0x10000000) == 0; {WAIT}"
NEW_MOUNTS = f"import ctypes; assert ctypes.CDLL(None).unshare(0x10020000) == 0; {WAIT}"


def judge(*argv: str) -> bool:
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        found = is_confined(child.pid)
        child.communicate(b"\n")
    return found


@pytest.mark.parametrize(
    ("code", "confined"),
    [(WAIT, False), (NO_NEW_PRIVS, True), (NEW_USER_NAMESPACE, True), (NEW_MOUNTS, True)],
    ids=["free", "no new privileges", "user namespace", "mounts"],
)
def test_what_a_sandbox_is_made_of_is_seen(code: str, confined: bool) -> None:
    assert judge(sys.executable, "-c", code) is confined


def test_this_process_is_free_and_one_that_is_gone_is_not() -> None:
    assert not is_confined(os.getpid())
    true = shutil.which("true")
    assert true is not None
    gone = subprocess.Popen([true])
    gone.wait()
    assert is_confined(gone.pid)
