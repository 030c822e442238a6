"""The Codex binary: the one on PATH, else the one that the `codex` extra brought."""

import importlib
import importlib.util
from collections.abc import Mapping
from pathlib import Path

from bascule.host.processes.program import find_program

DEFAULT_COMMAND = "codex"
HOW_TO_GET = "Install one with `npm install -g @openai/codex` or `pip install 'bascule[codex]'`."


def find_codex(command: str, environ: Mapping[str, str]) -> Path | None:
    """A setting that names another program means that program only."""
    found = find_program(command, environ)
    if found is None and command == DEFAULT_COMMAND:
        return find_packaged()
    return found


def find_packaged() -> Path | None:
    if importlib.util.find_spec("codex_cli_bin") is None:
        return None
    package = importlib.import_module("codex_cli_bin")
    try:
        return Path(package.bundled_codex_path())
    except FileNotFoundError:
        return None


def missing_text(command: str) -> str:
    if command == DEFAULT_COMMAND:
        return f"There is no Codex here: `codex` is not on PATH. {HOW_TO_GET}"
    return f"There is no program {command!r}, which bascule.codex.command names. Correct it in settings.toml."
