"""An agent's program: the one on PATH, else the one that a Python package brought."""

import importlib
import importlib.util
from collections.abc import Mapping
from pathlib import Path

from bascule.host.processes.program import SearchPath, find_program
from bascule.model.agents import Launch


def find_agent_program(launch: Launch, environ: Mapping[str, str]) -> Path | None:
    found = find_program(launch.program, environ)
    return find_bundled(launch.bundled) if found is None and launch.bundled else found


def describe_missing(launch: Launch, search_path: SearchPath) -> str:
    """With the program that PATH has, where an agent may write."""
    unused = find_program(launch.program, {"PATH": search_path.whole})
    why = f" {unused} is not used, because agents may write in its folder." if unused else ""
    return f"{launch.missing}{why}"


def find_bundled(entry: str) -> Path | None:
    """`package:function`; None where that package is not installed, or has lost the file."""
    name, _, function = entry.partition(":")
    if importlib.util.find_spec(name) is None:
        return None
    package = importlib.import_module(name)
    try:
        return Path(getattr(package, function)())
    except FileNotFoundError:
        return None
