"""Who holds a thread: the system's list of locks, read as it is written."""

import os
from pathlib import Path

import pytest

from bascule.host.locks.flock import try_lock
from bascule.host.watch.thread_lock import find_holder, find_pid

LISTED = """\
64: FLOCK  ADVISORY  WRITE 11939 fe:00:5965985 0 EOF
65: -> FLOCK  ADVISORY  WRITE 12 fe:00:5965985 0 EOF
66: POSIX  ADVISORY  WRITE 28193 fe:00:5833263 0 EOF
67: FLOCK  ADVISORY  READ 77 fe:00:99 0 EOF
nonsense
"""


@pytest.mark.parametrize(
    ("place", "pid"),
    [
        ((0xFE, 0, 5965985), 11939),
        ((0xFE, 1, 5965985), 0),
        ((0xFE, 0, 5833263), 0),  # of another kind
        ((0xFE, 0, 99), 0),  # it only reads
    ],
)
def test_the_writer_is_found_by_the_file(place: tuple[int, int, int], pid: int) -> None:
    assert find_pid(LISTED, *place) == pid


def test_a_lock_of_our_own_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "thread-writer-locks"
    folder.mkdir()
    (folder / "t1.lock").touch()
    assert find_holder(str(tmp_path), "t1") is None
    with (folder / "t1.lock").open() as file:
        assert try_lock(file.fileno())
        holder = find_holder(str(tmp_path), "t1")
        assert holder is not None
        assert holder.pid == os.getpid()
        assert str(holder).endswith(f"(pid {os.getpid()})")
    for bad in ("../t1", "", "t2"):
        assert find_holder(str(tmp_path), bad) is None
