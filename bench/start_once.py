"""A daemon from nothing to the first delta of a real Codex, in its own process; it says how far it is."""

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec
import psutil
from msgspec import Struct

from bascule.daemon.app import App, open_app
from bascule.host.folder import open_folder
from bascule.model.changes import TextGrew
from bascule.model.ids import PromptKey
from bascule.model.session import Prompt
from bench.mirror import PATIENCE_S, Mirror


class Reached(Struct, frozen=True, kw_only=True):
    """A stage that has been reached, and the memory of the daemon and of its child there."""

    stage: str
    rss: int
    child_rss: int


async def run(data: Path, workspace: Path, env: Mapping[str, str]) -> None:
    async with open_app(open_folder(data), command="bench start", env=env) as app:
        say("open")
        async with asyncio.timeout(PATIENCE_S):
            await prompt(app, str(workspace))


async def prompt(app: App, workspace: str) -> None:
    session = await app.sessions.create(workspace)
    say("thread")
    mirror = await Mirror.open(app.hub.watch(session))
    refused = app.prompts.submit(session, Prompt(key=PromptKey("start"), text="demo:text"))
    assert refused is None, refused
    while not any(isinstance(change, TextGrew) and change.field == "text" for change in await mirror.take()):
        assert not mirror.is_done, "the run ended without a word"
    say("delta")
    while not mirror.is_done:
        await mirror.take()
    say("idle")


def say(stage: str) -> None:
    own = psutil.Process()
    children = sum(child.memory_info().rss for child in own.children(recursive=True))
    reached = Reached(stage=stage, rss=own.memory_info().rss, child_rss=children)
    sys.stdout.buffer.write(msgspec.json.encode(reached) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), Path(sys.argv[2]), msgspec.json.decode(sys.argv[3])))
