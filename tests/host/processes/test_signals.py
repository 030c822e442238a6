"""Signals in the event loop: heard at once, and handed back afterwards."""

import asyncio
import os
import signal
import sys
import threading

import pytest
from tests.patience import PATIENCE_S

from bascule.host.processes.signals import on_signals

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are not sent like this there")


async def test_each_is_heard_and_all_is_as_before_afterwards() -> None:
    before = signal.getsignal(signal.SIGTERM)
    heard = asyncio.Event()
    with on_signals(["SIGTERM", "SIGNOT_OF_THIS_SYSTEM"], heard.set):
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(heard.wait(), PATIENCE_S)
    assert signal.getsignal(signal.SIGTERM) is before


async def test_one_that_another_thread_got_wakes_a_loop_that_waits() -> None:
    """The system may give it to any thread; the one that waits must hear of it all the same."""
    heard = asyncio.Event()
    with on_signals(["SIGTERM"], heard.set):
        thread = threading.Thread(target=lambda: signal.pthread_kill(threading.get_ident(), signal.SIGTERM))
        asyncio.get_running_loop().call_later(0.05, thread.start)
        await asyncio.wait_for(heard.wait(), PATIENCE_S)
        thread.join()
