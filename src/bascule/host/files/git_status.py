"""A workspace's branch and how many of its files differ from the last commit, as Git says."""

from pathlib import Path

from bascule.core.text.plain import plain_line
from bascule.host.processes.git import ask_git
from bascule.model.protocol.sync import GitStatus

MAX_BRANCH = 200  # characters
FILTERS = ("config", "--includes", "--null", "--name-only", "--get-regexp", r"^filter\..*\.")
STATUS = (
    "status", "--porcelain=v2", "--branch", "-z", "--no-renames", "--untracked-files=normal",
    "--ignore-submodules=all", "--", ".",
)  # fmt: skip
HEAD = "# branch.head "
DETACHED = "(detached)"
CHANGED = ("1 ", "2 ", "u ", "? ")


def read_git_status(workspace: str) -> GitStatus | None:
    """None outside of a repository, or where it cannot be told. A filter is a program: none is run."""
    place = Path(workspace)
    named = (ask_git(place, FILTERS) or "").split("\0")
    drivers = {name.rpartition(".")[0] for name in named if name}
    off = [
        word
        for driver in sorted(drivers)
        for end in ("clean=", "smudge=", "process=", "required=false")
        for word in ("-c", f"{driver}.{end}")
    ]
    said = ask_git(place, STATUS, more=off)
    return None if said is None else parse_git_status(said)


def parse_git_status(said: str) -> GitStatus:
    parts = said.split("\0")
    branch = next((part.removeprefix(HEAD) for part in parts if part.startswith(HEAD)), "")
    return GitStatus(
        branch="" if branch == DETACHED else plain_line(branch)[:MAX_BRANCH],
        changed=sum(part.startswith(CHANGED) for part in parts),
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
