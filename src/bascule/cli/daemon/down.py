"""`bascule down`: stop the daemon, and wait until it has released everything."""

import argparse

from bascule.cli import complain, say
from bascule.cli.connect.daemon_call import NotAnswering, call
from bascule.cli.connect.start_options import add_place, open_data_folder

STOP_S = 30.0  # agents get time to end before they are ended
KILL_S = 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    import psutil

    from bascule.host.locks.lockfile import find_owner
    from bascule.host.network.registration import find_daemon
    from bascule.host.processes.liveness import is_alive
    from bascule.host.processes.process_register import send, wait_until_gone

    folder = open_data_folder(demo=args.demo)
    daemon = find_daemon(folder)
    owner = find_owner(folder.lock) if daemon is None else None
    if daemon is None and owner is None:
        say("Bascule is not running.")
        return 0
    pid = daemon.pid if daemon is not None else owner.pid if owner is not None else 0
    process = psutil.Process(pid)  # checked by its start time: a signal goes to no other
    try:
        if daemon is None:
            raise NotAnswering(
                f"Process {pid} has the data folder, and no registration says where it listens."
            )
        call(daemon, "POST", "/shutdown")
    except NotAnswering as silent:
        complain(silent.said)
        complain(f"Sending it a signal to stop (SIGTERM, pid {pid}).")
        send(process.terminate)
    wait_until_gone([process], STOP_S)
    if is_alive(process):
        complain(
            f"Process {pid} did not stop within {STOP_S:.0f} s, so it is killed (SIGKILL). "
            "Sessions are kept; what was not saved yet is lost. The next start ends the agents that are left."
        )
        send(process.kill)
        wait_until_gone([process], KILL_S)
    if is_alive(process):
        complain(f"Process {pid} cannot be killed. It may be waiting for the disk.")
        return 1
    say(f"Stopped (pid {pid}).")
    return 0
