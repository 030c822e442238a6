"""Git, asked about a workspace without running anything that the workspace names."""

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from bascule.host.processes.program import find_program

GIT_S = 5.0
MAX_ANSWER = 8 * 1024 * 1024  # bytes
# A file system monitor and a hook are programs; a missing object could be fetched by another one.
SAFE = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=false",
    "-c", "protocol.allow=never",
)  # fmt: skip
KEPT = ("PATH", "HOME", "SYSTEMROOT", "USERPROFILE")
QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}


def ask_git(workspace: Path, words: Iterable[str], *, more: Iterable[str] = ()) -> str | None:
    """What it says, with `more` settings; None without Git or a repository, or without an answer in time."""
    git = find_program("git", os.environ)
    if git is None:
        return None
    env = {name: os.environ[name] for name in KEPT if name in os.environ}
    try:
        done = subprocess.run(
            [str(git), *SAFE, *more, "-C", str(workspace), *words],
            env={**env, **QUIET},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=GIT_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    if done.returncode != 0 or len(done.stdout) > MAX_ANSWER:
        return None
    return done.stdout.decode("utf-8", "surrogateescape")
