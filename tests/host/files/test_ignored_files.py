"""What Git ignores is not offered; and nothing of a repository's configuration is run to find out."""

import subprocess
import sys
from pathlib import Path

import pytest

from bascule.host.files.ignored_files import find_ignored, scan_unignored


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    for name in ("a.py", "b.log", "out/deep/c.o", "src/d.py", "src/e.log", "src/.gitignore"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("d.py\n" if name.endswith(".gitignore") else "x")
    (tmp_path / ".gitignore").write_text("*.log\nout/\n")
    return tmp_path


def test_what_git_ignores_is_left_out(repository: Path) -> None:
    assert find_ignored(repository) == {"b.log", "out", "src/d.py", "src/e.log"}
    assert scan_unignored(repository).files == (".gitignore", "a.py", "src/.gitignore")


def test_a_folder_in_a_repository_has_the_rules_of_the_whole(repository: Path) -> None:
    assert scan_unignored(repository / "src").files == (".gitignore",)


def test_without_git_everything_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.log").write_text("x")
    assert scan_unignored(tmp_path).files == ("a.log",)  # no repository
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert scan_unignored(tmp_path).files == ("a.log",)  # no Git


@pytest.mark.skipif(sys.platform == "win32", reason="the monitor is a shell script")
def test_no_program_of_the_repository_is_run(repository: Path) -> None:
    monitor = repository / "monitor"
    monitor.write_text(f"#!/bin/sh\ntouch {repository}/was-run\n")
    monitor.chmod(0o755)
    subprocess.run(["git", "-C", str(repository), "config", "core.fsmonitor", str(monitor)], check=True)
    assert "b.log" in find_ignored(repository)
    assert not (repository / "was-run").exists()
