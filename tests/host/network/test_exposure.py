"""What others could reach is seen."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bascule.host.files.data_folder import open_folder
from bascule.host.network.exposure import (
    find_in_logs,
    find_in_processes,
    find_listening,
    find_open_files,
)


def test_sockets_are_found_with_their_reach() -> None:
    with socket.create_server(("127.0.0.1", 0)) as near, socket.create_server(("0.0.0.0", 0)) as far:
        found = {one.port: one.is_loopback for one in find_listening(os.getpid())}
        assert found[near.getsockname()[1]] is True
        assert found[far.getsockname()[1]] is False


@pytest.mark.skipif(sys.platform == "win32", reason="modes are not used there")
def test_files_that_others_can_read_are_named(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "data")
    folder.database.touch(0o600)
    assert list(find_open_files(folder)) == []
    folder.database.chmod(0o644)
    folder.root.chmod(0o750)
    assert list(find_open_files(folder)) == [
        f"{folder.root} is open to others",
        f"{folder.database} is open to others",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="modes are not used there")
def test_every_database_of_the_data_folder_is_looked_at(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "data")
    kept = folder.root / "evidence.db"
    kept.touch()
    kept.chmod(0o644)
    assert list(find_open_files(folder)) == [f"{kept} is open to others"]


def test_a_key_in_a_log_is_found(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "data")
    folder.log.write_text("GET /?token=abc\n")
    assert list(find_in_logs(folder, ("xyz",))) == []
    assert list(find_in_logs(folder, ("xyz", "abc"))) == [f"{folder.log} holds a key"]


@pytest.mark.parametrize(
    ("given", "env", "where"),
    [("", "", ""), ("a-key-of-ours", "", "arguments"), ("", "a-key-of-ours", "environment")],
    ids=["nowhere", "arguments", "environment"],  # a test's name is in the environment, too
)
def test_a_key_that_a_process_shows_is_found(given: str, env: str, where: str) -> None:
    words = [sys.executable, "-c", "print(flush=True); input()", given]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, env={**os.environ, "SHOWN": env}, stdin=pipe, stdout=pipe) as child:
        assert child.stdout is not None
        child.stdout.readline()
        found = list(find_in_processes(os.getpid(), ("a-key-of-ours",)))
        child.communicate(b"\n")
    assert [where in one and str(child.pid) in one for one in found] == ([True] if where else [])
