"""Findings: what a machine has of all that is needed, in which version, and how to get the rest."""

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Literal

from msgspec import Struct

from bascule import __version__
from bascule.core.faults import CannotGoOn
from bascule.core.plain import plain_line
from bascule.host.codex_binary import HOW_TO_GET, find_codex, missing_text
from bascule.host.folder import Folder
from bascule.host.lockfile import find_owner
from bascule.host.program import find_program
from bascule.host.settings import read_settings

VERSION_TIMEOUT_S = 20.0
MAX_VERSION = 100  # characters


class Finding(Struct, frozen=True):
    what: str
    state: Literal["ok", "note", "missing"]
    detail: str
    then: str = ""  # what to do about it


def inspect_machine(folder: Folder, workspace: Path | None) -> list[Finding]:
    """With the folder's own settings, and those of the workspace where there is one."""
    return [
        *find_basics(),
        *_folder(folder, workspace),
        _codex(folder, workspace),
        _program("claude"),
        _program("git"),
    ]


def find_basics() -> list[Finding]:
    python = f"{platform.python_version()} ({sys.executable})"
    return [
        Finding("bascule", "ok", __version__),
        Finding("python", "ok", python),
        Finding("system", "ok" if sys.platform == "linux" else "note", platform.platform()),
    ]


def _folder(folder: Folder, workspace: Path | None) -> list[Finding]:
    findings = [Finding("data folder", "ok", str(folder.root))]
    owner = find_owner(folder.lock)
    if owner is not None:
        used = f"by {owner.command}, pid {owner.pid}, since {owner.started_at}"
        findings.append(Finding("in use", "note", used))
    try:
        read_settings(folder, workspace)
    except CannotGoOn as fault:
        return [*findings, Finding("settings", "missing", str(fault), "Correct what is named above.")]
    where = str(folder.settings) if folder.settings.exists() else "defaults"
    return [*findings, Finding("settings", "ok", where)]


def _codex(folder: Folder, workspace: Path | None) -> Finding:
    try:
        command = read_settings(folder, workspace).codex.command
    except CannotGoOn:
        command = "codex"
    path = find_codex(command, os.environ)
    if path is None:
        return Finding("codex", "missing", missing_text(command))
    version = _version(path)
    if not version:
        return Finding("codex", "missing", f"{path} does not run", HOW_TO_GET)
    return Finding("codex", "ok", f"{version} ({path})")


def _program(name: str) -> Finding:
    path = find_program(name, os.environ)
    if path is None:
        return Finding(name, "note", "not found")
    return Finding(name, "ok", f"{_version(path)} ({path})")


def _version(path: Path) -> str:
    try:
        done = subprocess.run(
            [str(path), "--version"],
            capture_output=True,
            text=True,
            timeout=VERSION_TIMEOUT_S,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return plain_line(done.stdout)[:MAX_VERSION] if done.returncode == 0 else ""
