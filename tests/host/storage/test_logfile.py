"""The log: bounded, closed to others, harmless to print, and without keys."""

import logging
import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bascule.core.text.redact import Redactor
from bascule.host.storage.logfile import MAX_LINE, MAX_LINES, LogFile, clean, read_tail


@pytest.fixture
def log(tmp_path: Path) -> Iterator[LogFile]:
    log = LogFile(tmp_path / "logs" / "bascule.log", max_bytes=100_000)
    yield log
    log.close()


def without_time(lines: list[str]) -> list[str]:
    found = [re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (.*)", line) for line in lines]
    return [match[1] if match else "no time" for match in found]


def test_lines_have_their_time_and_subject(log: LogFile, tmp_path: Path) -> None:
    log.write("codex[812]", "hello")
    log.write("bascule[1]", "two\nlines")
    assert without_time(read_tail(tmp_path / "logs" / "bascule.log", 10)) == [
        "codex[812] hello",
        "bascule[1] two",
        "bascule[1] lines",
    ]


def test_our_own_loggers_write_to_it_with_their_tracebacks(log: LogFile, tmp_path: Path) -> None:
    logger = logging.Logger("bascule.test")
    logger.addHandler(log.handler)
    logger.warning("plain %s", "words")
    try:
        raise ValueError("secret sk-abcdefgh12345678")
    except ValueError:
        logger.exception("task reader failed", extra={"subject": "reader"})
    lines = without_time(read_tail(tmp_path / "logs" / "bascule.log", 100))
    assert lines[:3] == [
        f"bascule[{os.getpid()}] plain words",
        "reader task reader failed",
        "reader Traceback (most recent call last):",
    ]
    assert lines[-1] == "reader ValueError: secret sk-[redacted]"


def test_what_is_known_and_a_key_over_many_lines_are_not_stored(tmp_path: Path) -> None:
    redactor = Redactor()
    redactor.watch(lambda: ["our-own-token"])
    log = LogFile(tmp_path / "logs" / "bascule.log", max_bytes=100_000, redactor=redactor)
    key = "-----BEGIN PRIVATE KEY-----\nMIIEow\n-----END PRIVATE KEY-----"
    log.write("http", f"GET /our-own-token AKIAIOSFODNN7EXAMPLE\n{key}\nend")
    log.close()
    lines = without_time(read_tail(tmp_path / "logs" / "bascule.log", 10))
    assert lines == ["http GET /[redacted] AKIA[redacted]", "http [redacted]", "http end"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("a\x1b]0;title\x07b\r\tc", r"a\x1b]0;title\x07b\r\tc"),
        ("\u202egnp.exe \ud800", r"\u202egnp.exe \ud800"),
        ("naïve 日本語 ✓", "naïve 日本語 ✓"),
        ("Authorization: Bearer abc.DEF-123_xyz", "Authorization: Bearer [redacted]"),
        ("key sk-proj-abcdEFGH_1234 used", "key sk-[redacted] used"),
        ("the task-sk-short risk-takers", "the task-sk-short risk-takers"),
        ("jwt eyJhbGciOiJI.eyJzdWIiOiIx.c2ln", "jwt [redacted]"),
        ("ghp_0123456789abcdefABCD", "ghp_[redacted]"),
        ('{"access_token": "abcdefghij", "n": 1}', '{"access_token": "[redacted]", "n": 1}'),
        ("OPENAI_API_KEY=abcdefghij", "OPENAI_API_KEY=[redacted]"),
        ("sk-\x1b[0mabcdefgh12345678", "sk-[redacted]"),
        ("x" * (MAX_LINE + 5), "x" * MAX_LINE + "… (cut)"),
        ("x" * (MAX_LINE - 5) + " sk-abcdefgh12345678", "x" * (MAX_LINE - 5) + " sk-[… (cut)"),
    ],
)
def test_what_is_stored_is_harmless(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_a_hostile_subject_and_a_long_entry_stay_in_their_lines(log: LogFile, tmp_path: Path) -> None:
    log.write("evil\n\x1b[2J", "\n".join(["x"] * (MAX_LINES + 10)))
    lines = without_time(read_tail(tmp_path / "logs" / "bascule.log", 10_000))
    assert lines == [r"evil\n\x1b[2J x"] * MAX_LINES


def test_it_never_grows_over_its_size_and_the_tail_reaches_over_the_rotation(
    log: LogFile, tmp_path: Path
) -> None:
    for number in range(5000):
        log.write("codex[1]", f"line {number} {'.' * 40}")
    folder = tmp_path / "logs"
    assert sorted(file.name for file in folder.iterdir()) == ["bascule.log", "bascule.log.1"]
    assert 50_000 < sum(file.stat().st_size for file in folder.iterdir()) <= 100_000
    tail = without_time(read_tail(folder / "bascule.log", 700))
    assert tail == [f"codex[1] line {number} {'.' * 40}" for number in range(4300, 5000)]
    assert len((folder / "bascule.log").read_text().splitlines()) < 700


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX's")
def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "bascule.log"
    path.parent.mkdir()
    path.touch(mode=0o644)
    log = LogFile(path, max_bytes=1000)
    for _ in range(20):
        log.write("codex[1]", "x" * 100)
    log.close()
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes == {"bascule.log": 0o600, "bascule.log.1": 0o600}


def test_no_log_has_no_tail(log: LogFile, tmp_path: Path) -> None:
    assert read_tail(tmp_path / "none.log", 5) == []
    log.write("codex[1]", "x")
    assert read_tail(tmp_path / "logs" / "bascule.log", 0) == []
