"""Sockets of other programs: what reaches one could have that program run things, outside every sandbox."""

import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

MAX_PLACES = 1_000
MAX_NAMES = 20_000  # of sockets that the kernel lists
MAX_ENTRIES = 5_000  # of what lies below /run
MAX_DEPTH = 3
KERNEL_LIST = Path("/proc/net/unix")  # without those that a container was given from outside
RUN = Path("/run")
# Hidden as a whole, so that a socket made in them later is hidden too.
FOLDERS = ("/run/dbus", "/run/docker", "/run/containerd", "/run/podman", "/run/crio", "/run/screen")
FOLDER_NAMES = ("XDG_RUNTIME_DIR", "TMUX_TMPDIR", "SCREENDIR")  # variables
SOCKET_IN_VALUE = re.compile(r"(?:^|[=:])(?://)?(/[^,;:]+)")  # SSH_AUTH_SOCK, DOCKER_HOST, TMUX and others


def find_socket_places(env: Mapping[str, str]) -> tuple[str, ...]:
    """Those that there are now: real paths of sockets, and of folders that hold nothing but such."""
    if sys.platform == "win32":
        return ()
    folders = [*FOLDERS, f"/run/user/{os.getuid()}", *(env.get(name, "") for name in FOLDER_NAMES)]
    hidden = {os.path.realpath(one) for one in folders if one.startswith("/") and Path(one).is_dir()}
    named = (found[1] for value in env.values() for found in SOCKET_IN_VALUE.finditer(value))
    for place in (*named, *_kernel_names(), *_below_run()):
        if len(hidden) >= MAX_PLACES:
            break
        if _is_socket(place):
            hidden.add(os.path.realpath(place))
    return tuple(sorted(hidden))


def _kernel_names() -> Iterator[str]:
    try:
        with KERNEL_LIST.open(errors="surrogateescape") as lines:
            for _, line in zip(range(MAX_NAMES), lines, strict=False):
                name = line.rstrip("\n").split(maxsplit=7)[7:]
                yield from (one for one in name if one.startswith("/"))
    except OSError:
        return


def _below_run() -> Iterator[str]:
    left = MAX_ENTRIES
    for folder, inner, files in os.walk(RUN):
        if len(Path(folder).relative_to(RUN).parts) >= MAX_DEPTH - 1:
            inner.clear()
        left -= len(files) + len(inner)
        if left < 0:
            return
        yield from (os.path.join(folder, name) for name in files)  # noqa: PTH118 - thousands of them


def _is_socket(place: str) -> bool:
    try:
        return stat.S_ISSOCK(os.stat(place).st_mode)  # noqa: PTH116 - as above
    except (OSError, ValueError):
        return False
