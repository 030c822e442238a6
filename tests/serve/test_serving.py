"""The doors of a real application: registered once they listen, gone when it ends."""

import asyncio
import os
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from bascule.daemon.app import App, open_app
from bascule.host.dial import dial
from bascule.host.folder import Folder, open_folder
from bascule.host.listener import Exposure, ListenRefused, bind
from bascule.host.openness import find_listening
from bascule.host.registration import find_daemon, registration_path
from bascule.serve.http import StatusReport
from bascule.serve.probe import ask, make_request
from bascule.serve.serving import Outside, serving


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return open_folder(tmp_path / "data")


@pytest.fixture
async def app(folder: Folder) -> AsyncIterator[App]:
    async with open_app(folder, command="tests", env={}) as app:
        yield app


async def test_it_is_found_and_answers_while_it_serves(app: App, folder: Folder) -> None:
    async with serving(app, folder) as doors:
        daemon = find_daemon(folder)
        assert daemon == doors.registration
        socket = await dial(daemon)
        headers = {"Host": f"127.0.0.1:{daemon.port}", "Authorization": f"Bearer {daemon.token}"}
        request = make_request("GET", "/status", headers.items())
        answer = await asyncio.to_thread(ask, daemon.port, request)
        report = msgspec.json.decode(answer.body, type=StatusReport)
        assert (report.pid, report.surfaces, dict(report.sessions)) == (os.getpid(), 1, {})
        assert doors.new_link().startswith(f"{doors.url}?token=")
    with pytest.raises(EOFError):
        await socket.receive()
    assert find_daemon(folder) is None
    assert not registration_path(folder).exists()


async def test_it_comes_back_where_it_was_so_that_a_browser_knows_it_again(app: App, folder: Folder) -> None:
    async with serving(app, folder) as doors:
        first = doors.registration.port
    async with serving(app, folder) as doors:
        assert doors.registration.port == first
    with bind("127.0.0.1", first):  # somebody else took it meanwhile
        async with serving(app, folder) as doors:
            second = doors.registration.port
            assert second != first
    async with serving(app, folder) as doors:
        assert doors.registration.port == second


@pytest.mark.parametrize("left", [b"", b"-1", b"80a", b"99999", b"\xff" * 9])
async def test_what_is_no_port_is_not_listened_on(app: App, folder: Folder, left: bytes) -> None:
    (folder.root / "port").write_bytes(left)
    async with serving(app, folder) as doors:
        assert (folder.root / "port").read_text() == str(doors.registration.port)


async def test_all_its_sockets_are_on_loopback_and_refuse(app: App, folder: Folder) -> None:
    """CVE-2026-44211 and CVE-2026-59723: the second server of a process repeats the mistake of none."""
    before = {one.port for one in find_listening(os.getpid())}
    async with serving(app, folder):
        sockets = [one for one in find_listening(os.getpid()) if one.port not in before]
        assert len(sockets) == 1
        for one in sockets:
            assert one.is_loopback
            request = make_request("GET", "/status", [("Host", f"127.0.0.1:{one.port}")])
            assert (await asyncio.to_thread(ask, one.port, request)).status == 401


async def test_a_port_in_use_registers_nothing(app: App, folder: Folder) -> None:
    with bind("127.0.0.1", 0) as taken, pytest.raises(ListenRefused, match="is in use"):
        async with serving(app, folder, port=taken.getsockname()[1]):
            pytest.fail("it serves on a port that is not its own")
    assert not registration_path(folder).exists()


PRIME_CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


def make_certificate(folder: Path) -> tuple[Path, Path]:
    certificate, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", *PRIME_CURVE, "-subj", "/CN=a.test", "-keyout", key, "-out", certificate],
        check=True,
        capture_output=True,
    )
    return certificate, key


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificate with openssl")
async def test_another_door_speaks_tls_and_knows_its_own_credential_only(
    app: App, folder: Folder, tmp_path: Path
) -> None:
    exposure = Exposure("c" * 40, *make_certificate(tmp_path))
    async with serving(app, folder, outside=Outside("127.0.0.1", 0, ("a.test",), exposure)) as doors:
        port = next(one.port for one in find_listening(os.getpid()) if one.port != doors.registration.port)
        trusting = ssl.create_default_context(cafile=exposure.certificate)
        trusting.check_hostname = False

        async def status(host: str, token: str) -> bytes:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trusting)
            headers = {"Host": host, "Authorization": f"Bearer {token}", "Connection": "close"}
            writer.write(make_request("GET", "/status", headers.items()))
            line = await reader.readline()
            writer.close()
            return line.split()[1]

        assert await status(f"a.test:{port}", exposure.credential) == b"200"
        assert await status(f"127.0.0.1:{port}", exposure.credential) == b"200"
        assert await status(f"localhost:{port}", exposure.credential) == b"421"
        assert await status(f"a.test:{port}", doors.registration.token) == b"401"
        plain = make_request("GET", "/", [("Host", f"127.0.0.1:{port}")])
        assert (await asyncio.to_thread(ask, port, plain)).status in (0, 400)
