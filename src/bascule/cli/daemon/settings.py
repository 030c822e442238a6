"""`bascule settings`: what is in effect in this folder, and `set`, which changes and records one."""

import argparse
import json
from pathlib import Path

import msgspec

from bascule.cli import WrongUse, complain, say
from bascule.cli.connect.start_options import (
    add_place,
    add_workspace,
    open_data_folder,
    refuse_both,
    run_async,
)

EXAMPLES = """\
examples:
  bascule settings
  bascule settings set bascule.codex.effort high
  bascule settings set bascule.codex.effort  back to the default"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("verb", nargs="?", choices=["set"], help="change one; without it, all are listed")
    parser.add_argument("key", nargs="?", metavar="KEY", help="bascule.allowRunTerminal, for instance")
    parser.add_argument("value", nargs="?", metavar="VALUE", help="JSON or plain text; none: the default")
    parser.add_argument("--json", action="store_true", help="list them as JSON")
    parser.add_argument("--in-workspace", action="store_true", help="set it in the workspace's file")
    add_workspace(parser)
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    if args.verb == "set":
        return run_async(_set(args))
    return _list(args)


def _list(args: argparse.Namespace) -> int:
    from bascule.host.config.settings_files import WORKSPACE_FILE, read_merged
    from bascule.model.settings import TABLE

    refuse_both(args)
    folder = open_data_folder(demo=args.demo)
    workspace = Path(args.workspace) if args.workspace else Path.cwd()
    merged = read_merged(folder, workspace)
    values = msgspec.to_builtins(merged.settings)
    for problem in (*merged.ignored, *merged.untrusted):
        complain(f"Ignored: {problem}")
    if merged.untrusted:
        complain(f"`bascule trust add {workspace}` shows what this folder holds, and lets you trust it.")
    if args.json:
        say(msgspec.json.encode(values).decode())
        return 0
    for row in TABLE.values():
        group, _, name = row.key.rpartition(".")
        value = values[group][name] if group else values[name]
        say(f"{row.shown} = {json.dumps(value, ensure_ascii=False)}")
        say(f"    {row.doc}")
    say(f"\nChange one with `bascule settings set KEY VALUE`, or in {folder.settings};")
    say(f"what a workspace may set, also in its {WORKSPACE_FILE}.")
    return 0


async def _set(args: argparse.Namespace) -> int:
    from bascule.cli.connect.join_daemon import joined
    from bascule.cli.terminal.confirmed_call import call_and_answer
    from bascule.client.link import LinkRefused
    from bascule.host.terminal import person_here
    from bascule.model.protocol.setup import SetSettingParams

    if not args.key:
        raise WrongUse("Name the setting: bascule settings set KEY VALUE. `bascule settings` lists them.")
    params = SetSettingParams(
        key=args.key,
        value=None if args.value is None else parse_value(args.key, args.value),
        scope="workspace" if args.in_workspace else "user",
    )
    with person_here(stdin_is_taken=False) as terminal:
        async with joined(args, "settings") as link:
            done = await call_and_answer(link, terminal, "settings.set", params)
    if isinstance(done, LinkRefused):
        raise done
    row = next(row for row in done.settings if row.key.removeprefix("bascule.") == _bare(args.key))
    say(f"{row.key} = {json.dumps(row.value, ensure_ascii=False)}")
    return 0


def parse_value(key: str, text: str) -> object:
    """JSON where the setting is no text; a text needs no quotes."""
    from bascule.model.settings import TABLE

    row = TABLE.get(_bare(key))
    if row is not None and row.kind in ("text", "choice"):
        return text
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text  # refused by the daemon, with what it must be


def _bare(key: str) -> str:
    return key.removeprefix("bascule.")
