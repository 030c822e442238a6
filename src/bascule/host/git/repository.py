"""A workspace's repository, read from its Git files alone: no program is run."""

from pathlib import Path

from msgspec import Struct

from bascule.core.text.plain import plain_line
from bascule.host.files.plain_file import read_plain

MAX_BRANCH = 200  # characters
MAX_SMALL = 4_096  # of a file that holds one line
MAX_REFS = 16 * 1024 * 1024
SHA_256 = 64  # digits
HEADS = "refs/heads/"


class Repository(Struct, frozen=True):
    top: Path  # of its files
    folder: Path  # .git, or that of one work tree
    common: Path  # .git


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


def find_branch(workspace: str) -> str:
    """One line to show. Empty outside a repository, and where a commit is checked out and not a branch."""
    try:
        repository = find_repository(Path(workspace)) if Path(workspace).is_absolute() else None
    except (OSError, ValueError):
        return ""
    head = read_file(repository.folder / "HEAD", MAX_SMALL) if repository else b""
    name = head.decode("utf-8", "replace").strip().removeprefix("ref:").strip()
    return plain_line(name.removeprefix(HEADS))[:MAX_BRANCH] if name.startswith(HEADS) else ""


def read_commit(repository: Repository) -> str:
    """That of HEAD; empty before the first commit."""
    said = _read_line(repository.folder / "HEAD")
    if not said.startswith("ref:"):
        return _as_commit(said)
    name = said.removeprefix("ref:").strip()
    if not name.startswith("refs/") or ".." in name:
        return ""
    return _as_commit(_read_line(repository.common / name)) or _find_packed(repository.common, name)


def read_file(path: Path, most: int) -> bytes:
    """Empty where it is missing, or no plain file."""
    try:
        return read_plain(path, most)
    except OSError:
        return b""


def _find_linked(top: Path, mark: Path) -> Repository | None:
    """A work tree of its own, or a submodule: the file says where the rest is."""
    said = _read_line(mark)
    folder = top / said.removeprefix("gitdir:").strip()
    if not said.startswith("gitdir:") or not (folder / "HEAD").is_file():
        return None
    common = _read_line(folder / "commondir")
    return Repository(top, folder, folder / common if common else folder)


def _find_packed(common: Path, name: str) -> str:
    lines = read_file(common / "packed-refs", MAX_REFS).decode("utf-8", "surrogateescape").splitlines()
    found = next((line for line in lines if line.partition(" ")[2] == name), "")
    return _as_commit(found.partition(" ")[0])


def _as_commit(word: str) -> str:
    is_id = len(word) in (40, SHA_256) and all(digit in "0123456789abcdef" for digit in word)
    return word if is_id else ""


def _read_line(path: Path) -> str:
    return read_file(path, MAX_SMALL).decode("utf-8", "surrogateescape").strip()
