"""`bascule doctor`: what is found, which version, what is missing and how to get it."""

import argparse
import os
import platform
import subprocess
import sys
from pathlib import Path

import msgspec
from msgspec import Struct

from bascule import __version__
from bascule.cli import say
from bascule.cli.opening import add_workspace
from bascule.core.faults import CannotGoOn
from bascule.core.plain import plain_line

MARKS = {"ok": "✓", "missing": "✗", "note": "·"}
VERSION_TIMEOUT_S = 20.0


class Finding(Struct, frozen=True):
    what: str
    state: str  # ok, missing, note
    detail: str
    then: str = ""  # what to do about it


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON line a finding")
    add_workspace(parser)


def run(args: argparse.Namespace) -> int:
    workspace = Path(args.workspace) if args.workspace else Path.cwd()
    findings = [*_machine(), *_folder(workspace), _codex(workspace), _program("claude"), _program("git")]
    for finding in findings:
        say(msgspec.json.encode(finding).decode() if args.json else _line(finding))
    return 1 if any(finding.state == "missing" for finding in findings) else 0


def _line(finding: Finding) -> str:
    then = f"\n    → {finding.then}" if finding.then else ""
    return f"{MARKS[finding.state]} {finding.what}: {plain_line(finding.detail)}{then}"


def _machine() -> list[Finding]:
    python = f"{platform.python_version()} ({sys.executable})"
    return [
        Finding("bascule", "ok", __version__),
        Finding("python", "ok", python),
        Finding("system", "ok" if sys.platform == "linux" else "note", platform.platform()),
    ]


def _folder(workspace: Path) -> list[Finding]:
    from bascule.host.folder import find_root, open_folder
    from bascule.host.lockfile import find_owner
    from bascule.host.settings import read_settings

    try:
        folder = open_folder(find_root(os.environ))
    except CannotGoOn as fault:
        return [Finding("data folder", "missing", str(fault))]
    findings = [Finding("data folder", "ok", str(folder.root))]
    owner = find_owner(folder.lock)
    if owner is not None:
        findings.append(
            Finding("in use", "note", f"by {owner.command}, pid {owner.pid}, since {owner.started_at}")
        )
    try:
        read_settings(folder, workspace)
    except CannotGoOn as fault:
        return [*findings, Finding("settings", "missing", str(fault), "Correct what is named above.")]
    return [
        *findings,
        Finding("settings", "ok", str(folder.settings) if folder.settings.exists() else "defaults"),
    ]


def _codex(workspace: Path) -> Finding:
    from bascule.host.codex_binary import HOW_TO_GET, find_codex, missing_text
    from bascule.host.folder import find_root, open_folder
    from bascule.host.settings import read_settings

    try:
        command = read_settings(open_folder(find_root(os.environ)), workspace).codex.command
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
    from bascule.host.program import find_program

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
    return plain_line(done.stdout)[:100] if done.returncode == 0 else ""
