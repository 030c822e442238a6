"""`bascule hooks` at a terminal: what will be written is shown, and y or n decides."""

import json
import sys
from pathlib import Path

import pytest
from tests.cli.command import run_bascule
from tests.cli.pty_terminal import Terminal

from bascule.cli.sessions.hooks import find_settings
from bascule.core.watch.hook_lines import EVENTS

PYTHON = sys.executable


def hooks(tmp_path: Path, *words: str) -> Terminal:
    environ = {"BASCULE_HOME": str(tmp_path / "data"), "HOME": str(tmp_path), "COLUMNS": "200"}
    return Terminal([PYTHON, "-m", "bascule", "hooks", *words], environ, tmp_path)


def answer(tmp_path: Path, what: str, key: str) -> int:
    screen = hooks(tmp_path, what)
    try:
        screen.until("[y/n] ")
        screen.type(key)
        if key == "y":
            screen.until("need a review with /hooks")
        return screen.end()
    finally:
        screen.close()


def test_a_yes_installs_and_a_second_one_removes(tmp_path: Path) -> None:
    settings = tmp_path / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n  "model": "opus"\n}\n')
    assert answer(tmp_path, "install", "n") == 1
    assert settings.read_text() == '{\n  "model": "opus"\n}\n'
    assert answer(tmp_path, "install", "y") == 0
    assert set(json.loads(settings.read_text())["hooks"]) == set(EVENTS)
    assert answer(tmp_path, "uninstall", "y") == 0
    assert settings.read_text() == '{\n  "model": "opus"\n}\n'


def test_a_command_that_changes_nothing_mentions_no_restart(tmp_path: Path) -> None:
    done = run_bascule("hooks", "uninstall", home=tmp_path / "data", cwd=tmp_path, HOME=str(tmp_path))
    settings = tmp_path / ".claude" / "settings.json"
    assert (done.returncode, done.stdout) == (0, f"Bascule's hooks are not installed: {settings}\n"), done


def test_the_settings_are_those_that_claude_reads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    assert find_settings(None) == str(tmp_path / ".claude" / "settings.json")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "other"))
    assert find_settings(None) == str(tmp_path / "other" / "settings.json")
    assert find_settings("~/x.json") == str(tmp_path / "x.json")
