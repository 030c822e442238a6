"""A process in a sandbox is told from one that is free, by what it can never shed again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bascule.host.processes.confinement import BLIND, find_blindness, is_confined

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


# A filter that allows everything, put on top of those that there are.
FILTER = """
import ctypes, struct
allow = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7FFF0000))
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]
def confine():
    program = Program(1, ctypes.addressof(allow))
    assert ctypes.CDLL(None).prctl(22, 2, ctypes.byref(program), 0, 0) == 0
"""
# What a daemon would say that has no_new_privs and a filter itself: of a child that is as it is, of one with
# one more filter, and of what it cannot see at all.
JUDGE = f"""
import ctypes, os, subprocess, sys
from bascule.host.processes.confinement import find_blindness, is_confined
{FILTER}
ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
confine()
def judge(code):
    pipe = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", code], **pipe) as child:
        child.stdout.readline()
        found = is_confined(child.pid)
        child.communicate(b"\\n")
    return found
print(judge({WAIT!r}), judge({FILTER + "confine();" + WAIT!r}), find_blindness(os.getpid()))
"""


def test_a_daemon_with_fewer_rights_counts_filters_and_says_what_it_cannot_see() -> None:
    done = subprocess.run([sys.executable, "-c", JUDGE], check=False, capture_output=True, text=True)
    assert done.stdout.strip() == f"False True {BLIND}", done.stderr


def test_a_daemon_with_all_rights_is_not_blind() -> None:
    is_limited = "NoNewPrivs:\t1" in Path("/proc/self/status").read_text()
    assert find_blindness(os.getpid()) == (BLIND if is_limited else "")
    assert find_blindness(2**22 + 1) == ""  # no process has this pid


def test_this_process_is_free_and_one_that_is_gone_is_not() -> None:
    assert not is_confined(os.getpid())
    true = shutil.which("true")
    assert true is not None
    gone = subprocess.Popen([true])
    gone.wait()
    assert is_confined(gone.pid)
