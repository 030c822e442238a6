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
    for _ in range(2):  # the first one is somebody else's, and leaves the other name
        settings.backup.mkdir()
    with pytest.raises(HooksRefused, match=r"settings\.json\.bascule\.bak .*not an ordinary file.* Move it"):
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


@pytest.mark.parametrize("saved", ["not JSON", '{"model": ', "[1]", "\xff"])
def test_a_backup_that_is_broken_by_now_restores_nothing(settings: ClaudeSettings, saved: str) -> None:
    settings.install(outside=True)
    installed = settings.path.read_bytes()
    (settings.path.with_name("settings.json.bascule.bak")).write_bytes(saved.encode("latin-1"))
    with pytest.raises(HooksRefused, match="nothing was changed"):
        settings.restore()
    assert settings.path.read_bytes() == installed


def test_a_backup_of_somebody_else_is_kept_and_is_not_ours(settings: ClaudeSettings) -> None:
    theirs = settings.path.with_name("settings.json.bak")
    theirs.write_text('{"model": "theirs"}')
    with pytest.raises(HooksRefused, match=r"settings\.json\.bak was not written by Bascule"):
        settings.restore()
    settings.install(outside=True)
    assert settings.backup == settings.path.with_name("settings.json.bascule.bak")
    assert settings.backup.read_text() == MINE
    settings.restore()
    assert (settings.path.read_text(), theirs.read_text()) == (MINE, '{"model": "theirs"}')


def test_our_own_backup_that_another_program_wrote_over_is_not_ours_any_more(
    settings: ClaudeSettings,
) -> None:
    settings.install(outside=True)
    settings.backup.write_text('{"model": "theirs"}')
    with pytest.raises(HooksRefused, match="was not written by Bascule"):
        settings.restore()


def test_a_link_to_the_local_settings_is_not_followed(tmp_path: Path) -> None:
    local = tmp_path / "settings.local.json"
    local.write_text(MINE)
    settings = ClaudeSettings(tmp_path / "settings.json", tmp_path / "data")
    settings.path.symlink_to(local)
    with pytest.raises(HooksRefused, match=r"settings\.local\.json is not changed"):
        settings.install(outside=True)
    assert local.read_text() == MINE


def test_hooks_whose_runner_is_gone_or_another_s_are_not_said_to_be_installed(
    settings: ClaudeSettings, tmp_path: Path
) -> None:
    settings.install(outside=True)
    (tmp_path / "other").mkdir()
    states = [settings.read_state(), ClaudeSettings(settings.path, tmp_path / "other").read_state()]
    settings.script.unlink()
    assert [*states, settings.read_state()] == ["installed", "partly", "partly"]
