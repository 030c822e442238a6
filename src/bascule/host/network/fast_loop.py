"""The faster event loop for a server under load, where it is installed."""

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

# How long another thread waits for its turn; Python's own 5 ms would be most of what a store's commit takes.
SWITCH_S = 0.0005

T = TypeVar("T")


def run_fast(work: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.run` does."""
    sys.setswitchinterval(SWITCH_S)
    try:
        import uvloop
    except ImportError:
        return asyncio.run(work)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)
