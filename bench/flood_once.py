"""One flood through the whole daemon to one surface, in a process of its own so that memory can be read."""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

import msgspec
import psutil
from msgspec import Struct

from bascule.daemon.app import open_app
from bascule.daemon.parts import App
from bascule.demo.home import toml_string
from bascule.host.files.data_folder import Folder, open_folder
from bascule.model.asks import Refuse
from bascule.model.blocks import AssistantBlock
from bascule.model.ids import PromptKey
from bascule.model.session import Prompt, Session
from bench import flood_server
from bench.mirror import PATIENCE_S, Mirror


class Flooded(Struct, frozen=True, kw_only=True):
    seconds: float  # from the prompt to the end state at the surface
    rss_before: int
    rss_peak: int
    characters: int  # of the answer, as the surface shows it


async def flood(root: Path, deltas: int) -> Flooded:
    folder = open_folder(root / "data")
    workspace = root / "workspace"
    workspace.mkdir()
    point_to_server(folder, deltas)
    async with open_app(folder, command="bench flood", env={}) as app:
        return await follow(app, str(workspace), deltas)


def point_to_server(folder: Folder, deltas: int) -> None:
    words = ["-I", flood_server.__file__, str(deltas)]
    arguments = ", ".join(map(toml_string, words))
    folder.settings.write_text(
        f"[codex]\ncommand = {toml_string(sys.executable)}\nargs = [{arguments}]\n", encoding="utf-8"
    )


async def follow(app: App, workspace: str, deltas: int) -> Flooded:
    session = await app.sessions.create(workspace)
    mirror = await Mirror.open(app.hub.watch(session))
    process = psutil.Process()
    rss_before = rss_peak = process.memory_info().rss
    start = time.perf_counter()
    outcome = app.prompts.submit(session, Prompt(key=PromptKey("flood"), text="Flood me"))
    assert not isinstance(outcome, Refuse), outcome
    async with asyncio.timeout(PATIENCE_S):
        while not mirror.is_done:
            await mirror.take()
            rss_peak = max(rss_peak, process.memory_info().rss)
        seconds = time.perf_counter() - start
        copy = await mirror.agree_with(app.hub.session(session))
    return Flooded(
        seconds=seconds,
        rss_before=rss_before,
        rss_peak=max(rss_peak, process.memory_info().rss),
        characters=count_characters(copy, deltas),
    )


def count_characters(session: Session, deltas: int) -> int:
    answers = [block.text for block in session.blocks if isinstance(block, AssistantBlock)]
    assert answers == [flood_server.WORD * deltas], "the surface does not show what the server sent"
    return len(answers[0])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as root:
        flooded = asyncio.run(flood(Path(root), int(sys.argv[1])))
    sys.stdout.buffer.write(msgspec.json.encode(flooded))
