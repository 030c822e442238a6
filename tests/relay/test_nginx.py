"""Two nodes behind nginx with the server block of deploy/relay, where nginx is installed."""

import asyncio
import http.client
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import pytest
from tests.outside import make_certificate
from tests.relay.postgres import Postgres
from tests.relay.service import FakeMachine, Service, connect_machine, make_request, open_service
from tests.relay.test_relay import next_command, outcome_of
from tools.system_programs import SERVER, find_program

from bascule.host.config.bridge_file import make_joined
from bascule.host.network.relay_link import enroll
from bascule.model.relay_frames import StoredFrame

NGINX = find_program(SERVER)
BLOCK = Path(__file__).parents[2] / "deploy" / "relay" / "nginx.conf"
# What Debian's own nginx.conf has around the block, as far as a user without rights can run it.
AROUND = """
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{block}
}}
"""

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")


def fill_block(folder: Path, port: int, nodes: list[str]) -> str:
    """The documented one, with this machine's names in it."""
    certificate, key = make_certificate(folder)
    filled = BLOCK.read_text()
    for before, after in {
        "server 127.0.0.1:8787;": " ".join(f"server {node.removeprefix('http://')};" for node in nodes),
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "server_name relay.example;": "server_name 127.0.0.1;",
        "/etc/ssl/relay.example.pem": str(certificate),
        "/etc/ssl/relay.example.key": str(key),
    }.items():
        assert filled.count(before) == 1
        filled = filled.replace(before, after)
    return filled


@contextmanager
def proxy(folder: Path, nodes: list[str]) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = folder / "nginx.conf"
    config.write_text(AROUND.format(folder=folder, block=fill_block(folder, port, nodes)))
    command = [str(NGINX), "-p", str(folder), "-c", str(config)]
    started = subprocess.run(command, capture_output=True, text=True, check=False)
    assert started.returncode == 0, started.stderr  # it listens, and goes on by itself
    try:
        yield f"https://127.0.0.1:{port}"
    finally:
        subprocess.run([*command, "-s", "stop"], check=True)


async def ask(url: str, folder: Path, method: str, path: str, body: bytes = b"") -> int:
    return await asyncio.to_thread(_ask, url, folder, method, path, body)


def _ask(url: str, folder: Path, method: str, path: str, body: bytes) -> int:
    context = ssl.create_default_context(cafile=str(folder / "cert.pem"))
    connection = http.client.HTTPSConnection(url.removeprefix("https://"), timeout=20, context=context)
    try:
        connection.request(method, path, body)
        return connection.getresponse().status
    finally:
        connection.close()


async def carry_out(machine: FakeMachine) -> None:
    order = await next_command(machine)
    await machine.send(outcome_of(order))
    assert await machine.next() == StoredFrame(command_id=order.command_id)


async def test_callbacks_and_machines_come_through_to_whichever_node(
    tmp_path: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres.make_database()
    async with AsyncExitStack() as first, open_service(tmp_path, database=database) as second:
        service: Service = await first.enter_async_context(open_service(tmp_path, database=database))
        with proxy(tmp_path, [service.url, second.url]) as url:
            monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
            joined = make_joined(url, "desk")
            await enroll(url, make_request(joined, service.invite("desk")))
            async with connect_machine(joined) as machine:
                await machine.next()
                for number in range(4):  # to one node and the other in turn
                    path, body = service.make_callback(f"@dev plan number {number}")
                    assert await ask(url, tmp_path, "POST", path, body) == 200
                    await carry_out(machine)
                forged = service.make_callback("@dev plan x")[0].replace("signature=", "signature=0")
                assert await ask(url, tmp_path, "POST", forged, b"<xml></xml>") != 200
                for path in ("/machines", "/ops/", "/metrics", "/openapi.json", "/audit/recent", "/chat/"):
                    assert await ask(url, tmp_path, "GET", path) == 404
                assert await ask(url, tmp_path, "POST", "/webhook", b"x" * 300_000) == 413
            await first.aclose()  # one node stops
            async with connect_machine(joined) as machine:
                await machine.next()
                for number in range(4):
                    path, body = second.make_callback(f"@dev plan after {number}")
                    assert await ask(url, tmp_path, "POST", path, body) == 200
                    await carry_out(machine)
