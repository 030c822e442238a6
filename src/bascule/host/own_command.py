"""How a person calls us: `bascule` where their shell finds it, else the path that does."""

import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

from bascule.host.processes.program import find_program

NAME = "bascule"


def find_own_command(environ: Mapping[str, str] | None = None) -> str:
    """As it is typed: quoted, and with `~` for the person's own folder."""
    environ = os.environ if environ is None else environ
    if find_program(NAME, environ) is not None:
        return NAME
    ours = find_program(str(Path(sys.executable).parent / NAME), environ)
    if ours is None:
        return f"{_typed(sys.executable, environ)} -P -m {NAME}"
    return _typed(str(ours), environ)


def _typed(path: str, environ: Mapping[str, str]) -> str:
    home = environ.get("HOME", "")
    if home and Path(path).is_relative_to(home):
        rest = str(Path(path).relative_to(home))
        if shlex.quote(rest) == rest:
            return f"~/{rest}"
    return shlex.quote(path)
