"""Which Codex is started: the one on PATH, else the packaged one, and never another than was named."""

import importlib
import sys
from pathlib import Path

import pytest

from bascule.host.processes.codex_binary import find_codex, missing_text

PACKAGED = Path(importlib.import_module("codex_cli_bin").bundled_codex_path())


@pytest.mark.skipif(sys.platform == "win32", reason="what may run is told by the mode bits")
def test_the_one_on_path_comes_before_the_packaged_one(tmp_path: Path) -> None:
    (tmp_path / "codex").write_text("#!/bin/sh\n")
    (tmp_path / "codex").chmod(0o700)
    assert find_codex("codex", {"PATH": str(tmp_path)}) == tmp_path / "codex"


def test_without_one_on_path_it_is_the_packaged_one(tmp_path: Path) -> None:
    assert find_codex("codex", {"PATH": str(tmp_path)}) == PACKAGED


def test_a_program_that_was_named_is_that_one_or_none(tmp_path: Path) -> None:
    assert find_codex("my-codex", {"PATH": str(tmp_path)}) is None
    assert find_codex(str(PACKAGED), {"PATH": ""}) == PACKAGED
    assert "my-codex" in missing_text("my-codex")
    assert "npm install" in missing_text("codex")
