"""`bascule orders`: a pipe that knows orders and no other word, with the real offline Codex."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bascule.cli.consent.orders import SEND_AGAIN
from bascule.host.clock import now_ms, utc_text
from bascule.host.machine import host_name

pytestmark = pytest.mark.real

PROMPT = "one more function"


def pipe(home: Path, lines: list[str]) -> list[dict[str, Any]]:
    ran = subprocess.run(
        [sys.executable, "-m", "bascule", "orders", "--demo"],
        env={**os.environ, "BASCULE_HOME": str(home)},
        cwd=home,
        input="\n".join(lines),  # the last one as `printf` leaves it, without an end
        capture_output=True,
        text=True,
        timeout=120,
        start_new_session=True,
    )
    assert ran.returncode == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


def envelope(name: str, kind: str, **more: str) -> str:
    fields = {"commandId": name, "machineId": host_name(), "userId": "ann", "kind": kind}
    return json.dumps({**fields, "createdAt": utc_text(now_ms()), **more})


def set_up(home: Path, settings: str) -> None:
    (home / "demo").mkdir()
    (home / "demo" / "settings.toml").write_text(settings)


def test_a_chat_at_the_other_end_of_a_pipe_gets_every_outcome(tmp_path: Path) -> None:
    set_up(tmp_path, '[orders]\ncommands = "read-only"\n')
    results = pipe(
        tmp_path,
        [
            envelope("c-1", "patch", prompt=PROMPT),
            envelope("c-2", "help"),
            "",
            "no json",
            '{"jsonrpc":"2.0","id":1,"method":"ask.answer","params":{}}',
            envelope("c-3", "ask.answer"),
        ],
    )
    by_name = {line["commandId"]: line for line in results if line["commandId"]}
    assert by_name["c-1"]["status"] == "ok"
    assert "+def initials" in by_name["c-1"]["diff"]
    assert by_name["c-2"]["status"] == "ok"
    unread = sorted(line["summary"] for line in results if not line["commandId"])
    assert len(unread) == 3
    assert all(summary.startswith("This line is not an order (") for summary in unread)
    assert any(summary.endswith(": no json") for summary in unread)
    assert any("`$.kind`" in summary for summary in unread)
    assert all(line["status"] == "rejected" for line in results if not line["commandId"])


def test_who_waits_for_outcomes_hears_that_the_daemon_has_ended(tmp_path: Path) -> None:
    """And gets them by sending the orders again."""
    set_up(tmp_path, "")
    env = {**os.environ, "BASCULE_HOME": str(tmp_path)}
    start = [sys.executable, "-m", "bascule", "up", "--demo", "--no-open"]
    subprocess.run(start, env=env, check=True, capture_output=True, timeout=120)
    daemon = json.loads((tmp_path / "demo" / "daemon.json").read_text())["pid"]
    running = subprocess.Popen(
        [sys.executable, "-m", "bascule", "orders", "--demo"],
        env=env,
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(f"{envelope('c-1', 'status')}\n{envelope('c-2', 'plan', prompt='demo:slow x')}\n")
        running.stdin.flush()  # and no end: more could follow
        assert json.loads(running.stdout.readline())["commandId"] == "c-1"
        os.kill(daemon, signal.SIGKILL)
        assert running.wait(60) == 1
        said = running.stderr.read()
    assert (SEND_AGAIN in said, "Traceback" in said) == (True, False)


def test_nothing_said_through_the_pipe_is_a_yes(tmp_path: Path) -> None:
    set_up(tmp_path, "allowRunTerminal = false\n")
    results = pipe(tmp_path, [envelope("c-1", "test", prompt="python3 -m unittest -q; yes")])
    assert [(line["status"]) for line in results] == ["rejected"]
