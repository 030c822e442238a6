"""Whether a process is confined more than this one: in another namespace, or with fewer rights (Linux)."""

import os
import re
import sys

NAMESPACES = ("user", "mnt", "pid")
LIMITS = tuple(
    re.compile(rb"^%s:\s*(\d+)" % name, re.MULTILINE)
    for name in (b"NoNewPrivs", b"Seccomp", b"Seccomp_filters")  # the last: how many are stacked
)
BLIND = (
    "the daemon itself runs with no_new_privs, so its local socket can't tell a process in a Landlock "
    "sandbox from one outside, and lets both in"
)


def is_confined(pid: int) -> bool:
    """A sandbox can be left by none of its processes. One that cannot be looked at counts.

    Bubblewrap makes namespaces; Landlock and seccomp need a process that never gains rights again."""
    if sys.platform != "linux":
        return False
    try:
        return _read_namespaces(pid) != _read_namespaces(os.getpid()) or any(
            theirs > ours for theirs, ours in zip(_read_limits(pid), _read_limits(os.getpid()), strict=True)
        )
    except OSError:
        return True


def find_blindness(pid: int) -> str:
    """Why a daemon with this pid cannot tell every sandbox; empty where it can, or nothing is known of it.

    Landlock shows nowhere but in this bit, which is on for all processes of some containers and services."""
    if sys.platform != "linux":
        return ""
    try:
        return BLIND if _read_limits(pid)[0] else ""
    except OSError:
        return ""


def _read_namespaces(pid: int) -> list[str]:
    return [os.readlink(f"/proc/{pid}/ns/{name}") for name in NAMESPACES]  # noqa: PTH115


def _read_limits(pid: int) -> list[int]:
    """A kernel that has no such thing says nothing of it."""
    with open(f"/proc/{pid}/status", "rb") as file:  # noqa: PTH123 - read at every connection
        status = file.read()
    return [int(found[1]) if (found := one.search(status)) else 0 for one in LIMITS]
