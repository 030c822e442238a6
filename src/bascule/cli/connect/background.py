"""Starting the daemon in the background, where it keeps running after this command."""

import sys
import time
from typing import TYPE_CHECKING

from bascule.core.faults import UserError

if TYPE_CHECKING:
    from bascule.host.files.data_folder import Folder
    from bascule.host.network.registration import Registration

START_S = 60.0  # until it can be used, on a machine that is busy
OTHER_START_S = 10.0
POLL_S = 0.05


def start_background(folder: "Folder", *words: str, port: int = 0, demo: bool) -> "Registration":
    """`words` are further options of `bascule up`."""
    from bascule.host.processes.detached import start_detached

    options = ["--background", "--port", str(port), *words, *(["--demo"] if demo else [])]
    argv = [sys.executable, "-P", "-m", "bascule", "up", *options]  # -P: no module of the current folder
    failed = start_detached(argv, cwd=folder.root, limit_s=START_S)
    daemon = _find_soon(folder)
    if daemon is None:
        raise UserError(
            (failed or "It started and then exited. See `bascule logs`.").removeprefix("bascule: ")
        )
    return daemon


def _find_soon(folder: "Folder") -> "Registration | None":
    """Of two that are started at once one wins, and may not listen yet; nothing tells us when it does."""
    from bascule.host.locks.lockfile import find_owner
    from bascule.host.network.registration import find_daemon

    deadline = time.monotonic() + OTHER_START_S
    while (daemon := find_daemon(folder)) is None and find_owner(folder.lock) and time.monotonic() < deadline:
        time.sleep(POLL_S)
    return daemon
