"""Finds a Chromium for the tests of the page, the one without windows first; on Debian, as root, gets it."""

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
PACKAGE = "chromium-headless-shell"
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
    f"Install one (Debian: apt install {PACKAGE}), or say where it is in {VARIABLE}."
)


def find_browser() -> str | None:
    named = os.environ.get(VARIABLE)
    if named:
        return named
    on_path = next((found for name in NAMES if (found := shutil.which(name))), None)
    return on_path or next((place for place in PLACES if Path(place).exists()), None)


def main() -> int:
    if find_browser() is None and may_install():
        print(f"Installing {PACKAGE} with apt-get; this happens once.")
        for words in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", PACKAGE]):
            env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            argv = ["apt-get", *words]
            subprocess.run(argv, check=False, env=env, stdout=subprocess.DEVNULL, timeout=PATIENCE_S)
    if find_browser() is None:
        print(MISSING, file=sys.stderr)
        return 1
    return 0


def may_install() -> bool:
    return shutil.which("apt-get") is not None and hasattr(os, "geteuid") and os.geteuid() == 0


if __name__ == "__main__":
    sys.exit(main())
