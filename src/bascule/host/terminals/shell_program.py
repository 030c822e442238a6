"""The person's own shell, and the environment that it starts in."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from bascule.core.watch.wsl import add_to_wslenv
from bascule.host.machine import IS_WINDOWS
from bascule.host.processes.program import find_program

OURS = "BASCULE_"
FALLBACK = "/bin/sh"
INTEGRATION = Path(__file__).parent / "integration"  # a file for each shell that has one


def find_shell(chosen: str, env: Mapping[str, str]) -> str:
    """Its path: the one that the settings name, else the person's own. `env` has the PATH to look in."""
    for name in (chosen, env.get("SHELL", ""), _read_login_shell()):
        if name and (found := find_program(name, env)) is not None:
            return str(found)
    return FALLBACK


def make_environment(
    env: Mapping[str, str], ours: Mapping[str, str], *, windows: bool = IS_WINDOWS
) -> dict[str, str]:
    """As any terminal gives it. Of our own variables only those that a pane needs."""
    whole = {name: value for name, value in env.items() if not name.upper().startswith(OURS)}
    for name in ("COLUMNS", "LINES", "TERMCAP", "WINDOWID", "TMUX", "TMUX_PANE", "STY"):
        whole.pop(name, None)  # of the terminal that the daemon was started from
    whole |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "TERM_PROGRAM": "bascule", **ours}
    return add_to_wslenv(whole) if windows else whole


if sys.platform == "win32":

    def _read_login_shell() -> str:
        return ""

else:
    import pwd

    def _read_login_shell() -> str:
        try:
            return pwd.getpwuid(os.getuid()).pw_shell
        except KeyError:
            return ""


def is_folder(path: str) -> bool:
    return "\0" not in path and Path(path).is_absolute() and Path(path).is_dir()
