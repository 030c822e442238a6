"""`bascule status`: whether it runs, since when, what its sessions do and what it costs."""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bascule.cli import say
from bascule.cli.connect.daemon_call import call
from bascule.cli.connect.start_options import add_place, open_data_folder
from bascule.core.faults import UserError
from bascule.model.session import Status

if TYPE_CHECKING:
    from bascule.host.files.data_folder import Folder
    from bascule.host.network.registration import Registration

MIB = 1024 * 1024
NOT_RUNNING = 1
SESSIONS: dict[str, tuple[Status, ...]] = {
    "waiting for you": ("waiting_user",),
    "working": ("working",),
    "ended": ("completed", "stopped"),
    "new": ("unknown",),
}


class Process(Struct, frozen=True):
    pid: int
    name: str
    memory: int  # bytes, resident


class DaemonStatus(Struct, frozen=True, kw_only=True):
    running: bool
    pid: int = 0
    since: str = ""
    url: str = ""
    unreachable: str = ""  # why no command or browser gets through, and what then
    outside: str = ""  # address of the door for other machines
    relay: str = ""  # how the bridge to a relay stands
    troubles: tuple[str, ...] = ()  # what is wrong with the daemon now, and with the record
    version: str = ""
    surfaces: int = 0
    sessions: Mapping[str, int] = {}
    processes: tuple[Process, ...] = ()  # the daemon first, then all that it started


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as one JSON line")
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    from bascule.host.network.registration import find_daemon

    folder = open_data_folder(demo=args.demo)
    daemon = find_daemon(folder)
    standing = read_standing(daemon) if daemon else _find_silent(folder)
    standing = replace(standing, troubles=(*standing.troubles, *find_losses(folder)))
    say(msgspec.json.encode(standing).decode() if args.json else _text(standing))
    return 0 if standing.running else NOT_RUNNING


def _find_silent(folder: "Folder") -> DaemonStatus:
    """Where nothing says how to reach it: there is none, it is just starting, or its file was deleted."""
    from bascule.host.locks.lockfile import find_owner
    from bascule.host.network.registration import registration_path

    owner = find_owner(folder.lock)
    if owner is None:
        return DaemonStatus(running=False)
    missing = f"{registration_path(folder)}, which says where it listens, is missing"
    return DaemonStatus(
        running=True,
        pid=owner.pid,
        since=owner.started_at,
        unreachable=f"{missing}. If it is not just starting: `bascule down`, then `bascule up`.",
        processes=_find_processes(owner.pid),
    )


def read_standing(daemon: "Registration") -> DaemonStatus:
    from bascule.serve.http import StatusReport

    report = msgspec.json.decode(call(daemon, "GET", "/status"), type=StatusReport)
    return DaemonStatus(
        running=True,
        pid=daemon.pid,
        since=daemon.started_at,
        url=daemon.url,
        outside=report.outside,
        relay=report.relay,
        troubles=tuple(notice.text for notice in report.notices),
        version=report.version,
        surfaces=report.surfaces,
        sessions=report.sessions,
        processes=_find_processes(daemon.pid),
    )


def find_losses(folder: "Folder") -> list[str]:
    """What the record has lost, now or before."""
    from bascule.host.storage.audit import Audit, audit_in

    try:
        return Audit(audit_in(folder.root)).all_losses()
    except UserError as fault:
        return [str(fault)]


def _find_processes(pid: int) -> tuple[Process, ...]:
    import psutil

    found = []
    try:
        daemon = psutil.Process(pid)
        for process in [daemon, *daemon.children(recursive=True)]:
            found.append(Process(process.pid, process.name(), process.memory_info().rss))
    except psutil.Error:
        pass  # it ended while we looked
    return tuple(found)


def _text(standing: DaemonStatus) -> str:
    from bascule.host.locks.lockfile import say_start

    troubles = [f"✗ {trouble}" for trouble in standing.troubles]
    if not standing.running:
        return "\n".join(["Bascule is not running. `bascule up` starts it.", *troubles])
    memory = sum(process.memory for process in standing.processes)
    if standing.unreachable:
        since = f"since {say_start(standing.since)}, pid {standing.pid}"
        return "\n".join([f"Bascule is running, {since}", f"✗ {standing.unreachable}", *troubles])
    lines = [
        f"Bascule {standing.version} is running"
        + (f" at {standing.url}" if standing.url else ", without a port: `bascule up` opens the page"),
        *([f"for other machines: {standing.outside}"] if standing.outside else []),
        *([f"relay: {standing.relay}"] if standing.relay else []),
        f"since {say_start(standing.since)}, pid {standing.pid}",
        f"sessions: {_count_sessions(standing.sessions)}",
        f"surfaces: {standing.surfaces} connected",
        f"processes: {len(standing.processes)}, {memory / MIB:.0f} MiB",
        *(f"  {one.pid:>7}  {one.memory / MIB:6.1f} MiB  {one.name}" for one in standing.processes),
        *troubles,
    ]
    return "\n".join(lines)


def _count_sessions(sessions: Mapping[str, int]) -> str:
    counts = {words: sum(sessions.get(status, 0) for status in which) for words, which in SESSIONS.items()}
    return ", ".join(f"{count} {words}" for words, count in counts.items() if count) or "none"
