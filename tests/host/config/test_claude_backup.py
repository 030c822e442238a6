"""The backup of Claude's settings: whole or not there, and never only claimed."""

import os
import sys
from pathlib import Path

import pytest

from bascule.host.config.claude_settings import ClaudeSettings, HooksRefused

MINE = '{"model": "opus"}'


@pytest.fixture
def settings(tmp_path: Path) -> ClaudeSettings:
    (tmp_path / "data").mkdir()
    settings = ClaudeSettings(tmp_path / "claude" / "settings.json", tmp_path / "data")
    settings.path.parent.mkdir()
    settings.path.write_text(MINE)
    return settings


def test_something_else_in_its_place_is_refused_before_anyone_is_asked(settings: ClaudeSettings) -> None:
    settings.backup.mkdir()
    with pytest.raises(HooksRefused, match=r"settings\.json\.bak .*no ordinary file.* Move it"):
        settings.plan_install()
    assert settings.path.read_text() == MINE


@pytest.mark.skipif(sys.platform != "linux", reason="which file is flushed is seen on Linux only")
def test_one_that_could_not_be_written_whole_is_not_left(
    settings: ClaudeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def sync(fd: int) -> None:
        if ".bak" in str(Path(f"/proc/self/fd/{fd}").readlink()):
            raise OSError(28, "No space left on device")
        real(fd)

    monkeypatch.setattr(os, "fsync", sync)
    with pytest.raises(HooksRefused, match="No space left"):
        settings.install(outside=True)
    assert [path.name for path in settings.path.parent.iterdir()] == ["settings.json"]
    assert settings.path.read_text() == MINE


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_only_python_reads_are_no_json(settings: ClaudeSettings, word: str) -> None:
    settings.path.write_text(f'{{"a": {word}}}')
    with pytest.raises(HooksRefused, match=f"not valid JSON.*{word}"):
        settings.plan_install()


def test_where_all_hooks_are_off_that_is_said(settings: ClaudeSettings) -> None:
    assert not settings.are_hooks_off()
    settings.path.write_text('{"disableAllHooks": true}')
    assert settings.are_hooks_off()
    settings.install(outside=True)
    assert settings.are_hooks_off()
