"""Real processes that start processes, and how to see whether they are still there."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil

from bascule.host.processes.child import Child
from bascule.host.processes.process_register import Register

SLEEP = "import signal; signal.pause()"

# Starts one grandchild in the session, one in its own session, one in its own session whose parent is gone,
# and one in the session that forgot its environment; tells their pids; then does what its argument says.
TREE = f"""
import json, os, signal, subprocess, sys
sleep = [sys.executable, "-c", {SLEEP!r}]
quiet = dict(stdin=-3, stdout=-3, stderr=-3)
near = subprocess.Popen(sleep, **quiet)
far = subprocess.Popen(sleep, start_new_session=True, **quiet)
bare = subprocess.Popen(sleep, env={{}}, **quiet)
starter = "import subprocess, sys; print(subprocess.Popen(sys.argv[1:], stdin=-3, stdout=-3, stderr=-3).pid)"
lost = subprocess.run([sys.executable, "-c", starter, *sleep], capture_output=True, start_new_session=True)
print(json.dumps([near.pid, far.pid, bare.pid, int(lost.stdout)]), flush=True)
match sys.argv[1]:
    case "until-eof": sys.stdin.read()
    case "die": os.kill(os.getpid(), signal.SIGKILL)
    case "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("ready", flush=True)
        while True: signal.pause()
"""


@asynccontextmanager
async def started(register: Register, *argv: str, **env: str) -> AsyncIterator[Child]:
    child = await Child.start(
        [sys.executable, "-c", *argv], cwd=Path("/"), env=env, register=register, on_stderr=print
    )
    try:
        yield child
    finally:
        await child.end(grace_s=0)


def is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
