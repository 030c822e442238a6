"""Windows and WSL: homes inside distributions, their paths from both sides, and what WSLENV passes."""

import re

UNC = re.compile(r"(?is)^[\\/]{2}(?:wsl\$|wsl\.localhost)[\\/]+([^\\/]+)((?:[\\/].*)?)$")
DRIVE = re.compile(r"(?s)([A-Za-z]):([\\/].*)")
UTF16_MARK = b"\xff\xfe"
# How each variable crosses: /u only to WSL, /p with its path converted, both ways.
CROSSING = {
    "BASCULE_PANE_ID": "/u",
    "BASCULE_NOTIFY_PATH": "/p",
    "BASCULE_INSTANCE_ID": "/u",
    "BASCULE_NOTIFY_DEBUG_PATH": "/p",
}


def parse_distros(output: bytes) -> list[str]:
    """Of `wsl.exe --list --quiet`, which writes UTF-16, with or without a mark."""
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


def to_inside(path: str) -> str:
    """A path of Windows as a distribution sees it, where its drives are in the usual place."""
    if (unc := split_unc(path)) is not None:
        return unc[1]
    match = DRIVE.fullmatch(path)
    return f"/mnt/{match[1].lower()}{match[2]}".replace("\\", "/") if match else path


def list_homes(distro: str, users: list[str]) -> list[str]:
    """Of every user that has a folder under /home, and root's."""
    return [join_unc(distro, f"/home/{user}") for user in sorted(users)] + [join_unc(distro, "/root")]


def add_to_wslenv(env: dict[str, str]) -> dict[str, str]:
    """Also ours of what is there, so that programs inside WSL get it. What is listed already stays."""
    ours = [name for name in CROSSING if name in env]
    present = env.get("WSLENV", "").split(":")
    kept = [entry for entry in present if entry and entry.split("/")[0] not in ours]
    return {**env, "WSLENV": ":".join([*kept, *(name + CROSSING[name] for name in ours)])}
