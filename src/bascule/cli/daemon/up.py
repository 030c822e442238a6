"""`bascule up`: one daemon per user, in the background; a second time it opens the one that runs."""

import argparse
import asyncio
import gc
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import say
from bascule.cli.connect.background import start_background
from bascule.cli.connect.daemon_call import call
from bascule.cli.connect.outer_door import add_outside, outside_words, read_outside, secret_files
from bascule.cli.connect.start_options import (
    add_place,
    agent_env,
    demo_prompts,
    find_place,
    open_data_folder,
    run_async,
)
from bascule.core.faults import UserError

if TYPE_CHECKING:
    from bascule.host.files.data_folder import Folder
    from bascule.host.network.registration import Registration

EXAMPLES = """\
examples:
  bascule up                                 opens the page in your browser
  bascule up --no-open                       prints the link, which works once
  bascule up --demo                          offline, without an account"""
COMMAND = "bascule up"  # as it signs the data folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=0, help="on 127.0.0.1 (default: the last one, or any)")
    parser.add_argument("--no-open", action="store_true", help="print the link, open no browser")
    parser.add_argument("--foreground", action="store_true", help="stay in this terminal until Ctrl+C")
    parser.add_argument(
        "--background", action="store_true", help=argparse.SUPPRESS
    )  # the detached one itself
    add_outside(parser)
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    from bascule.host.network.registration import find_daemon

    folder = open_data_folder(demo=args.demo)
    if args.background:
        return run_async(_serve(args, folder))
    daemon = find_daemon(folder)
    if daemon is not None:
        _mind(args, daemon)
        _show(args, folder, daemon)
        return 0
    if args.foreground:
        return run_async(_serve(args, folder))
    read_outside(args)  # what is wrong with the flags is said before anything starts
    _show(args, folder, start_background(folder, *outside_words(args), port=args.port, demo=args.demo))
    return 0


async def _serve(args: argparse.Namespace, folder: "Folder") -> int:
    from bascule.daemon.app import open_app
    from bascule.host.processes.detached import say_ready
    from bascule.host.processes.signals import STOP_SIGNALS, on_signals
    from bascule.serve.serving import serving

    outside = read_outside(args)
    async with (
        open_app(
            folder,
            command=COMMAND,
            beside=lambda: agent_env(args, folder),
            demo_prompts=demo_prompts(args),
            secret_files=secret_files(args),
            orphans="end"
            if args.background or args.no_open
            else "follow",  # a browser that we start may stay
        ) as app,
        serving(app, folder, port=args.port, outside=outside) as doors,
    ):
        gc.freeze()  # what is there now stays: looking through it again and again would hold everybody up
        with on_signals(STOP_SIGNALS, doors.asked_to_stop.set):  # they end it as `bascule down` does
            if args.background:
                say_ready()
            else:
                await asyncio.to_thread(_show, args, folder, doors.registration)
            await doors.asked_to_stop.wait()
    return 0


def _mind(args: argparse.Namespace, daemon: "Registration") -> None:
    """It runs already, so what was asked of its start cannot be had."""
    if args.bind or args.port not in (0, daemon.port):
        raise UserError(
            f"It runs already (pid {daemon.pid}, {f'port {daemon.port}' if daemon.port else 'no port'}). "
            "Stop it with `bascule down`, then start it as you want it."
        )


def _show(args: argparse.Namespace, folder: "Folder", daemon: "Registration") -> None:
    workspace = find_place(args, folder)
    link = _new_link(daemon, workspace)  # opens the door for browsers, where a command hosts without one
    say(f"Bascule is running at {link.partition('#')[0]} (pid {daemon.pid}).")
    if outside := _find_outside(daemon):
        say(f"For other machines it is at {outside}. `bascule devices` says who may come in.")
    _say_host(folder)
    say(f"This link opens it once, within five minutes: {link}")
    if not args.no_open and has_display(os.environ, sys.platform):
        from bascule.host.config.search_path import find_search_path_in
        from bascule.host.network.browser_link import open_in_browser

        search_path = find_search_path_in(folder, os.environ, workspace)
        open_in_browser(folder, _new_link(daemon, workspace), search_path)
    sys.stdout.flush()


def _say_host(folder: "Folder") -> None:
    """A command that hosts leaves when it is done, and takes the page with it."""
    from bascule.host.locks.lockfile import find_owner

    owner = find_owner(folder.lock)
    if owner is not None and owner.command not in (COMMAND, ""):
        say(f"It is part of `{owner.command}` (pid {owner.pid}) and ends with it, once no page is open.")


def _find_outside(daemon: "Registration") -> str:
    from bascule.serve.http import StatusReport

    return msgspec.json.decode(call(daemon, "GET", "/status"), type=StatusReport).outside


def _new_link(daemon: "Registration", workspace: str) -> str:
    from bascule.serve.http import LinkReport

    return msgspec.json.decode(call(daemon, "POST", "/link", workspace), type=LinkReport).url


def has_display(environ: Mapping[str, str], platform: str) -> bool:
    """Whether a browser would appear before the person who typed this."""
    if platform in ("darwin", "win32"):
        return "SSH_CONNECTION" not in environ
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
