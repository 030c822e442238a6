"""The branch that a folder is on, from its Git files alone."""

from pathlib import Path

from bascule.host.files.plain_file import read_plain

MAX_READ = 4_096
REF = "ref: refs/heads/"


def read_branch(folder: str) -> str:
    """Empty where there is none, or where it cannot be found out."""
    try:
        git = Path(folder) / ".git"
        if git.is_file():  # of a work tree: it names the real one
            named = _read(git).removeprefix("gitdir:").strip()
            git = Path(folder, named)
        head = _read(git / "HEAD")
    except (OSError, ValueError):
        return ""
    return head.removeprefix(REF).strip()[:200] if head.startswith(REF) else ""


def _read(path: Path) -> str:
    return read_plain(path, MAX_READ).decode("utf-8", "replace")
