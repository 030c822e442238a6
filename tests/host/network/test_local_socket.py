"""The local socket: in a folder that only we can enter, and with the kernel's word on who connected."""

import os
import socket
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bascule.host.files.data_folder import Folder
from bascule.host.network import local_socket
from bascule.host.network.local_socket import Peer, SocketRefused, bind_local, dial_local, find_peer

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no such socket")


@pytest.fixture
def runtime() -> Iterator[Path]:
    """A short one: a socket's path has room for about a hundred letters."""
    with tempfile.TemporaryDirectory(prefix="bascule-") as place:
        yield Path(place)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.fixture
def long(tmp_path: Path) -> Folder:
    """A data folder whose name leaves no room for a socket in it."""
    return Folder(tmp_path / ("x" * 100))


def test_it_is_in_the_data_folder_where_no_sandbox_writes(runtime: Path) -> None:
    sock, path = bind_local(Folder(runtime), {"XDG_RUNTIME_DIR": "/tmp"})
    with sock:
        assert (path, mode(path)) == (runtime / "daemon.sock", 0o600)


def test_who_listens_must_be_the_daemon(runtime: Path) -> None:
    sock, path = bind_local(Folder(runtime), {})
    with sock:
        dial_local(str(path), 5, os.getpid()).close()
        with pytest.raises(SocketRefused, match=f"Process {os.getpid()} .* not the daemon"):
            dial_local(str(path), 5, os.getpid() + 1)


def test_only_its_owner_can_reach_it(runtime: Path, long: Folder) -> None:
    folder = long
    sock, path = bind_local(folder, {"XDG_RUNTIME_DIR": str(runtime)})
    with sock:
        assert path == runtime / "bascule" / f"{folder.id}.sock"
        assert (mode(path.parent), mode(path)) == (0o700, 0o600)


def test_the_kernel_says_who_connected(runtime: Path) -> None:
    sock, path = bind_local(Folder(runtime), {"XDG_RUNTIME_DIR": str(runtime)})
    with sock, dial_local(str(path), 5):
        accepted, _ = sock.accept()
        with accepted:
            assert find_peer(accepted) == Peer(os.geteuid(), os.getpid())
    with socket.socket() as other:
        assert find_peer(other) is None or find_peer(other) == Peer(-1, 0)


def test_what_an_earlier_owner_left_is_replaced(runtime: Path) -> None:
    places = []
    for _ in range(2):
        sock, path = bind_local(Folder(runtime), {"XDG_RUNTIME_DIR": str(runtime)})
        sock.close()
        places.append(path)
    assert (places[0] == places[1], places[0].exists()) == (True, True)


@pytest.mark.parametrize("named", [None, "", "relative", "/no/such/folder", "/" + "x" * 90])
def test_without_a_runtime_folder_it_is_in_one_of_our_own(
    named: str | None, runtime: Path, long: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_socket, "FALLBACK", str(runtime))
    sock, path = bind_local(long, {} if named is None else {"XDG_RUNTIME_DIR": named})
    sock.close()
    assert path.parent == runtime / f"bascule-{os.geteuid()}"
    assert mode(path.parent) == 0o700


def test_a_folder_that_others_can_open_is_refused(runtime: Path, long: Folder) -> None:
    (runtime / "bascule").mkdir()
    (runtime / "bascule").chmod(0o755)
    with pytest.raises(SocketRefused, match=r"Others can open the folder .* chmod 700"):
        bind_local(long, {"XDG_RUNTIME_DIR": str(runtime)})


def test_a_link_is_not_followed(runtime: Path, long: Folder, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir(0o700)
    (runtime / "bascule").symlink_to(tmp_path / "theirs")
    with pytest.raises(SocketRefused, match="is not a folder"):
        bind_local(long, {"XDG_RUNTIME_DIR": str(runtime)})
    assert list((tmp_path / "theirs").iterdir()) == []


def test_a_folder_of_another_user_is_refused(
    runtime: Path, long: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_socket, "FALLBACK", str(runtime))
    ours = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: ours + 1)
    (runtime / f"bascule-{ours + 1}").mkdir(0o700)
    with pytest.raises(SocketRefused, match=f"belongs to another user \\(uid {ours}\\)"):
        bind_local(long, {})
