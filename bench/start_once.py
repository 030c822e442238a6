"""A daemon from nothing to the first delta of a real Codex, in its own process; it says how far it is."""

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec
import psutil
from msgspec import Struct

from bascule.daemon.app import open_app
from bascule.daemon.parts import App
from bascule.host.files.data_folder import open_folder
from bascule.model.asks import Refuse
from bascule.model.changes import TextGrew
from bascule.model.ids import PromptKey
from bascule.model.session import Prompt
from bench.mirror import PATIENCE_S, Mirror


class Reached(Struct, frozen=True, kw_only=True):
    stage: str
    rss: int = 0  # of the daemon and of its child, read where nothing more is timed
    child_rss: int = 0


async def run(data: Path, workspace: Path, env: Mapping[str, str]) -> None:
    async with open_app(open_folder(data), command="bench start", env=env) as app:
        say(Reached(stage="open"))
        async with asyncio.timeout(PATIENCE_S):
            await prompt(app, str(workspace))


async def prompt(app: App, workspace: str) -> None:
    session = await app.sessions.create(workspace)
    say(Reached(stage="thread"))
    mirror = await Mirror.open(app.hub.watch(session))
    outcome = app.prompts.submit(session, Prompt(key=PromptKey("start"), text="demo:text"))
    assert not isinstance(outcome, Refuse), outcome
    while not any(isinstance(change, TextGrew) and change.field == "text" for change in await mirror.take()):
        assert not mirror.is_done, "the run ended without a word"
    say(Reached(stage="delta"))
    while not mirror.is_done:
        await mirror.take()
    say(weigh())


def weigh() -> Reached:
    daemon = psutil.Process()
    [codex] = daemon.children()
    return Reached(stage="idle", rss=daemon.memory_info().rss, child_rss=codex.memory_info().rss)


def say(reached: Reached) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(reached) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), Path(sys.argv[2]), msgspec.json.decode(sys.argv[3])))
