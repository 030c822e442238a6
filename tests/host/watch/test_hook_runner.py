"""The hook runner in a hostile place: it never waits, never speaks to Claude, and loses no status for it."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from bascule.core.watch.hook_lines import parse_hook_line
from bascule.host.config.claude_settings import read_runner

STOP = json.dumps({"session_id": "s1", "cwd": "/x", "hook_event_name": "Stop"}).encode()


@pytest.fixture
def runner(tmp_path: Path) -> Path:
    path = tmp_path / "bascule-notify.sh"
    path.write_bytes(read_runner(path.name))
    path.chmod(0o700)
    return path


@pytest.fixture
def notify(tmp_path: Path) -> Path:
    path = tmp_path / "notify.jsonl"
    path.touch()
    return path


def run_hook(runner: Path, notify: Path, said: bytes = STOP, **env: str) -> list[str]:
    """The events that were written; it ended well and said nothing."""
    usual = {"PATH": os.environ["PATH"], "BASCULE_NOTIFY_PATH": str(notify), "BASCULE_PANE_ID": "p"}
    done = subprocess.run([str(runner)], input=said, env={**usual, **env}, capture_output=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    lines = [parse_hook_line(line) for line in notify.read_bytes().splitlines()]
    return [line.event for line in lines if line is not None]


@pytest.mark.parametrize("debug", ["a pipe", "a folder", "/dev/full", "/dev/stdout", "/nowhere/at/all"])
def test_a_debug_file_that_cannot_be_written_costs_no_status(
    runner: Path, notify: Path, tmp_path: Path, debug: str
) -> None:
    (tmp_path / "a folder").mkdir()
    os.mkfifo(tmp_path / "a pipe")
    assert run_hook(runner, notify, BASCULE_NOTIFY_DEBUG_PATH=str(tmp_path / debug)) == ["completed"]


@pytest.mark.parametrize("path", ["a pipe", "a folder", "/dev/full", "/dev/stdout", "/nowhere/at/all"])
def test_a_notify_file_that_is_none_is_left_alone(
    runner: Path, notify: Path, tmp_path: Path, path: str
) -> None:
    (tmp_path / "a folder").mkdir()
    os.mkfifo(tmp_path / "a pipe")
    assert run_hook(runner, notify, BASCULE_NOTIFY_PATH=str(tmp_path / path)) == []


def test_input_of_very_many_lines_is_read_to_its_end(runner: Path, notify: Path) -> None:
    assert run_hook(runner, notify, STOP + b"\n" + b"y\n" * 4_000_000) == ["completed"]


@pytest.mark.parametrize("path", ["", "/nowhere"])
def test_without_its_tools_it_still_ends_well(runner: Path, notify: Path, path: str) -> None:
    assert run_hook(runner, notify, PATH=path) == []


def test_a_closed_input_is_no_fault(runner: Path, notify: Path) -> None:
    env = {"PATH": os.environ["PATH"], "BASCULE_NOTIFY_PATH": str(notify), "BASCULE_PANE_ID": "p"}
    done = subprocess.run(
        ["/bin/sh", "-c", '"$0" <&-', str(runner)], env=env, capture_output=True, timeout=30
    )
    assert (done.returncode, done.stdout, done.stderr, notify.read_bytes()) == (0, b"", b"", b"")


def test_the_powershell_runner_reads_utf8_and_waits_for_its_turn() -> None:
    """Its text only: no PowerShell is needed."""
    text = read_runner("bascule-notify.ps1").decode()
    assert "[Console]::OpenStandardInput(), [Text.UTF8Encoding]" in text
    assert "[IO.File]::Open($file, 'Append', 'Write', 'Read')" in text
    assert "[Console]::In" not in text
