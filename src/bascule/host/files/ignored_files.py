"""What Git ignores in a workspace, as Git itself says; nothing without Git, or without an answer in time."""

import os
import subprocess
from pathlib import Path

from bascule.host.files.workspace_files import Listing, scan
from bascule.host.processes.program import find_program

GIT_S = 5.0
MAX_ANSWER = 8 * 1024 * 1024  # bytes
# Nothing of the repository's own configuration is run: a file system monitor is a program.
SAFE = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=false")
IGNORED = ("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")
KEPT = ("PATH", "HOME", "SYSTEMROOT", "USERPROFILE")


def scan_unignored(workspace: Path) -> Listing:
    """All files but those that Git ignores."""
    return scan(workspace, ignored=find_ignored(workspace))


def find_ignored(workspace: Path) -> frozenset[str]:
    """Relative paths of files and of whole folders; a folder is ignored with all that it holds."""
    env = {name: os.environ[name] for name in KEPT if name in os.environ}
    git = find_program("git", os.environ)
    if git is None:
        return frozenset()
    try:
        done = subprocess.run(
            [str(git), *SAFE, "-C", str(workspace), *IGNORED],
            env={**env, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=GIT_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return frozenset()
    if done.returncode != 0 or len(done.stdout) > MAX_ANSWER:
        return frozenset()
    names = done.stdout.decode("utf-8", "surrogateescape").split("\0")
    return frozenset(name.rstrip("/") for name in names if name)
