"""`bascule relay` as a process: TLS, plain JSON for programs on this machine, and where it does not start."""

import http.client
import json
import os
import re
import signal
import ssl
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.command import run_bascule
from tests.outside import make_certificate

BASCULE = [sys.executable, "-m", "bascule", "relay"]
TOML = """
publicUrl = "https://relay.example"
address = "{address}"
port = 0
operationsToken = "{token}"
[[users]]
id = "ann"
machine = "desk"
"""
TOKEN = "t" * 32


def make_home(tmp_path: Path, *, address: str = "127.0.0.1", token: str = TOKEN) -> Path:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "relay.toml").write_text(TOML.format(address=address, token=token))
    (home / "relay.toml").chmod(0o600)
    return home


def command(home: Path, *words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*BASCULE, "--config", str(home / "relay.toml"), *words],
        env={**os.environ, "BASCULE_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_tls_of_its_own_and_plain_json_for_programs_on_this_machine(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path)
    with command(
        make_home(tmp_path), "--dev", "--tls-cert", str(certificate), "--tls-key", str(key)
    ) as running:
        assert running.stdout is not None
        try:
            (port,) = re.findall(r"https://127\.0\.0\.1:(\d+)\.", running.stdout.readline())
            trusted = ssl.create_default_context(cafile=str(certificate))

            def ask(method: str, path: str, body: object = None, **headers: str) -> tuple[int, object]:
                connection = http.client.HTTPSConnection("127.0.0.1", int(port), timeout=20, context=trusted)
                named = {name.replace("_", "-"): value for name, value in headers.items()}
                connection.request(method, path, json.dumps(body), named)
                answer = connection.getresponse()
                data = answer.read()
                connection.close()
                return answer.status, json.loads(data)

            assert ask("GET", "/healthz")[0] == 401
            status, health = ask("GET", "/healthz", Authorization=f"Bearer {TOKEN}")
            assert (status, isinstance(health, dict) and health["status"]) == (200, "ok")
            message = {"messageId": "1", "userId": "ann", "text": "plan it"}
            as_json = {"Content_Type": "application/json"}
            refused = [
                {"Content_Type": "text/plain"},
                {**as_json, "Origin": "https://evil.example"},
                {**as_json, "Sec_Fetch_Site": "cross-site"},
                {**as_json, "Host": "evil.example"},
            ]
            for headers in refused:
                assert ask("POST", "/dev/message", message, **headers) == (403, {"error": "refused"})
            status, taken = ask("POST", "/dev/message", message, **as_json)
            assert isinstance(taken, dict)
            assert (status, taken["commandId"] in taken["reply"]) == (200, True)
            plain = http.client.HTTPConnection("127.0.0.1", int(port), timeout=20)
            plain.request("GET", "/healthz")
            with pytest.raises((http.client.HTTPException, OSError)):
                plain.getresponse()
            plain.close()
        finally:
            running.send_signal(signal.SIGINT)
        assert running.wait(20) in (0, 130)


@pytest.mark.parametrize(
    ("address", "token", "words", "said", "code"),
    [
        ("127.0.0.1", TOKEN, [], "nobody could send anything", 1),
        ("127.0.0.1", TOKEN, ["--dev", "--tls-cert", "x"], "TLS takes both", 2),
        ("192.0.2.1", TOKEN, ["--dev"], "--dev is for this machine alone", 2),
        ("127.0.0.1", "short", ["--dev"], "operationsToken is missing or shorter", 1),
        (
            "127.0.0.1",
            TOKEN,
            ["--dev", "--database", "postgresql://u:pw@127.0.0.1:1/x"],
            "cannot be reached",
            1,
        ),
    ],
)
def test_where_it_does_not_start_it_says_why(
    tmp_path: Path, address: str, token: str, words: list[str], said: str, code: int
) -> None:
    with command(make_home(tmp_path, address=address, token=token), *words) as running:
        assert running.stdout is not None
        text = running.stdout.read()
        assert running.wait(20) == code
    assert said in text
    assert "pw" not in text
    assert "Traceback" not in text


def test_a_code_for_a_relay_that_is_tried_out_names_no_token_or_program_of_another(tmp_path: Path) -> None:
    """Each `--dev` without a relay.toml makes its own token, and `bascule` is elsewhere at the machine."""
    program = tmp_path / "opt" / "bascule"
    program.parent.mkdir()
    program.write_text("from bascule.cli import main\n\nmain()\n")
    ran = subprocess.run(
        [sys.executable, str(program), "relay", "enroll", "desk", "--dev"],
        env={**os.environ, "BASCULE_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert "run `bascule bridge join` and enter:" in ran.stdout
    assert "token" not in ran.stdout


def test_a_relay_without_machines_and_orders_says_so(tmp_path: Path) -> None:
    for words, said in {
        "machines": "No machine is enrolled. `bascule relay enroll MACHINE` prints a code for one.\n",
        "audit": "The audit trail is empty.\n",
    }.items():
        done = run_bascule("relay", words, home=tmp_path / "home", cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, said, "")
