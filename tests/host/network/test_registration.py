"""The registration file: closed to others, whole, and believed only while its process owns the folder."""

import stat
import subprocess
import sys
from pathlib import Path

import msgspec
import psutil
import pytest

from bascule import __version__
from bascule.host.files.data_folder import Folder, open_folder
from bascule.host.locks import lockfile
from bascule.host.network.registration import (
    Registration,
    find_daemon,
    make_registration,
    registration_path,
    remove_registration,
    write_registration,
)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return open_folder(tmp_path / "data")


def test_it_is_found_while_its_process_owns_the_folder(folder: Folder) -> None:
    ours = make_registration(port=4711, socket="/run/x.sock")
    with lockfile.acquire(folder.lock, command="tests"):
        assert find_daemon(folder) is None
        write_registration(folder, ours)
        assert find_daemon(folder) == ours
        remove_registration(folder, ours)
        assert find_daemon(folder) is None
    assert (ours.port, ours.socket, ours.token, ours.version) == (4711, "/run/x.sock", "", __version__)
    assert (ours.url, make_registration().url) == ("http://127.0.0.1:4711/", "")
    assert (ours.pid, ours.started_s) == (psutil.Process().pid, psutil.Process().create_time())


def test_without_the_lock_it_is_not_believed(folder: Folder) -> None:
    write_registration(folder, make_registration(port=1))
    assert find_daemon(folder) is None


def test_another_owner_is_not_taken_for_it(folder: Folder) -> None:
    """A stale file beside a living owner: nobody is sent to whoever has that port now."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    stale = msgspec.structs.replace(make_registration(port=1), pid=gone.pid)
    write_registration(folder, stale)
    with lockfile.acquire(folder.lock, command="tests"):
        assert find_daemon(folder) is None
        remove_registration(folder, make_registration(port=2))
        assert registration_path(folder).exists()  # not ours to remove


def test_a_process_that_was_given_the_same_number_is_another_one(folder: Folder) -> None:
    ours = make_registration(port=1)
    with lockfile.acquire(folder.lock, command="tests"):
        write_registration(folder, msgspec.structs.replace(ours, started_s=ours.started_s - 60))
        assert find_daemon(folder) is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"pid": 1}', b"\xff\xfe", b'{"pid":"x"}'])
def test_what_cannot_be_read_is_no_daemon(folder: Folder, content: bytes) -> None:
    registration_path(folder).write_bytes(content)
    with lockfile.acquire(folder.lock, command="tests"):
        assert find_daemon(folder) is None


@pytest.mark.skipif(sys.platform == "win32", reason="modes are not used there")
def test_only_its_owner_can_read_it_whatever_lay_there_before(folder: Folder) -> None:
    path = registration_path(folder)
    path.write_text("old")
    path.chmod(0o644)
    write_registration(folder, make_registration(port=1))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_its_text_holds_no_token() -> None:
    shown = make_registration(port=1, token="very-secret")
    assert "very-secret" not in f"{shown} {shown!r} {[shown]}"
    assert isinstance(shown, Registration)
