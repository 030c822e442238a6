"""The lock: one owner, named to the second, and free at once when the owner is gone."""

import errno
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import psutil
import pytest

from bascule.host.locks.flock import try_lock
from bascule.host.locks.lockfile import Owned, Owner, acquire, find_owner

HOLD = """
import subprocess, sys
from pathlib import Path
from bascule.host.locks.lockfile import acquire
lock = acquire(Path(sys.argv[1]), command="bascule demo")
left = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=0, stdout=-3, stderr=-3)
print(left.pid, flush=True)
sys.stdin.read()
"""

# The child lets go of the lock at once, and lives on until its stdin is closed.
FORK = """
import os, sys
from pathlib import Path
from bascule.host.locks.lockfile import acquire
lock = acquire(Path(sys.argv[1]), command="parent")
child = os.fork()
if child == 0:
    lock.release()
    print(os.getpid(), flush=True)
sys.stdin.read()
"""


@contextmanager
def held_elsewhere(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock, and has a child of its own that lives on."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline().strip().isdigit()
        yield process
        process.kill()


def test_it_is_ours_until_released(tmp_path: Path) -> None:
    path = tmp_path / "bascule.lock"
    assert find_owner(path) is None
    with acquire(path, command="bascule ask"):
        owner = find_owner(path)
        assert owner is not None
        assert (owner.pid, owner.command) == (os.getpid(), "bascule ask")
        started = datetime.fromisoformat(owner.started_at)
        assert started.tzinfo is not None
        assert abs(started.timestamp() - psutil.Process().create_time()) < 1
        assert json.loads(path.read_bytes()) == {
            "pid": owner.pid,
            "started_at": owner.started_at,
            "command": owner.command,
        }
        with pytest.raises(Owned):
            acquire(path, command="again")
        assert find_owner(path) == owner
    assert find_owner(path) is None
    with acquire(path, command="later"):
        assert find_owner(path) is not None


def test_the_second_learns_who_has_it(tmp_path: Path) -> None:
    path = tmp_path / "bascule.lock"
    with held_elsewhere(path) as holder:
        with pytest.raises(Owned) as owned:
            acquire(path, command="second")
        said = re.fullmatch(
            rf"The data folder {re.escape(str(tmp_path))} is in use by bascule \(pid {holder.pid}, started "
            r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\)\. Stop it, or set BASCULE_HOME to another folder\.",
            str(owned.value),
        )
        assert said is not None
        seen_s = datetime.fromisoformat(said[1]).timestamp()
        assert abs(seen_s - psutil.Process(holder.pid).create_time()) <= 1
        assert find_owner(path) == owned.value.owner == Owner(holder.pid, _at(path), "bascule demo")


def _at(path: Path) -> str:
    return str(json.loads(path.read_bytes())["started_at"])


def test_a_killed_owner_leaves_it_free_though_its_child_lives(tmp_path: Path) -> None:
    path = tmp_path / "bascule.lock"
    with held_elsewhere(path) as holder:
        [child] = psutil.Process(holder.pid).children()
        holder.kill()
        holder.wait()
        assert child.is_running()
        assert path.stat().st_size > 0
        assert find_owner(path) is None
        with acquire(path, command="next"):
            owner = find_owner(path)
            assert owner is not None
            assert owner.pid == os.getpid()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_forked_child_neither_holds_nor_frees_it(tmp_path: Path) -> None:
    path = tmp_path / "bascule.lock"
    process = subprocess.Popen(
        [sys.executable, "-c", FORK, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        child = int(process.stdout.readline())
        with pytest.raises(Owned):
            acquire(path, command="second")
        process.kill()
        process.wait()
        with acquire(path, command="after"):
            assert psutil.pid_exists(child)


@pytest.mark.parametrize("content", [b"", b"{", b'{"pid": 1}', b"\xff" * 100])
def test_content_without_a_lock_is_nobody(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bascule.lock"
    path.write_bytes(content)
    assert find_owner(path) is None
    with acquire(path, command="mine"):
        assert find_owner(path) is not None


def test_content_that_names_a_living_process_is_nobody_without_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "bascule.lock"
    with acquire(path, command="mine"):
        content = path.read_bytes()
    path.write_bytes(content)
    assert find_owner(path) is None


def test_an_owner_that_has_not_signed_yet_is_still_an_owner(tmp_path: Path) -> None:
    path = tmp_path / "bascule.lock"
    with acquire(path, command="mine"):
        path.write_bytes(b"")
        with pytest.raises(
            Owned, match=rf"in use by bascule \(pid {os.getpid()}, |another bascule that is just starting"
        ):
            acquire(path, command="second")


# -- a lock file that is deleted while its owner lives --


def test_without_its_file_the_folder_is_still_taken_and_the_first_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bascule.lock"
    with held_elsewhere(path) as holder:
        path.unlink()
        with pytest.raises(Owned, match=rf"is in use by bascule \(pid {holder.pid}, started ") as refused:
            acquire(path, command="second")
        assert refused.value.owner is not None
        owner = find_owner(path)
        assert owner is not None
        assert (owner.pid, owner.command) == (holder.pid, "")  # the system doesn't say which command it is
    with acquire(path, command="third"):  # free at once when it is gone
        assert find_owner(path) is not None


def test_the_owner_makes_a_deleted_file_again(tmp_path: Path) -> None:
    path = tmp_path / "bascule.lock"
    with acquire(path, command="bascule up") as lock:
        owner = find_owner(path)
        assert lock.look_after() == "kept"
        path.unlink()
        assert lock.look_after() == "renewed"
        assert (find_owner(path), lock.look_after()) == (owner, "kept")
        with pytest.raises(Owned):
            acquire(path, command="second")
    assert find_owner(path) is None


def test_a_folder_that_is_another_one_now_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    path = folder / "bascule.lock"
    with acquire(path, command="first") as first:
        folder.rename(tmp_path / "moved")
        assert first.look_after() == "lost"
        folder.mkdir()
        with acquire(path, command="second") as second:
            assert (first.look_after(), second.look_after()) == ("lost", "kept")


def test_a_folder_that_cannot_be_locked_is_kept_by_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on some network file systems."""

    def lock_file_only(fd: int, *, shared: bool = False) -> bool:
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            raise OSError(errno.EBADF, "Bad file descriptor")
        return try_lock(fd, shared=shared)

    monkeypatch.setattr("bascule.host.locks.lockfile.try_lock", lock_file_only)
    path = tmp_path / "bascule.lock"
    with acquire(path, command="first") as lock:
        with pytest.raises(Owned):
            acquire(path, command="second")
        path.unlink()
        assert lock.look_after() == "renewed"
        path.unlink()
        with acquire(path, command="second"):
            assert lock.look_after() == "lost"  # nothing but the file says so here, and it is another's
