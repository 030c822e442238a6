"""A short lock: alone while it is held, waited for only so long, gone with its holder."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bascule.host.locks.flock import try_lock
from bascule.host.locks.short_lock import Busy, guarded, wait_for, wait_if_lockable

HOLD = """
import sys
from pathlib import Path
from bascule.host.locks.short_lock import guarded
with guarded(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_threads_come_one_after_the_other(tmp_path: Path) -> None:
    inside, most = [0], [0]

    def work() -> None:
        for _ in range(20):
            with guarded(tmp_path / "lock"):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                tmp_path.stat()
                inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_another_process_is_waited_for_only_so_long_and_its_death_frees(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "lock")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        with pytest.raises(Busy), guarded(tmp_path / "lock", patience_s=0.05):
            raise AssertionError("two inside")
    finally:
        holder.kill()
        holder.communicate()
    with guarded(tmp_path / "lock", patience_s=0):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="no other system has descriptors that cannot be locked")
def test_a_folder_that_cannot_be_locked_is_done_without(tmp_path: Path) -> None:
    """As over NFS, where a folder cannot be opened in the way that a lock needs."""
    fd = os.open(tmp_path, os.O_PATH)
    try:
        with pytest.raises(OSError, match="Bad file descriptor"):
            wait_for(fd)
        wait_if_lockable(fd)
    finally:
        os.close(fd)


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no descriptors there")
def test_a_folder_that_can_be_locked_is(tmp_path: Path) -> None:
    fd, other = os.open(tmp_path, os.O_RDONLY), os.open(tmp_path, os.O_RDONLY)
    try:
        wait_if_lockable(fd)
        assert not try_lock(other)
    finally:
        os.close(fd)
        os.close(other)
