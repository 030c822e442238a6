"""The end of the parent is noticed, whoever holds the pipes."""

import subprocess
import sys

GRANDCHILD = """
import asyncio, sys
from tests.patience import PATIENCE_S
from bascule.host.processes.parent import wait_for_parent_to_go

async def main():
    waiting = asyncio.ensure_future(wait_for_parent_to_go())
    await asyncio.sleep(0)
    print("waiting", flush=True)
    await asyncio.wait_for(waiting, PATIENCE_S)
    print("gone", flush=True)

asyncio.run(main())
"""
CHILD = """
import subprocess, sys
subprocess.Popen([sys.executable, "-c", sys.argv[1]])
sys.stdin.read()
"""


def test_it_says_when_the_parent_is_gone() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, GRANDCHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stdout.readline() == b"waiting\n"
        child.kill()
        assert child.stdout.readline() == b"gone\n"
