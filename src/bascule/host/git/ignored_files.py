"""What Git ignores in a workspace, as Git itself says; nothing without Git, or without an answer in time."""

from pathlib import Path

from bascule.host.files.workspace_files import Listing, scan
from bascule.host.git.git import Git

IGNORED = ("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")


def scan_unignored(git: Git, workspace: Path) -> Listing:
    """All files but those that Git ignores."""
    return scan(workspace, ignored=find_ignored(git, workspace))


def find_ignored(git: Git, workspace: Path) -> frozenset[str]:
    """Relative paths of files and of whole folders; a folder is ignored with all that it holds."""
    names = (git.ask(workspace, IGNORED) or "").split("\0")
    return frozenset(name.rstrip("/") for name in names if name)
