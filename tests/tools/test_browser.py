"""Which browser the tests of the page use."""

from pathlib import Path

import pytest

from tools import browser


def test_a_named_one_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(browser.VARIABLE, "/opt/my/chromium")
    assert browser.find_browser() == "/opt/my/chromium"


def test_one_on_the_path_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.delenv(browser.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert browser.find_browser() == str(program)


def test_the_one_without_windows_is_preferred(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("chromium", "chromium-headless-shell"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.delenv(browser.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert browser.find_browser() == str(tmp_path / "chromium-headless-shell")


def test_where_there_is_none_it_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(browser.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browser, "PLACES", ())
    assert browser.main() == 1
    assert "apt install chromium" in capsys.readouterr().err
