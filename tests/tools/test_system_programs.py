"""Which browser the tests of the page use, and what is installed for the others."""

from pathlib import Path

import pytest

from tools import system_programs


def test_a_named_one_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(system_programs.VARIABLE, "/opt/my/chromium")
    assert system_programs.find_browser() == "/opt/my/chromium"


def test_one_on_the_path_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.delenv(system_programs.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert system_programs.find_browser() == str(program)


def test_the_one_without_windows_is_preferred(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("chromium", "chromium-headless-shell"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.delenv(system_programs.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert system_programs.find_browser() == str(tmp_path / "chromium-headless-shell")


def test_where_there_is_none_it_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(system_programs.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(system_programs, "PLACES", ())
    monkeypatch.setattr(system_programs, "may_install", lambda: False)
    assert system_programs.main() == 1
    assert "apt install chromium" in capsys.readouterr().err


@pytest.mark.parametrize(("is_systemd", "packages"), [(False, ["fish", "nginx"]), (True, ["fish"])])
def test_what_is_missing_is_installed_with_one_call_and_no_server_where_one_would_be_started(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    is_systemd: bool,
    packages: list[str],
) -> None:
    installed: list[list[str]] = []
    there = {"zsh": "/bin/zsh"}
    monkeypatch.setenv(system_programs.VARIABLE, "/opt/my/chromium")
    monkeypatch.setattr(system_programs, "find_program", there.get)
    monkeypatch.setattr(system_programs, "SYSTEMD", tmp_path / ("" if is_systemd else "none"))
    monkeypatch.setattr(system_programs, "may_install", lambda: True)
    monkeypatch.setattr(system_programs, "install", installed.append)
    assert system_programs.main() == 0  # their tests are skipped, which is said
    assert installed == [packages]
    assert "their tests are skipped: fish, nginx." in capsys.readouterr().out
