"""`bascule doctor`: what is found, which version, what is missing and how to get it."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import say
from bascule.cli.connect.start_options import add_workspace, find_workspace
from bascule.core.faults import UserError
from bascule.core.text.plain import plain_line

if TYPE_CHECKING:
    from bascule.host.findings import Finding

MARKS = {"ok": "✓", "missing": "✗", "note": "·"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON line per finding")
    add_workspace(parser)


def run(args: argparse.Namespace) -> int:
    findings = _find(Path(find_workspace(args)))
    for finding in findings:
        say(msgspec.json.encode(finding).decode() if args.json else _line(finding))
    return 1 if any(finding.state == "missing" for finding in findings) else 0


def _find(workspace: Path) -> "list[Finding]":
    from bascule.daemon.agents.available_agents import find_available
    from bascule.host.config.search_path import find_search_path_in
    from bascule.host.files.data_folder import find_root, open_folder
    from bascule.host.findings import Finding, find_basics, inspect_machine

    try:
        folder = open_folder(find_root(os.environ))
    except UserError as fault:
        return [*find_basics(), Finding("data folder", "missing", str(fault))]
    search_path = find_search_path_in(folder, os.environ, workspace)
    return inspect_machine(folder, workspace, find_available().launches, search_path)


def _line(finding: "Finding") -> str:
    then = f"\n    → {finding.then}" if finding.then else ""
    return f"{MARKS[finding.state]} {finding.what}: {plain_line(finding.detail)}{then}"
