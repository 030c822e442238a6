"""What a person is advised to type exists: `bascule` where PATH has it, else where it is."""

import sys
from pathlib import Path

import pytest

from bascule.host.own_command import find_own_command


def make_program(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)


def test_on_path_it_is_called_by_its_name(tmp_path: Path) -> None:
    make_program(tmp_path / "bascule")
    assert find_own_command({"PATH": str(tmp_path)}) == "bascule"


def test_elsewhere_by_its_path_short_and_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_program(tmp_path / "venv" / "bin" / "bascule")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv" / "bin" / "python"))
    assert find_own_command({"PATH": "", "HOME": str(tmp_path)}) == "~/venv/bin/bascule"
    assert find_own_command({"PATH": "", "HOME": "/elsewhere"}) == str(tmp_path / "venv" / "bin" / "bascule")
    make_program(tmp_path / "a b" / "bascule")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "a b" / "python"))
    assert find_own_command({"PATH": "", "HOME": str(tmp_path)}) == f"'{tmp_path}/a b/bascule'"


def test_without_a_script_by_the_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert find_own_command({"PATH": "", "HOME": "/x"}) == f"{tmp_path / 'python'} -P -m bascule"
