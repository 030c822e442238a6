"""The daemon that the page is shown by, in a process of its own; it floods a session when it is asked to."""

import asyncio
import itertools
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bascule.daemon.app import open_app
from bascule.daemon.sessions.hub import Hub
from bascule.host.files.data_folder import open_folder
from bascule.model.blocks import AssistantBlock
from bascule.model.changes import BlockPut, Change, TextGrew
from bascule.model.ids import BlockId
from bascule.serve.serving import serving
from bench.flood_once import point_to_server
from bench.page_stored import FLOODED
from bench.plays import TURN, read_heard, retell, translate

PER_S = 1_770  # Changes
TICK_S = 0.005
ANSWER = BlockId("answer")
# One answer that grows: prose, a list, a table, code.
PASSAGE = (
    "## A part of the answer\n\nIt says *something* about `code` and a [link](https://example.org/).\n\n"
    "- one\n- two\n- three\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n"
    "```python\ndef add(a: int, b: int) -> int:\n    return a + b\n```\n\n"
)


async def serve(root: Path) -> None:
    """Each line of stdin asks for a flood: `runs SECONDS` or `answer SECONDS`; its end ends us."""
    folder = open_folder(root / "data")
    point_to_server(folder, 0)
    async with open_app(folder, command="bench page", env={}) as app, serving(app, folder):
        _say("ready")
        while line := await asyncio.to_thread(sys.stdin.readline):
            kind, seconds = line.split()
            _say(str(await flood(app.hub, FLOODS[kind](), float(seconds))))


async def flood(hub: Hub, changes: Iterator[Change], seconds: float) -> int:
    """At an even pace, one by one as an agent tells them; how many it were."""
    await hub.load(FLOODED)
    start, sent = time.monotonic(), 0
    while (passed := time.monotonic() - start) < seconds:
        due = round(passed * PER_S) - sent
        for change in itertools.islice(changes, due):
            hub.apply(FLOODED, [change])
        sent += due
        await asyncio.sleep(TICK_S)
    return sent


def tell_runs() -> Iterator[Change]:
    """A recorded run of a real agent again and again: every kind of Change in its true share."""
    return retell(translate(read_heard(TURN)), sys.maxsize)


def tell_answer() -> Iterator[Change]:
    yield BlockPut(AssistantBlock(id=ANSWER))
    words = PASSAGE.split(" ")
    while True:
        for word in words:
            yield TextGrew(ANSWER, "text", f"{word} ")


FLOODS = {"runs": tell_runs, "answer": tell_answer}


def _say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
