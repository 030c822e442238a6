"""Where agents keep their files: in the person's own homes, and from Windows also inside WSL."""

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from bascule.core.watch.places import find_claude_home, list_codex_homes
from bascule.core.watch.wsl import join_unc, list_homes, parse_distros
from bascule.host.machine import IS_WINDOWS

LIST_RUNNING = ("--list", "--running", "--quiet")  # only those that run: looking starts none
PATIENCE_S = 5.0


class Home(NamedTuple):
    folder: str
    processes: str = ""  # the process table of its system, as a folder; empty: the one of this machine


class AgentHomes:
    """`look` adds homes inside WSL, where a distribution may be started at any time. None is removed."""

    def __init__(
        self, env: Mapping[str, str], home: str, list_inside: Callable[[], list[Home]] | None = None
    ) -> None:
        claude_home = find_claude_home(env, home)
        self.own_codex = tuple(list_codex_homes(env, home, os.pathsep))  # whose shared daemons can be reached
        self.codex = list(self.own_codex)
        self.claude = [Home(claude_home)] if claude_home else []
        self._list_inside = list_inside or (list_wsl_homes if IS_WINDOWS else None)

    @property
    def may_grow(self) -> bool:
        return self._list_inside is not None

    def look(self) -> None:
        for home in self._list_inside() if self._list_inside is not None else ():
            codex, claude = str(Path(home.folder, ".codex")), str(Path(home.folder, ".claude"))
            if codex not in self.codex:
                self.codex.append(codex)
            if Home(claude, home.processes) not in self.claude:
                self.claude.append(Home(claude, home.processes))


def list_wsl_homes(
    list_running: Callable[[], bytes] | None = None, at: Callable[[str], str] = str
) -> list[Home]:
    """Of every user of the distributions that run. `at`: where a UNC path leads."""
    homes: list[Home] = []
    for distro in parse_distros((list_running or _list_running)()):
        try:
            users = os.listdir(at(join_unc(distro, "/home")))  # noqa: PTH208
        except OSError:
            users = []
        processes = at(join_unc(distro, "/proc"))
        homes += [Home(at(home), processes) for home in list_homes(distro, users)]
    return homes


def _list_running() -> bytes:
    """Empty where there is no WSL, and where none runs: that is said in words, and with an error."""
    program = str(Path(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "wsl.exe"))
    try:
        done = subprocess.run([program, *LIST_RUNNING], capture_output=True, timeout=PATIENCE_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return b""
    return done.stdout if done.returncode == 0 else b""
