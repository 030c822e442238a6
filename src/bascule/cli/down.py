"""`bascule down`: stop the daemon, and wait until it has let go of everything."""

import argparse

from bascule.cli import complain, say
from bascule.cli.calling import call
from bascule.cli.opening import add_place, open_data_folder

STOP_S = 30.0  # agents get time to end before they are ended


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    import psutil

    from bascule.host.lockfile import find_owner
    from bascule.host.register import is_alive, wait_until_gone
    from bascule.host.registration import find_daemon

    folder = open_data_folder(demo=args.demo)
    daemon = find_daemon(folder)
    if daemon is None:
        owner = find_owner(folder.lock)
        if owner is None:
            say("Bascule is not running.")
            return 0
        complain(
            f"process {owner.pid} ({owner.command}) has the data folder but does not listen. End it there."
        )
        return 1
    process = psutil.Process(daemon.pid)
    call(daemon, "POST", "/shutdown")
    wait_until_gone([process], STOP_S)
    if is_alive(process):
        complain(f"process {daemon.pid} was asked to stop and has not in {STOP_S:.0f} s. End it by hand.")
        return 1
    say(f"Stopped (pid {daemon.pid}).")
    return 0
