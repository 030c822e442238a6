"""The daemon as a person has it: up, found again, looked at, attacked, and down."""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import msgspec
import psutil
import pytest
from tests.e2e.live_app import SUITE, SUITE_ID
from tests.patience import PATIENCE_S

from bascule.host.files.data_folder import Folder
from bascule.host.network.exposure import find_listening
from bascule.host.network.local_socket import dial_local
from bascule.host.network.registration import Registration, find_daemon, registration_path
from bascule.serve.selftest.inspection import open_link


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A data folder; whatever runs in it afterwards is stopped."""
    home = tmp_path / "home"
    home.mkdir(0o700)
    yield home
    daemon = find_daemon(Folder(home))
    if daemon is not None:
        psutil.Process(daemon.pid).kill()


def environ(home: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {**kept, "BASCULE_HOME": str(home), SUITE: SUITE_ID, **more}


def bascule(*words: str, home: Path, **more: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "bascule", *words],
        env=environ(home, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )


def up(home: Path, *words: str) -> Registration:
    done = bascule("up", *words, home=home)
    assert (done.returncode, done.stderr) == (0, "")
    return get_daemon(home)


def get_daemon(home: Path) -> Registration:
    daemon = find_daemon(Folder(home))
    assert daemon is not None
    return daemon


def status(home: Path) -> Any:
    return msgspec.json.decode(bascule("status", "--json", home=home).stdout)


def link_in(text: str) -> str:
    return next(word for word in text.split() if "#token=" in word)


def test_it_comes_up_is_found_again_and_goes_down(home: Path) -> None:
    first = bascule("up", "--no-open", home=home)
    assert first.returncode == 0
    daemon = get_daemon(home)
    assert f"http://127.0.0.1:{daemon.port}/ (pid {daemon.pid})" in first.stdout
    second = bascule("up", home=home)
    assert get_daemon(home) == daemon
    for text in (first.stdout, second.stdout):
        assert open_link(link_in(text)).status == 200
        assert open_link(link_in(text)).status == 401
    assert daemon.token == ""
    down = bascule("down", home=home)
    assert (down.returncode, down.stdout) == (0, f"Stopped (pid {daemon.pid}).\n")
    assert not registration_path(Folder(home)).exists()
    assert bascule("down", home=home).stdout == "Bascule is not running.\n"


def test_it_outlives_the_terminal_it_was_started_from(home: Path) -> None:
    daemon = up(home, "--no-open")
    process = psutil.Process(daemon.pid)
    assert process.ppid() != os.getpid()
    if sys.platform != "win32":
        assert os.getsid(daemon.pid) == daemon.pid
        assert process.terminal() is None
    assert bascule("down", home=home).returncode == 0


def test_status_says_what_there_is(home: Path) -> None:
    before = bascule("status", home=home)
    assert (before.returncode, before.stdout) == (1, "Bascule is not running. `bascule up` starts it.\n")
    assert status(home)["running"] is False
    daemon = up(home, "--no-open")
    seen = status(home)
    assert (seen["running"], seen["pid"], seen["url"]) == (True, daemon.pid, daemon.url)
    assert (seen["sessions"], seen["surfaces"]) == ({}, 0)
    assert [process["pid"] for process in seen["processes"]] == [daemon.pid]
    assert seen["processes"][0]["memory"] > 1024 * 1024
    readable = bascule("status", home=home)
    assert readable.returncode == 0
    assert daemon.url in readable.stdout


def test_two_that_are_started_at_once_end_as_one(home: Path) -> None:
    with ThreadPoolExecutor() as pool:
        both = list(pool.map(lambda _: bascule("up", "--no-open", home=home), range(2)))
    assert [done.returncode for done in both] == [0, 0], [done.stderr for done in both]
    daemon = get_daemon(home)
    assert all(f"(pid {daemon.pid})" in done.stdout for done in both)


def test_a_port_in_use_is_one_sentence_in_the_foreground(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for words in ((), ("--foreground",)):
            done = bascule("up", "--no-open", "--port", str(port), *words, home=home)
            assert (done.returncode, done.stdout) == (1, "")
            assert done.stderr.startswith(f"bascule: Port {port} on 127.0.0.1 is in use")
            assert done.stderr.count("\n") == 1
    assert status(home)["running"] is False


def test_a_named_port_is_taken_and_another_one_refused_while_it_runs(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    daemon = up(home, "--no-open", "--port", str(port))
    assert daemon.port == port
    refused = bascule("up", "--no-open", "--port", "1", home=home)
    assert refused.returncode == 1
    assert "runs already" in refused.stderr


def test_a_mistake_in_the_settings_is_said_in_the_foreground(home: Path) -> None:
    (home / "settings.toml").write_text("[codex]\ncomand = 1\n")
    done = bascule("up", "--no-open", home=home)
    assert done.returncode == 1
    assert "line 2" in done.stderr
    assert "Traceback" not in done.stderr


def test_other_machines_are_not_let_in_by_an_address_alone(home: Path) -> None:
    """opencode #38857: a flag for the address, and nothing else, is refused."""
    done = bascule("up", "--no-open", "--bind", "192.0.2.1:8443", home=home)
    assert done.returncode == 2
    assert "a credential and TLS" in done.stderr
    assert status(home)["running"] is False


def test_a_stale_registration_is_ignored_and_replaced(home: Path) -> None:
    first = up(home, "--no-open")
    psutil.Process(first.pid).kill()
    psutil.wait_procs([psutil.Process(first.pid)] if psutil.pid_exists(first.pid) else [], timeout=10)
    assert registration_path(Folder(home)).exists()
    assert status(home)["running"] is False
    second = up(home, "--no-open")
    assert second.pid != first.pid
    assert second.socket == first.socket


@pytest.mark.skipif(sys.platform == "win32", reason="signals are not sent like this there")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_in_the_foreground_it_stays_until_a_signal(home: Path, number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "bascule", "up", "--foreground"],
        env=environ(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert f"(pid {process.pid})" in process.stdout.readline()
        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, said) == (0, "")
    assert not registration_path(Folder(home)).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the browser here is a shell script")
def test_the_browser_gets_a_link_of_its_own(home: Path, tmp_path: Path) -> None:
    seen, script = tmp_path / "seen", tmp_path / "browser"
    os.mkfifo(seen)
    script.write_text(f'#!/bin/sh\necho "$1" > {seen}\n')
    script.chmod(0o700)
    with ThreadPoolExecutor() as pool:
        opened = pool.submit(seen.read_text)
        done = bascule("up", home=home, DISPLAY=":0", BROWSER=f"{script} %s")
        url = opened.result(PATIENCE_S)
    assert (url.startswith("file://"), "token" in url) == (True, False)  # arguments can be read by everybody
    page = Path(url2pathname(urlsplit(url.strip()).path))
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    link = re.findall(r'href="([^"]+)"', page.read_text())[0]
    assert link != link_in(done.stdout)
    assert open_link(link).status == 200
    assert bascule("down", home=home).returncode == 0
    assert not page.exists()


def test_every_attack_on_it_fails(home: Path) -> None:
    nothing = bascule("selftest", "security", home=home)
    assert (nothing.returncode, "nothing to attack" in nothing.stderr) == (1, True)
    daemon = up(home, "--no-open")
    done = bascule("selftest", "security", home=home)
    assert done.returncode == 0, done.stdout
    assert done.stdout.rstrip().endswith("hold.")
    assert "✗" not in done.stdout
    assert all(one.is_loopback for one in find_listening(daemon.pid))
    assert status(home)["surfaces"] == 0


@pytest.mark.skipif(sys.platform == "win32", reason="modes are not used there")
def test_an_open_file_fails_the_selftest(home: Path) -> None:
    up(home, "--no-open")
    registration = registration_path(Folder(home))
    assert stat.S_IMODE(registration.stat().st_mode) == 0o600
    registration.chmod(0o644)
    done = bascule("selftest", "security", "--json", home=home)
    failed = [row for row in map(msgspec.json.decode, done.stdout.splitlines()) if row.get("failures")]
    assert done.returncode == 1
    assert [row["failures"] for row in failed] == [[f"{registration} is open to others"]]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such socket")
def test_idle_connections_lock_nobody_out(home: Path) -> None:
    """140 of them, at the port and at the socket, and every command and a new browser still get through."""
    daemon = up(home, "--no-open")
    with ExitStack() as held:
        for _ in range(140):
            held.enter_context(socket.create_connection(("127.0.0.1", daemon.port)))
            held.enter_context(dial_local(daemon.socket, 5))
        assert status(home)["running"] is True
        again = bascule("up", "--no-open", home=home)
        assert (again.returncode, again.stderr) == (0, "")
        assert open_link(link_in(again.stdout)).status == 200
        assert bascule("down", home=home).stdout == f"Stopped (pid {daemon.pid}).\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are not sent like this there")
def test_down_ends_by_a_signal_what_does_not_answer(home: Path) -> None:
    daemon = up(home, "--no-open")
    Path(daemon.socket).unlink()
    done = bascule("down", home=home)
    assert (done.returncode, done.stdout) == (0, f"Stopped (pid {daemon.pid}).\n")
    assert f"Sending it a signal to stop (SIGTERM, pid {daemon.pid})." in done.stderr
    assert find_daemon(Folder(home)) is None


def test_a_daemon_whose_registration_was_deleted_runs_all_the_same(home: Path) -> None:
    daemon = up(home, "--no-open")
    registration_path(Folder(home)).unlink()
    shown = bascule("status", home=home)
    assert f"pid {daemon.pid}\n✗ {home}/daemon.json, which says where it listens, is missing." in shown.stdout
    assert "not running" not in shown.stdout
    assert status(home)["running"] is True
    assert bascule("down", home=home).stdout == f"Stopped (pid {daemon.pid}).\n"
    assert "Bascule is not running." in bascule("status", home=home).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="the command is a child that reads a pipe")
def test_a_command_that_hosts_opens_no_port_until_somebody_wants_the_page(home: Path) -> None:
    pipe = subprocess.PIPE
    words = [sys.executable, "-m", "bascule", "orders"]
    with subprocess.Popen(words, env=environ(home), stdin=pipe, stdout=pipe, cwd=home) as orders:
        assert orders.stdin is not None
        assert orders.stdout is not None
        orders.stdin.write(b"no order\n")
        orders.stdin.flush()
        assert b"rejected" in orders.stdout.readline()  # by now it listens
        daemon = get_daemon(home)
        assert (daemon.pid, daemon.port, find_listening(daemon.pid)) == (orders.pid, 0, [])
        assert "without a port" in bascule("status", home=home).stdout
        shown = bascule("up", "--no-open", home=home)
        assert f"It is part of `bascule orders` (pid {orders.pid})" in shown.stdout
        assert open_link(link_in(shown.stdout)).status == 200
        assert [one.port for one in find_listening(orders.pid)] == [get_daemon(home).port]
        orders.stdin.close()
        assert orders.wait(PATIENCE_S) == 0
