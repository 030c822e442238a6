"""`bascule settings`: what holds in this folder, and where it may be changed."""

import argparse
import json
from pathlib import Path

import msgspec

from bascule.cli import say
from bascule.cli.opening import add_place, add_workspace, open_data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_workspace(parser)
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    from bascule.host.settings import WORKSPACE_FILE, read_settings
    from bascule.model.settings import TABLE

    folder = open_data_folder(demo=args.demo)
    settings = read_settings(folder, Path(args.workspace) if args.workspace else Path.cwd())
    values = msgspec.to_builtins(settings)
    if args.json:
        say(msgspec.json.encode(values).decode())
        return 0
    for row in TABLE.values():
        group, _, name = row.key.rpartition(".")
        value = values[group][name] if group else values[name]
        say(f"{row.shown} = {json.dumps(value, ensure_ascii=False)}")
        say(f"    {row.doc}")
    say(f"\nChange them in {folder.settings}; what a workspace may set, also in its {WORKSPACE_FILE}.")
    return 0
