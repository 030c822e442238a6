"""Where agents keep what is watched: every Codex home, Claude's home, and which files in them count."""

import posixpath
import re
from collections.abc import Mapping

UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
HEX32 = re.compile(r"[0-9a-fA-F]{32}")
MAX_DEPTH = 6  # folders below `sessions`
SOCKET = "app-server-control/app-server-control.sock"


def list_codex_homes(env: Mapping[str, str], home: str, separator: str = ":") -> list[str]:
    """Every folder that CODEX_HOME lists, and ~/.codex; each once."""
    named = [_expand(one.strip(), home) for one in env.get("CODEX_HOME", "").split(separator)]
    usual = [posixpath.join(home, ".codex")] if home else []
    return list(dict.fromkeys(one for one in (*named, *usual) if one))


def find_claude_home(env: Mapping[str, str], home: str) -> str:
    """Empty where the system knows no home."""
    named = env.get("CLAUDE_CONFIG_DIR", "").strip()
    if named:
        return _expand(named, home)
    return posixpath.join(home, ".claude") if home else ""


def find_claude_settings(env: Mapping[str, str], home: str) -> str:
    """Empty where the system knows no home."""
    folder = find_claude_home(env, home)
    return posixpath.join(folder, "settings.json") if folder else ""


def _expand(path: str, home: str) -> str:
    if home and (path == "~" or path.startswith(("~/", "~\\"))):
        return home + path[1:]
    return path


def is_rollout(name: str) -> bool:
    return name.endswith(".jsonl") and not name.startswith(".")


def find_session_id(file_name: str) -> str:
    """The last UUID in the name, else 32 hex digits, else what follows the last dash."""
    stem = file_name.removesuffix(".jsonl")
    if found := UUID.findall(stem):
        return str(found[-1])
    if found := HEX32.findall(stem):
        return str(found[-1])
    return stem.rsplit("-", 1)[-1]
