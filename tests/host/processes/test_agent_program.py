"""Which program is started: the one on PATH, else the packaged one, and never another than was named."""

import importlib
import sys
from pathlib import Path

import pytest

from bascule.host.processes.agent_program import find_agent_program
from bascule.model.agents import Launch

PACKAGED = Path(importlib.import_module("codex_cli_bin").bundled_codex_path())
CODEX = Launch(program="codex", bundled="codex_cli_bin:bundled_codex_path", missing="There is no Codex.")


@pytest.mark.skipif(sys.platform == "win32", reason="the mode bits say what may run")
def test_the_one_on_path_comes_before_the_packaged_one(tmp_path: Path) -> None:
    (tmp_path / "codex").write_text("#!/bin/sh\n")
    (tmp_path / "codex").chmod(0o700)
    assert find_agent_program(CODEX, {"PATH": str(tmp_path)}) == tmp_path / "codex"


def test_without_one_on_path_it_is_the_packaged_one(tmp_path: Path) -> None:
    assert find_agent_program(CODEX, {"PATH": str(tmp_path)}) == PACKAGED


def test_a_program_without_a_package_is_that_one_or_none(tmp_path: Path) -> None:
    nowhere = {"PATH": str(tmp_path)}
    assert find_agent_program(Launch(program="my-codex", missing=""), nowhere) is None
    assert find_agent_program(Launch(program=str(PACKAGED), missing=""), nowhere) == PACKAGED


def test_a_package_that_is_not_installed_brings_nothing(tmp_path: Path) -> None:
    launch = Launch(program="x-agent", bundled="no_such_package:path", missing="")
    assert find_agent_program(launch, {"PATH": str(tmp_path)}) is None
