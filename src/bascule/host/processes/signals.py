"""Signals heard by the event loop, also one that comes in the moment before the loop waits."""

import asyncio
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

HANGUPS = ("SIGTERM", "SIGHUP", "SIGBREAK")  # a plain kill, a closed terminal
STOP_SIGNALS = ("SIGINT", *HANGUPS)  # and Ctrl+C


@contextmanager
def on_signals(names: Iterable[str], callback: Callable[[], object]) -> Iterator[None]:
    """`callback` is called in the loop for each of these, where the system has it; then all is as before."""
    loop = asyncio.get_running_loop()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    for number in numbers:
        if sys.platform == "win32":
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(callback))
        else:  # a plain handler would wait for the loop's next event, which may never come
            loop.add_signal_handler(number, callback)
    try:
        yield
    finally:
        for number, handler in before.items():
            if sys.platform != "win32":
                loop.remove_signal_handler(number)
            signal.signal(number, handler)
