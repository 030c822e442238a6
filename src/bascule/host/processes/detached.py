"""A program started to outlive its terminal; the starter learns whether it came up."""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

READY = "ready"
MAX_SAID = 64 * 1024

if sys.platform == "win32":
    ALONE: dict[str, Any] = {
        "creationflags": subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    }
else:
    ALONE: dict[str, Any] = {"start_new_session": True}


def start_detached(argv: Sequence[str], *, cwd: Path, limit_s: float) -> str | None:
    """None as soon as it calls `say_ready`; otherwise what it said before it ended."""
    process = subprocess.Popen(
        argv,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **ALONE,
    )
    assert process.stdout is not None
    too_late = threading.Timer(limit_s, process.kill)
    too_late.start()
    with process.stdout:
        said = process.stdout.read(MAX_SAID).decode("utf-8", "replace").rstrip()
    too_late.cancel()
    if said.split("\n")[-1] == READY:
        process.returncode = 0  # it runs on without us, on purpose
        return None
    process.wait()
    return said or f"it ended with {process.returncode} and said nothing"


def say_ready() -> None:
    """Called by the program once it can be used; from then on it says nothing on its pipes."""
    with contextlib.suppress(OSError):  # who started us may have gone
        os.write(1, f"{READY}\n".encode())
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    os.close(nothing)
