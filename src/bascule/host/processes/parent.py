"""The process that started us: says when it is gone."""

import asyncio
import os
import threading

import psutil

LOOK_S = 1.0


async def wait_for_parent_to_go() -> None:
    """Ends when the parent does. A pipe alone would not tell: others may hold its other end."""
    loop = asyncio.get_running_loop()
    gone = asyncio.Event()
    parent = os.getppid()

    def watch() -> None:
        while not _is_gone(parent):
            pass
        if not loop.is_closed():
            loop.call_soon_threadsafe(gone.set)

    threading.Thread(target=watch, name="parent watch", daemon=True).start()
    await gone.wait()


def _is_gone(parent: int) -> bool:
    """Waits a while for it. Where it is dead but nobody has collected it, only our new parent knows."""
    try:
        psutil.Process(parent).wait(LOOK_S)
    except psutil.TimeoutExpired:
        return os.getppid() != parent
    except psutil.AccessDenied:
        threading.Event().wait(LOOK_S)
        return os.getppid() != parent
    except psutil.NoSuchProcess:
        return True
    return True
