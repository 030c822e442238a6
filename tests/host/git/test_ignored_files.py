"""What Git ignores is not offered; and nothing of a repository's configuration is run to find out."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bascule.host.git.git import Git
from bascule.host.git.ignored_files import find_ignored, scan_unignored
from bascule.host.processes.program import SearchPath


@pytest.fixture
def git(tmp_path_factory: pytest.TempPathFactory) -> Git:
    return Git(tmp_path_factory.mktemp("scratch"), SearchPath(os.environ))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    for name in ("a.py", "b.log", "out/deep/c.o", "src/d.py", "src/e.log", "src/.gitignore"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("d.py\n" if name.endswith(".gitignore") else "x")
    (tmp_path / ".gitignore").write_text("*.log\nout/\n")
    return tmp_path


def test_what_git_ignores_is_left_out(git: Git, repository: Path) -> None:
    assert find_ignored(git, repository) == {"b.log", "out", "src/d.py", "src/e.log"}
    assert scan_unignored(git, repository).files == (".gitignore", "a.py", "src/.gitignore")


def test_a_folder_in_a_repository_has_the_rules_of_the_whole(git: Git, repository: Path) -> None:
    assert scan_unignored(git, repository / "src").files == (".gitignore",)


def test_without_git_everything_is_there(git: Git, tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("x")
    assert scan_unignored(git, tmp_path).files == ("a.log",), "no repository"
    (tmp_path / ".gitignore").write_text("*.log\n")
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    assert scan_unignored(git, tmp_path).files == (".gitignore",)
    without = Git(tmp_path / "scratch", SearchPath({"PATH": str(tmp_path.with_name("nowhere"))}))
    assert scan_unignored(without, tmp_path).files == (".gitignore", "a.log"), "no Git"


@pytest.mark.skipif(sys.platform == "win32", reason="the monitor is a shell script")
def test_no_program_of_the_repository_is_run(git: Git, repository: Path) -> None:
    monitor = repository / "monitor"
    monitor.write_text(f"#!/bin/sh\ntouch {repository}/was-run\n")
    monitor.chmod(0o755)
    subprocess.run(["git", "-C", str(repository), "config", "core.fsmonitor", str(monitor)], check=True)
    assert "b.log" in find_ignored(git, repository)
    assert not (repository / "was-run").exists()


def make_fetching(folder: Path, proof: Path) -> None:
    """Its rules for what to ignore are to be fetched first, by a program that it names."""
    run = ["git", "-C", str(folder), "-c", "user.name=T", "-c", "user.email=t@example.invalid"]
    subprocess.run([*run, "add", ".gitignore"], check=True)
    subprocess.run([*run, "commit", "-q", "-m", "first"], check=True)
    said = subprocess.run([*run, "rev-parse", ":.gitignore"], check=True, capture_output=True, text=True)
    subprocess.run([*run, "update-index", "--skip-worktree", ".gitignore"], check=True)
    (folder / ".gitignore").unlink()
    shutil.rmtree(folder / ".git" / "objects" / said.stdout[:2])
    (folder / ".git" / "config").write_text(
        f"""[core]
        repositoryformatversion = 1
        worktree = {folder}
        sshCommand = "touch {proof}; :"
[extensions]
        partialClone = origin
[remote "origin"]
        promisor = true
        url = ssh://nowhere.invalid/x
"""
    )


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell command")
@pytest.mark.parametrize("kind", ["around", "embedded"])
def test_nothing_is_fetched_for_a_repository(
    git: Git, repository: Path, tmp_path_factory: pytest.TempPathFactory, kind: str
) -> None:
    """Embedded: a plain folder that holds what `.git` would, as a clone can bring it or an agent write it."""
    proof = tmp_path_factory.mktemp("proof") / "was-run"
    make_fetching(repository, proof)
    if kind == "embedded":
        for path in list((repository / ".git").iterdir()):
            shutil.move(path, repository / path.name)
        (repository / ".git").rmdir()
    assert "a.py" in scan_unignored(git, repository).files
    assert not proof.exists()
