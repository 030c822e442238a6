"""Branch and changed files as Git says; and nothing that the repository names is run to find out."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bascule.host.git.git import Git
from bascule.host.git.git_status import read_git_marks, read_git_status
from bascule.host.processes.program import SearchPath
from bascule.model.protocol.sessions import GitStatus

AS_SOMEBODY = ("-c", "user.name=T", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false")


@pytest.fixture
def asked(tmp_path_factory: pytest.TempPathFactory) -> Git:
    return Git(tmp_path_factory.mktemp("scratch"), SearchPath(os.environ))


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *AS_SOMEBODY, "-C", str(folder), *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", "-b", "main", str(tmp_path)], check=True)
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).write_text("one\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path


def test_changed_staged_removed_and_new_files_are_counted_once_each(asked: Git, repository: Path) -> None:
    assert read_git_status(asked, str(repository)) == GitStatus(branch="main", changed=0)
    (repository / "a.txt").write_text("two\n")
    git(repository, "add", "a.txt")
    (repository / "a.txt").write_text("three\n")
    (repository / "b.txt").unlink()
    (repository / "new.txt").write_text("x")
    assert read_git_status(asked, str(repository)) == GitStatus(branch="main", changed=3)


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_a_git_of_the_repository_itself_is_not_run(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """PATH leads into it, as with an activated environment, and no agent was in it yet."""
    scratch, own = tmp_path_factory.mktemp("scratch"), repository / "venv" / "bin"
    own.mkdir(parents=True)
    (own / "git").write_text(f'#!/bin/sh\ntouch {scratch}/was-run\nexec /usr/bin/git "$@"\n')
    (own / "git").chmod(0o755)
    search_path = SearchPath({"PATH": os.pathsep.join([str(own), os.environ["PATH"]])})
    assert read_git_status(Git(scratch / "git", search_path), str(repository)) == GitStatus(
        branch="main", changed=1
    )
    assert not (scratch / "was-run").exists()


def test_a_branch_is_named_and_a_commit_alone_has_none(asked: Git, repository: Path) -> None:
    before = read_git_marks(str(repository))
    git(repository, "checkout", "-q", "-b", "feature/x")
    assert read_git_status(asked, str(repository)) == GitStatus(branch="feature/x")
    assert read_git_marks(str(repository)) != before
    git(repository, "checkout", "-q", "--detach")
    assert read_git_status(asked, str(repository)) == GitStatus(branch="")


def test_no_repository_has_no_status(asked: Git, tmp_path: Path) -> None:
    assert read_git_status(asked, str(tmp_path)) is None
    assert read_git_status(asked, str(tmp_path / "nowhere")) is None
    assert read_git_marks(str(tmp_path)) == (0, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")
@pytest.mark.parametrize("kind", ["clean", "process"])
def test_neither_a_filter_nor_a_monitor_nor_a_hook_of_the_repository_is_run(
    asked: Git, repository: Path, tmp_path_factory: pytest.TempPathFactory, kind: str
) -> None:
    proof = tmp_path_factory.mktemp("proof") / "ran"
    trap = repository / ".git" / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {proof}\ncat\n")
    trap.chmod(0o755)
    (repository / ".git" / "info").mkdir(exist_ok=True)
    (repository / ".git" / "info" / "attributes").write_text("*.txt filter=trap\n")
    for key in (f"filter.trap.{kind}", "core.fsmonitor"):
        git(repository, "config", key, str(trap))
    git(repository, "config", "filter.trap.required", "true")
    hook = repository / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_bytes(trap.read_bytes())
    hook.chmod(0o755)
    (repository / "a.txt").write_text("six\n")
    assert read_git_status(asked, str(repository)) == GitStatus(branch="main", changed=1)
    assert not proof.exists()


def test_a_branch_with_control_characters_is_one_plain_line(asked: Git, repository: Path) -> None:
    (repository / ".git" / "HEAD").write_text("ref: refs/heads/x\x1b[31m\n")
    status = read_git_status(asked, str(repository))
    assert status is not None
    assert status.branch.startswith("x")
    assert "\x1b" not in status.branch


def test_a_work_tree_packed_branches_and_longer_ids_are_read(
    asked: Git, repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    beside = tmp_path_factory.mktemp("beside") / "tree"
    git(repository, "worktree", "add", "-q", "-b", "second", str(beside))
    git(repository, "pack-refs", "--all")
    (beside / "a.txt").write_text("two\n")
    assert read_git_status(asked, str(beside)) == GitStatus(branch="second", changed=1)
    assert read_git_status(asked, str(repository)) == GitStatus(branch="main")
    longer = tmp_path_factory.mktemp("longer")
    subprocess.run(["git", "init", "-q", "-b", "main", "--object-format=sha256", str(longer)], check=True)
    (longer / "a.txt").write_text("one\n")
    git(longer, "add", ".")
    git(longer, "commit", "-q", "-m", "first")
    (longer / "b.txt").write_text("new\n")
    assert read_git_status(asked, str(longer)) == GitStatus(branch="main", changed=1)
