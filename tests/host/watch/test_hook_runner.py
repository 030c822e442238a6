"""The hook runner in a hostile place: it never waits, never speaks to Claude, and loses no status for it."""

import json
import os
import re
import resource
import subprocess
import time
from pathlib import Path

import pytest

from bascule.core.watch.hook_lines import parse_hook_line
from bascule.core.watch.times import parse_time_ms
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


def read_processor_s() -> float:
    """What programs that were started here and have ended took of the processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


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


TASKS = [{"id": "1", "say": "[]"}]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": "), (" , ", " : ")])
@pytest.mark.parametrize(
    ("said", "event"),
    [
        ({"background_tasks": TASKS}, "working"),
        ({"background_tasks": []}, "completed"),
        ({}, "completed"),
        ({"x": {"background_tasks": [1]}, "background_tasks": []}, "completed"),
        ({"background_tasks": TASKS, "x": [{"background_tasks": []}]}, "working"),
        ({"last": '"background_tasks":[{"x":1}]\\', "background_tasks": []}, "completed"),
        ({"last": '\\"}', "background_tasks": TASKS}, "working"),
        ({"last": {"hook_event_name": "SessionEnd", "session_id": ""}}, "completed"),
        ({"last": "background_tasks", "background_tasks": TASKS, "more": ": ["}, "working"),
    ],
)
def test_only_what_claude_itself_says_at_the_top_counts(
    runner: Path,
    notify: Path,
    said: dict[str, object],
    event: str,
    separators: tuple[str, str],
    indent: int | None,
) -> None:
    whole = {"session_id": "s1", "cwd": "/x", "hook_event_name": "Stop", **said}
    text = json.dumps(whole, separators=separators, indent=indent)
    assert run_hook(runner, notify, text.encode()) == [event]


def test_what_began_a_session_and_where_is_passed_on(runner: Path, notify: Path) -> None:
    said = {"hook_event_name": "SessionStart", "cwd": "/日本/a b", "session_id": "s1", "source": "compact"}
    run_hook(runner, notify, json.dumps(said, ensure_ascii=False).encode())
    line = parse_hook_line(notify.read_bytes().rstrip())
    assert line is not None
    assert (line.hook, line.detail, line.cwd) == ("SessionStart", "compact", "/日本/a b")


@pytest.mark.parametrize("piece", ["y", '\\"', "\\\\"])
def test_very_long_input_is_taken_whole_and_its_beginning_counts(
    runner: Path, notify: Path, piece: str
) -> None:
    """Of one that takes more than linear time this would not end."""
    prompt = piece * (2_000_000 // len(piece))
    head = '{"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "'
    assert run_hook(runner, notify, f'{head}{prompt}"}}'.encode()) == ["working"]


@pytest.mark.parametrize("piece", ["y", '\\"', "\\\\", "[]"])
def test_no_more_of_it_is_read_than_takes_a_moment(runner: Path, notify: Path, piece: str) -> None:
    """Twenty MB are taken off the pipe, or Claude would wait; what is read of them has a ceiling."""
    prompt = piece * (20_000_000 // len(piece))
    head = '{"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "'
    before_s = read_processor_s()
    assert run_hook(runner, notify, f'{head}{prompt}"}}'.encode()) == ["working"]
    assert read_processor_s() - before_s < 0.5  # a busy machine changes little of it


def test_a_long_answer_hides_no_background_task(runner: Path, notify: Path) -> None:
    said = {
        "session_id": "s1",
        "hook_event_name": "Stop",
        "last_assistant_message": 'a "word" ' * 30_000,
        "background_tasks": TASKS,
    }
    assert run_hook(runner, notify, json.dumps(said).encode()) == ["working"]


def test_the_time_is_now_in_the_calendar(runner: Path, notify: Path) -> None:
    before_ms = int(time.time()) * 1000
    run_hook(runner, notify)
    line = parse_hook_line(notify.read_bytes().rstrip())
    assert line is not None
    assert before_ms <= parse_time_ms(line.timestamp) <= time.time() * 1000


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


def test_the_powershell_runner_keeps_a_bounded_part_of_its_input() -> None:
    """Its text only: what it takes of an input that was cut is taken here by the same expression."""
    text = read_runner("bascule-notify.ps1").decode()
    assert "ReadToEnd" not in text
    assert "$most = 524288" in text
    members = re.search(r"\$members = '(.*)'$", text, re.MULTILINE)
    assert members is not None
    said = {"session_id": "s1", "cwd": 'C:\\a "b"', "hook_event_name": "Stop", "n": -1, "ok": True}
    cut = json.dumps({**said, "prompt": "x" * 99})[:-50]
    whole = re.match(members[1], cut)
    assert whole is not None
    assert json.loads("{" + whole[1].rstrip(", \t\r\n") + "}") == said
    nested = json.dumps({"session_id": "s1", "tool_input": {"session_id": "other"}, "cwd": "/"})
    assert re.findall(members[1], nested) == ['"session_id": "s1", ']


def test_the_powershell_runner_writes_the_time_alike_in_every_country() -> None:
    """Its text only. Without a culture, Finland writes 19.27.04, and Thailand the year 2569."""
    text = read_runner("bascule-notify.ps1").decode()
    formats = re.findall(r"\.ToString\((.*)\)$", text, re.MULTILINE)
    assert formats
    assert [one for one in formats if "[Globalization.CultureInfo]::InvariantCulture" not in one] == []
