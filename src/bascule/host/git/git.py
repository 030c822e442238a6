"""Git, asked about a workspace without running anything that the workspace names.

A repository's own configuration names programs in many places (monitors, hooks, filters, transports, and what
Git will add next), so Git never reads it: it gets an empty repository of ours, with the index and the objects
of the real one."""

import os
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from bascule.host.git.repository import (
    HEADS,
    MAX_REFS,
    SHA_256,
    Repository,
    find_repository,
    read_commit,
    read_file,
)
from bascule.host.processes.program import SearchPath, find_program

GIT_S = 5.0
MAX_ANSWER = 8 * 1024 * 1024  # bytes
# Of the person's own configuration: a monitor and a hook are programs, and so is whatever fetches an object.
SAFE = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=false",
    "-c", "protocol.allow=never",
)  # fmt: skip
KEPT = ("HOME", "SYSTEMROOT", "USERPROFILE")
QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}


class Git:
    """`scratch` is a folder that no agent can write: the empty repositories are made there."""

    def __init__(self, scratch: Path, search_path: SearchPath) -> None:
        self._scratch = scratch
        self._search_path = search_path

    def ask(self, workspace: Path, words: Iterable[str], *, more: Iterable[str] = ()) -> str | None:
        """With `more` settings; None without Git or a repository, or without an answer in time."""
        search_path = self._search_path.environ_outside(workspace)
        git = find_program("git", search_path)
        if git is None:
            return None
        try:
            repository = find_repository(workspace)
            if repository is None:
                return None
            self._scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self._scratch) as empty:
                env = {**search_path, **QUIET, **_write_git_folder(Path(empty), repository)}
                return _run([str(git), *SAFE, *more, "-C", str(workspace), *words], env)
        except (OSError, subprocess.SubprocessError, ValueError):
            return None


def _write_git_folder(empty: Path, repository: Repository) -> dict[str, str]:
    commit = read_commit(repository)
    (empty / "HEAD").write_text(f"{commit}\n" if commit else f"ref: {HEADS}none\n")
    for name in ("objects", "refs", "info"):
        (empty / name).mkdir()
    if len(commit) == SHA_256:
        (empty / "config").write_text(
            "[core]\nrepositoryformatversion = 1\n[extensions]\nobjectFormat = sha256\n"
        )
    (empty / "info" / "exclude").write_bytes(read_file(repository.common / "info" / "exclude", MAX_REFS))
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {
        **kept,
        "GIT_DIR": str(empty),
        "GIT_WORK_TREE": str(repository.top),
        "GIT_INDEX_FILE": str(repository.folder / "index"),
        "GIT_OBJECT_DIRECTORY": str(repository.common / "objects"),
    }


def _run(argv: list[str], env: Mapping[str, str]) -> str | None:
    done = subprocess.run(
        argv,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=GIT_S,
        check=False,
    )
    if done.returncode != 0 or len(done.stdout) > MAX_ANSWER:
        return None
    return done.stdout.decode("utf-8", "surrogateescape")
