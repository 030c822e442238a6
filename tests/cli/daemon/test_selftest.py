"""What the selftest says of a daemon that cannot see every sandbox."""

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bascule.cli.daemon import selftest
from bascule.cli.daemon.selftest import CONFINED, _knock_confined
from bascule.host.network.registration import Registration
from bascule.host.processes.confinement import BLIND

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux has these")

LIMITED = "import ctypes; ctypes.CDLL(None).prctl(38, 1, 0, 0, 0); print(flush=True); input()"


@contextmanager
def limited_process() -> Iterator[int]:
    words = [sys.executable, "-c", LIMITED]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        yield child.pid
        child.communicate(b"\n")


@pytest.mark.parametrize(("status", "failures"), [("200", [BLIND]), ("403", [])])
def test_a_daemon_without_new_privileges_is_named_as_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: str, failures: list[str]
) -> None:
    """Of the sandboxes, one: not every system lets us make the others, and those are left out."""
    kinds = {"here": CONFINED["no new privileges"], "nowhere": "raise SystemExit\n"}
    monkeypatch.setattr(selftest, "CONFINED", kinds)

    def serve() -> None:
        with closing(server.accept()[0]) as wire:
            wire.recv(4096)
            wire.sendall(f"HTTP/1.1 {status} x\r\n\r\n".encode())

    with socket.socket(socket.AF_UNIX) as server, limited_process() as pid:
        server.bind(str(tmp_path / "s"))
        server.listen()
        daemon = Registration(
            pid=pid, started_s=0, port=0, socket=str(tmp_path / "s"), version="", started_at=""
        )
        server.settimeout(30)
        answering = threading.Thread(target=serve, daemon=True)
        answering.start()
        assert list(_knock_confined(daemon)) == failures
        answering.join(10)
