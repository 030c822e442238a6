"""The doors of a real application: registered once they listen, gone when it ends."""

import asyncio
import os
import shutil
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from tests.patience import PATIENCE_S

from bascule.cli.daemon.status import read_standing
from bascule.core.wire import rpc
from bascule.daemon.app import open_app
from bascule.daemon.parts import App
from bascule.host.files.data_folder import Folder, open_folder
from bascule.host.network.dial import dial
from bascule.host.network.exposure import find_listening
from bascule.host.network.listener import Exposure, ListenRefused, bind
from bascule.host.network.registration import find_daemon, registration_path
from bascule.host.processes.child import Child
from bascule.host.processes.process_register import MARKER
from bascule.host.storage.audit import Audit, audit_in, who_is_here
from bascule.model.consent.audit import Local
from bascule.model.protocol.sessions import DaemonNotice
from bascule.serve.http import StatusReport
from bascule.serve.selftest.attack_runner import Keyring
from bascule.serve.selftest.inspection import new_link, open_link, sign_in, sign_out
from bascule.serve.selftest.probe import ask, make_request
from bascule.serve.serving import OuterDoor, serving


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
        request = make_request("GET", "/status", [("Host", "localhost")])
        answer = await asyncio.to_thread(ask, daemon.socket, request)
        report = msgspec.json.decode(answer.body, type=StatusReport)
        assert (report.pid, report.surfaces, dict(report.sessions)) == (os.getpid(), 1, {})
        assert doors.new_link().startswith(f"{doors.url}#token=")
        assert daemon.token == ""
    with pytest.raises(EOFError):
        await socket.receive()
    assert find_daemon(folder) is None
    assert not registration_path(folder).exists()
    assert not Path(daemon.socket).exists()


async def test_status_tells_what_is_wrong_with_the_daemon(app: App, folder: Folder) -> None:
    full = DaemonNotice(id="store", kind="store_full", text="The disk is full.", since_ms=7)
    async with serving(app, folder) as doors:
        app.notices.put(full)
        standing = await asyncio.to_thread(read_standing, doors.registration)
        assert (standing.outside, standing.troubles) == ("", ("The disk is full.",))


async def test_the_port_for_browsers_opens_when_somebody_asks_for_a_link(app: App, folder: Folder) -> None:
    before = {one.port for one in find_listening(os.getpid())}
    async with serving(app, folder, for_browsers=False) as doors:
        assert {one.port for one in find_listening(os.getpid())} == before
        assert (doors.registration.port, doors.url) == (0, "")
        program = Keyring(0, socket=doors.registration.socket)
        links = await asyncio.gather(*(asyncio.to_thread(new_link, program) for _ in range(3)))
        [opened] = {one.port for one in find_listening(os.getpid())} - before
        assert find_daemon(folder) == doors.registration
        assert doors.registration.port == opened
        assert all(link.startswith(f"http://127.0.0.1:{opened}/#token=") for link in links)
        assert (await asyncio.to_thread(open_link, links[0])).status == 200
    assert {one.port for one in find_listening(os.getpid())} == before


async def test_who_comes_in_by_a_link_is_recorded_and_so_is_the_end_of_its_pass(
    app: App, folder: Folder
) -> None:
    """The record names a pass with each answer, so it also says since when there is one."""
    async with serving(app, folder) as doors:
        program = Keyring(doors.registration.port, socket=doors.registration.socket)
        browser = await asyncio.to_thread(sign_in, program)
        (name,) = [one.name for one in app.doors.list_passes()]
        assert (await asyncio.to_thread(sign_out, browser)).status == 200
    lines = [line.entry for line in Audit(audit_in(folder.root)).last(10)]
    who = Local(surface="page", person=who_is_here("").person, credential=name)
    assert [(one.kind, one.asked, one.outcome, one.who) for one in lines] == [
        ("pass", f"Sign in as {name}", "done", who),
        ("pass", f"Sign {name} out", "done", who),
    ]


async def test_a_record_that_cannot_be_written_keeps_nobody_from_the_page(
    app: App, folder: Folder, caplog: pytest.LogCaptureFixture
) -> None:
    """There they read what is wrong; no answer counts until that is fixed."""
    (folder.root / "audit").mkdir(exist_ok=True)
    (folder.root / "audit" / "record.db").write_bytes(b"no database " * 1_000)
    async with serving(app, folder) as doors:
        program = Keyring(doors.registration.port, socket=doors.registration.socket)
        assert (await asyncio.to_thread(sign_in, program)).key
    assert "not recorded: Sign in as browser-" in caplog.text


async def test_a_command_that_asked_for_orders_can_do_nothing_else(app: App, folder: Folder) -> None:
    async with serving(app, folder, for_browsers=False) as doors:
        wire = await dial(doors.registration, scope="orders")
        hello = {"protocol_version": "0", "client": {"name": "orders"}}
        await wire.send(rpc.request("1", "initialize", hello))
        for number, method in enumerate(("session.list", "session.create", "ask.list", "settings.list")):
            await wire.send(rpc.request(f"c{number}", method, {}))
        heard = [msgspec.json.decode(await wire.receive()) for _ in range(5)]
        assert {one["id"]: one.get("error", {}).get("code", 0) for one in heard} == {
            "1": 0,
            "c0": rpc.NOT_ALLOWED,
            "c1": rpc.NOT_ALLOWED,
            "c2": rpc.NOT_ALLOWED,
            "c3": rpc.NOT_ALLOWED,
        }
        await wire.close()


async def test_an_agents_process_cannot_use_the_socket(app: App, folder: Folder) -> None:
    """Not itself, nor what it starts, nor what left it and kept only the mark or the session."""
    async with serving(app, folder) as doors:
        for words in (
            [sys.executable, "-c", KNOCK],
            ["sh", "-c", '"$0" -c "$1" "$2"; true', sys.executable, KNOCK],
            ["sh", "-c", '("$0" -c "$1" "$2" &) | cat', sys.executable, KNOCK],
            ["env", "-i", sys.executable, "-c", KNOCK],
        ):
            heard: asyncio.Queue[str] = asyncio.Queue()
            child = await Child.start(
                [*words, doors.registration.socket],
                cwd=folder.root,
                env={},
                register=app.register,
                on_stderr=heard.put_nowait,
            )
            assert await asyncio.wait_for(heard.get(), PATIENCE_S) == "403"
            await child.end()
        words = [sys.executable, "-c", KNOCK, doors.registration.socket]
        marked = {**os.environ, MARKER: f"other:x,{folder.id}:gone"}
        done = await asyncio.to_thread(
            subprocess.run, words, env=marked, check=True, capture_output=True, text=True
        )
        assert done.stderr.strip() == "403"


KNOCK = """
import socket, sys
with socket.socket(socket.AF_UNIX) as sock:
    sock.connect(sys.argv[1])
    sock.sendall(b"GET /status HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    print(sock.recv(4096).split()[1].decode(), file=sys.stderr)
"""


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
    async with serving(app, folder, outside=OuterDoor("127.0.0.1", 0, ("a.test",), exposure)) as doors:
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
        assert await status(f"a.test:{port}", "d" * 40) == b"401"
        plain = make_request("GET", "/", [("Host", f"127.0.0.1:{port}")])
        assert (await asyncio.to_thread(ask, port, plain)).status in (0, 400)
