"""Real Claudes and Codexes in real terminals, ours and others', as `bascule watch --json` shows them."""

import asyncio
import base64
import json
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest
from msgspec import Raw
from tests.e2e.claude import ANSWER, ARGV, ClaudeModel, allow
from tests.e2e.codex_terminal import APPROVAL, READY, codex_terminal, elsewhere, let_ask
from tests.e2e.live_app import CODEX, SUITE, SUITE_ID
from tests.e2e.screen import COLUMNS, ROWS, Drawn
from tests.patience import PATIENCE_S
from tools.fetch_programs import RUNS_HERE

from bascule.cli.connect.join_daemon import Joined
from bascule.demo.home import prepare_home
from bascule.demo.server import DemoModel
from bascule.host.files.data_folder import open_folder
from bascule.host.network.dial import dial
from bascule.host.network.registration import find_daemon
from bascule.host.processes.tasks import Tasks
from bascule.model.protocol.panes import (
    AckPaneParams,
    AttachPaneParams,
    OpenPaneParams,
    PaneOutputNotify,
    WritePaneParams,
)

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not RUNS_HERE, reason="Claude is fetched for Linux x86-64 only"),
]

PROMPT = "ready>"


class WatchLines:
    """What `bascule watch --json` prints, line by line."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self._news = asyncio.Event()

    async def read(self, stream: asyncio.StreamReader) -> None:
        async for line in stream:
            self.lines.append(json.loads(line))
            self._news.set()

    async def until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first line of which that holds."""
        at = 0
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for line in self.lines[at:]:
                    if holds(line):
                        return line
                at = len(self.lines)
                self._news.clear()
                await self._news.wait()

    async def until_last(self, key: str, status: str) -> dict[str, Any]:
        """That session's latest line, once it says so."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                own = [line for line in self.lines if line["key"] == key]
                if own and own[-1]["status"] == status:
                    return own[-1]
                self._news.clear()
                await self._news.wait()

    def statuses(self, key: str) -> list[str]:
        """Without repeats."""
        said = [line["status"] for line in self.lines if line["key"] == key]
        return [one for at, one in enumerate(said) if at == 0 or said[at - 1] != one]


class PaneScreen(Drawn):
    """A pane of the daemon's, shown and typed into over the protocol."""

    def __init__(self, joined: Joined, pane_id: str) -> None:
        self.pane_id = pane_id
        self._joined = joined
        self._typed: asyncio.Queue[str] = asyncio.Queue()
        joined.on_notified = self._hear
        joined.tasks.start("typing", self._write())
        super().__init__(self._typed.put_nowait)

    @classmethod
    async def open(cls, joined: Joined, cwd: Path) -> "PaneScreen":
        given = OpenPaneParams(cwd=str(cwd), cols=COLUMNS, rows=ROWS)
        pane = (await joined.call("pane.open", given)).pane
        screen = cls(joined, pane.pane_id)
        await joined.call("pane.attach", AttachPaneParams(pane_id=pane.pane_id))
        return screen

    async def _write(self) -> None:
        while True:
            data = base64.b64encode((await self._typed.get()).encode()).decode()
            await self._joined.call("pane.write", WritePaneParams(pane_id=self.pane_id, data=data))

    def _hear(self, method: str, params: Raw) -> None:
        if method != "pane.output":
            return
        piece = msgspec.json.decode(params, type=PaneOutputNotify)
        data = piece.data
        self._joined.tasks.start("ack", self._acknowledge(piece.offset + len(data)))
        if data:
            self.draw(data)

    async def _acknowledge(self, offset: int) -> None:
        await self._joined.call("pane.ack", AckPaneParams(pane_id=self.pane_id, offset=offset))


@pytest.fixture
def home() -> Iterator[Path]:
    """Short: the path of a socket has a ceiling. Whatever was started with it is ended."""
    path = Path(tempfile.mkdtemp(prefix="bt", dir="/tmp"))
    (path / "project").mkdir()
    (path / ".bashrc").write_text(f"PS1='{PROMPT} '\n", encoding="utf-8")
    yield path
    for process in find_started(path):
        process.kill()
    shutil.rmtree(path)


def find_started(home: Path) -> list[psutil.Process]:
    """Every process with that home: also a daemon that Codex started."""

    def has_home(process: psutil.Process) -> bool:
        try:
            return process.environ().get("HOME") == str(home)
        except psutil.Error:
            return False

    return [process for process in psutil.process_iter() if has_home(process)]


@asynccontextmanager
async def watched(home: Path, env: Mapping[str, str]) -> AsyncIterator[tuple[WatchLines, PaneScreen]]:
    """`bascule watch --json`, and a pane of the daemon that it hosts."""
    async with AsyncExitStack() as stack:
        tasks = await stack.enter_async_context(Tasks())
        watch = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bascule", "watch", "--json"),
            cwd=home / "project",
            env={**env, "BASCULE_HOME": str(home / "data"), "SHELL": "/bin/bash"},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
        )
        stack.push_async_callback(watch.wait)
        stack.callback(watch.terminate)
        lines = WatchLines()
        assert watch.stdout is not None
        tasks.start("lines", lines.read(watch.stdout))
        async with asyncio.timeout(PATIENCE_S):
            while (daemon := find_daemon(open_folder(home / "data"))) is None:
                await asyncio.sleep(0.02)  # a daemon is found by its file
        wire = await dial(daemon, str(home / "project"))
        stack.push_async_callback(wire.close)
        joined = Joined(wire, str(home / "project"), tasks)
        await joined.begin("test")
        pane = await PaneScreen.open(joined, home / "project")
        await pane.until(PROMPT)
        try:
            yield lines, pane
        except (AssertionError, TimeoutError) as fault:
            fault.add_note(pane.text() + "\n" + "\n".join(map(str, lines.lines)))
            raise


async def live_through(claude: Drawn, model: ClaudeModel, lines: WatchLines, key: str) -> None:
    """A prompt, a permission, an answer, an Esc, the end. The model waits until Claude is seen at work."""
    await lines.until_last(key, "completed")
    model.speaks.clear()
    await claude.say("demo:approval")
    await lines.until_last(key, "working")
    model.speaks.set()
    waiting = await lines.until_last(key, "waiting_user")
    assert (waiting["source"], waiting["doing"]) == ("registry", "permission prompt")
    model.speaks.clear()
    await allow(claude)
    await lines.until_last(key, "working")
    model.speaks.set()
    await lines.until_last(key, "completed")
    await claude.until(ANSWER)
    await claude.say("demo:slow-1")
    await lines.until_last(key, "working")
    await claude.until("word-1-1 ")
    claude.press("esc")
    await lines.until_last(key, "completed")
    await claude.until_on_screen("Interrupted")
    await claude.say("/exit")
    await lines.until_last(key, "stopped")


async def test_claudes_in_our_pane_and_outside_go_through_every_status(home: Path) -> None:
    inside, outside = ClaudeModel(), ClaudeModel()
    project = home / "project"
    base = {"PATH": os.environ["PATH"], SUITE: SUITE_ID}
    async with (
        inside.serving(),
        outside.serving(),
        watched(home, {**base, **inside.prepare(home, project)}) as (lines, pane),
    ):
        with elsewhere(list(ARGV), {**base, **outside.prepare(home, project)}, project) as other:
            first = (await lines.until(lambda line: line["status"] == "completed"))["key"]
            pane.type(shlex.join(ARGV) + "\n")
            second = (await lines.until(lambda line: line["key"] != first))["key"]
            await asyncio.gather(
                live_through(other, outside, lines, first), live_through(pane, inside, lines, second)
            )
    way = ["completed", "working", "waiting_user", "working", "completed", "working", "completed", "stopped"]
    for key in (first, second):
        assert [one for one in lines.statuses(key) if one != "unknown"] == way
    assert {line.get("pane", "") for line in lines.lines if line["key"] == first} == {""}
    going = [line for line in lines.lines if line["key"] == second and line["status"] != "stopped"]
    assert going[-1]["pane"] == pane.pane_id


async def use_shared(codex: Drawn, lines: WatchLines) -> str:
    """A terminal with Codex's shared daemon: every status is exact."""
    await codex.until_on_screen(READY)
    await codex.say("demo:text")  # the socket is looked for once a second
    key = str((await lines.until(lambda line: line["source"] == "socket"))["key"])
    await lines.until_last(key, "completed")
    await codex.until("Nothing crosses until")
    await codex.say("demo:approval")
    waiting = await lines.until_last(key, "waiting_user")
    assert waiting["doing"] == "an approval"
    await codex.until_on_screen(APPROVAL)
    codex.press("y")
    done = await lines.until_last(key, "completed")
    assert done["source"] == "socket"
    await codex.until("You allowed it")
    await codex.say("demo:slow")
    await lines.until_last(key, "working")
    await codex.until("Sail rope bell")
    codex.press("esc")
    await lines.until_last(key, "completed")
    return key


async def use_alone(codex: Drawn, lines: WatchLines, pane: str) -> str:
    """A terminal with a server of its own, in our pane: its rollout, and the prompt that is back."""
    await codex.until_on_screen(READY)
    await codex.say("demo:command")
    key = str((await lines.until(lambda line: line.get("pane") == pane))["key"])
    done = await lines.until_last(key, "completed")
    assert (done["source"], done["title"]) == ("rollout", "demo:command")
    await codex.say("demo:slow")
    await lines.until_last(key, "working")
    await codex.until("Sail rope bell")
    codex.press("esc")
    aborted = await lines.until_last(key, "completed")
    assert aborted["evidence"] == "turn_aborted"
    await codex.say("/quit")
    await lines.until_last(key, "stopped")
    return key


async def test_codexes_with_a_shared_daemon_and_without_one_go_through_their_statuses(home: Path) -> None:
    async with DemoModel(word_delay_s=0.05) as model:
        made = prepare_home(home / "codex", base_url=model.base_url, token=model.token)
        let_ask(home / "codex", home / "project")
        env = {
            "PATH": os.environ["PATH"], "HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8",
            SUITE: SUITE_ID, **made,
        }  # fmt: skip
        async with watched(home, env) as (lines, pane):
            pane.type(shlex.join([CODEX, "--no-daemon"]) + "\n")
            alone = await use_alone(pane, lines, pane.pane_id)
            with codex_terminal(env, home / "project") as other:
                shared = await use_shared(other, lines)
    way = ["completed", "working", "waiting_user", "working", "completed", "working", "completed"]
    assert [one for one in lines.statuses(shared) if one != "unknown"][-7:] == way
    # The first run may be over before its file is found.
    assert lines.statuses(alone)[-4:] == ["completed", "working", "completed", "stopped"]
    assert {line.get("pane", "") for line in lines.lines if line["key"] == shared} == {""}
