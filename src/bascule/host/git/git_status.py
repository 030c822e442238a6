"""A workspace's branch and how many of its files differ from the last commit, as Git says."""

from pathlib import Path

from bascule.host.git.git import Git
from bascule.host.git.repository import find_branch
from bascule.model.protocol.sessions import GitStatus

FILTERS = ("config", "--includes", "--null", "--name-only", "--get-regexp", r"^filter\..*\.")
STATUS = (
    "status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=normal",
    "--ignore-submodules=all", "--", ".",
)  # fmt: skip
CHANGED = ("1 ", "2 ", "u ", "? ")


def read_git_status(git: Git, workspace: str) -> GitStatus | None:
    """None outside of a repository, or where nothing can be said. A filter is a program: none is run."""
    place = Path(workspace)
    named = (git.ask(place, FILTERS) or "").split("\0")
    drivers = {name.rpartition(".")[0] for name in named if name}
    off = [
        word
        for driver in sorted(drivers)
        for end in ("clean=", "smudge=", "process=", "required=false")
        for word in ("-c", f"{driver}.{end}")
    ]
    said = git.ask(place, STATUS, more=off)
    if said is None:
        return None
    return GitStatus(
        branch=find_branch(workspace),
        changed=sum(part.startswith(CHANGED) for part in said.split("\0")),
    )


def read_git_marks(workspace: str) -> tuple[int, ...]:
    """What differs after a commit, a checkout or an `add`; cheap, and only of a repository's own folder."""
    marks = []
    for name in ("HEAD", "index"):
        try:
            marks.append(Path(workspace, ".git", name).stat().st_mtime_ns)
        except (OSError, ValueError):
            marks.append(0)
    return tuple(marks)
