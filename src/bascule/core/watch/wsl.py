"""Windows and WSL: homes inside distributions, their paths from both sides, and what WSLENV passes.

Nothing calls these yet: sessions inside WSL are not shown."""

import re
from pathlib import PureWindowsPath

UNC = re.compile(r"(?is)^[\\/]{2}(?:wsl\$|wsl\.localhost)[\\/]+([^\\/]+)((?:[\\/].*)?)$")
UTF16_MARK = b"\xff\xfe"
# How each variable crosses: /u only to WSL, /p with its path converted, both ways.
CROSSING = {
    "BASCULE_PANE_ID": "/u",
    "BASCULE_NOTIFY_PATH": "/p",
    "BASCULE_INSTANCE_ID": "/u",
    "BASCULE_NOTIFY_DEBUG_PATH": "/p",
}


def parse_distros(output: bytes) -> list[str]:
    """Of `wsl.exe -l -q`, which writes UTF-16, with or without a mark."""
    is_wide = output.startswith(UTF16_MARK) or output[1:2] == b"\0"
    text = output.decode("utf-16-le" if is_wide else "utf-8", "replace")
    names = (line.strip("\ufeff\0 \t\r") for line in text.split("\n"))
    return list(dict.fromkeys(name for name in names if name))


def unc_root(distro: str) -> str:
    return f"\\\\wsl.localhost\\{distro}"


def split_unc(path: str) -> tuple[str, str] | None:
    """The distribution and the path inside it; None for any other path."""
    match = UNC.match(path)
    if match is None:
        return None
    inside = match[2].replace("\\", "/")
    return match[1], inside or "/"


def join_unc(distro: str, inside: str) -> str:
    return unc_root(distro) + inside.replace("/", "\\").rstrip("\\")


def list_homes(distro: str, users: list[str]) -> list[str]:
    """Of every user that has a folder under /home, and root's."""
    return [join_unc(distro, f"/home/{user}") for user in sorted(users)] + [join_unc(distro, "/root")]


def settings_in(home: str) -> str:
    """Claude's settings below a home that may be inside WSL."""
    return str(PureWindowsPath(home) / ".claude" / "settings.json")


def add_to_wslenv(present: str, variables: tuple[str, ...] = tuple(CROSSING)) -> str:
    """What is there already stays, and nothing is named twice."""
    kept = [entry for entry in present.split(":") if entry and entry.split("/")[0] not in variables]
    return ":".join([*kept, *(name + CROSSING[name] for name in variables)])
