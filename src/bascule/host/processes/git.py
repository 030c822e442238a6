"""Git, asked about a workspace without running anything that the workspace names.

A repository's own configuration names programs in many places (monitors, hooks, filters, transports, and what
Git will add next), so Git never reads it: it gets an empty repository of ours, with the index and the objects
of the real one."""

import os
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from bascule.host.files.plain_file import read_plain
from bascule.host.processes.program import SearchPath, find_program

GIT_S = 5.0
MAX_ANSWER = 8 * 1024 * 1024  # bytes
MAX_SMALL = 4_096  # of a file that holds one line
MAX_REFS = 16 * 1024 * 1024
SHA_256 = 64  # digits
HEADS = "refs/heads/"
# Of the person's own configuration: a monitor and a hook are programs, and so is whatever fetches an object.
SAFE = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=false",
    "-c", "protocol.allow=never",
)  # fmt: skip
KEPT = ("HOME", "SYSTEMROOT", "USERPROFILE")
QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}


class Repository(Struct, frozen=True):
    top: Path  # of its files
    folder: Path  # .git, or that of one work tree
    common: Path  # .git


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


def find_repository(workspace: Path) -> Repository | None:
    """The one that the workspace's files are in. One without files of its own around it is none here: any
    folder can be made to look like that."""
    for top in (workspace, *workspace.parents):
        mark = top / ".git"
        if mark.is_dir() and (mark / "HEAD").is_file():
            return Repository(top, mark, mark)
        if mark.is_file():
            return _find_linked(top, mark)
    return None


def read_branch(repository: Repository) -> str:
    """Empty where a commit is checked out and not a branch."""
    said = _read_line(repository.folder / "HEAD").removeprefix("ref:").strip()
    return said.removeprefix(HEADS) if said.startswith(HEADS) else ""


def _find_linked(top: Path, mark: Path) -> Repository | None:
    """A work tree of its own, or a submodule: the file says where the rest is."""
    said = _read_line(mark)
    folder = top / said.removeprefix("gitdir:").strip()
    if not said.startswith("gitdir:") or not (folder / "HEAD").is_file():
        return None
    common = _read_line(folder / "commondir")
    return Repository(top, folder, folder / common if common else folder)


def _write_git_folder(empty: Path, repository: Repository) -> dict[str, str]:
    commit = _find_commit(repository)
    (empty / "HEAD").write_text(f"{commit}\n" if commit else f"ref: {HEADS}none\n")
    for name in ("objects", "refs", "info"):
        (empty / name).mkdir()
    if len(commit) == SHA_256:
        (empty / "config").write_text(
            "[core]\nrepositoryformatversion = 1\n[extensions]\nobjectFormat = sha256\n"
        )
    (empty / "info" / "exclude").write_bytes(_read(repository.common / "info" / "exclude", MAX_REFS))
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {
        **kept,
        "GIT_DIR": str(empty),
        "GIT_WORK_TREE": str(repository.top),
        "GIT_INDEX_FILE": str(repository.folder / "index"),
        "GIT_OBJECT_DIRECTORY": str(repository.common / "objects"),
    }


def _find_commit(repository: Repository) -> str:
    """That of HEAD; empty before the first commit."""
    said = _read_line(repository.folder / "HEAD")
    if not said.startswith("ref:"):
        return _as_commit(said)
    name = said.removeprefix("ref:").strip()
    if not name.startswith("refs/") or ".." in name:
        return ""
    return _as_commit(_read_line(repository.common / name)) or _find_packed(repository.common, name)


def _find_packed(common: Path, name: str) -> str:
    lines = _read(common / "packed-refs", MAX_REFS).decode("utf-8", "surrogateescape").splitlines()
    found = next((line for line in lines if line.partition(" ")[2] == name), "")
    return _as_commit(found.partition(" ")[0])


def _as_commit(word: str) -> str:
    is_id = len(word) in (40, SHA_256) and all(digit in "0123456789abcdef" for digit in word)
    return word if is_id else ""


def _read_line(path: Path) -> str:
    return _read(path, MAX_SMALL).decode("utf-8", "surrogateescape").strip()


def _read(path: Path, most: int) -> bytes:
    """Empty where it is missing, or no plain file."""
    try:
        return read_plain(path, most)
    except OSError:
        return b""


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
