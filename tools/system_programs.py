"""Programs of the system that the tests run: Chromium, shells, nginx; apt installs them where it may."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

VARIABLE = "BASCULE_TEST_BROWSER"
NAMES = (
    "chromium-headless-shell",  # the same engine, and a third less work for the processor
    *("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "msedge"),
)
BROWSER = "chromium-headless-shell"
SHELLS = ("zsh", "fish")  # Debian's packages are named as the programs are, from here on
SERVER = "nginx"
SYSTEMD = Path("/run/systemd/system")  # where it runs, it would start a server that is installed
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)
PATIENCE_S = 600.0
QUIET = (  # a browser of ours talks to nobody but us
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MISSING = (
    "No Chromium was found for the tests of the page. "
    f"Install one (Debian: apt install {BROWSER}), or say where it is in {VARIABLE}."
)


def find_browser() -> str | None:
    named = os.environ.get(VARIABLE)
    if named:
        return named
    on_path = next((found for name in NAMES if (found := shutil.which(name))), None)
    return on_path or next((place for place in PLACES if Path(place).exists()), None)


def find_program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path="/usr/sbin")


def list_missing() -> list[str]:
    """The packages of what is not found."""
    browser = [] if find_browser() else [BROWSER]
    return [*browser, *(name for name in (*SHELLS, SERVER) if find_program(name) is None)]


def main() -> int:
    missing = list_missing()
    wanted = [name for name in missing if name != SERVER or not SYSTEMD.exists()]
    if wanted and may_install():
        print(f"Installing {', '.join(wanted)} with apt-get; this happens once.", flush=True)
        install(wanted)
        missing = list_missing()
    if others := [name for name in missing if name != BROWSER]:
        print(f"Not installed, so their tests are skipped: {', '.join(others)}.")
    if BROWSER in missing:
        print(MISSING, file=sys.stderr)
        return 1
    return 0


def install(packages: list[str]) -> None:
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *packages]):
        argv = ["apt-get", *words]
        subprocess.run(argv, check=False, env=env, stdout=subprocess.DEVNULL, timeout=PATIENCE_S)


def may_install() -> bool:
    return shutil.which("apt-get") is not None and hasattr(os, "geteuid") and os.geteuid() == 0


if __name__ == "__main__":
    sys.exit(main())
