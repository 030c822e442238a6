"""`bascule settings set`: a change that loosens is asked about at a real terminal, and is on record."""

import asyncio
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.command import run_bascule
from tests.cli.pty_terminal import terminal
from tests.e2e.peer import dialled, peer_of

from bascule.cli.daemon.settings import parse_value
from bascule.cli.terminal.confirmed_call import NO_TERMINAL
from bascule.cli.terminal.keyboard import MARK_NO_PASTES
from bascule.host.files.data_folder import open_folder
from bascule.host.network.registration import find_daemon


def run(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run_bascule(*words, home=home, cwd=Path.cwd())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir(mode=0o700)
    return tmp_path / "home"


def recorded(home: Path) -> list[tuple[str, str, str]]:
    lines = [json.loads(line)["entry"] for line in run(home, "audit", "--json").stdout.splitlines()]
    return [(line["kind"], line.get("answer", "none"), line["outcome"]) for line in lines]


def test_a_loosening_change_shows_old_and_new_and_takes_a_y(home: Path, tmp_path: Path) -> None:
    with terminal("settings", "set", "allowRunTerminal", "true", home=home, cwd=tmp_path) as screen:
        shown = screen.until("[y/n] ")
        assert "bascule.allowRunTerminal" in shown
        assert "now: false" in shown
        assert "new: true" in shown
        screen.type("n")
        screen.until("not changed: the answer was no")
        assert screen.end() == 1
    assert not (home / "settings.toml").exists()
    with terminal("settings", "set", "allowRunTerminal", "true", home=home, cwd=tmp_path) as screen:
        screen.until("[y/n] ")
        screen.type("y")
        screen.until("bascule.allowRunTerminal = true")
        assert screen.end() == 0
    assert (home / "settings.toml").read_text() == "allowRunTerminal = true\n"
    assert recorded(home) == [
        ("ask", "no", "done"),
        ("setting", "no", "rejected"),
        ("ask", "yes", "done"),
        ("setting", "yes", "started"),
        ("setting", "yes", "done"),
    ]
    assert run(home, "sessions").stdout.startswith("No sessions yet.")  # where it was asked is none
    assert run(home, "sessions", "--json").stdout == ""


def test_a_harmless_change_is_not_asked_about(home: Path, tmp_path: Path) -> None:
    with terminal("settings", "set", "bascule.contextMaxFiles", "3", home=home, cwd=tmp_path) as screen:
        assert "y/n" not in screen.until("bascule.contextMaxFiles = 3")
        assert screen.end() == 0
    assert recorded(home) == [("setting", "none", "started"), ("setting", "none", "done")]


def test_without_a_terminal_only_what_needs_a_yes_is_refused(home: Path) -> None:
    ran = run(home, "settings", "set", "codex.command", "/tmp/evil")
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", f"bascule: {NO_TERMINAL}\n")
    assert not (home / "settings.toml").exists()
    ran = run(home, "settings", "set", "contextMaxFiles", "3")
    assert (ran.returncode, ran.stdout) == (0, "bascule.contextMaxFiles = 3\n")
    ran = run(home, "settings", "set", "contextMaxFiles", "three")
    assert (ran.returncode, "it must be" in ran.stderr) == (1, True)
    ran = run(home, "settings", "set", "nope", "3")
    unknown = "bascule: There is no setting nope. `bascule settings` lists them.\n"
    assert (ran.returncode, ran.stderr) == (1, unknown)


ASKED = ("settings", "set", "allowRunTerminal", "true")


@contextmanager
def daemon_in(home: Path) -> Iterator[None]:
    assert run(home, "up", "--no-open").returncode == 0
    try:
        yield
    finally:
        run(home, "down")


def test_when_the_daemon_goes_it_is_said_in_one_sentence_at_once(home: Path, tmp_path: Path) -> None:
    with daemon_in(home), terminal(*ASKED, home=home, cwd=tmp_path) as screen:
        screen.until("[y/n] ")
        assert run(home, "down").returncode == 0
        assert screen.end() == 1
        assert (
            screen.seen.partition("[y/n] ")[2]
            == f"{MARK_NO_PASTES}\r\nbascule: The daemon has closed the connection.\r\n"
        )


def test_an_answer_on_another_surface_is_noticed_at_once(home: Path, tmp_path: Path) -> None:
    with daemon_in(home), terminal(*ASKED, home=home, cwd=tmp_path) as screen:
        screen.until("[y/n] ")
        asyncio.run(answer_elsewhere(home))
        assert screen.end() == 0
        ends = f"{MARK_NO_PASTES}\r\nAnswered on another surface.\r\nbascule.allowRunTerminal = true\r\n"
        assert screen.seen.partition("[y/n] ")[2] == ends


async def answer_elsewhere(home: Path) -> None:
    registered = find_daemon(open_folder(home))
    assert registered is not None
    async with dialled(registered, home) as wire, peer_of(wire) as peer:
        await peer.initialize(supports_session_sync=True)
        (one,) = (await peer.call("ask.list", {}))["asks"]
        answer = {"session_id": one["session_id"], "ask_id": one["ask"]["id"], "choice": "set"}
        await peer.call("ask.answer", answer)


def test_an_answer_that_cannot_be_recorded_says_why(home: Path, tmp_path: Path) -> None:
    with terminal(*ASKED, home=home, cwd=tmp_path) as screen:
        screen.until("[y/n] ")
        (home / "audit").write_text("no folder")
        screen.type("y")
        screen.until("bascule: The answer was not taken: The record")
        assert "another surface" not in screen.seen
        assert screen.end() == 1
    assert not (home / "settings.toml").exists()


def test_values_are_json_where_the_setting_is_no_text() -> None:
    assert parse_value("bascule.allowRunTerminal", "true") is True
    assert parse_value("testCommands", '["make"]') == ["make"]
    assert parse_value("codex.model", "5") == "5"
    assert parse_value("contextMaxFiles", "three") == "three"
