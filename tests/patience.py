"""How long a test waits for what must come before it fails: a limit for a hang, never what a test shows."""

import asyncio
from collections.abc import Callable

PATIENCE_S = 60.0  # below the 120 s after which pytest ends a test without saying what it waited for
FOREVER_S = 1e6  # for a limit of the product's own that must not be what ends a wait
LOOK_S = 0.02


async def until(holds: Callable[[], object], what: str) -> None:
    """For what tells nobody when it is there: a file, a process, a task that ends by itself."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                await asyncio.sleep(LOOK_S)
    except TimeoutError:
        raise AssertionError(f"{what} never came") from None
